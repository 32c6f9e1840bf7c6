/** The running game in this tab's own storage, so that a lost line or a reload loses nothing. */

import type { Setup } from "./protocol";

export interface Saved {
  setup: Setup;
  moves: string[];
}

const KEY = { play: "sizeup-play", watch: "sizeup-watch" } as const;

export function save(saved: Saved): void {
  attempt(() => sessionStorage.setItem(KEY[saved.setup.mode], JSON.stringify(saved)));
}

export function saved(mode: Setup["mode"]): Saved | null {
  return read(attempt(() => sessionStorage.getItem(KEY[mode])) ?? null, mode);
}

export function forget(mode: Setup["mode"]): void {
  attempt(() => sessionStorage.removeItem(KEY[mode]));
}

/** What was saved, if it has the shape; the server checks what it means. */
export function read(text: string | null, mode: Setup["mode"]): Saved | null {
  const value: unknown = attempt(() => JSON.parse(text ?? "null"));
  if (typeof value !== "object" || value === null) return null;
  const { setup, moves } = value as Partial<Saved>;
  const whole = setup?.mode === mode && typeof setup.game === "string" && Array.isArray(moves);
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
