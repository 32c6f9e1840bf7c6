/** Where cells are: on the board as the server counts them, and on the screen. */

import type { Square, Tile } from "../protocol";

export interface Geometry {
  readonly rows: number;
  readonly columns: number;
  /** Turned by half a turn, so that whoever sits at the top sees their own side below. */
  readonly flipped: boolean;
}

export const keyOf = (cell: Square): string => `${cell[0]},${cell[1]}`;

export const sameCell = (a: Square, b: Square): boolean => a[0] === b[0] && a[1] === b[1];

/** From the board to the screen, and (being its own inverse) back. */
export function turned(cell: Square, { rows, columns, flipped }: Geometry): Square {
  return flipped ? [rows - 1 - cell[0], columns - 1 - cell[1]] : cell;
}

/** All cells in the order in which a reader meets them on the screen. */
export function cellsInOrder(geometry: Geometry): Square[][] {
  return Array.from({ length: geometry.rows }, (_, row) =>
    Array.from({ length: geometry.columns }, (_, column) => turned([row, column], geometry)),
  );
}

/** Where a key leads from a cell, by what is seen; null if the key is not for moving about. */
export function cellAfterKey(cell: Square, key: string, geometry: Geometry): Square | null {
  const [row, column] = turned(cell, geometry);
  const lastRow = geometry.rows - 1;
  const lastColumn = geometry.columns - 1;
  const led: Record<string, Square> = {
    ArrowUp: [Math.max(0, row - 1), column],
    ArrowDown: [Math.min(lastRow, row + 1), column],
    ArrowLeft: [row, Math.max(0, column - 1)],
    ArrowRight: [row, Math.min(lastColumn, column + 1)],
    Home: [row, 0],
    End: [row, lastColumn],
    PageUp: [0, column],
    PageDown: [lastRow, column],
  };
  const to = led[key];
  return to === undefined ? null : turned(to, geometry);
}

/** The cell under a point, given in parts (0 to 1) of the board's width and height. */
export function cellAt(across: number, down: number, geometry: Geometry): Square | null {
  const row = Math.floor(down * geometry.rows);
  const column = Math.floor(across * geometry.columns);
  const inside = row >= 0 && row < geometry.rows && column >= 0 && column < geometry.columns;
  return inside ? turned([row, column], geometry) : null;
}

/** Whether two grounds alternate as on a chessboard: such squares touch, where other tiles have gaps. */
export function isCheckered(rows: readonly Tile[][]): boolean {
  const [even, odd] = [rows[0]?.[0]?.ground, rows[0]?.[1]?.ground];
  return even !== odd && rows.every((row, r) => row.length > 1 && row.every(({ ground }, c) => ground === ((r + c) % 2 ? odd : even)));
}

/** Whether every row is a name and a value, as where a game says nothing of how it looks. */
export function isTable(rows: readonly Tile[][]): boolean {
  return rows.every((row) => row.length === 2 && !!row[0]?.text && row.every(({ piece }) => piece === null));
}

/** Width over height, so that style can keep a whole board inside the window. */
export function shapeOf(rows: readonly Tile[][]): string {
  return isTable(rows) ? "2" : String(Math.max(...rows.map((row) => row.length)) / rows.length);
}
