/** What the page shows at one address. */

import type { About } from "../protocol";

export interface Screen {
  title: string;
  element: HTMLElement;
  /** Which door of the header leads here. */
  door: "home" | "play" | "watch" | "replay" | "results";
  close?(): void;
}

export interface House {
  about: About;
}
