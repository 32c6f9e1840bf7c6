/** What the page shows at one address, and the form of those with a board. */

import { h, type Child } from "../dom";

export interface Screen {
  title: string;
  element: HTMLElement;
  /** Which door of the header leads here. */
  door: "home" | "play" | "watch" | "replay" | "results";
  close?(): void;
}

/** The board and what is above it, what is told of the move, what is below, and what stands beside them. */
export interface TableParts {
  seat: HTMLElement;
  told: HTMLElement;
  below: Child[];
  beside: Child[];
}

/** A heading, then the game beside what is known of it. The last move is told at the board, however wide the window is. */
export function table(kind: string, head: Child[], notice: Child, { seat, told, below, beside }: TableParts): HTMLElement {
  return h(
    "div",
    { class: "table" },
    h("header", { class: `table-head ${kind}-head` }, ...head),
    notice,
    h("div", { class: `columns ${kind}` }, seat, told, h("div", { class: "below" }, ...below), h("div", { class: "beside" }, ...beside)),
  );
}

/** Said while a game's rules are compiled: nobody thinks so long. */
export const PREPARING = "Compiling the rules, once: this takes some seconds";

/** What went wrong, in words. */
export function troubleOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
