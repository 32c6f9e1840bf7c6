/** How grounds and pieces look: shapes around a tile's middle, 100 units a side. */

import { s } from "../dom";
import type { Tile } from "../protocol";

export const SIDE = 100;

type Shape = () => SVGElement[];

const FLAME = "M2-44C8-24 32-14 32 14A32 32 0 0 1-32 14C-32-4-22-12-18-26C-13-18-11-16-6-14C-9-28-6-36 2-44Z";
const CORE = "M2-10C4 2 18 8 18 20A17 17 0 0 1-16 20C-16 10-2 6 2-10Z";

/** A tile's ground at a cell; the cell decides small things such as how its flames lean. */
export function drawGround(tile: Tile, row: number, column: number): SVGGElement {
  const draw = GROUNDS[tile.ground] ?? plain(tile.ground === "" ? "nowhere" : "floor");
  const word = tile.text ? s("text", { class: "tile-text" }, tile.text) : null;
  const note = tile.note ? s("text", { class: "tile-note", x: -42, y: 42 }, tile.note) : null;
  return s("g", {}, ...draw(row, column), word, note);
}

/** A piece, or something plain of the same size if the page does not know it. */
export function drawPiece(name: string): SVGElement[] {
  return (PIECES[name] ?? (() => disc("grey")))();
}

const plain = (name: string) => (): SVGElement[] => [
  s("rect", { class: `ground ${name}`, x: -48, y: -48, width: 96, height: 96, rx: 12 }),
];

const square = (name: string) => (): SVGElement[] => [
  s("rect", { class: `ground ${name}`, x: -50, y: -50, width: 100, height: 100 }),
];

const GROUNDS: Record<string, (row: number, column: number) => SVGElement[]> = {
  floor: plain("floor"),
  light: square("light"),
  dark: (row, column) => [...square("dark")(), squareNumber(row, column)],
  wall: () => [
    ...plain("wall")(),
    s("path", { class: "bricks", d: "M-46-16H46M-46 16H46M-14-46V-16M24-46V-16M-30-16V16M8-16V16M-14 16V46M24 16V46" }),
  ],
  fire: (row, column) => [
    s("rect", { class: "ground embers", x: -50.5, y: -50.5, width: 101, height: 101 }),
    flame("side", -24, -4, 0.66, row + 2 * column),
    flame("side", 24, -4, 0.66, row + 2 * column + 3),
    flame("", 0, 8, 0.94, 2 * row + column),
  ],
};

/** Several ways to lean, so that no two neighbours look alike. */
function flame(kind: string, x: number, y: number, scale: number, lean: number): SVGElement {
  return s(
    "g",
    { transform: `translate(${x} ${y}) scale(${scale})` },
    s(
      "g",
      { class: `flame lean${lean % 5} ${kind}` },
      s("path", { d: FLAME, fill: "url(#flame)" }),
      s("path", { d: CORE, fill: "url(#core)" }),
    ),
  );
}

/** Squares are numbered as in books and PDN, which is how moves are written. */
function squareNumber(row: number, column: number): SVGElement {
  const number = 4 * row + Math.floor(column / 2) + 1;
  return s("text", { class: "square-number", x: -46, y: -31.5 }, String(number));
}

const SHADOW = (width = 36, drop = 30): SVGElement =>
  s("ellipse", { class: "shadow", cy: drop, rx: width, ry: width * 0.32 });

function disc(colour: string): SVGElement[] {
  return [
    SHADOW(34, 22),
    s("circle", { class: `rim-${colour}`, cy: 4, r: 38 }),
    s("circle", { r: 38, fill: `url(#disc-${colour})`, class: `edge-${colour}` }),
    s("circle", { class: `groove-${colour}`, r: 27 }),
  ];
}

function king(colour: string): SVGElement[] {
  const crown = "M-22 15V-11L-11 1L0-17L11 1L22-11V15Z";
  return [...disc(colour), s("path", { class: "crown", d: crown }), s("path", { class: "crown-band", d: "M-22 20H22" })];
}

/** A small figure with eyes; what it wears on the chest tells blue from red without colour. */
function avatar(colour: string, emblem: Shape = () => []): SVGElement[] {
  return [
    SHADOW(32, 38),
    s("path", { d: "M-31 39C-31 8-20-4 0-4S31 8 31 39C31 43-31 43-31 39Z", fill: `url(#coat-${colour})`, class: "outline" }),
    s("circle", { cy: -20, r: 22, fill: `url(#coat-${colour})`, class: "outline" }),
    s("ellipse", { class: "eye", cx: -7.5, cy: -21, rx: 4.6, ry: 6.2 }),
    s("ellipse", { class: "eye", cx: 7.5, cy: -21, rx: 4.6, ry: 6.2 }),
    s("circle", { class: "pupil", cx: -6.3, cy: -20, r: 2.5 }),
    s("circle", { class: "pupil", cx: 8.7, cy: -20, r: 2.5 }),
    s("g", { transform: "translate(0 20)" }, ...emblem()),
  ];
}

function coin(colour: string, emblem: Shape): SVGElement[] {
  return [
    SHADOW(24, 22),
    s("circle", { class: `coin-edge-${colour}`, cy: 3, r: 26 }),
    s("circle", { r: 26, fill: `url(#coin-${colour})`, class: "coin-rim" }),
    s("circle", { class: "coin-groove", r: 19.5 }),
    ...emblem(),
  ];
}

const round: Shape = () => [s("circle", { class: "emblem", r: 8.5 })];
const diamond: Shape = () => [s("path", { class: "emblem", d: "M0-12L11 0L0 12L-11 0Z" })];
const star: Shape = () => [
  s("path", { class: "emblem gold", d: "M0-11L3.2-3.6L11-3L5 2L7 10L0 5.6L-7 10L-5 2L-11-3L-3.2-3.6Z" }),
];

const PIECES: Record<string, Shape> = {
  "man-0": () => disc("black"),
  "man-1": () => disc("white"),
  "king-0": () => king("black"),
  "king-1": () => king("white"),
  avatar: () => avatar("blue"),
  "avatar-0": () => avatar("blue", round),
  "avatar-1": () => avatar("red", diamond),
  coin: () => coin("gold", star),
  "coin-0": () => coin("blue", round),
  "coin-1": () => coin("red", diamond),
  "disc-0": () => disc("yellow"),
  "disc-1": () => disc("vermillion"),
};
