import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { pace, Queue, setPace } from "./pace";
import type { ServerMessage } from "./protocol";

const said = (seat: number): ServerMessage => ({ type: "thinking", game_id: "g", seat });
const ended = { type: "ended" } as ServerMessage;
const placed = { type: "placed" } as ServerMessage;

describe("a queue", () => {
  let shown: ServerMessage[];
  let wait: number;
  let queue: Queue;

  beforeEach(() => {
    vi.stubGlobal("window", globalThis);
    vi.useFakeTimers();
    vi.setSystemTime(1_000_000);
    [shown, wait] = [[], 1000];
    queue = new Queue((message) => shown.push(message), ({ type }) => type === "ended", () => wait);
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("shows what is not to be waited for at once", () => {
    queue.push(placed);
    queue.push(placed);
    expect(shown).toHaveLength(2);
  });

  it("lets one be seen before the next, and keeps the order", () => {
    queue.push(placed);
    queue.push(ended);
    queue.push(said(1));
    queue.push(ended);
    expect(shown).toEqual([placed]);
    vi.advanceTimersByTime(999);
    expect(shown).toEqual([placed]);
    vi.advanceTimersByTime(1);
    expect(shown).toEqual([placed, ended, said(1)]);
    vi.advanceTimersByTime(1000);
    expect(shown).toEqual([placed, ended, said(1), ended]);
  });

  it("lets nobody wait for the first move of a new game", () => {
    queue.push({ type: "game", moves: [] } as unknown as ServerMessage);
    queue.push(ended);
    expect(shown).toHaveLength(2);
    queue.clear();
    queue.push({ type: "game", moves: [{}] } as unknown as ServerMessage);
    queue.push(ended);
    expect(shown).toHaveLength(3);
  });

  it("is rushed, is cleared, and is no queue for those who want none", () => {
    queue.push(placed);
    queue.push(ended);
    queue.rush();
    expect(shown).toEqual([placed, ended]);
    queue.push(ended);
    queue.clear();
    vi.advanceTimersByTime(5000);
    expect(shown).toHaveLength(2);
    wait = 0;
    queue.push(ended);
    queue.push(ended);
    expect(shown).toHaveLength(4);
  });
});

describe("the pace", () => {
  it("is kept, and one that is none is the normal one", () => {
    const kept = new Map<string, string>();
    vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
    expect(pace()).toBe("normal");
    setPace("instant");
    expect(pace()).toBe("instant");
    setPace("nonsense");
    expect(pace()).toBe("normal");
    vi.unstubAllGlobals();
    expect(pace()).toBe("normal"); // storage is forbidden
  });
});
