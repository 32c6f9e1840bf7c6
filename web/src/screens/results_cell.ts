/** The games behind one number; each opens as a replay, played again from its seed. */

import { getCell, replayStored } from "../api";
import { button, fill, h, link } from "../dom";
import { command } from "../parts/fields";
import { Notice } from "../parts/notice";
import type { CellGames } from "../protocol";
import { address, go } from "../router";
import { figure, plural } from "../words";
import type { Screen } from "./screen";

export function cell(name: string, id: string): Screen {
  const notice = new Notice();
  const box = h("div", {}, h("p", { class: "quiet" }, "Reading the store…"));
  let closed = false;
  getCell(name, id).then(
    (found) => fill(box, ...drawn(found, open)),
    (error: Error) => fill(box, h("p", { class: "quiet" }, error.message)),
  );
  async function open(game: string): Promise<void> {
    notice.say("Playing it again from its seed…");
    try {
      const record = await replayStored(name, game);
      if (!closed) go(address("replay", record.id));
    } catch (error) {
      notice.say(error instanceof Error ? error.message : String(error));
    }
  }
  const element = h(
    "div",
    { class: "menu" },
    h("p", { class: "crumbs" }, link("/results", {}, "Results"), " / ", link(address("results", name), {}, name)),
    h("h1", {}, id),
    notice.element,
    box,
  );
  return { title: id, door: "results", element, close: () => (closed = true) };
}

function drawn(found: CellGames, open: (game: string) => Promise<void>): HTMLElement[] {
  const head = ["Game", "Score", "Moves", "Why it ended", "Seed"].map((name) => h("th", { scope: "col" }, name));
  const rows = found.games.map((game) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, button(game.id, () => void open(game.id), { class: "plain link" })),
      h("td", { class: "number" }, figure(game.score)),
      h("td", { class: "number" }, String(game.plies)),
      h("td", {}, game.reason),
      h("td", { class: "number" }, game.seed),
    ),
  );
  const more = found.more > 0 ? ` and ${found.more.toLocaleString("en")} more in the store` : "";
  return [
    h("p", { class: "quiet" }, `${plural(found.games.length, "game")}${more}. A click plays one again and opens it.`),
    h(
      "div",
      { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Games" },
      h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)),
    ),
    h("section", { class: "result" }, h("h2", {}, "The command"), command(found.command)),
  ];
}
