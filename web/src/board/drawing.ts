/** How grounds and pieces look: shapes around a tile's middle, 100 units a side, in the colours of their art. */

import { s } from "../dom";
import type { Art, Arts, Tile } from "../protocol";

export const SIDE = 100;

type Hand = (art: Art, row: number, column: number) => SVGElement[];

/** The plain colours of looks (PALE, SAND and so on): each theme of the page has its own for them. */
const NEUTRALS: Record<string, string> = {
  "#F4F4F0": "pale",
  "#EFE6D2": "sand",
  "#A9C4B4": "sage",
  "#D5D5D5": "grey",
  "#4A4A4A": "dark",
};

/** Let style know the colours of a ground or a piece, as `--fill` and `--sign`. */
export function dye<E extends HTMLElement | SVGElement>(element: E, { fill, ink }: Pick<Art, "fill" | "ink">, themed = false): E {
  const name = themed ? NEUTRALS[fill.toUpperCase()] : undefined;
  element.style.setProperty("--fill", name ? `var(--${name})` : fill || "transparent");
  element.style.setProperty("--sign", name ? `var(--${name}-ink, ${ink})` : fill === "" ? "var(--ink)" : ink);
  return element;
}

/** A tile's ground; its place decides small things such as how flames lean. */
export function drawGround(tile: Tile, arts: Arts, [row, column]: readonly [number, number], square: boolean): SVGGElement {
  const art = arts[tile.ground] ?? UNKNOWN;
  const hand = GROUNDS[art.shape] ?? (art.fill === "" ? () => [] : () => [square ? block("ground") : slab()]);
  const note = tile.note?.trim();
  return dye(
    s(
      "g",
      {},
      ...hand(art, row, column),
      tile.text ? word(tile.text, tile.piece !== null) : null,
      note ? s("text", { class: "tile-note", x: -46, y: -31.5 }, note) : null,
    ),
    art,
    true,
  );
}

/** What stands on a tile; a shape that the page does not know is a disc with its letter. */
export function drawPiece(art: Art = UNKNOWN): SVGElement[] {
  return (PIECES[art.shape] ?? disc)(art, 0, 0);
}

const UNKNOWN: Art = { name: "", shape: "", fill: "#D5D5D5", ink: "#000000", sign: "?" };

const slab = (): SVGElement => s("rect", { class: "ground slab", x: -48, y: -48, width: 96, height: 96, rx: 12 });

const block = (name: string): SVGElement => s("rect", { class: name, x: -50.5, y: -50.5, width: 101, height: 101 });

/** Letters small enough to fit the tile. */
function word(text: string, low: boolean): SVGElement {
  const size = Math.max(12, Math.min(30, 155 / text.length));
  return s("text", { class: "tile-text", "font-size": low ? Math.min(20, size) : size, y: low ? 40 : 0 }, text);
}

const FLAME = "M2-44C8-24 32-14 32 14A32 32 0 0 1-32 14C-32-4-22-12-18-26C-13-18-11-16-6-14C-9-28-6-36 2-44Z";
const CORE = "M2-10C4 2 18 8 18 20A17 17 0 0 1-16 20C-16 10-2 6 2-10Z";

const GROUNDS: Record<string, Hand> = {
  bricks: () => [
    slab(),
    s("path", { class: "bricks", d: "M-46-16H46M-46 16H46M-14-46V-16M24-46V-16M-30-16V16M8-16V16M-14 16V46M24 16V46" }),
  ],
  flame: (_, row, column) => [
    block("embers"),
    flame("side", -24, -4, 0.66, row + 2 * column),
    flame("side", 24, -4, 0.66, row + 2 * column + 3),
    flame("", 0, 8, 0.94, 2 * row + column),
  ],
  hole: () => [block("ground"), s("circle", { class: "hole", r: 40 }), s("circle", { class: "hole-rim", r: 40 })],
};

/** Several ways to lean, so that no two neighbours look alike. */
function flame(kind: string, x: number, y: number, scale: number, lean: number): SVGElement {
  const tongue = [
    s("path", { class: "flame-base", d: FLAME }),
    s("path", { d: FLAME, fill: "url(#glow)" }),
    s("path", { d: CORE, fill: "url(#core)" }),
  ];
  return s("g", { transform: `translate(${x} ${y}) scale(${scale})` }, s("g", { class: `flame lean${lean % 5} ${kind}` }, ...tongue));
}

const shadow = (width: number, drop: number): SVGElement => s("ellipse", { class: "shadow", cy: drop, rx: width, ry: width * 0.32 });

/** A round thing seen from above, with light from the top left. */
const puck = (r: number, thick: number): SVGElement[] => [
  s("circle", { class: "rim", cy: thick, r }),
  s("circle", { class: "face", r }),
  s("circle", { r, fill: "url(#lit)" }),
  s("circle", { class: "groove", r: 0.73 * r }),
];

const letter = ({ sign }: Art, size: number, y = 0): SVGElement | null =>
  sign ? s("text", { class: "sign-letter", "font-size": size, y }, sign) : null;

const present = (...parts: (SVGElement | null)[]): SVGElement[] => parts.filter((part) => part !== null);

const disc: Hand = (art) => present(shadow(34, 22), ...puck(38, 4), letter(art, 34));

const king: Hand = () => [
  shadow(34, 22),
  ...puck(38, 4),
  s("path", { class: "crown", d: "M-22 15V-11L-11 1L0-17L11 1L22-11V15Z" }),
  s("path", { class: "crown-band", d: "M-22 20H22" }),
];

/** A small figure with eyes and its letter on the chest. */
const avatar: Hand = (art) =>
  present(
    shadow(32, 38),
    ...["coat", "glow"].flatMap((paint) => [
      s("path", { d: "M-31 39C-31 8-20-4 0-4S31 8 31 39C31 43-31 43-31 39Z", ...COATS[paint] }),
      s("circle", { cy: -20, r: 22, ...COATS[paint] }),
    ]),
    ...[-7.5, 7.5].flatMap((cx) => [
      s("ellipse", { class: "eye", cx, cy: -21, rx: 4.6, ry: 6.2 }),
      s("circle", { class: "pupil", cx: cx + 1.2, cy: -20, r: 2.5 }),
    ]),
    letter(art, 25, 21),
  );

const COATS: Record<string, Record<string, string>> = { coat: { class: "coat" }, glow: { fill: "url(#glow)" } };

const PIECES: Record<string, Hand> = {
  disc,
  king,
  stone: disc,
  avatar,
  coin: (art) => {
    const metal = s("g", { class: "coin" }, ...present(...puck(26, 3), letter(art, 24)));
    metal.style.setProperty("--metal", art.fill);
    return [shadow(24, 22), metal];
  },
  sprout: () => [
    shadow(20, 34),
    s("path", { class: "stem", d: "M0 36C0 14 2 2 0-10" }),
    s("path", { class: "leaf", d: "M0 8C-8-16-30-18-36-14C-34 4-18 14 0 8Z" }),
    s("path", { class: "leaf", d: "M0-4C4-28 24-36 36-32C36-14 20-2 0-4Z" }),
  ],
  seed: () => [
    shadow(22, 22),
    ...[[-15, 8], [14, 12], [0, -10]].map(([x, y]) => s("ellipse", { class: "grain", rx: 8, ry: 11, transform: `translate(${x} ${y}) rotate(24)` })),
  ],
};

/** Light and shade, once for all boards of the page: ids are shared. */
export function paints(): SVGSVGElement {
  const stops = (...all: [number, string, number][]): SVGElement[] =>
    all.map(([offset, colour, opacity]) => s("stop", { offset, "stop-color": colour, "stop-opacity": opacity }));
  const round = { cx: 0.38, cy: 0.3, r: 0.85 };
  return s(
    "svg",
    { class: "paints", width: 0, height: 0, "aria-hidden": "true", focusable: "false" },
    s(
      "defs",
      {},
      s("radialGradient", { id: "lit", ...round }, ...stops([0, "#fff", 0.42], [0.5, "#fff", 0.06], [0.65, "#000", 0], [1, "#3a1c00", 0.3])),
      s("radialGradient", { id: "core", ...round }, ...stops([0, "#fffbe0", 1], [0.6, "#ffe680", 1], [1, "#ffc93c", 1])),
      s("linearGradient", { id: "glow", x1: 0, y1: 0, x2: 0, y2: 1 }, ...stops([0, "#fff", 0.28], [0.4, "#fff", 0], [1, "#300", 0.22])),
    ),
  );
}
