/** A forest plot: for each row an estimate with its interval, and what was published beside it. */

import { fill, s } from "../dom";
import { figure } from "../words";
import { extent, linear, ticks } from "./scale";

export interface Branch {
  label: string;
  mean: number | null;
  low: number | null;
  high: number | null;
  published: number | null;
  /** A heading above the rows that follow. */
  heading?: boolean;
}

/** Measures of a plot: its letters keep their size, so a narrow screen gets a narrower drawing. */
interface Measures {
  width: number;
  labels: number;
  letters: number;
  ticks: number;
}

const WIDE: Measures = { width: 520, labels: 180, letters: 28, ticks: 5 };
const NARROW: Measures = { width: 360, labels: 150, letters: 22, ticks: 3 };
const MARGIN = 18;
const LINE = 26;
const TOP = 8;

export function forest(branches: readonly Branch[], label: string): SVGSVGElement {
  const measures = matchMedia("(max-width: 40rem)").matches ? NARROW : WIDE;
  const bottom = TOP + branches.length * LINE;
  const height = bottom + 26;
  const [low, high] = extent(branches.flatMap((b) => [b.mean, b.low, b.high, b.published]));
  const x = linear([low, high], [measures.labels, measures.width - MARGIN]);
  const svg = s("svg", { class: "forest", viewBox: `0 0 ${measures.width} ${height}`, role: "img", "aria-label": label });
  fill(
    svg,
    ...ticks(low, high, measures.ticks).flatMap((value) => [
      s("path", { class: value === 0 ? "zero" : "grid", d: `M${x(value)} ${TOP}V${bottom}` }),
      s("text", { class: "tick middle", x: x(value), y: bottom + 18 }, figure(value, 3)),
    ]),
    ...branches.flatMap((branch, n) => row(branch, TOP + (n + 0.5) * LINE, x, measures)),
  );
  return svg;
}

function row(branch: Branch, y: number, x: (value: number) => number, { labels, letters }: Measures): SVGElement[] {
  const { mean, low, high, published } = branch;
  const drawn: SVGElement[] = [
    s("text", { class: branch.heading ? "heading end" : "end", x: labels - 14, y: y + 4 }, shortened(branch.label, letters)),
  ];
  if (published !== null) {
    const at = x(published);
    drawn.push(s("path", { class: "published", d: `M${at} ${y - 6}l6 6l-6 6l-6 -6Z` }));
  }
  if (mean !== null) {
    if (low !== null && high !== null) {
      drawn.push(s("path", { class: "ours", d: `M${x(low)} ${y}H${x(high)}M${x(low)} ${y - 4}v8M${x(high)} ${y - 4}v8` }));
    }
    drawn.push(s("circle", { class: "ours dot", cx: x(mean), cy: y, r: 4 }));
  }
  return drawn;
}

/** The table has every label in full; a plot has only so much room. */
export function shortened(label: string, letters: number): string {
  return label.length > letters ? `${label.slice(0, letters - 1)}…` : label;
}
