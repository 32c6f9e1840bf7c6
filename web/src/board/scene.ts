/** A board in SVG: grounds, marks, and pieces that travel. Shows; knows nothing of input. */

import { fill, s } from "../dom";
import type { Cell, State } from "../protocol";
import { drawGround, drawPiece, SIDE } from "./drawing";
import { keyOf, turned, type Geometry } from "./geometry";
import { travelTime, wantsStillness, wayBetween } from "./travel";

interface Standing {
  name: string;
  group: SVGGElement;
}

export class Scene {
  readonly svg = s("svg", { class: "scene", "aria-hidden": "true", focusable: "false" });
  geometry: Geometry = { rows: 1, columns: 1, flipped: false };
  private readonly grounds = s("g");
  private readonly marks = s("g");
  private readonly standing = s("g");
  private readonly floating = s("g");
  private readonly pieces = new Map<string, Standing>();
  private state: State | null = null;
  private laid = "";
  /** Where a hand has put a piece already: it need not travel there once more. */
  private carried = "";

  constructor(private readonly flipped: boolean) {
    this.svg.append(this.grounds, this.marks, this.standing, this.floating);
  }

  /** Show a state; if it is a neighbour of the one before, its piece travels there. */
  show(state: State, moving = true): void {
    this.layGrounds(state);
    const way = moving ? wayBetween(this.state, state) : null;
    if (way) this.travel(way);
    this.settle(state, way !== null && !wantsStillness());
    this.state = state;
    this.carried = "";
  }

  /** The piece on a cell, to be dragged. */
  pieceAt(cell: Cell): SVGGElement | null {
    return this.pieces.get(keyOf(cell))?.group ?? null;
  }

  /** Let a piece follow a point, in units of the drawing; without one it goes back. */
  drag(cell: Cell, to: { x: number; y: number } | null): void {
    const group = this.pieceAt(cell);
    if (!group) return;
    group.classList.toggle("dragged", to !== null);
    group.style.transform = to ? `translate(${to.x}px, ${to.y}px)` : this.spot(cell);
    if (to) this.standing.append(group);
  }

  /** Leave a dragged piece where it was dropped, until a state says where it stands. */
  drop(from: Cell, on: Cell): void {
    const group = this.pieceAt(from);
    if (group) group.style.transform = this.spot(on);
    this.carried = keyOf(on);
  }

  /** Put small signs on cells: where the last move went, what is picked, where it may go. */
  mark(signs: readonly { cell: Cell; kind: string }[]): void {
    fill(this.marks, ...signs.map(({ cell, kind }) => this.sign(cell, kind)));
  }

  /** A number that rises from a cell and goes: what the move there was worth. */
  float(cell: Cell, text: string, kind: "good" | "bad"): void {
    if (wantsStillness()) return;
    const word = s("text", { class: `floating ${kind}` }, text);
    word.style.transform = this.spot(cell);
    this.floating.append(word);
    const lift = { transform: `${this.spot(cell)} translateY(-90px)`, opacity: 0 };
    word.animate([{ opacity: 1 }, { opacity: 1, offset: 0.5 }, lift], { duration: 1300, easing: "ease-out" })
      .finished.catch(() => undefined)
      .finally(() => word.remove());
  }

  private layGrounds(state: State): void {
    const laid = state.rows.map((row) => row.map((tile) => tile.ground).join()).join(";");
    if (laid === this.laid) return;
    this.laid = laid;
    const columns = Math.max(...state.rows.map((row) => row.length));
    this.geometry = { rows: state.rows.length, columns, flipped: this.flipped };
    this.svg.setAttribute("viewBox", `0 0 ${columns * SIDE} ${state.rows.length * SIDE}`);
    fill(
      this.grounds,
      ...state.rows.flatMap((row, r) =>
        row.map((tile, c) => {
          const [top, left] = turned([r, c], this.geometry);
          const group = drawGround(tile, r, c);
          group.setAttribute("transform", `translate(${(left + 0.5) * SIDE} ${(top + 0.5) * SIDE})`);
          return group;
        }),
      ),
    );
  }

  /** Take the piece from the first cell of a way to the last. */
  private travel(way: readonly Cell[]): void {
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
  private settle(state: State, softly: boolean): void {
    const wanted = new Map<string, { name: string; cell: Cell }>();
    state.rows.forEach((row, r) =>
      row.forEach((tile, c) => tile.piece && wanted.set(keyOf([r, c]), { name: tile.piece, cell: [r, c] })),
    );
    for (const [key, piece] of this.pieces) {
      const there = wanted.get(key);
      if (there) {
        redraw(piece, there.name);
        piece.group.style.transform = this.spot(there.cell);
      } else this.pieces.delete(key);
      if (!there && softly) vanish(piece.group);
      else if (!there) piece.group.remove();
    }
    for (const [key, { name, cell }] of wanted) if (!this.pieces.has(key)) this.stand(key, name, cell, softly);
  }

  private stand(key: string, name: string, cell: Cell, softly: boolean): void {
    const group = s("g", { class: `piece ${name}` }, ...drawPiece(name));
    group.style.transform = this.spot(cell);
    this.pieces.set(key, { name, group });
    this.standing.append(group);
    if (softly) group.animate([{ opacity: 0 }, { opacity: 1 }], 200);
  }

  private sign(cell: Cell, kind: string): SVGElement {
    const sign =
      kind === "target"
        ? s("circle", { class: "sign target", r: this.pieceAt(cell) ? 42 : 16 })
        : s("rect", { class: `sign ${kind}`, x: -48.5, y: -48.5, width: 97, height: 97, rx: 10 });
    sign.style.transform = this.spot(cell);
    if (kind === "target" && this.pieceAt(cell)) sign.classList.add("ring");
    return sign;
  }

  private spot(cell: Cell): string {
    const [row, column] = turned(cell, this.geometry);
    return `translate(${(column + 0.5) * SIDE}px, ${(row + 0.5) * SIDE}px)`;
  }
}

/** A man that becomes a king stays the same piece, also while it travels. */
function redraw(piece: Standing, name: string): void {
  if (piece.name === name) return;
  piece.name = name;
  piece.group.setAttribute("class", `piece ${name}`);
  fill(piece.group, ...drawPiece(name));
}

function vanish(group: SVGGElement): void {
  const away = { opacity: 0, transform: `${group.style.transform} scale(0.4)` };
  group.animate([{}, away], { duration: 260, delay: 90, fill: "forwards" }).finished
    .catch(() => undefined)
    .finally(() => group.remove());
}
