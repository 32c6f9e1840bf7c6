import { describe, expect, it } from "vitest";
import { travelTime, wayBetween } from "./board/travel";
import { arePadMoves, keyAction } from "./parts/moves";
import { inTurn } from "./parts/players";
import type { State } from "./protocol";
import { read } from "./saved";
import { plyAfterKey } from "./screens/replay_scrubber";
import { branchesOf } from "./screens/results_tables";
import { readTeam, teamText } from "./screens/watch_setup";
import { waitBefore } from "./socket";

const state = (ply: number, last: State["last"]): State => ({
  ply, actor: 0, rows: [], legal: [], columns: [], hint: "", standing: "", score: [0], last,
});

describe("the way between two states", () => {
  const [before, next] = [state(3, [[0, 0], [1, 1]]), state(4, [[2, 2], [4, 4], [6, 2]])];

  it("is the move's, forwards and taken back", () => {
    expect(wayBetween(before, next)).toEqual([[2, 2], [4, 4], [6, 2]]);
    expect(wayBetween(next, before)).toEqual([[6, 2], [4, 4], [2, 2]]);
  });

  it("is none from nowhere, or from afar", () => {
    expect(wayBetween(null, next)).toBeNull();
    expect(wayBetween(state(1, null), next)).toBeNull();
    expect(wayBetween(state(5, null), next)).toBeNull();
  });

  it("takes longer the longer it is", () => {
    expect(travelTime([[0, 0], [1, 1], [2, 2]])).toBeGreaterThan(travelTime([[0, 0], [1, 1]]));
  });
});

describe("a saved game", () => {
  const setup = { mode: "play", game: "checkers" };

  it("is read if it has the shape", () => {
    expect(read(JSON.stringify({ setup, moves: ["11-15"] }), "play")?.moves).toEqual(["11-15"]);
  });

  it.each([null, "", "{", "3", "{}", JSON.stringify({ setup, moves: [1] }), JSON.stringify({ setup, moves: "x" })])(
    "is none if it is %s",
    (text) => expect(read(text, "play")).toBeNull(),
  );

  it("is none of another mode", () => {
    expect(read(JSON.stringify({ setup, moves: [] }), "watch")).toBeNull();
  });
});

describe("waiting for the server", () => {
  it("is short at first and never longer than five seconds", () => {
    expect([0, 1, 2].map(waitBefore)).toEqual([250, 500, 1000]);
    expect(waitBefore(50)).toBe(5000);
  });
});

describe("scrubbing by keys", () => {
  it("stays within the game", () => {
    expect(plyAfterKey(0, "ArrowLeft", 9)).toBe(0);
    expect(plyAfterKey(9, "ArrowRight", 9)).toBe(9);
    expect(plyAfterKey(4, "ArrowRight", 9)).toBe(5);
    expect(plyAfterKey(4, "Home", 9)).toBe(0);
    expect(plyAfterKey(4, "End", 9)).toBe(9);
    expect(plyAfterKey(4, "x", 9)).toBeNull();
  });
});

describe("teams", () => {
  it("are written as they are read", () => {
    const text = "ca:8+my_agent.py:3+random";
    expect(teamText(readTeam(text, 4))).toBe(text);
    expect(readTeam("", 4)).toEqual([{ kind: "obl", depth: 4 }]);
  });

  it("take turns", () => {
    const players = [[0, 0], [1, 0], [2, 1], [3, 1]].map(([seat = 0, team = 0]) => ({ seat, team, called: "", kind: "", depth: 1 }));
    expect(inTurn(players).map((player) => player.seat)).toEqual([0, 2, 1, 3]);
  });
});

describe("keys", () => {
  const keys = { N: "up", S: "down" } as const;
  const legal = ["N", "S"].map((action) => ({ action, phrase: "", squares: [] }));

  it("make a pad where each move has one", () => {
    expect(arePadMoves(keys, legal)).toBe(true);
    expect(arePadMoves(keys, [])).toBe(true);
    expect(arePadMoves({ N: "up" }, legal)).toBe(false);
    expect(arePadMoves({}, [])).toBe(false);
  });

  it("stand for legal moves only", () => {
    expect(keyAction(keys, legal, "down")?.action).toBe("S");
    expect(keyAction(keys, legal.slice(0, 1), "down")).toBeUndefined();
  });
});

describe("branches of a forest", () => {
  const entry = { row: "", mean: 1, low: 0, high: 2, n: 5, missing: 0, published: 3, cell: null, cells: [] };

  it("are named after arms where there is one row", () => {
    const table = { title: "", measure: "", rows: [""], arms: [{ arm: "a", title: "A", entries: [entry] }] };
    expect(branchesOf(table).map((branch) => branch.label)).toEqual(["A"]);
  });

  it("stand below their arm where there are several", () => {
    const entries = ["2", "8"].map((row) => ({ ...entry, row }));
    const table = { title: "", measure: "", rows: ["2", "8"], arms: [{ arm: "a", title: "A", entries }] };
    expect(branchesOf(table).map((branch) => [branch.label, branch.heading ?? false])).toEqual([["A", true], ["2", false], ["8", false]]);
  });
});
