/** What each depth would have played in a move's place, and what it makes of it. */

import { getTable } from "../api";
import { Bars } from "../beliefs";
import { fill, h, type Child } from "../dom";
import { select } from "../parts/fields";
import type { Belief, RecordView, State, Table, TableAnswer, TypeEntry } from "../protocol";
import { actionName, calledAt, figure, lowered } from "../words";
import { troubleOf } from "./screen";

/** Whoever scrubs fast asks for nothing on the way. */
const PATIENCE = 180;

export class SearchTable {
  readonly element: HTMLElement;
  private readonly body = h("div", { "aria-live": "polite" });
  private readonly asType;
  private readonly known = new Map<string, TableAnswer>();
  private timer = 0;
  private wanted = "";
  private ply = 1;

  /** `found` is told what is shown, and of which move: nothing while it is not known. */
  constructor(
    private readonly record: RecordView,
    private readonly found: (table: Table | null, ply: number) => void,
  ) {
    const types = record.types.map((type) => ({ value: String(type), label: `a player of depth ${type}` }));
    this.asType = select("View as", [{ value: "", label: "whoever sized it up" }, ...types], "", () => this.show(this.ply));
    this.element = h("section", { class: "search" }, h("h2", {}, "What each depth would have played"), this.asType.element, this.body);
  }

  /** Show the choice that was made with move number `ply`; before the first move there was none. */
  show(ply: number): void {
    this.ply = ply;
    this.found(null, ply);
    const as = this.asType.value();
    const key = `${ply}/${as}`;
    this.wanted = key;
    window.clearTimeout(this.timer);
    if (ply === 0) return this.say("No move yet: go on to the first one.");
    const answer = this.known.get(key);
    if (answer) return this.draw(answer, ply);
    this.body.classList.add("waiting");
    if (this.body.childElementCount === 0) this.say("Searching…");
    this.timer = window.setTimeout(() => void this.ask(key, ply, as === "" ? null : Number(as)), PATIENCE);
  }

  close(): void {
    this.wanted = "";
    window.clearTimeout(this.timer);
  }

  private async ask(key: string, ply: number, as: number | null): Promise<void> {
    try {
      const answer = await getTable(this.record.id, ply, as);
      this.known.set(key, answer);
      if (this.wanted === key) this.draw(answer, ply);
    } catch (error) {
      if (this.wanted === key) this.say(troubleOf(error));
    }
  }

  private say(words: string): void {
    this.body.classList.remove("waiting");
    fill(this.body, h("p", { class: "quiet" }, words));
  }

  private draw(answer: TableAnswer, ply: number): void {
    const { table, reduced } = answer;
    const choices = this.record.states[ply - 1]?.legal.length;
    if (!table) return this.say(choices === 1 ? "It was the only legal move, so nobody searched." : "Nobody searched for this move.");
    this.body.classList.remove("waiting");
    const note = `In place of move ${ply}. For each depth: in how many of ${table.searches} searches such a player comes to play the move, and how many points it expects from it. The deepest player’s favourite comes first. On the board is each depth’s own favourite.`;
    this.found(table, ply);
    fill(this.body, h("p", { class: "quiet" }, note), drawTable(table, this.record.states[ply - 1]), ...(reduced ? this.believed(reduced) : []));
  }

  /** What a player of the chosen depth would believe: nothing deeper than itself. */
  private believed(reduced: readonly Belief[]): Child[] {
    const others = reduced.filter((belief) => belief.believer !== belief.about);
    if (others.length === 0) return [];
    const depth = this.asType.value();
    return [
      h("h3", {}, `What a player of depth ${depth} would believe`),
      ...others.map((belief) => {
        const bars = new Bars();
        bars.show(belief);
        return h("div", {}, h("p", { class: "quiet" }, `about ${lowered(calledAt(this.record.players, belief.about))}`), bars.element);
      }),
    ];
  }
}

/** The number of a depth's colour, the same as in bars and curves. */
export const kindOf = (types: readonly number[], type: number): number => types.indexOf(type) % 6;

/** What the deepest player likes best comes first. */
function bestFirst({ actions }: Table): Table["actions"] {
  const played = ({ by_type }: Table["actions"][number]): number => by_type.at(-1)?.played ?? 0;
  return [...actions].sort((a, b) => played(b) - played(a));
}

function drawTable(table: Table, state: State | undefined): HTMLElement {
  const head = [h("th", { scope: "col" }, "Move"), ...table.types.map((type) => h("th", { scope: "col", class: "number" }, h("span", { class: `key kind${kindOf(table.types, type)}` }, `depth ${type}`)))];
  const rows = bestFirst(table).map(({ action, played, by_type }) =>
    h(
      "tr",
      { class: played && "played" },
      h("th", { scope: "row" }, actionName(state, action), played && " ", played && h("span", { class: "tag" }, "played")),
      ...by_type.map((entry) => h("td", { class: "number" }, ...(entry ? entryParts(entry, table.searches) : ["–"]))),
    ),
  );
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Search by depth" },
    h("table", { class: "by-type" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)),
  );
}

function entryParts(entry: TypeEntry, searches: number): Child[] {
  const bar = h("span", { class: "share" });
  bar.style.width = `${(100 * entry.played) / searches}%`;
  return [
    h("span", { class: "share-line" }, bar, h("span", { class: "share-value" }, figure(Math.round(entry.played)))),
    h("span", { class: "fine" }, entry.value === null ? "–" : `${figure(entry.value)} pt`),
  ];
}
