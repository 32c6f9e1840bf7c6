/** Running games in this tab's own storage, so that a lost line, a reload or a look at another game loses nothing. */

import type { Setup } from "./protocol";

export interface Saved {
  setup: Setup;
  moves: string[];
}

/** One game of each kind that is played; whoever watches has one table. */
const keyOf = ({ mode, game }: Setup): string => (mode === "watch" ? "sizeup-watch" : `sizeup-play-${game}`);

const VEILED = "sizeup-veiled";
const TOURED = "sizeup-toured";

export function save(saved: Saved): void {
  attempt(() => sessionStorage.setItem(keyOf(saved.setup), JSON.stringify(saved)));
}

/** The game that was left in place of one that is wanted. */
export function saved(wanted: Setup): Saved | null {
  return read(attempt(() => sessionStorage.getItem(keyOf(wanted))) ?? null, wanted.mode === "watch" ? "watch" : "play");
}

/** What was watched last. */
export function watched(): Setup | null {
  return read(attempt(() => sessionStorage.getItem("sizeup-watch")) ?? null, "watch")?.setup ?? null;
}

export function forget(setup: Setup): void {
  attempt(() => sessionStorage.removeItem(keyOf(setup)));
}

/** Whether the visitor would rather not see what is believed, until the tab is closed. */
export function veiled(): boolean {
  return attempt(() => sessionStorage.getItem(VEILED)) === "yes";
}

export function veil(on: boolean): void {
  attempt(() => sessionStorage.setItem(VEILED, on ? "yes" : "no"));
}

/** Whether this browser has seen the guided game, or somebody did not want to. */
export function toured(): boolean {
  return attempt(() => localStorage.getItem(TOURED)) === "yes";
}

export function noteToured(): void {
  attempt(() => localStorage.setItem(TOURED, "yes"));
}

/** What was saved, if it has the shape; the server checks what it means. */
export function read(text: string | null, mode: Setup["mode"]): Saved | null {
  const value: unknown = attempt(() => JSON.parse(text ?? "null"));
  if (typeof value !== "object" || value === null) return null;
  const { setup, moves } = value as Partial<Saved>;
  const kind = setup?.mode === "continue" ? "play" : setup?.mode; // it is played at the same table
  const whole = setup !== undefined && kind === mode && typeof setup.game === "string" && Array.isArray(moves);
  return whole && moves.every((move) => typeof move === "string") ? { setup, moves } : null;
}

/** Storage may be full or forbidden; the game goes on without it. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
