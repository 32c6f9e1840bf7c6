/** The experiments in the store. */

import { getExperiments } from "../api";
import { fill, h, link } from "../dom";
import { poll } from "../poll";
import type { ExperimentLine } from "../protocol";
import { address } from "../router";
import { plural } from "../words";
import { troubleOf, type Screen } from "./screen";

export function results(store: boolean): Screen {
  const list = h("div", { class: "cards" }, h("p", { class: "quiet" }, "Reading the store…"));
  const stop = poll(async () => {
    try {
      const { experiments } = await getExperiments();
      // A quiet poll must not take the focus from whoever reads.
      if (!list.contains(document.activeElement)) fill(list, ...(experiments.length > 0 ? experiments.map(card) : [nothing(store)]));
    } catch (error) {
      fill(list, h("p", { class: "quiet" }, troubleOf(error)));
    }
  });
  return {
    title: "Results",
    door: "results",
    close: stop,
    element: h(
      "div",
      { class: "menu" },
      h("h1", {}, "Results"),
      h("p", { class: "lead" }, "The experiments in this store: published numbers next to ours, with intervals and numbers of games."),
      list,
    ),
  };
}

/** How much of an experiment is there. */
export function progressWords({ games, planned, finished, running }: Pick<ExperimentLine, "games" | "planned" | "finished"> & { running?: boolean }): string {
  if (finished) return plural(games, "game");
  return `${games.toLocaleString("en")} of ${plural(planned, "game")}${running ? ", running" : ""}`;
}

function card(line: ExperimentLine): HTMLElement {
  return link(
    address("results", line.name),
    { class: "game-card experiment" },
    h("h2", {}, line.title, !line.finished && h("span", { class: "tag warn" }, line.running ? "running" : "unfinished")),
    h("p", {}, line.question),
    h("p", { class: "quiet" }, `${progressWords(line)}, seed ${line.seed}`),
    !line.finished && h("progress", { max: line.planned, value: line.games, "aria-label": "Games played" }),
  );
}

function nothing(store: boolean): HTMLElement {
  const words = store ? "The store holds no experiment yet. " : "Sizeup was started without a store. ";
  return h("p", { class: "quiet" }, words, "Run one with ", h("code", {}, "sizeup run EXPERIMENT --store games.db"), " and show it with ", h("code", {}, "sizeup serve --store games.db"), ".");
}
