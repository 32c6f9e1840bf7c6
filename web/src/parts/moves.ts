/** Legal moves as buttons: a pad of arrows where keys stand for moves, or else a list. */

import { fill, h } from "../dom";
import { icon } from "../icons";
import type { GameOffer, Key, Legal } from "../protocol";
import { moveName, raised } from "../words";

/** The legal action that a key of the pad stands for. */
export function keyAction(keys: GameOffer["keys"], legal: readonly Legal[], key: string): Legal | undefined {
  return legal.find(({ action }) => keys[action] === key);
}

/** Whether a pad of arrows shows all of these moves. */
export function arePadMoves(keys: GameOffer["keys"], legal: readonly Legal[]): boolean {
  return Object.keys(keys).length > 0 && legal.every(({ action }) => action in keys);
}

export class MoveButtons {
  readonly element = h("div", { class: "moves" });

  constructor(
    private readonly keys: GameOffer["keys"],
    private readonly play: (action: string) => void,
  ) {}

  /** Offer these moves; those that the board names below its columns need no button here. */
  show(legal: readonly Legal[], columns: readonly string[]): void {
    const held = document.activeElement?.getAttribute("data-action");
    const pad = arePadMoves(this.keys, legal);
    this.element.classList.toggle("pad", pad);
    const shown = pad
      ? [...new Set(Object.values(this.keys))].map((key) => this.step(key, keyAction(this.keys, legal, key)))
      : legal.filter(({ action }) => !columns.includes(action)).map((one) => this.named(one));
    fill(this.element, ...shown);
    // A pad that is drawn anew must not throw whoever uses it by keyboard out of it.
    if (held) this.element.querySelector<HTMLElement>(`[data-action="${CSS.escape(held)}"]`)?.focus();
  }

  private step(key: Key, legal: Legal | undefined): HTMLElement {
    const attributes = {
      type: "button",
      class: `step step-${key}`,
      "aria-label": legal ? raised(legal.phrase) : key,
      // Not `disabled`: the focus would be lost each time the partner thinks.
      "aria-disabled": legal ? "false" : "true",
      "data-action": key,
      onclick: () => legal && this.play(legal.action),
    };
    return h("button", attributes, icon(key));
  }

  private named(legal: Legal): HTMLElement {
    const { action } = legal;
    const name = moveName(legal);
    const attributes = { type: "button", class: "move", "data-action": action, onclick: () => this.play(action) };
    return h("button", attributes, name === action ? name : raised(name));
  }
}
