/** The form that sets up another game. */

import { h } from "../dom";
import { anySeed, depths, number, segments, select, type Option } from "../parts/fields";
import type { GameOffer, KindAbout, PlaySetup } from "../protocol";
import { lowered, raised, sideName } from "../words";
import { alone } from "./play_setup";

/** A form that starts another game. */
export function setupForm(game: GameOffer, kinds: readonly KindAbout[], setup: PlaySetup, start: (setup: PlaySetup) => void, guests = false): HTMLElement {
  const partner = segments("Your partner", partners(kinds), setup.partner);
  const deep = (label: string, chosen: number) => select(label, depths(withChosen(game.types, chosen)), String(chosen));
  const depth = deep("It looks", setup.partner_depth);
  const opponent = setup.opponent_depth === null ? null : deep("The opponent looks", setup.opponent_depth);
  const side = game.teams > 1 ? segments("Your side", sides(game), String(setup.side)) : null;
  const you = segments(game.seats.length > 0 ? "You are" : "You move", seats(game), setup.you);
  const seed = number("Seed", anySeed(), { min: 0, max: 2 ** 31, step: 1 });
  const invites = guests && game.guest_places.length > 0;
  const second = invites ? segments("A second person", places(game), setup.guest ?? "") : null;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    start({
      ...setup,
      partner: partner.value(),
      partner_depth: Number(depth.value()),
      opponent_depth: opponent ? Number(opponent.value()) : null,
      you: you.value() === "second" ? "second" : "first",
      side: side?.value() === "1" ? 1 : 0,
      seed: Math.max(0, Math.floor(Number(seed.value()) || 0)),
      ...(second ? { guest: game.guest_places.find((place) => place === second.value()) ?? null } : {}),
    });
  };
  const fields = [...(alone(game) ? [opponent, side] : [partner, depth, opponent, side, you]), second, seed].map((field) => field?.element);
  const submitButton = h("button", { type: "submit", class: "primary" }, "Start this game");
  return h("form", { class: "setup", onsubmit: submit }, ...fields, submitButton, !alone(game) && kindsInWords(kinds), game.untold && h("p", { class: "quiet" }, game.untold));
}

/** What each kind of partner does, for whoever has never heard of it. */
function kindsInWords(kinds: readonly KindAbout[]): HTMLElement {
  const offered = partners(kinds).map(({ value }) => kinds.find(({ kind }) => kind === value));
  return h("p", { class: "quiet" }, offered.map((one) => `${one?.title}: ${lowered(one?.blurb ?? "")}`).join(" "));
}

/** Whoever can be a visitor's partner: aware, oblivious, or an agent from a file of one's own. */
function partners(kinds: readonly KindAbout[]): Option[] {
  return kinds.filter(({ kind, own }) => own || /^(ca|obl)$|\W/.test(kind)).map(({ kind, title }) => ({ value: kind, label: title }));
}

function sides(game: GameOffer): Option[] {
  return [0, 1].map((team) => ({ value: String(team), label: `${raised(sideName(game, team))}${team === 0 ? ", moves first" : ""}` }));
}

/** Where somebody can sit who comes by a link. */
function places({ guest_places: places }: GameOffer): Option[] {
  const label = { with: "beside you", against: "on the other side" };
  return [{ value: "", label: "nobody" }, ...places.map((place) => ({ value: place, label: label[place] }))];
}

function seats({ seats, members }: GameOffer): Option[] {
  const them = Math.max(...members) > 2 ? "them" : "it";
  const [first, second] = seats.length > 1 ? [`${seats[0]}, first`, `${seats[1]}, second`] : [`before ${them}`, `after ${them}`];
  return [
    { value: "first", label: first ?? "" },
    { value: "second", label: second ?? "" },
  ];
}

function withChosen(types: readonly number[], chosen: number): number[] {
  return [...new Set([...types, chosen])].sort((a, b) => a - b);
}
