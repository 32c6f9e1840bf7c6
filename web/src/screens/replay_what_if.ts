/** What if another move had been played here? The agents play on from it, as a new game, or you do. */

import { whatIf } from "../api";
import { button, fill, h } from "../dom";
import type { RecordView } from "../protocol";
import { address, go } from "../router";
import { save } from "../saved";
import { actionName, moveName } from "../words";
import { troubleOf } from "./screen";

export class WhatIf {
  readonly element: HTMLElement;
  private readonly moves = h("select", { "aria-label": "Another move" });
  private readonly words = h("p", { class: "quiet" });
  private readonly ask = button("Play on from here", () => void this.branch(this.moves.value), { class: "secondary" });
  private readonly again = button("Search again", () => void this.branch(null), { class: "small" });
  private readonly seats = h("select", { "aria-label": "Your seat" });
  private readonly yourself = button("Play on yourself", () => this.goOn(), { class: "secondary" });
  private ply = 0;
  private closed = false;

  constructor(private readonly record: RecordView) {
    this.element = h(
      "section",
      { class: "what-if" },
      h("h2", {}, "What if, from here?"),
      this.words,
      h("div", { class: "actions" }, this.moves, this.ask, this.again),
      h("div", { class: "actions" }, this.seats, this.yourself),
    );
    const you = record.players.find(({ kind }) => kind === "you");
    const open = you ? [you] : record.players.filter(({ kind }) => kind !== "other");
    fill(this.seats, ...open.map(({ seat, called }) => h("option", { value: seat }, you ? "as yourself" : `in place of ${called}`)));
    // Somebody else who is not here would have to move.
    const absent = record.players.some(({ kind }) => kind === "other");
    this.seats.hidden = this.yourself.hidden = absent || open.length === 0;
  }

  /** Offer the moves that were possible in this state. */
  show(ply: number): void {
    this.ply = ply;
    const state = this.record.states[ply];
    const legal = state?.legal ?? [];
    const played = this.record.moves[ply]?.action;
    const over = legal.length === 0 || played === undefined;
    // A person's move was not searched for: there is nothing to search again.
    const person = this.record.players.find(({ seat }) => seat === this.record.moves[ply]?.seat)?.kind === "you";
    const redo = person ? "" : ", or let the mover search again with another seed";
    this.words.textContent = over
      ? "Go back to an earlier move to try another one."
      : `Next came: ${actionName(state, played)}. Pick another move, here or on the board${redo}.`;
    this.again.hidden = person;
    fill(
      this.moves,
      ...legal.map((one) =>
        h("option", { value: one.action }, moveName(one) + (one.action === played ? " (as played)" : "")),
      ),
    );
    const other = legal.find(({ action }) => action !== played);
    if (other) this.moves.value = other.action;
    this.moves.disabled = this.ask.disabled = this.again.disabled = over;
    this.yourself.disabled = this.seats.disabled = legal.length === 0 && played === undefined && this.record.result.stopped === null;
  }

  /** The game goes on at the table where it is played; whatever was going on there is left. */
  private goOn(): void {
    const { game, id, moves } = this.record;
    const seat = Number(this.seats.value);
    save({ setup: { mode: "continue", game, record: id, ply: this.ply, seat }, moves: moves.slice(0, this.ply).map(({ action }) => action) });
    go(address("play", game));
  }

  /** A move picked on the board. */
  choose(action: string): void {
    if (this.moves.disabled) return;
    this.moves.value = action;
    this.ask.focus();
  }

  /** Whoever has left must not be called back when the branch is done. */
  close(): void {
    this.closed = true;
  }

  private async branch(action: string | null): Promise<void> {
    this.ask.disabled = this.again.disabled = true;
    const { ply } = this;
    const since = Date.now();
    const tell = (): void => {
      const seconds = Math.round((Date.now() - since) / 1000);
      this.words.textContent = `The agents are playing on to the end. This may take half a minute… ${seconds} s`;
    };
    tell();
    const clock = window.setInterval(tell, 1000);
    try {
      const { id } = await whatIf(this.record.id, ply + 1, action);
      if (!this.closed) go(address("replay", id, ply + 1));
    } catch (error) {
      this.ask.disabled = this.again.disabled = false;
      this.words.textContent = troubleOf(error);
    } finally {
      window.clearInterval(clock);
    }
  }
}
