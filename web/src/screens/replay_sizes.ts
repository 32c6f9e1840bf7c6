/** How deep did players look of whom nobody knows anything but their moves? Found out when it is asked for. */

import { announce } from "../announce";
import { sizeUp } from "../api";
import { Bars } from "../beliefs";
import { button, fill, h } from "../dom";
import type { RecordView, Sized } from "../protocol";
import { actionName, ahead, calledAt, listed, likeliest, percent } from "../words";
import { troubleOf } from "./screen";

export class Sizes {
  readonly element: HTMLElement;
  private readonly ask = button("Size up both players", () => void this.find(), { class: "secondary" });
  private readonly found = h("div", {}, h("p", { class: "quiet" }, "Searches what players of each depth would have played; this takes about a second for each move."));
  private closed = false;

  constructor(
    private readonly record: RecordView,
    private readonly jump: (ply: number) => void,
  ) {
    this.element = h("section", { class: "sizes" }, h("h2", {}, "How far did they look?"), h("p", { class: "actions" }, this.ask), this.found);
  }

  /** Whether there is anybody to ask about: players who are no agents and not you. */
  static areWanted(record: RecordView): boolean {
    return record.players.some(({ kind }) => kind === "other");
  }

  close(): void {
    this.closed = true;
  }

  private async find(): Promise<void> {
    if (this.ask.getAttribute("aria-disabled") === "true") return;
    this.ask.setAttribute("aria-disabled", "true");
    fill(this.found, h("p", { class: "quiet" }, "Searching…"));
    try {
      const { players } = await sizeUp(this.record.id);
      if (this.closed) return;
      fill(this.found, ...players.map((one) => this.player(one)));
      announce(players.map((one) => this.verdict(one)).join(" "));
    } catch (error) {
      fill(this.found, h("p", { class: "warn" }, troubleOf(error)));
    }
    this.ask.removeAttribute("aria-disabled");
  }

  private verdict(one: Sized): string {
    const who = calledAt(this.record.players, one.seat);
    const [likely, probability] = likeliest(one);
    if (one.none) return `${who} plays like none of these depths.`;
    if (one.depth !== null) return `${who} looks ${ahead(one.depth)} (${percent(probability)}).`;
    const among = one.credible.length > 1 ? one.credible.map(String) : [String(likely)];
    return `One cannot tell how far ${who} looks: perhaps ${listed(among)} moves ahead.`;
  }

  private player(one: Sized): HTMLElement {
    const bars = new Bars();
    bars.show(one);
    const { states } = this.record;
    const telling = one.telling.map(({ ply, action, reason }) =>
      h("li", {}, button(`Move ${ply}: ${actionName(states[ply - 1], action)}`, () => this.jump(ply), { class: "plain link" }), h("p", { class: "quiet" }, reason)),
    );
    return h("section", { class: "sized" }, h("p", { class: "verdict" }, this.verdict(one)), bars.element, telling.length > 0 && h("ol", { class: "telling" }, ...telling));
  }
}
