/** What one player believes about another: bars that move, and a curve over the moves. */

import { BeliefCurve } from "./chart/curve";
import { fill, h } from "./dom";
import type { Belief } from "./protocol";
import { percent } from "./words";

export class Bars {
  readonly element = h("ul", { class: "bars" });
  private rows: { fill: HTMLElement; value: HTMLElement }[] = [];
  private drawn = "";

  show(belief: Pick<Belief, "types" | "probabilities">): void {
    if (this.drawn !== belief.types.join()) this.lay(belief.types);
    belief.probabilities.forEach((probability, n) => {
      const row = this.rows[n];
      if (!row) return;
      row.fill.style.width = percentWidth(probability);
      row.value.textContent = percent(probability);
    });
  }

  private lay(types: readonly number[]): void {
    this.drawn = types.join();
    this.rows = types.map((_, n) => ({
      fill: h("div", { class: `bar-fill kind${n % 6}` }),
      value: h("span", { class: "bar-value" }),
    }));
    fill(
      this.element,
      ...this.rows.map((row, n) =>
        h(
          "li",
          {},
          h("span", { class: "bar-name" }, h("span", { class: "unseen" }, "depth "), String(types[n])),
          h("div", { class: "bar-track" }, row.fill),
          row.value,
        ),
      ),
    );
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
    fill(
      this.odds,
      ...belief.types.map((type, n) => {
        const bar = h("i", { class: `kind${n % 6}` });
        bar.style.width = percentWidth(belief.probabilities[n]);
        return h("span", {}, h("b", {}, String(type)), ` ${percent(belief.probabilities[n] ?? 0)}`, bar);
      }),
    );
  }
}

const percentWidth = (probability = 0): string => `${100 * probability}%`;

export interface PanelOptions {
  title: string;
  note: string;
  jump?: (ply: number) => void;
}

/** Bars and curve together, in step, and a brief form of them to be put beside a board. */
export class BeliefPanel {
  readonly element: HTMLElement;
  private readonly short = new Brief();
  readonly brief = this.short.element;
  private readonly bars = new Bars();
  private readonly curve: BeliefCurve;
  private readonly heading: HTMLElement;
  private readonly note: HTMLElement;
  private readonly empty = h("p", { class: "quiet" }, "No beliefs in this game: nobody here sizes anybody up.");

  constructor(options: PanelOptions) {
    this.curve = new BeliefCurve(options.jump);
    this.heading = h("h2", {}, options.title);
    this.note = h("p", { class: "quiet" }, options.note);
    this.element = h(
      "section",
      { class: "belief" },
      this.heading,
      this.note,
      this.bars.element,
      this.curve.element,
      this.empty,
    );
  }

  title(title: string, note: string): void {
    this.heading.textContent = title;
    this.note.textContent = note;
  }

  show(history: readonly Belief[], plies: number, at: number): void {
    const here = history[Math.min(at, history.length - 1)];
    this.empty.hidden = here !== undefined;
    this.bars.element.hidden = this.brief.hidden = here === undefined;
    this.curve.element.classList.toggle("gone", here === undefined);
    if (!here) return;
    this.bars.show(here);
    this.short.show(`${this.heading.textContent}: moves ahead`, here);
    this.curve.show(history, plies, at);
  }
}
