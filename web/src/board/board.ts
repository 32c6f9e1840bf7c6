/** A board to look at, or to move on: the drawing, the cells above it, and the choice of a move. */

import { button, fill, h } from "../dom";
import type { Arts, Square, State, Tile } from "../protocol";
import { figure } from "../words";
import { Cells, type Hand } from "./cells";
import { cancel, pick, startChoice, starts, targets, type Choice } from "./choice";
import { dye, SIDE } from "./drawing";
import { isCheckered, isTable, sameCell } from "./geometry";
import { Scene, type Arrow } from "./scene";
import { wayBetween } from "./travel";

export interface BoardOptions {
  label: string;
  flipped?: boolean;
  /** What to do with a chosen move; a board without it is a picture. */
  play?: (action: string) => void;
  /** Arrow keys move pieces: clicks leave the focus where it is. */
  keyed?: boolean;
}

const among = (cells: readonly Square[], cell: Square): boolean => cells.some((one) => sameCell(one, cell));

export class Board {
  readonly element: HTMLElement;
  private readonly board = h("div", { class: "board" });
  private readonly names = h("div", { class: "column-names" });
  private readonly scene: Scene;
  private readonly cells: Cells | null;
  private state: State | null = null;
  private choice: Choice = startChoice([]);

  constructor(private readonly options: BoardOptions) {
    this.scene = new Scene(options.flipped ?? false);
    this.cells = options.play ? new Cells(options.label, this.hand(options.play), options.keyed ?? false) : null;
    this.element = h("div", { class: "board-frame" }, this.board, this.names);
  }

  /** Show a state; with `choosing`, its legal moves can be picked. */
  show(state: State, arts: Arts, { choosing = false, moving = true } = {}): void {
    const way = moving ? wayBetween(this.state, state) : null;
    this.state = state;
    this.choice = startChoice(choosing ? state.legal : []);
    this.board.dataset["ply"] = String(state.ply);
    this.board.classList.toggle("checkered", isCheckered(state.rows));
    this.nameColumns(state, choosing);
    if (this.drawTable(state, arts)) return;
    this.scene.show(state, arts, way);
    if (!this.cells) this.board.setAttribute("aria-label", `${this.options.label}: ${describe(state, arts)}`);
    this.drawChoice();
    const [own] = starts(this.choice);
    if (own && starts(this.choice).length === 1) this.cells?.rove(own);
  }

  /** Names and values, for a game that says nothing of how it looks; false if there is a board to draw. */
  private drawTable({ rows }: State, arts: Arts): boolean {
    const table = isTable(rows);
    this.board.classList.toggle("plain-fields", table);
    if (!table && !this.scene.svg.parentNode) fill(this.board, this.scene.svg, this.cells?.element);
    if (table) fill(this.board, fieldsTable(rows, arts));
    if (!this.cells) this.board.setAttribute("role", table ? "group" : "img");
    return table;
  }

  /** The names of columns below them; one that is a legal move is a button. */
  private nameColumns({ columns, legal }: State, choosing: boolean): void {
    const { flipped, play } = this.options;
    const shown = flipped ? [...columns].reverse() : columns;
    this.names.style.setProperty("--columns", String(columns.length));
    fill(
      this.names,
      ...shown.map((name) => {
        const named = choosing && play && legal.some(({ action }) => action === name);
        return named ? button(name, () => play(name), { class: "move" }) : h("span", { class: "column-name" }, name);
      }),
    );
  }

  /** Draw ways that others would have gone, until another state is shown. */
  point(arrows: readonly Arrow[]): void {
    this.scene.point(arrows);
  }

  /** What the move that led to the shown state was worth. */
  floatReward(reward: number, good: boolean): void {
    const at = this.state?.last?.at(-1);
    const sign = reward > 0 ? "+" : "";
    if (at && reward !== 0) this.scene.float(at, sign + figure(reward), good ? "good" : "bad");
  }

  private drawChoice(): void {
    const { state, choice } = this;
    if (!state) return;
    const open = targets(choice);
    const ready = starts(choice);
    this.scene.mark([
      ...(state.last ?? []).map((cell) => ({ cell, kind: "last" })),
      ...ready.map((cell) => ({ cell, kind: "halo" })),
      ...ready.map((cell) => ({ cell, kind: state.hint ? "movable must" : "movable" })),
      ...choice.picked.map((cell) => ({ cell, kind: "picked" })),
      ...open.map((cell) => ({ cell, kind: "target" })),
    ]);
    this.cells?.show(state, this.scene.geometry, (cell) => ({
      picked: among(choice.picked, cell),
      movable: among(ready, cell),
      target: among(open, cell),
    }));
  }

  /** An arrow key that was pressed where nothing else wants it. */
  take(event: KeyboardEvent): void {
    this.cells?.take(event);
  }

  private hand(play: (action: string) => void): Hand {
    const choose = (cell: Square): void => {
      const { choice, action } = pick(this.choice, cell);
      this.choice = choice;
      this.drawChoice();
      if (action !== null) play(action);
    };
    return {
      picked: choose,
      cancelled: () => {
        this.choice = cancel(this.choice);
        this.drawChoice();
      },
      movable: (cell) => among(starts(this.choice), cell),
      dragStarted: (cell) => {
        if (!among(this.choice.picked, cell)) choose(cell);
      },
      dragged: (cell, across, down) => {
        const { rows, columns } = this.scene.geometry;
        this.scene.drag(cell, { x: across * columns * SIDE, y: down * rows * SIDE });
      },
      dropped: (from, on) => {
        this.scene.drag(from, null);
        if (!on || !among(targets(this.choice), on)) return;
        choose(on);
        // Nothing is picked any more if the move was played.
        if (!among(this.choice.picked, on)) this.scene.drop(from, on);
      },
    };
  }
}

/** Names and values as a table. */
export function fieldsTable(rows: readonly Tile[][], arts: Arts): HTMLElement {
  const lines = rows.map(([name, value]) => {
    const cell = h("td", {}, value?.text ?? "");
    const art = arts[value?.ground ?? ""];
    return h("tr", {}, h("th", { scope: "row" }, name?.text ?? ""), art ? dye(cell, art, true) : cell);
  });
  return h("table", { class: "fields" }, h("tbody", {}, ...lines));
}

/** What stands on the board, in words: each kind of piece with its number. */
function describe({ ply, rows }: State, arts: Arts): string {
  const counts = new Map<string, number>();
  for (const { piece } of rows.flat()) if (piece) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  const words = [...counts].map(([piece, count]) => `${arts[piece]?.name ?? piece}${count > 1 ? ` × ${count}` : ""}`);
  return [`after ${ply} moves`, ...words].join(", ");
}
