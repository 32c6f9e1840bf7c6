/** Small signs, drawn: fonts differ in which of them they have. */

import { s } from "./dom";

const PATHS = {
  first: "M4 3v10M13 3L6 8l7 5Z",
  back: "M12 3L5 8l7 5Z",
  on: "M4 3l7 5l-7 5Z",
  last: "M12 3v10M3 3l7 5l-7 5Z",
  sun: "M8 5a3 3 0 1 1 0 6a3 3 0 1 1 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M12.5 10.2A5.6 5.6 0 0 1 5.8 3.5A5.6 5.6 0 1 0 12.5 10.2Z",
  up: "M8 13V3M4 7l4-4l4 4",
  right: "M3 8h10M9 4l4 4l-4 4",
  down: "M8 3v10M4 9l4 4l4-4",
  left: "M13 8H3M7 4L3 8l4 4",
  stay: "M8 6.5a1.5 1.5 0 1 1 0 3a1.5 1.5 0 1 1 0-3Z",
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGSVGElement {
  return s("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" }, s("path", { d: PATHS[name] }));
}
