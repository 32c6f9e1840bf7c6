/** A board in SVG: grounds, marks, and pieces that travel. Shows; knows nothing of input. */

import { fill, s } from "../dom";
import type { Art, Arts, Position, Square } from "../protocol";
import { drawGround, drawPiece, dye, SIDE } from "./drawing";
import { isCheckered, keyOf, turned, type Geometry } from "./geometry";
import { travelTime, wantsStillness } from "./travel";

/** A way on the board, in a depth's colour. */
export interface Arrow {
  way: readonly Square[];
  kind: number;
  label: string;
}

interface Standing {
  id: string;
  group: SVGGElement;
}

export class Scene {
  readonly svg = s("svg", { class: "scene", "aria-hidden": "true", focusable: "false" });
  geometry: Geometry = { rows: 1, columns: 1, flipped: false };
  private readonly grounds = s("g");
  private readonly marks = s("g");
  private readonly standing = s("g");
  /** What a game wants to be seen, such as a row that has won: above the pieces. */
  private readonly marked = s("g");
  private readonly arrows = s("g");
  private readonly floating = s("g");
  private readonly pieces = new Map<string, Standing>();
  private arts: Arts = {};
  private laid = "";
  /** Where a hand has put a piece already: it need not travel there once more. */
  private carried = "";

  constructor(private readonly flipped: boolean) {
    this.svg.append(this.grounds, this.marks, this.standing, this.marked, this.arrows, this.floating);
  }

  /** Show a position; a piece travels the way to it, if there is one. */
  show(position: Position, arts: Arts, way: readonly Square[] | null = null): void {
    this.arts = arts;
    this.layGrounds(position);
    if (way) this.travel(way);
    this.settle(position, way !== null && !wantsStillness());
    this.carried = "";
    this.point([]);
  }

  /** Draw ways side by side, each with its name at its end. */
  point(arrows: readonly Arrow[]): void {
    fill(this.arrows, ...arrows.map((arrow, n) => this.arrow(arrow, n - (arrows.length - 1) / 2)));
  }

  private arrow({ way, kind, label }: Arrow, aside: number): SVGElement {
    const spots = way.map((cell) => turned(cell, this.geometry)).map(([row, column]) => [(column + 0.5) * SIDE, (row + 0.5) * SIDE] as const);
    const [from, to] = [spots[0] ?? [0, 0], spots.at(-1) ?? [0, 0]];
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy);
    // Side by side where they lead the same way; around the place where something is put down.
    const [x, y] = length > 0 ? [(-dy / length) * 22 * aside, (dx / length) * 22 * aside] : [24 * aside, 0];
    const line = s("polyline", { points: spots.map((spot) => `${spot[0] + x},${spot[1] + y}`).join(" ") });
    const end = s("circle", { cx: to[0] + x, cy: to[1] + y, r: 15 });
    return s("g", { class: `arrow kind${kind}` }, length > 0 && line, end, s("text", { x: to[0] + x, y: to[1] + y }, label));
  }

  /** The piece on a cell, to be dragged. */
  pieceAt(cell: Square): SVGGElement | null {
    return this.pieces.get(keyOf(cell))?.group ?? null;
  }

  /** Let a piece follow a point, in units of the drawing; without one it goes back. */
  drag(cell: Square, to: { x: number; y: number } | null): void {
    const group = this.pieceAt(cell);
    if (!group) return;
    group.classList.toggle("dragged", to !== null);
    group.style.transform = to ? `translate(${to.x}px, ${to.y}px)` : this.spot(cell);
    if (to) this.standing.append(group);
  }

  /** Leave a dragged piece where it was dropped, until a state says where it stands. */
  drop(from: Square, on: Square): void {
    const group = this.pieceAt(from);
    if (group) group.style.transform = this.spot(on);
    this.carried = keyOf(on);
  }

  /** Put small signs on cells: where the last move went, what is picked, where it may go. */
  mark(signs: readonly { cell: Square; kind: string }[]): void {
    fill(this.marks, ...signs.map(({ cell, kind }) => this.sign(cell, kind)));
  }

  /** A number that rises from a cell and goes: what the move there was worth. */
  float(cell: Square, text: string, kind: "good" | "bad"): void {
    if (wantsStillness()) return;
    const word = s("text", { class: `floating ${kind}` }, text);
    word.style.transform = this.spot(cell);
    this.floating.append(word);
    const lift = { transform: `${this.spot(cell)} translateY(-90px)`, opacity: 0 };
    word.animate([{ opacity: 1 }, { opacity: 1, offset: 0.5 }, lift], { duration: 1300, easing: "ease-out" })
      .finished.catch(() => undefined)
      .finally(() => word.remove());
  }

  private layGrounds({ rows }: Position): void {
    const laid = rows.map((row) => row.map(({ ground, text, note, marked }) => [ground, text, note, marked]).join()).join(";");
    if (laid === this.laid) return;
    this.laid = laid;
    const columns = Math.max(1, ...rows.map((row) => row.length));
    this.geometry = { rows: rows.length, columns, flipped: this.flipped };
    this.svg.setAttribute("viewBox", `0 0 ${columns * SIDE} ${rows.length * SIDE}`);
    const checkered = isCheckered(rows);
    const drawn = rows.flatMap((row, r) =>
      row.map((tile, c) => {
        const [top, left] = turned([r, c], this.geometry);
        const group = drawGround(tile, this.arts, [r, c], checkered);
        group.setAttribute("transform", `translate(${(left + 0.5) * SIDE} ${(top + 0.5) * SIDE})`);
        return group;
      }),
    );
    fill(this.grounds, ...drawn);
    const lines = rows.flatMap((row, r) => row.flatMap(({ marked }, c) => (marked ? [this.sign([r, c], "under-line"), this.sign([r, c], "line")] : [])));
    fill(this.marked, ...lines);
  }

  /** Take the piece from the first cell of a way to the last. */
  private travel(way: readonly Square[]): void {
    const [from, to] = [way[0], way.at(-1)];
    if (from === undefined || to === undefined || keyOf(from) === keyOf(to)) return;
    const moved = this.pieces.get(keyOf(from));
    if (!moved) return;
    this.pieces.get(keyOf(to))?.group.remove();
    this.pieces.delete(keyOf(from));
    this.pieces.set(keyOf(to), moved);
    this.standing.append(moved.group);
    moved.group.style.transform = this.spot(to);
    if (wantsStillness() || this.carried === keyOf(to)) return;
    const frames = way.map((cell) => ({ transform: this.spot(cell) }));
    moved.group.animate(frames, { duration: travelTime(way), easing: "cubic-bezier(.3,.1,.2,1)" });
  }

  /** Make what stands on the board what the state says: some come, some go. */
  private settle({ rows }: Position, softly: boolean): void {
    const wanted = new Map<string, { id: string; cell: Square }>();
    rows.forEach((row, r) => row.forEach((tile, c) => tile.piece && wanted.set(keyOf([r, c]), { id: tile.piece, cell: [r, c] })));
    for (const [key, piece] of this.pieces) {
      const there = wanted.get(key);
      if (there) {
        redraw(piece, there.id, this.arts[there.id]);
        piece.group.style.transform = this.spot(there.cell);
      } else this.pieces.delete(key);
      if (!there && softly) vanish(piece.group);
      else if (!there) piece.group.remove();
    }
    for (const [key, { id, cell }] of wanted) if (!this.pieces.has(key)) this.stand(key, id, cell, softly);
  }

  private stand(key: string, id: string, cell: Square, softly: boolean): void {
    const piece = { id: "", group: s("g", { class: "piece" }) };
    const { group } = piece;
    redraw(piece, id, this.arts[id]);
    group.style.transform = this.spot(cell);
    this.pieces.set(key, piece);
    this.standing.append(group);
    if (softly) group.animate([{ opacity: 0 }, { opacity: 1 }], 200);
  }

  private sign(cell: Square, kind: string): SVGElement {
    const half = kind.endsWith("line") ? 42 : 48.5;
    const sign =
      kind === "target"
        ? s("circle", { class: "sign target", r: this.pieceAt(cell) ? 42 : 16 })
        : s("rect", { class: `sign ${kind}`, x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 10 });
    sign.style.transform = this.spot(cell);
    if (kind === "target" && this.pieceAt(cell)) sign.classList.add("ring");
    return sign;
  }

  private spot(cell: Square): string {
    const [row, column] = turned(cell, this.geometry);
    return `translate(${(column + 0.5) * SIDE}px, ${(row + 0.5) * SIDE}px)`;
  }
}

/** A piece that becomes another, such as a king, stays the same one, also while it travels. */
function redraw(piece: Standing, id: string, art: Art | undefined): void {
  if (piece.id === id) return;
  piece.id = id;
  if (art) dye(piece.group, art);
  fill(piece.group, ...drawPiece(art));
}

function vanish(group: SVGGElement): void {
  const away = { opacity: 0, transform: `${group.style.transform} scale(0.4)` };
  group.animate([{}, away], { duration: 260, delay: 90, fill: "forwards" }).finished
    .catch(() => undefined)
    .finally(() => group.remove());
}
