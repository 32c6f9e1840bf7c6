/** What there is to say about one move, at the board: a sentence, and the numbers one click deeper. */

import { fill, h, type Child } from "../dom";
import type { Move } from "../protocol";
import { firstSentence } from "../words";

export class Told {
  readonly element: HTMLElement;
  private readonly place = h("span", { class: "told-place" });
  private readonly line = h("p", { class: "told-line" });
  private readonly yours = h("p", { class: "told-yours quiet" });
  private readonly numbers = h("p", { class: "quiet" });
  private readonly deeper = h("details", { class: "told-numbers" }, h("summary", {}, "In numbers"), this.numbers);

  constructor(...below: Child[]) {
    this.element = h("section", { class: "told panel", "aria-label": "The move that is shown" }, this.line, this.yours, this.deeper, ...below);
  }

  /**
   * Tell a move; `brief` leaves out what anybody makes of it. Before the first one there is `start` to say.
   * `own` is a move of the visitor's before that, which is still of interest where there is room.
   */
  show(move: Move | undefined, start: string, brief = false, own?: Move): void {
    this.place.textContent = move ? `Move ${move.ply}` : "";
    const words = move ? (brief ? firstSentence(move.plain) : move.plain) : start;
    fill(this.line, move && this.place, move && " ", words);
    this.numbers.textContent = move?.sentence ?? "";
    this.yours.textContent = own && own !== move && !brief ? `Move ${own.ply}: ${own.plain}` : "";
    this.deeper.hidden = !move || brief || move.sentence === move.plain;
  }
}
