/** Form fields with their labels. */

import { button, h, type Attributes } from "../dom";
import { ahead } from "../words";

export interface Option {
  value: string;
  label: string;
}

export interface Field {
  element: HTMLElement;
  value(): string;
}

export function select(label: string, options: readonly Option[], chosen: string, changed?: () => void): Field {
  const input = h("select", changed ? { onchange: changed } : {});
  input.append(...options.map(({ value, label: text }) => h("option", { value, selected: value === chosen }, text)));
  return { element: labelled(label, input), value: () => input.value };
}

/** A few choices side by side. */
export function segments(legend: string, options: readonly Option[], chosen: string): Field {
  const name = `choice-${(count += 1)}`;
  const inputs = options.map(({ value }) => h("input", { type: "radio", name, value, checked: value === chosen }));
  const labels = options.map(({ label }, n) => h("label", {}, inputs[n], h("span", {}, label)));
  const element = h("fieldset", { class: "segments" }, h("legend", {}, legend), h("div", {}, ...labels));
  return { element, value: () => inputs.find((input) => input.checked)?.value ?? chosen };
}

let count = 0;

export function number(label: string, value: number, attributes: Attributes = {}): Field {
  const input = h("input", { type: "number", inputmode: "numeric", required: true, value, ...attributes });
  return { element: labelled(label, input), value: () => input.value };
}

/** Beside each other and not inside: a label around a list would be read with all of its options. */
function labelled(label: string, input: HTMLElement): HTMLElement {
  input.id = `field-${(count += 1)}`;
  return h("div", { class: "field" }, h("label", { for: input.id }, label), input);
}

/** A switch that is on or off at once. */
export function toggle(label: string, on: boolean, changed: (on: boolean) => void): HTMLElement {
  const input: HTMLInputElement = h("input", {
    type: "checkbox",
    role: "switch",
    checked: on,
    onchange: () => changed(input.checked),
  });
  return h("label", { class: "toggle" }, input, h("span", {}, label));
}

/** A command to copy, with the button that does it. */
export function command(text: string): HTMLElement {
  const words = text.split(" ").flatMap((word, n) => [n > 0 && " ", h("span", {}, word)]);
  const code = h("code", { tabindex: 0 }, ...words);
  const copy = button("Copy", () => {
    // Browsers offer the clipboard only to pages of this machine or over TLS.
    const copied = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error("no clipboard"));
    copied.then(
      () => (copy.textContent = "Copied"),
      () => getSelection()?.selectAllChildren(code),
    );
  }, { class: "small" });
  return h("div", { class: "command" }, code, copy);
}

const SEEDS = 1_000_000;

/** A seed nobody chose; a short one, as people read them to each other. */
export function anySeed(): number {
  return Math.floor(Math.random() * SEEDS);
}

/** Depths as options. */
export function depths(types: readonly number[]): Option[] {
  return types.map((type) => ({ value: String(type), label: ahead(type) }));
}
