/** Elements without HTML strings: text is always text, so nothing a game says can become markup. */

export type Child = Node | string | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: never) => void);
export type Attributes = Record<string, Value>;

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element; `on…` attributes are listeners, `true` an empty attribute, `false` none. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  dress(element, attributes);
  element.append(...present(children));
  return element;
}

/** An SVG element, by the same rules. */
export function s<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, name);
  dress(element, attributes);
  element.append(...present(children));
  return element;
}

/** Put these in the place of whatever an element holds. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...present(children));
}

function dress(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

function present(children: Child[]): (Node | string)[] {
  return children.filter((child): child is Node | string => child instanceof Node || !!child);
}

/** A link inside the page; the router takes the click. */
export function link(path: string, attributes: Attributes, ...children: Child[]): HTMLAnchorElement {
  return h("a", { href: path, ...attributes }, ...children);
}

export function button(
  content: string | Node,
  onclick: (event: MouseEvent) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return h("button", { type: "button", onclick, ...attributes }, content);
}
