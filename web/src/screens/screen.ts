/** What the page shows at one address, and the form of those with a board. */

import { h, type Child } from "../dom";

export interface Screen {
  title: string;
  element: HTMLElement;
  /** Which door of the header leads here. */
  door: "home" | "play" | "watch" | "replay" | "results";
  close?(): void;
}

/** A heading, then the game beside what is known of it. */
export function table(head: Child[], notice: Child, seat: HTMLElement, beside: Child[]): HTMLElement {
  return h(
    "div",
    { class: "table" },
    h("header", { class: "table-head" }, ...head),
    notice,
    h("div", { class: "columns" }, seat, h("div", { class: "beside" }, ...beside)),
  );
}

/** What went wrong, in words. */
export function troubleOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
