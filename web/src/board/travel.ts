/** Which piece goes where between two states, so that moves can be seen and not only their ends. */

import type { Square, State } from "../protocol";

/** The way of the piece that moved, forwards or taken back; null if the states are no neighbours. */
export function wayBetween(before: State | null, next: State): Square[] | null {
  if (before === null) return null;
  if (next.ply === before.ply + 1) return next.last;
  if (next.ply === before.ply - 1 && before.last) return [...before.last].reverse();
  return null;
}

/** Milliseconds that a way takes: long jumps take longer, but not in proportion. */
export function travelTime(way: readonly Square[]): number {
  return 140 + 110 * Math.max(1, way.length - 1);
}

/** Whether people asked their system for less motion. */
export function wantsStillness(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
