/** A running game as the page knows it: a value, and what each message makes of it. */

import type { Arts, Belief, Card, GameMessage, Move, OtherCard, Player, Result, ServerMessage, Setup, State } from "./protocol";

export interface Game {
  readonly id: string;
  readonly setup: Setup;
  readonly players: readonly Player[];
  readonly types: readonly number[];
  readonly states: readonly State[];
  /** How everything looks that stood on the board so far. */
  readonly arts: Arts;
  /** Your own move, on the board already but not yet made anything of. */
  readonly placed: State | null;
  readonly moves: readonly Move[];
  readonly firstBeliefs: readonly Belief[];
  readonly observer: boolean;
  readonly thinking: number | null;
  readonly end: { result: Result; card: Card | null; others: readonly OtherCard[]; record: string; looking: boolean } | null;
}

/** The game after a message; messages about another game change nothing. */
export function after(game: Game | null, message: ServerMessage): Game | null {
  if (message.type === "game") return opened(message);
  if (game === null || !("game_id" in message) || message.game_id !== game.id) return game;
  switch (message.type) {
    case "thinking":
      return { ...game, thinking: message.seat };
    case "placed":
      return { ...game, placed: message.state, arts: { ...game.arts, ...message.art } };
    case "moved_table":
      return game.setup.mode === "play" ? { ...game, setup: { ...game.setup, table: message.table } } : game;
    case "moved":
      if (message.move.ply !== game.moves.length + 1) return game; // a guest who has just come knows it already
      return {
        ...game,
        thinking: null,
        placed: null,
        moves: [...game.moves, message.move],
        states: [...game.states, message.state],
        arts: { ...game.arts, ...message.art },
      };
    case "ended": {
      const { result, card, others = [], record_id: record, looking = false } = message;
      return { ...game, thinking: null, placed: null, end: { result, card, others, record, looking } };
    }
    case "judged": {
      const { card, others } = message;
      return game.end ? { ...game, end: { ...game.end, card, others, looking: false } } : game;
    }
    default:
      return game;
  }
}

function opened(message: GameMessage): Game {
  return {
    id: message.game_id,
    setup: message.setup,
    players: message.players,
    types: message.types,
    states: message.states,
    arts: message.art,
    placed: null,
    moves: message.moves,
    firstBeliefs: message.first_beliefs,
    observer: message.observer,
    thinking: null,
    end: null,
  };
}

/** The state that is shown when nothing else is asked for: the newest. */
export function now(game: Game): State {
  const state = game.states.at(-1);
  if (state === undefined) throw new Error("a game has at least the state it starts from");
  return state;
}

/** What the board shows: the newest state, or one that is on its way. */
export function onBoard(game: Game): State {
  return game.placed ?? now(game);
}

/** The visitor's own player, if the visitor plays. */
export function yourself(players: readonly Player[]): Player | null {
  return players.find((player) => player.kind === "you") ?? null;
}

/** Who plays on your team beside you. */
export function partnersOf(players: readonly Player[], you: Player): Player[] {
  return players.filter((player) => player.team === you.team && player.seat !== you.seat);
}

/** What one player believed about another at the start and after each move. */
export function beliefHistory(
  first: readonly Belief[],
  moves: readonly Move[],
  believer: number,
  about: number,
): Belief[] {
  const of = (beliefs: readonly Belief[]): Belief | undefined =>
    beliefs.find((belief) => belief.believer === believer && belief.about === about);
  const start = of(first) ?? moves.map((move) => of(move.beliefs)).find((belief) => belief);
  if (start === undefined) return [];
  const history = [start];
  for (const move of moves) history.push(of(move.beliefs) ?? history[history.length - 1] ?? start);
  return history;
}

/** Every pair of a believer and another player that some belief is about, in order. */
export function beliefPairs(
  first: readonly Belief[],
  moves: readonly Move[],
): { believer: number; about: number }[] {
  const found = new Map<string, { believer: number; about: number }>();
  for (const { believer, about } of [...first, ...moves.flatMap((move) => move.beliefs)]) {
    if (believer !== about) found.set(`${believer}:${about}`, { believer, about });
  }
  return [...found.values()].sort((a, b) => a.believer - b.believer || a.about - b.about);
}
