/** To resign, and to offer a draw: against whoever is on the other side. */

import { announce } from "../announce";
import { button, h } from "../dom";

/** Milliseconds for which a first click waits for the second one. */
const ASKED = 4000;

export class GivingUp {
  readonly element: HTMLElement;
  private readonly resign = button("Resign", () => this.ask(), { class: "small" });
  private readonly draw = button("Offer a draw", () => this.offer(), { class: "small", title: "Your opponent takes it if it did not expect to win when it last moved" });
  private readonly answer = h("p", { class: "quiet" });
  private timer = 0;
  private open = false;

  constructor(
    private readonly resigned: () => void,
    private readonly offered: () => void,
  ) {
    this.element = h("div", { class: "giving-up" }, this.draw, this.resign, this.answer);
  }

  /** Shown while there is a game; a draw is offered in your own turn. */
  show(playing: boolean, yours: boolean, mayDraw: boolean): void {
    this.element.hidden = !playing;
    this.draw.hidden = !mayDraw;
    this.open = yours;
    this.draw.setAttribute("aria-disabled", String(!yours));
    if (!playing) this.calm();
  }

  /** What became of the last offer; nothing if there is none. */
  say(words: string): void {
    this.answer.textContent = words;
    if (words) announce(words);
  }

  private offer(): void {
    if (this.open) this.offered();
  }

  /** One click is easily made by mistake. */
  private ask(): void {
    if (this.timer) {
      this.calm();
      return this.resigned();
    }
    this.resign.textContent = "Resign: are you sure?";
    this.timer = window.setTimeout(() => this.calm(), ASKED);
  }

  private calm(): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.resign.textContent = "Resign";
  }
}
