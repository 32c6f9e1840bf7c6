/** What is around every screen: the header, and what is said to whoever listens. */

import { liveRegion } from "./announce";
import { paints } from "./board/drawing";
import { fill, h } from "./dom";
import { themeSwitch } from "./theme";

export const main = h("main", { id: "main", tabindex: -1 });

/** Put it into the page; without `doors` there is nowhere else to go. */
export function frame(doors: readonly HTMLElement[]): void {
  const reach = (event: MouseEvent): void => {
    event.preventDefault(); // a new address would draw the screen anew
    main.focus();
  };
  const skip = h("a", { class: "skip", href: "#main", onclick: reach }, "Skip to content");
  const single = doors.length === 0;
  const logo = h(single ? "span" : "a", { class: "logo", href: single ? null : "/" }, h("span", { class: "logo-bars", "aria-hidden": "true" }, h("i"), h("i"), h("i")), "Sizeup");
  const header = h("header", { class: "top" }, logo, single ? null : h("nav", { "aria-label": "Screens" }, ...doors), themeSwitch());
  fill(document.getElementById("page") ?? document.body, skip, header, main, liveRegion, paints());
}
