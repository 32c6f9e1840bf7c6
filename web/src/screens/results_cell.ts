/** The games behind one number; each opens as a replay, played again from its seed. */

import { getCell, replayStored } from "../api";
import { button, fill, h, link } from "../dom";
import { command } from "../parts/fields";
import { Notice } from "../parts/notice";
import type { CellGames } from "../protocol";
import { address, go } from "../router";
import { figure, plural } from "../words";
import { troubleOf, type Screen } from "./screen";

export function cell(name: string, id: string): Screen {
  const notice = new Notice();
  const box = h("div", {}, h("p", { class: "quiet" }, "Reading the store…"));
  let closed = false;
  getCell(name, id).then(
    (found) => fill(box, ...drawn(found, open)),
    (error: Error) => fill(box, h("p", { class: "quiet" }, error.message)),
  );
  async function open(game: string): Promise<void> {
    notice.say("Replaying it from its seed…");
    try {
      const record = await replayStored(name, game);
      if (!closed) go(address("replay", record.id));
    } catch (error) {
      notice.say(troubleOf(error));
    }
  }
  const element = h(
    "div",
    { class: "menu" },
    h("p", { class: "crumbs" }, link("/results", {}, "Results"), " / ", link(address("results", name), {}, name)),
    h("h1", {}, `Games of “${id}”`),
    notice.element,
    box,
  );
  return { title: id, door: "results", element, close: () => (closed = true) };
}

function drawn(found: CellGames, open: (game: string) => Promise<void>): HTMLElement[] {
  const head = ["Game", "Score", "Moves", "Ended by"].map((name) => h("th", { scope: "col" }, name));
  const rows = found.games.map((game, n) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        button(`Game ${n + 1}`, () => void open(game.id), { class: "plain link", title: game.id }),
        h("span", { class: "fine seed" }, `seed ${game.seed}`),
      ),
      h("td", { class: "number" }, figure(game.score)),
      h("td", { class: "number" }, String(game.plies)),
      h("td", { class: "reason" }, game.reason),
    ),
  );
  const more = found.more > 0 ? ` and ${found.more.toLocaleString("en")} more in the store` : "";
  return [
    command(found.command),
    h("p", { class: "quiet after-command" }, `${plural(found.games.length, "game")}${more}. Click a game to replay it from its seed; games that share a seed differ in sides and in the order of players. Score: 1 if this team won, 0 for a draw, −1 if it lost; in a game with one team, its points.`),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Games" },
      h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)),
    ),
  ];
}
