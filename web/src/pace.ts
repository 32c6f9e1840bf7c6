/** Moves of others, one after the other, at a pace that a person can follow. */

import type { ServerMessage } from "./protocol";

/** Milliseconds for which a move is seen before the next one comes. */
export const PACES = { slow: 2500, normal: 1200, quick: 500, instant: 0 } as const;
export type Pace = keyof typeof PACES;

const KEY = "sizeup-pace";

/** What the visitor has chosen; kept for all games. */
export function pace(): Pace {
  try {
    const kept = localStorage.getItem(KEY) ?? "";
    return kept in PACES ? (kept as Pace) : "normal";
  } catch {
    return "normal"; // storage may be forbidden
  }
}

export function setPace(chosen: string): void {
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // The choice then lasts as long as nobody asks.
  }
}

/** Hands messages on in their order; one that is `unhurried` comes only after the last one was seen for a while. */
export class Queue {
  private readonly waiting: ServerMessage[] = [];
  private timer = 0;
  private shownAt = 0;

  constructor(
    private readonly hand: (message: ServerMessage) => void,
    private readonly unhurried: (message: ServerMessage) => boolean,
    private readonly wait: () => number,
  ) {}

  push(message: ServerMessage): void {
    this.waiting.push(message);
    if (!this.timer) this.flow();
  }

  /** Forget what waits: something newer is on its way. */
  clear(): void {
    this.waiting.length = 0;
    window.clearTimeout(this.timer);
    this.timer = 0;
  }

  /** Somebody is in a hurry: show what waits at once. */
  rush(): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    while (this.waiting.length > 0) this.next();
  }

  private flow(): void {
    this.timer = 0;
    for (let message = this.waiting[0]; message; message = this.waiting[0]) {
      const left = this.unhurried(message) ? this.shownAt + this.wait() - Date.now() : 0;
      if (left > 0) {
        this.timer = window.setTimeout(() => this.flow(), left);
        return;
      }
      this.next();
    }
  }

  private next(): void {
    const message = this.waiting.shift();
    if (!message) return;
    const isMove = message.type !== "thinking" && (message.type !== "game" || message.moves.length > 0);
    if (isMove) this.shownAt = Date.now(); // on a new board there is no move to be seen first
    this.hand(message);
  }
}
