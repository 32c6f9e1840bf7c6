/** Words for what the page shows: players, actions, numbers. */

import type { Belief, Player, Result, State } from "./protocol";

const DIRECTIONS: Record<string, string> = {
  N: "north",
  E: "east",
  S: "south",
  W: "west",
  ".": "stay",
};

/** An action as a person would say it. */
export function actionWords(action: string): string {
  return DIRECTIONS[action] ?? action;
}

/** Whether moves are steps on a grid, which a pad of arrows shows best. */
export function areSteps(actions: readonly string[]): boolean {
  return actions.length > 0 && actions.every((action) => action in DIRECTIONS);
}

/** The number of the column that a move names, as text; nothing if it names none. */
export function columnOf(action: string): string {
  return /^[a-z]$/.test(action) ? String(action.charCodeAt(0) - 96) : "";
}

/** Whole per cents; nothing is called certain or impossible that is only nearly so. */
export function percent(probability: number): string {
  if (probability > 0.995 && probability < 1) return ">99 %";
  if (probability > 0 && probability < 0.005) return "<1 %";
  return `${Math.round(100 * probability)} %`;
}

/** A number with as many places as it needs, at most `places`, and a true minus. */
export function figure(value: number | null, places = 2): string {
  if (value === null || Number.isNaN(value)) return "–";
  const rounded = Number(value.toFixed(places));
  return (rounded === 0 ? 0 : rounded).toString().replace("-", "−");
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** A name inside a sentence: "Your partner" is "your partner" there. */
export function lowered(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The first words of a line. */
export function raised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The player in a seat, by name; seats are counted from 1 where people read it. */
export function calledAt(players: readonly Player[], seat: number): string {
  return players.find((player) => player.seat === seat)?.called ?? `player ${seat + 1}`;
}

/** Who plays with and against whom. */
export function teamsInWords(players: readonly Player[]): string {
  const teams = [...new Set(players.map(({ team }) => team))].sort((a, b) => a - b);
  return teams
    .map((team) => players.filter((player) => player.team === team).map(({ called }) => called).join(" and "))
    .join(" against ");
}

/** How things stand: the score a team has together, or the pieces that two sides have left. */
export function standing(game: string, { score, rows }: Pick<State, "score" | "rows">): string {
  if (score.length === 1) return `Score ${figure(score[0] ?? 0)}`;
  if (game !== "checkers") return "";
  const pieces = (side: number): number => rows.flat().filter(({ piece }) => piece?.endsWith(`-${side}`)).length;
  return `Black ${pieces(0)}, white ${pieces(1)}`;
}

/** The most likely depth and its probability. */
export function likeliest(belief: Pick<Belief, "types" | "probabilities">): [number, number] {
  const best = belief.probabilities.reduce((most, p, at, all) => (p > (all[most] ?? 0) ? at : most), 0);
  return [belief.types[best] ?? 0, belief.probabilities[best] ?? 0];
}

/** How sure a probability is, in words that do not claim more than it does. */
export function sureness(probability: number): string {
  if (probability >= 0.95) return "almost sure";
  if (probability >= 0.75) return "fairly sure";
  if (probability >= 0.5) return "inclined to think";
  return "unsure";
}

/** So many points. */
export function points(value: number): string {
  return `${figure(value)} ${Math.abs(value) === 1 ? "point" : "points"}`;
}

/** How a game ended, for whoever reads it. */
export function outcomeWords(result: Result): string {
  const by = result.margin === null ? "" : ` by ${points(result.margin)}`;
  switch (result.outcome) {
    case "won":
      return `Your team won${by}`;
    case "lost":
      return `Your team lost${by}`;
    case "drawn":
      return "A draw";
    case "done":
      return result.scores.length > 1 ? `${result.winner} won${by}` : `Together: ${points(result.total)}`;
  }
}
