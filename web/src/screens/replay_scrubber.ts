/** Going through a game: buttons, a slider, arrow keys, or by itself. */

import { button, h } from "../dom";
import { icon, type Icon } from "../icons";

const PACE = 900;

/** Where a key leads in a game of `plies` moves; null if it is for something else. */
export function plyAfterKey(at: number, key: string, plies: number): number | null {
  const led: Record<string, number> = { ArrowLeft: Math.max(0, at - 1), ArrowRight: Math.min(plies, at + 1), Home: 0, End: plies };
  return led[key] ?? null;
}

export class Scrubber {
  readonly element: HTMLElement;
  private at = -1;
  private timer = 0;
  private readonly slider: HTMLInputElement;
  private readonly place = h("output", { class: "place" });
  private readonly runner = button("Play", () => this.toggle(), { class: "small" });
  private readonly onKey = (event: KeyboardEvent): void => this.keyed(event);

  constructor(
    private readonly plies: number,
    private readonly moved: (ply: number) => void,
  ) {
    this.slider = h("input", { type: "range", min: 0, max: plies, step: 1, "aria-label": "Move" });
    this.slider.addEventListener("input", () => this.set(Number(this.slider.value)));
    const step = (label: string, sign: Icon, key: string): HTMLElement =>
      button(icon(sign), () => this.set(plyAfterKey(this.at, key, plies) ?? this.at), { class: "small", "aria-label": label });
    this.element = h(
      "div",
      { class: "scrubber" },
      step("To the start", "first", "Home"),
      step("One move back", "back", "ArrowLeft"),
      this.runner,
      step("One move on", "on", "ArrowRight"),
      step("To the end", "last", "End"),
      this.slider,
      this.place,
    );
    document.addEventListener("keydown", this.onKey);
  }

  set(ply: number): void {
    const next = Math.min(this.plies, Math.max(0, ply));
    if (next === this.at) return;
    this.at = next;
    this.slider.value = String(next);
    this.place.textContent = `${next} of ${this.plies}`;
    this.moved(next);
  }

  close(): void {
    document.removeEventListener("keydown", this.onKey);
    window.clearInterval(this.timer);
  }

  private keyed(event: KeyboardEvent): void {
    const busy = event.target instanceof Element && event.target.closest("input, select, textarea, [role=grid], .scroll, .log");
    if (busy || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const to = plyAfterKey(this.at, event.key, this.plies);
    if (to === null) return;
    event.preventDefault();
    this.set(to);
  }

  private toggle(): void {
    if (this.timer) return this.stop();
    if (this.at === this.plies) this.set(0);
    this.runner.textContent = "Pause";
    this.timer = window.setInterval(() => {
      this.set(this.at + 1);
      if (this.at === this.plies) this.stop();
    }, PACE);
  }

  private stop(): void {
    window.clearInterval(this.timer);
    this.timer = 0;
    this.runner.textContent = "Play";
  }
}
