/** Legal moves as buttons: a pad of arrows for steps, letters below columns, or a list. */

import { fill, h } from "../dom";
import { icon, type Icon } from "../icons";
import type { Legal } from "../protocol";
import { actionWords, areSteps, columnOf } from "../words";

const ARROWS: Record<string, Icon> = { N: "north", E: "east", S: "south", W: "west", ".": "stay" };
const PAD = ["N", "W", ".", "E", "S"];

export class MoveButtons {
  readonly element = h("div", { class: "moves" });

  constructor(
    private readonly play: (action: string) => void,
    private readonly stays: boolean,
  ) {}

  show(legal: readonly Legal[], enabled: boolean): void {
    const actions = legal.map((one) => one.action);
    const held = document.activeElement?.getAttribute("data-action");
    if (areSteps(actions) || (actions.length === 0 && this.element.classList.contains("pad"))) {
      this.element.classList.add("pad");
      const shown = this.stays ? PAD : PAD.filter((action) => action !== ".");
      fill(this.element, ...shown.map((action) => this.step(action, enabled && actions.includes(action))));
    } else {
      this.element.classList.remove("pad");
      this.element.classList.toggle("letters", actions.length > 0 ? actions.every(columnOf) : this.element.classList.contains("letters"));
      fill(this.element, ...(enabled ? actions : []).map((action) => this.named(action)));
    }
    // A pad that is drawn anew must not throw whoever uses it by keyboard out of it.
    if (held) this.element.querySelector<HTMLElement>(`[data-action="${CSS.escape(held)}"]`)?.focus();
  }

  private step(action: string, enabled: boolean): HTMLElement {
    const attributes = {
      type: "button",
      class: `step step-${action === "." ? "stay" : action}`,
      "aria-label": actionWords(action),
      // Not `disabled`: the focus would be lost each time the partner thinks.
      "aria-disabled": enabled ? "false" : "true",
      "data-action": action,
      onclick: () => enabled && this.play(action),
    };
    return h("button", attributes, icon(ARROWS[action] ?? "stay"));
  }

  private named(action: string): HTMLElement {
    const attributes = { type: "button", class: "move", "data-action": action, onclick: () => this.play(action) };
    const made = h("button", attributes, actionWords(action));
    // Below the column that it names, also where others are full.
    made.style.gridColumn = columnOf(action) || "";
    return made;
  }
}
