import { describe, expect, it } from "vitest";
import type { Result } from "./protocol";
import { turnOf } from "./screens/play_setup";
import {
  actionWords, areSteps, calledAt, columnOf, figure, likeliest, lowered, outcomeWords, percent, plural, standing, sureness,
  teamsInWords,
} from "./words";

describe("figures", () => {
  it("have a true minus, no negative nothing and only the places they need", () => {
    expect(figure(-2)).toBe("−2");
    expect(figure(-0.001)).toBe("0");
    expect(figure(1.2345)).toBe("1.23");
    expect(figure(1.5, 0)).toBe("2");
    expect(figure(null)).toBe("–");
  });

  it("count in words", () => {
    expect(plural(1, "game")).toBe("1 game");
    expect(plural(1200, "game")).toBe("1,200 games");
    expect([0, 0.001, 0.987, 0.999, 1].map(percent)).toEqual(["0 %", "<1 %", "99 %", ">99 %", "100 %"]);
  });
});

describe("actions", () => {
  it("are steps or the game's own text", () => {
    expect(actionWords("N")).toBe("north");
    expect(actionWords("11-15")).toBe("11-15");
    expect(areSteps(["N", "."])).toBe(true);
    expect(areSteps(["N", "11-15"])).toBe(false);
    expect(areSteps([])).toBe(false);
  });

  it("may name a column", () => {
    expect(["a", "g", "11-15", "."].map(columnOf)).toEqual(["1", "7", "", ""]);
  });
});

describe("players", () => {
  const player = (seat: number, team: number, called: string) => ({ seat, team, called, name: "", kind: "", depth: 2 });
  const four = [player(0, 0, "Ada"), player(1, 0, "Bob"), player(2, 1, "Cyd"), player(3, 1, "Dan")];

  it("are named by the server, and counted from 1 if they are not", () => {
    expect(calledAt(four, 2)).toBe("Cyd");
    expect(calledAt(four, 4)).toBe("player 5");
    expect(lowered("Your partner")).toBe("your partner");
  });

  it("are listed team by team", () => {
    expect(teamsInWords(four)).toBe("Ada and Bob against Cyd and Dan");
    expect(teamsInWords(four.slice(0, 2))).toBe("Ada and Bob");
  });
});

describe("how things stand", () => {
  const row = ["man-0", "king-0", "man-1", null].map((piece) => ({ ground: "dark", piece, label: "" }));

  it("is a team's score, or the pieces left", () => {
    expect(standing("wall-of-fire", { score: [-2], rows: [] })).toBe("Score −2");
    expect(standing("checkers", { score: [0, 0], rows: [row] })).toBe("Black 2, white 1");
    expect(standing("connect-four", { score: [0, 0], rows: [] })).toBe("");
  });

  it("counts turns from 1, and no more than there are", () => {
    expect(turnOf("wall-of-fire", { ply: 0, actor: 0 })).toBe("Turn 1 of 20");
    expect(turnOf("wall-of-fire", { ply: 20, actor: 1 })).toBe("Turn 20 of 20");
    expect(turnOf("narrow-tunnel", { ply: 4, actor: null })).toBe("Turn 4 of 20");
    expect(turnOf("checkers", { ply: 0, actor: 0 })).toBe("");
  });
});

describe("verdicts", () => {
  it("name the likeliest depth", () => {
    expect(likeliest({ types: [2, 4, 6], probabilities: [0.2, 0.5, 0.3] })).toEqual([4, 0.5]);
  });

  it("claim no more than the probability does", () => {
    expect([0.99, 0.8, 0.6, 0.3].map(sureness)).toEqual(["almost sure", "fairly sure", "inclined to think", "unsure"]);
  });

  it("say how a game ended", () => {
    const result: Result = { reason: "", total: -2, scores: [-2], winner: null, margin: null, outcome: "done" };
    expect(outcomeWords(result)).toBe("Together: −2 points");
    expect(outcomeWords({ ...result, outcome: "won" })).toBe("Your team won");
    expect(outcomeWords({ ...result, scores: [1, -1], winner: "Red" })).toBe("Red won");
    expect(outcomeWords({ ...result, scores: [1, -1], winner: "Black", margin: 1, outcome: "lost" })).toBe("Your team lost by 1 point");
  });
});
