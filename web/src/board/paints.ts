/** Gradients, once for all boards of the page. */

import { s } from "../dom";

type Stops = readonly (readonly [at: number, colour: string])[];

const ROUND: Record<string, Stops> = {
  "disc-black": [[0, "#5a6068"], [0.6, "#30353b"], [1, "#1c2025"]],
  "disc-white": [[0, "#ffffff"], [0.65, "#f6f1e7"], [1, "#e2d8c6"]],
  "disc-yellow": [[0, "#fff6a8"], [1, "#e3cf22"]],
  "disc-vermillion": [[0, "#f28a3c"], [1, "#c34f00"]],
  "disc-grey": [[0, "#d9dde3"], [1, "#8b94a0"]],
  "coin-gold": [[0, "#fff3b0"], [0.55, "#f6cf4a"], [1, "#d99a12"]],
  "coin-blue": [[0, "#8fd0f5"], [0.55, "#3c9bd6"], [1, "#0a6aa8"]],
  "coin-red": [[0, "#ffbe8f"], [0.55, "#e5702a"], [1, "#b84a00"]],
  core: [[0, "#fffbe0"], [0.6, "#ffe680"], [1, "#ffc93c"]],
};

const DOWN: Record<string, Stops> = {
  "coat-blue": [[0, "#3fa2dc"], [1, "#00609a"]],
  "coat-red": [[0, "#f08a45"], [1, "#b94b00"]],
  flame: [[0, "#ffb32e"], [0.5, "#f57b1c"], [1, "#cf4a0a"]],
};

/** An element without size that holds every paint; ids are shared by the page. */
export function paints(): SVGSVGElement {
  return s(
    "svg",
    { class: "paints", width: 0, height: 0, "aria-hidden": "true", focusable: "false" },
    s(
      "defs",
      {},
      ...Object.entries(ROUND).map(([id, stops]) => s("radialGradient", { id, cx: 0.38, cy: 0.3, r: 0.85 }, ...marks(stops))),
      ...Object.entries(DOWN).map(([id, stops]) => s("linearGradient", { id, x1: 0, y1: 0, x2: 0, y2: 1 }, ...marks(stops))),
    ),
  );
}

function marks(stops: Stops): SVGElement[] {
  return stops.map(([offset, colour]) => s("stop", { offset, "stop-color": colour }));
}
