/** One experiment: its question, its tables as they grow, and the command that plays it. */

import { getExperiment } from "../api";
import { fill, h, link } from "../dom";
import { command } from "../parts/fields";
import { poll } from "../poll";
import type { Experiment, KindAbout } from "../protocol";
import { address } from "../router";
import { plural } from "../words";
import { progressWords } from "./results";
import { comparisons, resultTable } from "./results_tables";
import { troubleOf, type Screen } from "./screen";

export function experiment(kinds: readonly KindAbout[], name: string): Screen {
  const box = h("div", { class: "menu" }, h("h1", {}, name), h("p", { class: "quiet" }, "Reading the store…"));
  let shown = "";
  const stop = poll(async () => {
    try {
      const found = await getExperiment(name);
      if (found.etag === shown) return;
      shown = found.etag;
      keepPlace(() => draw(box, found, kinds));
    } catch (error) {
      if (shown === "") fill(box, h("h1", {}, name), h("p", { class: "quiet" }, troubleOf(error)));
    }
  });
  return { title: name, door: "results", element: box, close: stop };
}

function draw(box: HTMLElement, found: Experiment, kinds: readonly KindAbout[]): void {
  const { name, title, question, finished, games, planned, quarantined } = found;
  fill(
    box,
    h("p", { class: "crumbs" }, link("/results", {}, "Results")),
    h("h1", {}, title, !finished && h("span", { class: "tag warn" }, found.running ? "running" : "unfinished")),
    h("p", { class: "lead" }, question),
    h("p", { class: "quiet", role: "status" }, progressWords(found) + (quarantined > 0 ? `; ${plural(quarantined, "game")} set aside` : "")),
    !finished && h("progress", { max: planned, value: games, "aria-label": "Games played" }),
    ...found.tables.map((table) => resultTable(name, table, kinds)),
    comparisons(found.comparisons),
    cellList(found),
    h("section", { class: "result" }, h("h2", {}, "Run it yourself"), command(found.command)),
  );
}

/** Every cell with its games: some numbers sum up several cells, and each can be looked into. */
function cellList({ name, cells }: Experiment): HTMLElement | null {
  if (cells.length === 0) return null;
  const items = cells.map(({ cell, games }) =>
    h("li", {}, link(address("results", name, cell), {}, cell), h("span", { class: "quiet" }, ` ${plural(games, "game")}`)),
  );
  return h("details", { class: "result" }, h("summary", {}, h("h2", {}, `All ${plural(cells.length, "cell")}`)), h("ul", { class: "cell-list" }, ...items));
}

/** Drawing anew must neither scroll the page nor lose the link that has the focus. */
function keepPlace(drawing: () => void): void {
  const href = document.activeElement?.getAttribute("href");
  const { scrollX, scrollY } = window;
  drawing();
  window.scrollTo(scrollX, scrollY);
  if (href) document.querySelector<HTMLElement>(`main a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
}
