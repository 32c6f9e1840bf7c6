/** Which game? */

import { Scene } from "../board/scene";
import { h, link } from "../dom";
import type { About, State, Tile } from "../protocol";
import type { Screen } from "./screen";

/** A corner of each game, in letters: what stands on which ground. */
const CORNERS: Record<string, readonly string[]> = {
  "wall-of-fire": ["..FFC", ".AFFC", "..FFC"],
  "narrow-tunnel": ["..##..", "rB..Rb", "..##.."],
  "connect-four": [".....", "..y..", ".vyv.", "yvvyy"],
  checkers: ["lwlwl", "dlwld", "ldlbl", "blblb"],
};

const TILES: Record<string, [string, string | null]> = {
  ".": ["floor", null],
  F: ["fire", null],
  "#": ["wall", null],
  A: ["floor", "avatar"],
  C: ["floor", "coin"],
  B: ["floor", "avatar-0"],
  R: ["floor", "avatar-1"],
  y: ["floor", "disc-0"],
  v: ["floor", "disc-1"],
  b: ["floor", "coin-0"],
  r: ["floor", "coin-1"],
};

export function playMenu(about: About): Screen {
  return {
    title: "Play",
    door: "play",
    element: h(
      "div",
      { class: "menu" },
      h("h1", {}, "Play"),
      h("p", { class: "lead" }, "Your partner watches every move of yours and works out how far ahead you look."),
      h(
        "div",
        { class: "cards" },
        ...about.games.map((game) =>
          link(
            `/play/${encodeURIComponent(game.name)}`,
            { class: "game-card" },
            corner(game.name),
            h("h2", {}, game.title),
            h("p", {}, game.blurb),
          ),
        ),
      ),
    ),
  };
}

function corner(name: string): SVGElement | null {
  const rows = CORNERS[name];
  if (!rows) return null;
  const scene = new Scene(false);
  const tiles = rows.map((row, r) => [...row].map((letter, c) => tile(name, letter, r, c)));
  const state: State = { ply: 0, text: "", actor: null, rows: tiles, legal: [], captures: false, score: [], last: null };
  scene.show(state);
  scene.svg.setAttribute("class", "scene corner");
  return scene.svg;
}

function tile(game: string, letter: string, row: number, column: number): Tile {
  if (game === "checkers") {
    const piece = letter === "b" ? "man-0" : letter === "w" ? "man-1" : null;
    return { ground: (row + column) % 2 === 0 ? "light" : "dark", piece, label: "" };
  }
  const [ground, piece] = TILES[letter] ?? ["floor", null];
  return { ground, piece, label: "" };
}
