/** Who else is at the table: the links that lead there, and whether somebody has come by them. */

import { announce } from "../announce";
import { button, fill, h, type Child } from "../dom";
import type { People, PeopleMessage, TableMessage } from "../protocol";
import { command } from "./fields";

/** For the host: links to send, and who has come. */
export class Invitation {
  readonly element = h("details", { class: "invitation", hidden: true });
  private readonly words = h("summary", {});
  private readonly body = h("div");
  private told = "";

  constructor(private readonly renew: () => void) {
    this.element.append(this.words, this.body);
  }

  show(table: TableMessage): void {
    this.element.hidden = false;
    const words = hostWords(table);
    if (words !== this.told) {
      announce(words);
      this.element.open = !table.taken; // there is something to send, or nothing more to do
    }
    this.told = words;
    fill(this.words, h("span", {}, words), h("span", { class: "change" }, "Links"));
    fill(this.body, ...this.links(table));
  }

  hide(): void {
    this.element.hidden = true;
    this.told = "";
  }

  private links({ links, address, local, taken }: TableMessage): Child[] {
    const at = (link: string): string => `${address ?? location.origin}/join#${link}`;
    const found: Child[] = [];
    if (links.seat) found.push(h("p", {}, "To play, for one person:"), command(at(links.seat)));
    if (links.watch) found.push(h("p", {}, "To watch, for anybody:"), command(at(links.watch)));
    if (!links.watch) found.push(h("p", {}, taken ? "The link to watch has expired." : "The links have expired."));
    const here = "This server serves this machine only, so the links work in other browsers here. For others on your network, start it with ";
    if (local) found.push(h("p", { class: "quiet" }, here, h("code", {}, "sizeup serve --host 0.0.0.0 --guests"), "."));
    const note = h("span", { class: "quiet" }, "They shut out whoever came by the old ones.");
    return [...found, h("p", { class: "actions" }, button("New links", this.renew, { class: "small" }), note)];
  }
}

function hostWords({ guest, taken, watching }: People): string {
  const who = guest ? "Your guest is here" : taken ? "Your guest is away, and the game waits" : "Nobody has come yet: send a link";
  return `${who}${watchers(watching)}.`;
}

const watchers = (count: number): string => (count === 0 ? "" : `; ${count === 1 ? "one person watches" : `${count} people watch`}`);

/** For a guest: whether there is anybody to play with. */
export function guestWords({ role, host, guest, taken, watching }: PeopleMessage): string {
  if (role === "seat") return host ? "" : "Your host is away. The game waits, and goes on here by itself when they are back.";
  const others = watchers(watching - 1);
  const who = host ? (guest || !taken ? "You are watching" : "The guest is away, and the game waits") : "The host is away, and the game waits";
  return `${who}${others}.`;
}
