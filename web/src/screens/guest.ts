/** Somebody who came by a link: plays in the second seat of a table, or watches. */

import { announce } from "../announce";
import { joinTable } from "../api";
import { fill, h } from "../dom";
import type { Game } from "../game";
import { LiveGame, type Watcher } from "../live_game";
import { guestWords } from "../parts/people";
import type { About, ErrorMessage, GameOffer, PeopleMessage, ServerMessage, TableMessage } from "../protocol";
import type { Line } from "../socket";
import { sentence } from "../words";
import { PlayTable } from "./play";
import { troubleOf, type Screen } from "./screen";

export function guest(): Screen {
  return { title: "Sizeup", door: "home", element: new GuestScreen().element };
}

class GuestScreen implements Watcher {
  readonly element = h("div", { class: "guest" });
  private readonly presence = h("p", { class: "notice", role: "status", hidden: true });
  private readonly place = h("div");
  private readonly lead = h("p", { class: "lead" }, "Looking for the table…");
  private inner: Watcher | null = null;
  private shown = "";
  private live: LiveGame | null = null;

  constructor() {
    fill(this.element, this.presence, this.place);
    fill(this.place, h("div", { class: "menu" }, h("h1", {}, "A game at Sizeup"), this.lead));
    void this.come();
  }

  /** Show the link, once; from then on this browser has a pass of its own. */
  private async come(): Promise<void> {
    const link = location.hash.slice(1);
    try {
      if (link) await joinTable(link);
    } catch (error) {
      this.lead.textContent = troubleOf(error);
      return;
    }
    history.replaceState(null, "", location.pathname);
    this.live = new LiveGame({ mode: "guest", game: "" }, this);
  }

  changed(game: Game, message: ServerMessage): void {
    if (message.type === "game" && message.offer && message.offer.name !== this.shown) this.lay(message.offer, message.kinds ?? []);
    this.inner?.changed(game, message);
  }

  /** The game is known: show its table, which hears everything from here on. */
  private lay(offer: GameOffer, kinds: About["kinds"]): void {
    this.shown = offer.name;
    const joined = (watcher: Watcher): LiveGame => {
      this.inner = watcher;
      return this.live as LiveGame;
    };
    fill(this.place, new PlayTable({ kinds }, offer, joined, true).element);
    document.title = `${offer.title} – Sizeup`;
  }

  line(line: Line, why: string): void {
    const words = line === "refused" && !why.includes("link") && !why.includes("tab") ? "This invitation is not valid any more: ask for a new link." : why;
    if (this.inner) this.inner.line(line, words);
    else if (line === "refused") this.lead.textContent = sentence(words);
    else if (line === "open") this.lead.textContent = "Waiting for your host to start the game…";
  }

  people(people: TableMessage | PeopleMessage): void {
    if (people.type !== "people") return;
    const words = guestWords(people);
    if (words && words !== this.presence.textContent) announce(words);
    this.presence.textContent = words;
    this.presence.hidden = words === "";
  }

  preparing(): void {
    this.inner?.preparing?.();
  }

  refused(error: ErrorMessage): void {
    this.inner?.refused(error);
  }
}
