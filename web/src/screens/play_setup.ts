/** How a game is set up, in words: who the partner is, how deep it looks, where you sit. */

import { anySeed } from "../parts/fields";
import type { GameOffer, KindAbout, PlaySetup } from "../protocol";
import { ahead } from "../words";

/** What a visitor plays who has not chosen anything: the game's own setup, on a seed of its own. */
export function freshSetup(game: GameOffer): PlaySetup {
  return { ...game.default, seed: anySeed() };
}

/** One line that says what is played. */
export function summary(game: GameOffer, kinds: readonly KindAbout[], setup: PlaySetup): string {
  const kind = kinds.find(({ kind }) => kind === setup.partner)?.title ?? setup.partner;
  const seat = game.seats[setup.you === "first" ? 0 : 1];
  const partner = alone(game) ? "" : `Partner: ${kind}, looks ${ahead(setup.partner_depth)}.`;
  const opponent = setup.opponent_depth === null ? "" : `Opponent: looks ${setup.opponent_depth} ahead.`;
  const guest = setup.guest ? `You have invited somebody to play ${setup.guest} you.` : "";
  return [seat && `You are ${seat}.`, partner, setup.guest !== "against" && opponent, guest].filter(Boolean).join(" ");
}

/** Whether every team has one player, and so a visitor no partner. */
export const alone = ({ members }: GameOffer): boolean => Math.max(...members) < 2;
