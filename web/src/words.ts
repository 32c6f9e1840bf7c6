/** Words for what the page shows: players, actions, numbers. */

import type { Belief, KindAbout, Player, Result } from "./protocol";

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

export function percent(probability: number): string {
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

/** Who a player is, to someone at the table. */
export function nameOf(player: Player, you: Player | null, kinds: readonly KindAbout[]): string {
  if (player.kind === "you") return "You";
  if (you !== null && player.team === you.team) return "Your partner";
  const kind = kinds.find((known) => known.kind === player.kind)?.title ?? player.name;
  const depth = player.depth === null ? "" : ` ${player.depth}`;
  return you === null ? `${kind}${depth}` : "Opponent";
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
  if (probability >= 0.5) return "leaning that way";
  return "unsure";
}

/** How a game ended, for whoever reads it. */
export function outcomeWords(result: Result): string {
  const total = `${figure(result.total)} ${Math.abs(result.total) === 1 ? "point" : "points"}`;
  switch (result.outcome) {
    case "won":
      return "Your team won";
    case "lost":
      return "Your team lost";
    case "drawn":
      return "A draw";
    case "done":
      return result.scores.length > 1 ? winnerWords(result) : `Together: ${total}`;
  }
}

function winnerWords(result: Result): string {
  return result.winner === null ? "A draw" : `Team ${result.winner + 1} won`;
}
