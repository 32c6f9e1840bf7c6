/** Which game? */

import { fieldsTable } from "../board/board";
import { isTable } from "../board/geometry";
import { Scene } from "../board/scene";
import { h, link } from "../dom";
import type { About, GameOffer } from "../protocol";
import { address } from "../router";
import type { Screen } from "./screen";

export function playMenu(about: About): Screen {
  return {
    title: "Play",
    door: "play",
    element: h(
      "div",
      { class: "menu" },
      h("h1", {}, "Play"),
      h("p", { class: "lead" }, "Your partner watches every move you make and works out how far ahead you look."),
      h(
        "div",
        { class: "cards" },
        ...about.games.map((game) =>
          link(address("play", game.name), { class: "game-card" }, picture(game), h("h2", {}, game.title), h("p", {}, game.about)),
        ),
      ),
    ),
  };
}

/** The first position of a game. */
function picture({ board }: GameOffer): HTMLElement {
  const scene = new Scene(false);
  if (!isTable(board.rows)) scene.show(board, board.art);
  const drawn = isTable(board.rows) ? fieldsTable(board.rows, board.art) : scene.svg;
  return h("div", { class: "picture", "aria-hidden": "true" }, drawn);
}
