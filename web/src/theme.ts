/** Dark or light: what the system says, until somebody chooses. */

import { button, fill } from "./dom";
import { icon } from "./icons";

type Theme = "dark" | "light";
const KEY = "sizeup-theme";

function current(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  if (chosen === "dark" || chosen === "light") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** The switch; it names what it would change to. */
export function themeSwitch(): HTMLButtonElement {
  const label = (): string => (current() === "dark" ? "Light" : "Dark");
  const turn = (): void => {
    const next: Theme = current() === "dark" ? "light" : "dark";
    document.documentElement.dataset["theme"] = next;
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
    describe();
  };
  const element = button("", turn, { class: "theme" });
  const describe = (): void => {
    fill(element, icon(label() === "Dark" ? "moon" : "sun"));
    element.setAttribute("aria-label", `${label()} theme`);
    element.title = `${label()} theme`;
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", describe);
  describe();
  return element;
}
