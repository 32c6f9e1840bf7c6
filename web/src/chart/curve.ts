/** What somebody believes, move by move: one line for each depth, and a line where we are. */

import { fill, s } from "../dom";
import type { Belief } from "../protocol";
import { likeliest, noneOf, percent } from "../words";
import { linear, spread, wholeTicks } from "./scale";

const WIDTH = 380;
const HEIGHT = 168;
const LEFT = 34;
const RIGHT = 350;
const TOP = 10;
const BOTTOM = 140;
const LABEL_GAP = 13;
/** The word "moves" stands at the end of the axis; a number there would run into it. */
const WORD_ROOM = 26;

/** How far the curve reaches to the right before it has moves to show. */
const FEWEST_MOVES = 8;

export class BeliefCurve {
  readonly element = s("svg", { class: "curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });

  /** `jump` is called with the ply under a click. */
  constructor(jump?: (ply: number) => void) {
    if (!jump) return;
    this.element.classList.add("jumps");
    this.element.addEventListener("click", (event) => jump(this.plyAt(event)));
  }

  private plies = FEWEST_MOVES;

  /** Draw a history of `plies` moves, with the place `at` marked. */
  show(history: readonly Belief[], plies: number, at: number): void {
    this.plies = Math.max(FEWEST_MOVES, plies);
    const x = linear([0, this.plies], [LEFT, RIGHT]);
    const y = linear([0, 1], [BOTTOM, TOP]);
    const here = history[Math.min(at, history.length - 1)];
    this.element.setAttribute("aria-label", this.words(here, at));
    fill(
      this.element,
      ...[0, 0.5, 1].map((p) => s("path", { class: "grid", d: `M${LEFT} ${y(p)}H${RIGHT}` })),
      ...[0, 0.5, 1].map((p) => s("text", { class: "tick end", x: LEFT - 6, y: y(p) + 4 }, percent(p))),
      ...wholeTicks(0, this.plies, 5)
        .filter((ply) => x(ply) < RIGHT - WORD_ROOM)
        .map((ply) => s("text", { class: "tick middle", x: x(ply), y: BOTTOM + 18 }, String(ply))),
      s("text", { class: "tick end", x: WIDTH, y: BOTTOM + 18 }, "moves"),
      s("path", { class: "cursor", d: `M${x(Math.min(at, this.plies))} ${TOP - 4}V${BOTTOM}` }),
      ...lines(history, x, y, at),
      ...(here ? labels(history, x, y) : []),
    );
  }

  private words(here: Belief | undefined, at: number): string {
    if (!here) return "No beliefs yet";
    const odds = here.types.map((type, n) => `depth ${type} ${percent(here.probabilities[n] ?? 0)}`);
    const none = noneOf(here);
    if (none >= 0.005) odds.push(`none of these ${percent(none)}`);
    return `Belief over the moves; after move ${at}: ${odds.join(", ")}; most likely ${none > 0.5 ? "none of these" : `depth ${likeliest(here)[0]}`}`;
  }

  private plyAt(event: MouseEvent): number {
    const box = this.element.getBoundingClientRect();
    const across = ((event.clientX - box.left) / box.width) * WIDTH;
    const ply = Math.round(linear([LEFT, RIGHT], [0, this.plies])(across));
    return Math.min(this.plies, Math.max(0, ply));
  }
}

function lines(
  history: readonly Belief[],
  x: (ply: number) => number,
  y: (p: number) => number,
  at: number,
): SVGElement[] {
  const types = history[0]?.types ?? [];
  return types.flatMap((_, kind) => {
    const points = history.map((belief, ply) => `${x(ply).toFixed(1)} ${y(belief.probabilities[kind] ?? 0).toFixed(1)}`);
    const here = Math.min(at, history.length - 1);
    return [
      s("path", { class: `line kind${kind % 6}`, d: `M${points.join("L")}` }),
      s("circle", { class: `dot kind${kind % 6}`, cx: x(here), cy: y(history[here]?.probabilities[kind] ?? 0), r: 3.6 }),
    ];
  });
}

/** Each line is named where it ends, so that no legend has to be looked up. */
function labels(history: readonly Belief[], x: (ply: number) => number, y: (p: number) => number): SVGElement[] {
  const last = history[history.length - 1];
  if (!last) return [];
  const places = spread(last.probabilities.map(y), LABEL_GAP, [TOP, BOTTOM]);
  return last.types.map((type, kind) =>
    s("text", { class: `label kind${kind % 6}`, x: x(history.length - 1) + 8, y: (places[kind] ?? 0) + 4 }, String(type)),
  );
}
