/** Choosing a move cell by cell: pick a piece, then where it goes; a jump may need its stops. */

import type { Square, Legal } from "../protocol";
import { keyOf, sameCell } from "./geometry";

/** A move that is still possible, and how many of its stops were picked. */
interface Open {
  readonly legal: Legal;
  readonly stops: readonly Square[];
  readonly reached: number;
}

export interface Choice {
  readonly legal: readonly Legal[];
  readonly picked: readonly Square[];
  readonly open: readonly Open[];
}

/** What a pick led to: a choice that goes on, or an action. */
export interface Picked {
  readonly choice: Choice;
  readonly action: string | null;
}

/** Nothing picked yet; where only one piece can move, it is picked already. */
export function startChoice(legal: readonly Legal[]): Choice {
  const fresh: Choice = { legal, picked: [], open: [] };
  const [first, ...others] = starts(fresh);
  return first !== undefined && others.length === 0 ? take(fresh, first) : fresh;
}

/** Cells of pieces that can move. */
export function starts(choice: Choice): Square[] {
  return distinct(choice.legal.flatMap((legal) => legal.squares.slice(0, 1)));
}

/** Cells that the picked piece can go to: its next stops and its last ones. */
export function targets(choice: Choice): Square[] {
  return distinct(
    choice.open.flatMap(({ stops, reached }) => [...stops.slice(reached, reached + 1), ...stops.slice(-1)]),
  );
}

/** Pick a cell: a piece, a stop, or the place where the move ends. */
export function pick(choice: Choice, cell: Square): Picked {
  const ending = choice.open.filter(({ stops }) => isCell(stops.at(-1), cell));
  const passing = through(choice.open, cell);
  const [only] = ending.length > 0 ? ending : passing;
  if (only !== undefined && (ending.length === 1 || (ending.length === 0 && passing.length === 1))) {
    return { choice: startChoice(choice.legal), action: only.legal.action };
  }
  if (passing.length > 0) return narrowed(choice, cell, passing);
  return anew(choice, cell);
}

/** Put down what was picked up. */
export function cancel(choice: Choice): Choice {
  return startChoice(choice.legal);
}

/** Several moves still fit: those with this stop next, or ending here by different ways. */
function narrowed(choice: Choice, cell: Square, passing: readonly Open[]): Picked {
  const [first] = passing;
  const done = passing.every(({ stops, reached }) => reached >= stops.length);
  if (done && first !== undefined) return { choice: cancel(choice), action: first.legal.action };
  return { choice: { ...choice, picked: [...choice.picked, cell], open: passing }, action: null };
}

/** The cell is none of the picked piece's: perhaps another piece. */
function anew(choice: Choice, cell: Square): Picked {
  if (!starts(choice).some((start) => sameCell(start, cell))) return { choice: cancel(choice), action: null };
  const fresh = take(choice, cell);
  const [first] = fresh.open;
  const onlyPlace = fresh.open.length === 1 && first?.legal.squares.length === 1;
  if (onlyPlace) return { choice: cancel(choice), action: first.legal.action };
  const again = choice.picked.length === 1 && isCell(choice.picked[0], cell);
  return { choice: again ? cancel(choice) : fresh, action: null };
}

function take(choice: Choice, start: Square): Choice {
  const open = choice.legal
    .filter((legal) => isCell(legal.squares[0], start))
    // A move without a way, such as staying, ends where it starts.
    .map((legal) => ({ legal, stops: legal.squares.length > 1 ? legal.squares.slice(1) : legal.squares, reached: 0 }));
  return { ...choice, picked: [start], open };
}

/** Moves with this cell as their next stop; or else, as a later one. */
function through(open: readonly Open[], cell: Square): Open[] {
  const next = open.filter(({ stops, reached }) => isCell(stops[reached], cell));
  if (next.length > 0) return next.map((one) => ({ ...one, reached: one.reached + 1 }));
  return open.flatMap((one) => {
    const at = one.stops.findIndex((stop, number) => number >= one.reached && sameCell(stop, cell));
    // An end that several share says nothing yet of the way there.
    const last = at === one.stops.length - 1;
    return at < 0 ? [] : [{ ...one, reached: last ? one.reached : at + 1 }];
  });
}

function isCell(cell: Square | undefined, other: Square): boolean {
  return cell !== undefined && sameCell(cell, other);
}

function distinct(cells: readonly Square[]): Square[] {
  return [...new Map(cells.map((cell) => [keyOf(cell), cell])).values()];
}
