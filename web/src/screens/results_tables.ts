/** An experiment's tables: the published number beside ours, and the forest that shows both. */

import { forest, type Branch } from "../chart/forest";
import { h, link, type Child } from "../dom";
import type { Comparison, Entry, KindAbout, ResultTable } from "../protocol";
import { address } from "../router";
import { figure, lowered } from "../words";

export function resultTable(name: string, table: ResultTable, kinds: readonly KindAbout[]): HTMLElement {
  const branches = branchesOf(table);
  return h(
    "section",
    { class: "result" },
    h("h2", {}, table.title),
    h("p", { class: "quiet" }, explained(table, kinds)),
    h(
      "div",
      { class: "result-parts" },
      table.rows.length < 2 ? column(name, table) : grid(name, table),
      branches.some((branch) => branch.mean !== null) &&
        h("figure", {}, forest(branches, `${table.title}: our estimates with intervals, and the published numbers`), legend(branches.some(({ published }) => published !== null))),
    ),
  );
}

const MEASURES: Record<string, string> = {
  score: "The team’s wins minus its losses, as a percentage of its games: 100 if it wins them all, 0 if it wins as many as it loses.",
  reward: "The team’s points in a game.",
  deviation: "How far a belief is from the truth, in moves ahead (root mean square): 0 if it is certain and right.",
};

/** What the numbers are, and what the short names of this table stand for. */
function explained({ measure, arms }: ResultTable, kinds: readonly KindAbout[]): string {
  const words = arms.flatMap(({ title }) => title.split(/\W+/));
  const names = kinds.filter(({ kind }) => words.includes(kind.toUpperCase())).map(({ kind, title }) => `${kind.toUpperCase()}: ${lowered(title)}`).join("; ");
  const sums = arms.some(({ entries }) => entries.some(({ cell, cells }) => cell === null && cells.length > 1));
  const linked = arms.some(({ entries }) => entries.some(({ cell }) => cell !== null));
  const links = !sums ? "" : linked ? "Underlined numbers link to their games; the others combine several cells, which are listed below." : "Each number combines several cells, which are listed below with their games.";
  return [MEASURES[measure] ?? measure, names && `${names}.`, links].filter(Boolean).join(" ");
}

/** One line for each number of a table; with several rows, each arm has a heading. */
export function branchesOf(table: ResultTable): Branch[] {
  const single = table.rows.length < 2;
  return table.arms.flatMap((arm) => [
    ...(single ? [] : [{ label: arm.title, mean: null, low: null, high: null, published: null, heading: true }]),
    ...arm.entries.map(({ row, mean, low, high, published }) => ({ label: single ? arm.title : row, mean, low, high, published })),
  ]);
}

export function comparisons(list: readonly Comparison[]): HTMLElement | null {
  if (list.length === 0) return null;
  const rows = list.map((one) => ({ label: one.title, mean: one.mean, low: one.low, high: one.high, published: null }));
  return h(
    "section",
    { class: "result" },
    h("h2", {}, "Differences"),
    h("figure", {}, forest(rows, "Differences between arms, with intervals")),
    h("ul", {}, ...list.map((one) => h("li", {}, one.sentence))),
  );
}

/** One number for each arm: what belongs to it stands beside it. */
function column(name: string, table: ResultTable): HTMLElement {
  const head = ["ours", "interval", "published", "games"].map((words) => h("th", { scope: "col", class: "number" }, words));
  const rows = table.arms.map((arm) => {
    const [entry] = arm.entries;
    const cells: Child[][] = entry ? [[ours(name, entry)], [interval(entry)], [figure(entry.published)], [games(entry)]] : [[], [], [], []];
    return h("tr", {}, h("th", { scope: "row" }, arm.title), ...cells.map((parts) => h("td", { class: "number" }, ...parts)));
  });
  return scrolled(table, head, rows);
}

/** Several numbers for each arm: what belongs to one stands below it. */
function grid(name: string, table: ResultTable): HTMLElement {
  const head = table.rows.map((row) => h("th", { scope: "col", class: "number" }, row));
  const rows = table.arms.map((arm) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, arm.title),
      ...table.rows.map((row) => {
        const entry = arm.entries.find((one) => one.row === row);
        return h("td", { class: "number" }, ...(entry ? entryParts(name, entry) : ["–"]));
      }),
    ),
  );
  return scrolled(table, head, rows);
}

function scrolled(table: ResultTable, head: HTMLElement[], rows: HTMLElement[]): HTMLElement {
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": table.title },
    h("table", { class: "results" }, h("thead", {}, h("tr", {}, h("td"), ...head)), h("tbody", {}, ...rows)),
  );
}

function entryParts(name: string, entry: Entry): Child[] {
  return [
    ours(name, entry),
    h("span", { class: "fine" }, interval(entry)),
    entry.published !== null && h("span", { class: "fine published" }, `published ${figure(entry.published)}`),
    h("span", { class: `fine${entry.missing > 0 ? " warn" : ""}` }, `n = ${games(entry)}`),
  ];
}

/** The number leads to its games, where it has cells of its own. */
function ours(name: string, entry: Entry): HTMLElement {
  const words = figure(entry.mean);
  return entry.cell === null ? h("span", { class: "ours" }, words) : link(address("results", name, entry.cell), { class: "ours" }, words);
}

function interval({ low, high }: Entry): string {
  return low === null || high === null ? "" : `${figure(low)} to ${figure(high)}`;
}

function games({ n, missing }: Entry): string {
  return `${n.toLocaleString("en")}${missing > 0 ? `, ${missing.toLocaleString("en")} to come` : ""}`;
}

function legend(published: boolean): HTMLElement {
  return h(
    "figcaption",
    { class: "legend" },
    h("span", { class: "key-ours" }, "ours, with interval"),
    published && h("span", { class: "key-published" }, "published"),
  );
}
