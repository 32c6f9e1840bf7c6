/** A quiet line above a screen: what went wrong, and what the page does about it. */

import { button, fill, h } from "../dom";
import type { Line } from "../socket";
import { sentence } from "../words";

export class Notice {
  readonly element = h("div", { class: "notice", role: "status", hidden: true });

  say(text: string, action?: { label: string; do: () => void }): void {
    fill(this.element, h("span", {}, text), action && button(action.label, action.do));
    this.element.hidden = false;
  }

  clear(): void {
    this.element.hidden = true;
    fill(this.element);
  }

  /** What the state of the line means to whoever plays; `away` while a game has to be picked up. */
  line(line: Line, away: boolean, hurry: () => void, why = ""): void {
    if (line === "lost") this.say("Connection lost. Trying again; your game is safe in this tab.", { label: "Try now", do: hurry });
    else if (line === "refused" && why) this.say(sentence(why));
    else if (line === "refused") this.say("This page is no longer signed in. Open the address that `sizeup serve` printed.");
    else if (line === "open" && away) this.say("Connected again. Restoring your game…");
    else if (line === "open") this.clear();
  }
}
