/** How a game is set up: who the partner is, how deep it looks, where you sit. */

import { h } from "../dom";
import { anySeed, depths, number, segments, select } from "../parts/fields";
import type { GameAbout, PlaySetup, State } from "../protocol";

/** The names of the two teams at games that have two, as their boards show them. */
const SIDES: Record<string, readonly [string, string]> = {
  checkers: ["Black, moves first", "White"],
  "connect-four": ["Yellow, moves first", "Red"],
};

/** Moves after which a game is over, whoever made them. */
const TURNS: Record<string, number> = { "wall-of-fire": 20, "narrow-tunnel": 20 };

/** What a player must know and the board does not show. */
const RULES: Record<string, string> = {
  "wall-of-fire": `A step into fire costs 2, a coin pays 100, and there are ${TURNS["wall-of-fire"]} turns.`,
  "narrow-tunnel": `A red coin pays 30 if red takes it, a blue one 1 if blue does; ${TURNS["narrow-tunnel"]} turns.`,
  checkers: "Captures are forced. After 40 moves without one, or 120 in all, whoever captured more wins.",
  "connect-four": "Four in a row win.",
};

const STEPS = "Click a tile beside you, drag, use the arrow keys and Enter, or the buttons.";
const HOW_TO: Record<string, string> = {
  "wall-of-fire": STEPS,
  "narrow-tunnel": STEPS,
  checkers:
    "Click a piece and a square, drag, use the arrow keys and Enter, or a button: 6-9 is from 6 to 9.",
  "connect-four": "Click an outlined place or its column’s letter, or use the arrow keys and Enter.",
};

/** How a move is made. */
export function howTo(game: string): string {
  return HOW_TO[game] ?? "";
}

/** Which turn it is; nothing where nobody knows how many there will be. */
export function turnOf(game: string, { ply, actor }: Pick<State, "ply" | "actor">): string {
  const turns = TURNS[game];
  return turns === undefined ? "" : `Turn ${Math.min(turns, actor === null ? ply : ply + 1)} of ${turns}`;
}

/** The game in a line or two: what it is about, and its rules. */
export function introduction(game: GameAbout): string {
  return [game.blurb, RULES[game.name]].filter(Boolean).join(" ");
}

/** What a visitor plays who has not chosen anything: the game's own setup, on a seed of its own. */
export function freshSetup(game: GameAbout): PlaySetup {
  return { ...game.default, seed: anySeed() };
}

/** One line that says what is played. */
export function summary(setup: PlaySetup): string {
  const partner = setup.partner === "ca" ? "aware" : "oblivious";
  const opponent = setup.opponent_depth === null ? "" : ` The opponent looks ${setup.opponent_depth} ahead.`;
  const colour = setup.game === "narrow-tunnel" ? `You are ${setup.you === "first" ? "blue" : "red"}. ` : "";
  return `${colour}Your partner is ${partner} and looks ${setup.partner_depth} moves ahead.${opponent}`;
}

/** A form that starts another game. */
export function setupForm(game: GameAbout, setup: PlaySetup, start: (setup: PlaySetup) => void): HTMLElement {
  const partner = segments(
    "Your partner is",
    [
      { value: "ca", label: "aware" },
      { value: "obl", label: "oblivious" },
    ],
    setup.partner,
  );
  const depth = select("It looks", depths(withChosen(game.types, setup.partner_depth)), String(setup.partner_depth));
  const opponent =
    setup.opponent_depth === null
      ? null
      : select("The opponent looks", depths(withChosen(game.types, setup.opponent_depth)), String(setup.opponent_depth));
  const names = game.sides > 1 ? (SIDES[game.name] ?? ["First", "Second"]) : null;
  const side = names && segments("Your side", names.map((label, n) => ({ value: String(n), label })), String(setup.side));
  const [before, after] = game.name === "narrow-tunnel" ? ["blue, first", "red, second"] : ["before it", "after it"];
  const you = segments(
    game.name === "narrow-tunnel" ? "You are" : "You move",
    [
      { value: "first", label: before ?? "" },
      { value: "second", label: after ?? "" },
    ],
    setup.you,
  );
  const seed = number("Seed", anySeed(), { min: 0, max: 2 ** 31, step: 1 });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    start({
      ...setup,
      partner: partner.value() === "obl" ? "obl" : "ca",
      partner_depth: Number(depth.value()),
      opponent_depth: opponent ? Number(opponent.value()) : null,
      you: you.value() === "second" ? "second" : "first",
      side: side?.value() === "1" ? 1 : 0,
      seed: Math.max(0, Math.floor(Number(seed.value()) || 0)),
    });
  };
  const fields = [partner, depth, opponent, side, you, seed].map((field) => field?.element);
  const submitButton = h("button", { type: "submit", class: "primary" }, "Start this game");
  return h("form", { class: "setup", onsubmit: submit }, ...fields, submitButton, game.note && h("p", { class: "quiet" }, game.note));
}

function withChosen(types: readonly number[], chosen: number): number[] {
  return [...new Set([...types, chosen])].sort((a, b) => a - b);
}
