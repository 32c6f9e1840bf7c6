import { describe, expect, it } from "vitest";
import type { Result, State } from "./protocol";
import {
  actionName, ahead, calledAt, figure, firstSentence, likeliest, listed, lowered, moveName, outcomeWords, percent, plural, points, reasonOf,
  sentence, sideName, sureness, teamsInWords, turnAndScore,
} from "./words";

describe("reasons", () => {
  it("speak of moves, whatever a record calls them", () => {
    expect(reasonOf({ reason: "120 plies played" })).toBe("120 moves played.");
    expect(reasonOf({ reason: "no move left" })).toBe("No move left.");
  });
});

describe("figures", () => {
  it("are written as in Python: a true minus, no minus before 0, ties to even", () => {
    expect([-2, -0.001, 1.2345, 0.125, 0.375, -1000].map((value) => figure(value))).toEqual(["−2", "0", "1.23", "0.12", "0.38", "−1000"]);
    expect(figure(1.5, 0)).toBe("2");
    expect(figure(null)).toBe("–");
  });

  it("count points and games", () => {
    expect([1, -1, 2, 0.999].map(points)).toEqual(["1 point", "−1 point", "2 points", "1 point"]);
    expect(plural(1, "game")).toBe("1 game");
    expect([1, 4].map(ahead)).toEqual(["1 move ahead", "4 moves ahead"]);
    expect(plural(1200, "game")).toBe("1,200 games");
  });

  it("call nothing certain that is only nearly so", () => {
    const shown = ["0 %", "<1 %", "12 %", "99 %", ">99 %", ">99 %", "100 %"];
    expect([0, 0.001, 0.125, 0.987, 0.995, 0.999, 1].map(percent)).toEqual(shown);
  });
});

describe("sentences", () => {
  it("start with a capital and end with a full stop", () => {
    expect(sentence("a capture is mandatory")).toBe("A capture is mandatory.");
    expect([sentence(""), sentence("Really?")]).toEqual(["", "Really?"]);
  });

  it("can be cut to who did what", () => {
    expect(firstSentence("You move west, −0.5 points. Your partner searched: …")).toBe("You move west, −0.5 points.");
    expect(firstSentence("You stay.")).toBe("You stay.");
  });
});

describe("moves", () => {
  const legal = [{ action: "N", phrase: "move north", squares: [] }, { action: "11-15", phrase: "play 11-15", squares: [] }];

  it("are named by their phrases unless those only repeat them", () => {
    expect(legal.map(moveName)).toEqual(["move north", "11-15"]);
  });

  it("are found among those of a state", () => {
    const state = { legal } as unknown as State;
    expect(actionName(state, "N")).toBe("move north");
    expect([actionName(state, "x"), actionName(undefined, "x")]).toEqual(["x", "x"]);
  });
});

describe("players", () => {
  const player = (seat: number, team: number, called: string) => ({ seat, team, called, kind: "", depth: 2 });
  const four = [player(0, 0, "Ada"), player(1, 0, "Bob"), player(2, 1, "Cyd"), player(3, 1, "Dan")];

  it("are named by the server, and counted from 1 if they are not", () => {
    expect(calledAt(four, 2)).toBe("Cyd");
    expect(calledAt(four, 4)).toBe("player 5");
    expect(lowered("Your partner")).toBe("your partner");
  });

  it("are listed team by team", () => {
    expect(teamsInWords(four)).toBe("Ada and Bob against Cyd and Dan");
    expect(teamsInWords(four.slice(0, 2))).toBe("Ada and Bob");
    expect(listed(["2", "4", "8"])).toBe("2, 4 and 8");
  });

  it("are on sides that have names or numbers", () => {
    expect(sideName({ sides: ["black", "white"] }, 1)).toBe("white");
    expect(sideName({ sides: [] }, 1)).toBe("team 2");
  });
});

describe("turns and scores", () => {
  const state = { ply: 0, actor: 0, score: [0, 0] };

  it("are said where they are known", () => {
    expect(turnAndScore({ turns: null }, state)).toBe("");
    expect(turnAndScore(undefined, { ...state, score: [-2] })).toBe("Score −2");
    expect(turnAndScore({ turns: 9 }, { ...state, score: [1] })).toBe("Turn 1 of 9 · Score 1");
  });

  it("count turns from 1, and no more than there are", () => {
    expect(turnAndScore({ turns: 20 }, state)).toBe("Turn 1 of 20");
    expect(turnAndScore({ turns: 20 }, { ...state, ply: 20, actor: 1 })).toBe("Turn 20 of 20");
    expect(turnAndScore({ turns: 20 }, { ...state, ply: 4, actor: null })).toBe("Turn 4 of 20");
  });
});

describe("verdicts", () => {
  it("name the likeliest depth", () => {
    expect(likeliest({ types: [2, 4, 6], probabilities: [0.2, 0.5, 0.3] })).toEqual([4, 0.5]);
  });

  it("claim no more than the probability does", () => {
    expect(new Set([0.99, 0.8, 0.6, 0.3].map(sureness)).size).toBe(4);
  });

  it("say how a game ended", () => {
    const result: Result = { reason: "", total: -2, scores: [-2], winner: null, margin: null, outcome: "done", stopped: null, settled: false };
    expect(outcomeWords(result)).toBe("Team score: −2 points");
    expect(outcomeWords({ ...result, outcome: "won" })).toBe("Your team won");
    expect(outcomeWords({ ...result, scores: [1, -1], winner: "red" })).toBe("Red won");
    expect(outcomeWords({ ...result, scores: [1, -1], winner: "black", margin: 1, outcome: "lost" })).toBe("Your team lost by 1 point");
  });
});
