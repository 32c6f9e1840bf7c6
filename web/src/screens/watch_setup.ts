/** Who is seated: any kinds of agents, any depths, on one team or two. */

import { button, fill, h } from "../dom";
import { anySeed, number, select, type Field } from "../parts/fields";
import type { About, GameOffer, WatchSetup } from "../protocol";
import { raised, sideName } from "../words";

export interface Member {
  kind: string;
  depth: number;
}

/** A team as the server reads it. */
export function teamText(members: readonly Member[]): string {
  return members.map(({ kind, depth }) => (kind === "random" ? kind : `${kind}:${depth}`)).join("+");
}

/** The members of a team; one without a depth has this one. */
export function readTeam(text: string, depth: number): Member[] {
  return text.split("+").map((part) => {
    const [, kind = "obl", own] = /^([^:+]+)(?::(\d+))?/.exec(part.trim()) ?? [];
    return { kind, depth: own === undefined ? depth : Number(own) };
  });
}

/** What the screen opens with. */
export function openingSetup({ games: [game] }: About): WatchSetup {
  return { mode: "watch", game: game?.name ?? "", teams: game?.first_teams ?? [], seed: anySeed() };
}

/** The form; `start` gets what was chosen. */
export function watchForm(about: About, first: WatchSetup, start: (setup: WatchSetup) => void): HTMLElement {
  const form = new WatchForm(about, first);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    start(form.setup());
  };
  return h("form", { class: "setup wide", onsubmit: submit }, ...form.parts);
}

interface Seat {
  kind: Field;
  depth: Field;
  element: HTMLElement;
}

class WatchForm {
  readonly parts: HTMLElement[];
  private readonly box = h("div", { class: "seats" });
  private readonly game: Field;
  private readonly seed: Field;
  private teams: Seat[][] = [];

  constructor(private readonly about: About, first: WatchSetup) {
    const games = about.games.map(({ name, title }) => ({ value: name, label: title }));
    this.game = select("Game", games, first.game, () => this.seat((this.offer?.first_teams ?? []).map((text) => this.read(text))));
    this.seed = number("Seed", first.seed, { min: 0, max: 2 ** 31, step: 1 });
    const swap = button("Make the first player oblivious", () => {
      this.seat(this.seated().map((team, t) => team.map((member, m) => (t + m === 0 ? { ...member, kind: "obl" } : member))));
    }, { class: "small" });
    const actions = h("div", { class: "actions" }, h("button", { type: "submit", class: "primary" }, "Watch this"), swap);
    this.parts = [this.game.element, this.box, this.seed.element, actions];
    this.seat(first.teams.map((text) => this.read(text)));
  }

  setup(): WatchSetup {
    const seed = Math.max(0, Math.floor(Number(this.seed.value()) || 0));
    return { mode: "watch", game: this.game.value(), teams: this.seated().map(teamText), seed };
  }

  private get offer(): GameOffer | undefined {
    return this.about.games.find(({ name }) => name === this.game.value());
  }

  private read(text: string): Member[] {
    return readTeam(text, this.offer?.types[0] ?? 2);
  }

  private seated(): Member[][] {
    return this.teams.map((team) => team.map(({ kind, depth }) => ({ kind: kind.value(), depth: Math.max(1, Number(depth.value()) || 1) })));
  }

  private seat(teams: readonly Member[][]): void {
    this.teams = teams.map((team) => team.map((member) => this.member(member)));
    fill(this.box, ...this.teams.map((team, at) => this.team(team, at)));
  }

  private team(team: readonly Seat[], at: number): HTMLElement {
    const offer = this.offer;
    const name = this.teams.length > 1 && offer ? raised(sideName(offer, at)) : "The team";
    const resize = (change: (members: Member[]) => Member[]): void => {
      this.seat(this.seated().map((members, t) => (t === at ? change(members) : members)));
    };
    const add = button("Add a player", () => resize((members) => [...members, ...members.slice(-1)]), { class: "small" });
    const remove = button("Remove the last player", () => resize((members) => members.slice(0, -1)), { class: "small", disabled: team.length < 2 });
    const sizes = offer?.resizable && h("div", { class: "actions" }, add, remove);
    return h("fieldset", { class: "team" }, h("legend", {}, name), ...team.map(({ element }) => element), sizes);
  }

  private member(member: Member): Seat {
    const { kinds, limits } = this.about;
    const words = h("p", { class: "quiet" });
    const tell = (): void => {
      words.textContent = kinds.find((known) => known.kind === kind.value())?.blurb ?? "";
    };
    const kind = select("Player", kinds.map(({ kind, title }) => ({ value: kind, label: title })), member.kind, tell);
    const depth = number("looks ahead", member.depth, { min: 1, max: this.offer?.max_depth ?? limits.max_depth, step: 1 });
    tell();
    return { kind, depth, element: h("div", {}, h("div", { class: "member" }, kind.element, depth.element), words) };
  }
}
