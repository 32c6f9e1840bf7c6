import { describe, expect, it } from "vitest";
import type { Result } from "./protocol";
import { actionWords, areSteps, figure, likeliest, nameOf, outcomeWords, percent, plural, sureness } from "./words";

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
    expect(percent(0.987)).toBe("99 %");
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
});

describe("players", () => {
  const kinds = [{ kind: "obl", title: "Oblivious", blurb: "" }];
  const you = { seat: 0, team: 0, name: "you", kind: "you", depth: null };
  const other = { seat: 1, team: 0, name: "obl:2", kind: "obl", depth: 2 };

  it("are named by what they are to you", () => {
    expect(nameOf(you, you, kinds)).toBe("You");
    expect(nameOf(other, you, kinds)).toBe("Your partner");
    expect(nameOf({ ...other, team: 1 }, you, kinds)).toBe("Opponent");
  });

  it("are named by what they are when you only watch", () => {
    expect(nameOf(other, null, kinds)).toBe("Oblivious 2");
    expect(nameOf({ ...other, kind: "x", name: "x:1", depth: null }, null, kinds)).toBe("x:1");
  });
});

describe("verdicts", () => {
  it("name the likeliest depth", () => {
    expect(likeliest({ types: [2, 4, 6], probabilities: [0.2, 0.5, 0.3] })).toEqual([4, 0.5]);
  });

  it("claim no more than the probability does", () => {
    expect([0.99, 0.8, 0.6, 0.3].map(sureness)).toEqual(["almost sure", "fairly sure", "leaning that way", "unsure"]);
  });

  it("say how a game ended", () => {
    const result: Result = { reason: "", total: -2, scores: [-2], winner: null, outcome: "done" };
    expect(outcomeWords(result)).toBe("Together: −2 points");
    expect(outcomeWords({ ...result, outcome: "won" })).toBe("Your team won");
    expect(outcomeWords({ ...result, scores: [1, -1], winner: 1 })).toBe("Team 2 won");
  });
});
