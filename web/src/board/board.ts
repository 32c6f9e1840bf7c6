/** A board to look at, or to move on: the drawing, the cells above it, and the choice of a move. */

import { h } from "../dom";
import type { Cell, State } from "../protocol";
import { figure } from "../words";
import { Cells, type Hand } from "./cells";
import { cancel, pick, startChoice, starts, targets, type Choice } from "./choice";
import { SIDE } from "./drawing";
import { sameCell } from "./geometry";
import { Scene } from "./scene";

export interface BoardOptions {
  label: string;
  flipped?: boolean;
  /** What to do with a chosen move; a board without it is a picture. */
  play?: (action: string) => void;
}

const among = (cells: readonly Cell[], cell: Cell): boolean => cells.some((one) => sameCell(one, cell));

export class Board {
  readonly element: HTMLElement;
  private readonly scene: Scene;
  private readonly cells: Cells | null;
  private state: State | null = null;
  private choice: Choice = startChoice([]);

  constructor(private readonly options: BoardOptions) {
    this.scene = new Scene(options.flipped ?? false);
    this.cells = options.play ? new Cells(options.label, this.hand(options.play)) : null;
    this.element = h("div", { class: "board" }, this.scene.svg, this.cells?.element);
    if (!this.cells) this.element.setAttribute("role", "img");
  }

  /** Show a state; with `choosing`, its legal moves can be picked. */
  show(state: State, { choosing = false, moving = true } = {}): void {
    this.state = state;
    this.scene.show(state, moving);
    this.choice = startChoice(choosing ? state.legal : []);
    this.element.dataset["ply"] = String(state.ply);
    this.element.classList.toggle("checkered", state.rows[0]?.[0]?.ground === "light");
    if (!this.cells) this.element.setAttribute("aria-label", `${this.options.label}: ${describe(state)}`);
    this.drawChoice();
    const [own] = starts(this.choice);
    if (own && starts(this.choice).length === 1) this.cells?.rove(own);
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
      ...ready.map((cell) => ({ cell, kind: state.captures ? "movable must" : "movable" })),
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
    const choose = (cell: Cell): void => {
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

/** Width over height, so that style can keep a whole board inside the window. */
export function shapeOf({ rows }: State): string {
  return String(Math.max(...rows.map((row) => row.length)) / rows.length);
}

/** What stands on the board, in words: each kind of piece with its number. */
function describe(state: State): string {
  const counts = new Map<string, number>();
  for (const tile of state.rows.flat()) {
    if (tile.piece) counts.set(tile.piece, (counts.get(tile.piece) ?? 0) + 1);
  }
  const words = [...counts].map(([piece, count]) => `${count} ${PIECE_WORDS[piece] ?? piece}`);
  return `after ${state.ply} moves, ${words.join(", ")}`;
}

const PIECE_WORDS: Record<string, string> = {
  "man-0": "black men",
  "man-1": "white men",
  "king-0": "black kings",
  "king-1": "white kings",
  avatar: "avatar",
  "avatar-0": "blue avatar",
  "avatar-1": "red avatar",
  coin: "coins",
  "coin-0": "blue coins",
  "coin-1": "red coins",
};
