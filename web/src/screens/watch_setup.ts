/** Who is seated: any kinds of agents, any depths, on one team or two. */

import { button, fill, h } from "../dom";
import { anySeed, number, select, type Field } from "../parts/fields";
import type { About, GameAbout, WatchSetup } from "../protocol";

export interface Member {
  kind: string;
  depth: number;
}

/** A team as the server reads it. */
export function teamText(members: readonly Member[]): string {
  return members.map(({ kind, depth }) => (kind === "random" ? kind : `${kind}:${depth}`)).join("+");
}

/** A team as people see it; what cannot be read is an oblivious player. */
export function readTeam(text: string, depth: number): Member[] {
  return text.split("+").map((part) => {
    const [, kind = "obl", own] = /^([a-z]+)(?::(\d+))?/.exec(part.trim()) ?? [];
    return { kind, depth: own === undefined ? depth : Number(own) };
  });
}

/** Seats to begin with: somebody deep and aware beside somebody shallow. */
export function firstTeams(game: GameAbout): string[] {
  const low = game.types[0] ?? 2;
  const high = game.types.at(-1) ?? 8;
  const teams = [`ca:${high}+obl:${low}`];
  if (game.sides > 1) teams.push(`obl:${high}+obl:${low}`);
  return teams;
}

/** The form; `start` gets what was chosen. */
export function watchForm(about: About, first: WatchSetup, start: (setup: WatchSetup) => void): HTMLElement {
  const seats = h("div", { class: "seats" });
  let teams: Seat[][] = [];
  const offer = (): GameAbout | undefined => about.games.find((game) => game.name === chosen.value());
  const seat = (texts: readonly string[]): void => {
    const most = offer()?.max_depth ?? about.limits.max_depth;
    teams = texts.map((text) => readTeam(text, offer()?.types[0] ?? 2).map((member) => memberFields(about, member, most)));
    fill(seats, ...teams.map((team, n) => teamBox(team, texts.length > 1 ? `Team ${n + 1}` : "The team")));
  };
  const games = about.games.map((game) => ({ value: game.name, label: game.title }));
  const chosen = select("Game", games, first.game, () => {
    const game = offer();
    if (game) seat(firstTeams(game));
  });
  const seed = number("Seed", first.seed, { min: 0, max: 2 ** 31, step: 1 });
  const seated = (): string[] =>
    teams.map((team) =>
      teamText(team.map(({ kind, depth }) => ({ kind: kind.value(), depth: Math.max(1, Number(depth.value()) || 1) }))),
    );
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    start({ mode: "watch", game: chosen.value(), teams: seated(), seed: Math.max(0, Math.floor(Number(seed.value()) || 0)) });
  };
  const swap = button("Put an oblivious player in the first seat", () => {
    seat(seated().map((text, n) => (n === 0 ? text.replace(/^[a-z]+/, "obl") : text)));
  }, { class: "small" });
  seat(first.teams);
  return h(
    "form",
    { class: "setup wide", onsubmit: submit },
    chosen.element,
    seats,
    seed.element,
    h("div", { class: "actions" }, h("button", { type: "submit", class: "primary" }, "Watch this"), swap),
  );
}

/** What the screen opens with. */
export function openingSetup(about: About): WatchSetup {
  const game = about.games[0];
  return { mode: "watch", game: game?.name ?? "wall-of-fire", teams: game ? firstTeams(game) : [], seed: anySeed() };
}

interface Seat {
  kind: Field;
  depth: Field;
  /** What the chosen kind does. */
  words: HTMLElement;
}

function memberFields(about: About, member: Member, most: number): Seat {
  const kinds = about.kinds.map(({ kind, title }) => ({ value: kind, label: title }));
  const words = h("p", { class: "quiet" });
  const tell = (): void => {
    words.textContent = about.kinds.find((known) => known.kind === kind.value())?.blurb ?? "";
  };
  const kind = select("Player", kinds, member.kind, tell);
  tell();
  return { kind, depth: number("looks ahead", member.depth, { min: 1, max: most, step: 1 }), words };
}

function teamBox(team: readonly Seat[], legend: string): HTMLElement {
  const members = team.flatMap(({ kind, depth, words }) => [h("div", { class: "member" }, kind.element, depth.element), words]);
  return h("fieldset", { class: "team" }, h("legend", {}, legend), ...members);
}
