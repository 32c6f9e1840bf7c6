import { describe, expect, it } from "vitest";
import { after, beliefHistory, beliefPairs, now, partnersOf, yourself } from "./game";
import type { Belief, GameMessage, Move, Player, Result, State } from "./protocol";

const state = (ply: number, actor: number | null = 0): State => ({
  ply, actor, rows: [], legal: [], columns: [], hint: "", standing: "", score: [0], last: null,
});
const belief = (...probabilities: number[]): Belief => ({ believer: 1, about: 0, types: [2, 20], probabilities });
const move = (ply: number, ...beliefs: Belief[]): Move => ({
  ply, seat: 0, action: "E", reward: 0, plain: "", sentence: "", bits: 0, beliefs,
});
const player = (seat: number, team: number, kind: string): Player => ({ seat, team, kind, called: kind, depth: 2 });
const man = { name: "man", shape: "disc", fill: "#000", ink: "#fff", sign: "" };
const opening: GameMessage = {
  type: "game", game_id: "g", players: [player(0, 0, "you"), player(1, 0, "ca"), player(2, 1, "obl")], types: [2, 20],
  setup: { mode: "watch", game: "wall-of-fire", teams: ["ca:20+obl:2"], seed: 1 },
  art: {}, moves: [], states: [state(0)], first_beliefs: [belief(0.5, 0.5)], observer: false,
};

describe("after", () => {
  it("takes a game, its moves and its end", () => {
    let game = after(null, opening);
    game = after(game, { type: "thinking", game_id: "g", seat: 1 });
    expect(game?.thinking).toBe(1);
    game = after(game, { type: "moved", game_id: "g", move: move(1), state: state(1, null), art: { man } });
    expect(game && now(game).ply).toBe(1);
    expect(game?.thinking).toBeNull();
    expect(game?.arts).toEqual({ man });
    const result: Result = { reason: "", total: 0, scores: [0], winner: null, margin: null, outcome: "done", stopped: null, settled: false };
    game = after(game, { type: "ended", game_id: "g", result, card: null, record_id: "r" });
    expect(game?.end?.record).toBe("r");
  });

  it("takes no notice of another game's messages", () => {
    const game = after(null, opening);
    expect(after(game, { type: "moved", game_id: "other", move: move(1), state: state(1), art: {} })).toBe(game);
    expect(after(game, { type: "pong" })).toBe(game);
    expect(after(null, { type: "thinking", game_id: "g", seat: 0 })).toBeNull();
  });
});

describe("players", () => {
  it("find you and your partners, not the opponent", () => {
    const you = yourself(opening.players);
    expect(you?.seat).toBe(0);
    expect(you && partnersOf(opening.players, you).map(({ seat }) => seat)).toEqual([1]);
    expect(yourself([player(0, 0, "ca")])).toBeNull();
  });
});

describe("beliefs", () => {
  it("are carried on by moves that say nothing of them", () => {
    const history = beliefHistory([belief(0.5, 0.5)], [move(1), move(2, belief(0.9, 0.1)), move(3)], 1, 0);
    expect(history.map((one) => one.probabilities[0])).toEqual([0.5, 0.5, 0.9, 0.9]);
  });

  it("start from the first known one, and are none for who has none", () => {
    expect(beliefHistory([], [move(1, belief(0.9, 0.1))], 1, 0)).toHaveLength(2);
    expect(beliefHistory([], [move(1)], 1, 0)).toEqual([]);
  });

  it("are about others, in the order of seats", () => {
    const own: Belief = { ...belief(0, 1), about: 1 };
    const other: Belief = { ...belief(0, 1), believer: 0, about: 1 };
    expect(beliefPairs([own, belief(0.5, 0.5)], [move(1, other)])).toEqual([
      { believer: 0, about: 1 },
      { believer: 1, about: 0 },
    ]);
  });
});
