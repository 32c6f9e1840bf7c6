/** What one player believes about another: bars that move, and a curve over the moves. */

import { BeliefCurve } from "./chart/curve";
import { fill, h } from "./dom";
import { beliefHistory } from "./game";
import type { Belief, Move } from "./protocol";
import { noneOf, percent } from "./words";

/** None of these depths is worth a bar from here on. */
const LEAST_NONE = 0.005;

export class Bars {
  readonly element = h("ul", { class: "bars" });
  private rows: { line: HTMLElement; fill: HTMLElement; value: HTMLElement }[] = [];
  private drawn = "";

  show(belief: Pick<Belief, "types" | "probabilities">): void {
    if (this.drawn !== belief.types.join()) this.lay(belief.types);
    [...belief.probabilities, noneOf(belief)].forEach((probability, n) => {
      const row = this.rows[n];
      if (!row) return;
      row.fill.style.width = percentWidth(probability);
      row.value.textContent = percent(probability);
      row.line.hidden = n === belief.types.length && probability < LEAST_NONE;
    });
  }

  private lay(types: readonly number[]): void {
    this.drawn = types.join();
    const names = [...types.map(String), "none"];
    this.rows = names.map((_, n) => ({
      line: h("li"),
      fill: h("div", { class: `bar-fill ${n < types.length ? `kind${n % 6}` : "none"}` }),
      value: h("span", { class: "bar-value" }),
    }));
    this.rows.forEach((row, n) => {
      const name = h("span", { class: "bar-name" }, n < types.length && h("span", { class: "unseen" }, "depth "), names[n] ?? "");
      fill(row.line, name, h("div", { class: "bar-track" }, row.fill), row.value);
    });
    fill(this.element, ...this.rows.map(({ line }) => line));
  }
}

/** The same in a line or two, for screens too narrow to show board and bars together. */
class Brief {
  readonly element = h("div", { class: "brief", "aria-hidden": "true" });
  private readonly title = h("p", {});
  private readonly odds = h("div", { class: "brief-odds" });

  constructor() {
    this.element.append(this.title, this.odds);
  }

  show(title: string, belief: Belief): void {
    this.title.textContent = title;
    const none = noneOf(belief);
    fill(
      this.odds,
      ...belief.types.map((type, n) => brief(String(type), belief.probabilities[n] ?? 0, `kind${n % 6}`)),
      ...(none >= LEAST_NONE ? [brief("none", none, "none")] : []),
    );
  }
}

function brief(name: string, probability: number, kind: string): HTMLElement {
  const bar = h("i", { class: kind });
  bar.style.width = percentWidth(probability);
  return h("span", {}, h("b", {}, name), ` ${percent(probability)}`, bar);
}

const percentWidth = (probability = 0): string => `${100 * probability}%`;

/** Whose belief about whom, and what to call it. */
export interface BeliefAbout {
  believer: number;
  about: number;
  title: string;
  note: string;
}

/** Bars and curve together, in step, and a brief form of them to be put beside a board. */
class BeliefPanel {
  readonly element: HTMLElement;
  private readonly short = new Brief();
  readonly brief = this.short.element;
  private readonly bars = new Bars();
  private readonly curve: BeliefCurve;

  constructor(readonly pair: BeliefAbout, jump?: (ply: number) => void) {
    this.curve = new BeliefCurve(jump);
    const words = [h("h2", {}, pair.title), h("p", { class: "quiet" }, pair.note)];
    this.element = h("section", { class: "belief" }, ...words, this.bars.element, this.curve.element);
  }

  show(history: readonly Belief[], plies: number, at: number): void {
    const here = history[Math.min(at, history.length - 1)];
    if (!here) return;
    this.bars.show(here);
    this.short.show(`${this.pair.title}: moves ahead`, here);
    this.curve.show(history, plies, at);
  }
}

/** A panel for each belief of a game. */
export class BeliefPanels {
  readonly element = h("div", { class: "panels" });
  readonly briefs = h("div");
  private panels: BeliefPanel[] = [];

  constructor(private readonly jump?: (ply: number) => void) {}

  lay(pairs: readonly BeliefAbout[]): void {
    this.panels = pairs.map((pair) => new BeliefPanel(pair, this.jump));
    const nobody = h("section", { class: "belief" }, h("h2", {}, "Beliefs"), h("p", { class: "quiet" }, "No player in this game keeps beliefs about another."));
    fill(this.element, ...(pairs.length > 0 ? this.panels.map(({ element }) => element) : [nobody]));
    fill(this.briefs, ...this.panels.map(({ brief }) => brief));
  }

  show(first: readonly Belief[], moves: readonly Move[], at = moves.length): void {
    for (const panel of this.panels) {
      panel.show(beliefHistory(first, moves, panel.pair.believer, panel.pair.about), moves.length, at);
    }
  }
}
