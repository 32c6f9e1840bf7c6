/** One sentence for each move, the newest first. */

import { fill, h } from "../dom";
import type { Move } from "../protocol";

/** A move that told so much, in bits, is worth a second look. */
export const TELLING = 0.5;

export class MoveLog {
  readonly element: HTMLElement;
  private readonly list = h("ol", { class: "log", tabindex: 0, "aria-label": "Moves, newest first" });
  private drawn: readonly Move[] = [];

  constructor(private readonly jump?: (ply: number) => void) {
    this.element = h("section", { class: "log-box" }, h("h2", {}, "Move by move"), this.list);
  }

  show(moves: readonly Move[], at = moves.length): void {
    const grown = moves.length === this.drawn.length + 1 && moves.at(-2) === this.drawn.at(-1);
    if (grown) this.list.prepend(this.line(moves[moves.length - 1] as Move));
    else if (moves !== this.drawn) fill(this.list, ...[...moves].reverse().map((move) => this.line(move)));
    this.drawn = moves;
    this.element.hidden = moves.length === 0;
    for (const line of this.list.children) line.classList.toggle("current", line.getAttribute("data-ply") === String(at));
    if (this.jump) this.follow();
  }

  /** Bring the current line into the list's window; the page itself must not scroll. */
  private follow(): void {
    requestAnimationFrame(() => this.center()); // a list that is not on the page yet has no window
  }

  private center(): void {
    const line = this.list.querySelector<HTMLElement>(".current") ?? (this.list.lastElementChild as HTMLElement | null);
    if (line) this.list.scrollTop = line.offsetTop - (this.list.clientHeight - line.offsetHeight) / 2;
  }

  private line(move: Move): HTMLElement {
    const words = [move.plain, move.bits >= TELLING && " ", move.bits >= TELLING && h("span", { class: "tag" }, "telling")];
    const sentence = this.jump
      ? h("button", { type: "button", class: "plain", onclick: () => this.jump?.(move.ply) }, ...words)
      : h("span", {}, ...words);
    return h("li", { "data-ply": move.ply, class: move.bits >= TELLING && "telling-move" }, h("span", { class: "log-ply" }, String(move.ply)), sentence);
  }
}
