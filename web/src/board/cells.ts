/** The board's cells as a grid that keyboard, pointer and screen reader can use, above the drawing. */

import { fill, h } from "../dom";
import type { Square, State } from "../protocol";
import { cellAfterKey, cellAt, cellsInOrder, keyOf, sameCell, turned, type Geometry } from "./geometry";

export interface Hand {
  /** A cell was clicked, or Enter pressed on it. */
  picked(cell: Square): void;
  cancelled(): void;
  /** Whether a piece may be dragged from here. */
  movable(cell: Square): boolean;
  dragStarted(cell: Square): void;
  /** The pointer, in parts of the board. */
  dragged(cell: Square, across: number, down: number): void;
  dropped(from: Square, on: Square | null): void;
}

/** Pixels before a press becomes a drag. */
const SLACK = 6;

export class Cells {
  readonly element = h("div", { class: "cells", role: "grid" });
  private readonly byKey = new Map<string, HTMLElement>();
  private geometry: Geometry | null = null;
  private current: Square = [0, 0];
  private press: { cell: Square; x: number; y: number; moving: boolean } | null = null;
  private swallowClick = false;

  constructor(
    label: string,
    private readonly hand: Hand,
    unfocused: boolean,
  ) {
    this.element.setAttribute("aria-label", label);
    this.element.addEventListener("keydown", (event) => this.keyed(event));
    if (unfocused) this.element.addEventListener("mousedown", (event) => event.preventDefault());
    this.element.addEventListener("click", (event) => this.clicked(event));
    this.element.addEventListener("pointerdown", (event) => this.pressed(event));
    this.element.addEventListener("pointermove", (event) => this.moved(event));
    this.element.addEventListener("pointerup", (event) => this.released(event));
    this.element.addEventListener("pointercancel", () => this.giveUp());
  }

  /** Name every cell; `about` adds what can be done there. */
  show(state: State, geometry: Geometry, about: (cell: Square) => CellState): void {
    if (!alike(this.geometry, geometry)) this.lay(geometry);
    for (const row of cellsInOrder(geometry)) {
      for (const cell of row) {
        const element = this.byKey.get(keyOf(cell));
        const tile = state.rows[cell[0]]?.[cell[1]];
        if (element && tile) describe(element, turned(cell, geometry), tile.label, about(cell));
      }
    }
  }

  /** Where Tab leads into the board; moves the focus along if it is already there. */
  rove(cell: Square): void {
    const focused = this.element.contains(document.activeElement);
    this.byKey.get(keyOf(this.current))?.setAttribute("tabindex", "-1");
    this.current = cell;
    const element = this.byKey.get(keyOf(cell));
    element?.setAttribute("tabindex", "0");
    if (focused) element?.focus();
  }

  /** Take the focus, and a key that was pressed elsewhere. */
  take(event: KeyboardEvent): void {
    this.byKey.get(keyOf(this.current))?.focus();
    this.keyed(event);
  }

  private lay(geometry: Geometry): void {
    this.geometry = geometry;
    this.byKey.clear();
    const rows = cellsInOrder(geometry).map((row) => {
      const cells = row.map((cell) => {
        const element = h("div", { role: "gridcell", class: "cell", tabindex: -1, "data-cell": keyOf(cell) });
        this.byKey.set(keyOf(cell), element);
        return element;
      });
      return h("div", { role: "row", class: "cell-row" }, ...cells);
    });
    fill(this.element, ...rows);
    this.rove(cellsInOrder(geometry)[0]?.[0] ?? [0, 0]);
  }

  private keyed(event: KeyboardEvent): void {
    if (!this.geometry || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = cellAfterKey(this.current, event.key, this.geometry);
    if (to) this.rove(to);
    else if (event.key === "Enter" || event.key === " ") this.hand.picked(this.current);
    else if (event.key === "Escape") this.hand.cancelled();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private clicked(event: MouseEvent): void {
    const cell = cellOf(event.target);
    if (cell && !this.swallowClick) {
      this.rove(cell);
      this.hand.picked(cell);
    }
    this.swallowClick = false;
  }

  private pressed(event: PointerEvent): void {
    this.swallowClick = false;
    const cell = cellOf(event.target);
    if (!cell || event.button !== 0 || !this.hand.movable(cell)) return;
    this.press = { cell, x: event.clientX, y: event.clientY, moving: false };
  }

  private moved(event: PointerEvent): void {
    if (!this.press) return;
    const far = Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y) > SLACK;
    if (far && !this.press.moving) {
      this.press.moving = true;
      this.element.setPointerCapture(event.pointerId);
      this.hand.dragStarted(this.press.cell);
    }
    if (this.press.moving) this.hand.dragged(this.press.cell, ...this.parts(event));
  }

  private released(event: PointerEvent): void {
    const press = this.press;
    this.press = null;
    if (!press?.moving || !this.geometry) return;
    this.swallowClick = true;
    const on = cellAt(...this.parts(event), this.geometry);
    this.hand.dropped(press.cell, on && sameCell(on, press.cell) ? null : on);
  }

  private giveUp(): void {
    if (this.press?.moving) this.hand.dropped(this.press.cell, null);
    this.press = null;
  }

  private parts(event: PointerEvent): [number, number] {
    const box = this.element.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }
}

export interface CellState {
  picked: boolean;
  movable: boolean;
  target: boolean;
}

/** Rows and columns are counted as they are seen: from the top, and from the left. */
function describe(element: HTMLElement, [row, column]: Square, label: string, about: CellState): void {
  const words = [label.trim(), `row ${row + 1}, column ${column + 1}`];
  if (about.picked) words.push("picked");
  else if (about.target) words.push("you can move here");
  else if (about.movable) words.push("can move");
  element.setAttribute("aria-label", words.filter(Boolean).join(", "));
  element.setAttribute("aria-selected", String(about.picked));
  element.classList.toggle("movable", about.movable);
  element.classList.toggle("target", about.target);
}

function cellOf(target: EventTarget | null): Square | null {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-cell]") : null;
  const [row, column] = (element?.dataset["cell"] ?? "").split(",").map(Number);
  return row === undefined || column === undefined || Number.isNaN(column) ? null : [row, column];
}

function alike(a: Geometry | null, b: Geometry): boolean {
  return a !== null && a.rows === b.rows && a.columns === b.columns && a.flipped === b.flipped;
}
