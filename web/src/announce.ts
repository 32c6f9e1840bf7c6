/** What a screen reader is told as it happens. */

import { h } from "./dom";

export const liveRegion = h("div", { class: "unseen", "aria-live": "polite", role: "status" });

let waiting: string[] = [];
let timer = 0;

/** Say a sentence; those that come together are said together, in order. */
export function announce(sentence: string): void {
  waiting.push(sentence);
  window.clearTimeout(timer);
  timer = window.setTimeout(() => {
    liveRegion.textContent = waiting.join(" ");
    waiting = [];
  }, 120);
}
