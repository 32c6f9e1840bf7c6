import { describe, expect, it } from "vitest";
import type { KeptGame } from "./memory";
import { changed, profile, readAs, shareInterval } from "./profile";

const card = (depth: number | null, none = false): KeptGame["card"] => ({ depth, none, credible: depth === null ? [2, 4] : [depth], types: [2, 4, 8] });
const kept = (game: string, read: KeptGame["card"]): KeptGame => ({
  id: Math.random().toString(), date: 0, game, players: [], plies: 1, result: "", card: read, text: "",
});

describe("a game", () => {
  it("says how you were read", () => {
    expect(readAs(card(2))).toBe("2 moves ahead");
    expect(readAs(card(null, true))).toBe("none of the depths");
    expect(readAs(card(null))).toBe("cannot tell (2 or 4)");
    expect(readAs(null)).toBe("–");
    expect(readAs({ depth: 2, none: false, credible: [2], types: [2] })).toBe("–");
  });
});

describe("games together", () => {
  it("have an interval that holds the share and narrows with more of them", () => {
    const [few, many] = [shareInterval(3, 4), shareInterval(300, 400)];
    expect(few[0]).toBeCloseTo(0.301, 3);
    expect(few[1]).toBeCloseTo(0.954, 3);
    expect(many[1] - many[0]).toBeLessThan(few[1] - few[0]);
    expect(shareInterval(0, 5)[0]).toBe(0);
    expect(shareInterval(5, 5)[1]).toBe(1);
  });

  it("are counted by game, the one with most first, and a single one is none", () => {
    const all = [kept("a", card(2)), kept("b", card(2)), kept("b", card(2)), kept("b", card(null)), kept("c", card(4)), kept("c", card(4)), kept("c", null)];
    const lines = profile(all);
    expect(lines.map(({ game }) => game)).toEqual(["b", "c"]);
    expect(lines[0]?.words).toMatch(/^of 3 games, you were read as 2 moves ahead in 2 \(95 % interval .*\) and cannot tell in 1 /);
    expect(profile([])).toEqual([]);
  });

  it("say whether later ones differ from earlier ones, whatever their order", () => {
    const at = (date: number, depth: number): KeptGame => ({ ...kept("a", card(depth)), date });
    const of = (depths: number[]): KeptGame[] => depths.map((depth, date) => at(date, depth)).reverse();
    expect(changed(of([2, 2, 4, 4]))).toBe("");
    expect(changed(of([2, 4, 2, 4, 2, 4]))).toBe(" The first 3 and the last 3 do not differ by more than chance.");
    expect(changed(of([2, 2, 2, 2, 2, 4, 4, 4, 4, 4]))).toBe(
      " It changed: 2 moves ahead in 5 of the first 5 and in 0 of the last 5 and 4 moves ahead in 0 of the first 5 and in 5 of the last 5.",
    );
  });
});
