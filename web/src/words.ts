/** Words for what the page shows: numbers, players, moves, results. */

import type { Belief, GameOffer, Legal, Player, Result, State } from "./protocol";

/** Ties go to the even digit, as where the server writes numbers. */
const FORMATS = [0, 1, 2, 3].map(
  (places) => new Intl.NumberFormat("en", { maximumFractionDigits: places, useGrouping: false, roundingMode: "halfEven" }),
);

/** A number with as many decimals as it needs, at most `places`, and a true minus sign. */
export function figure(value: number | null, places: 0 | 1 | 2 | 3 = 2): string {
  if (value === null || Number.isNaN(value)) return "–";
  const text = FORMATS[places]?.format(value) ?? "";
  return text === "-0" ? "0" : text.replace("-", "−");
}

/** A number of points. */
export function points(value: number): string {
  const text = figure(value);
  return `${text} ${/^−?1$/.test(text) ? "point" : "points"}`;
}

/** A whole percentage that never calls certain or impossible what is only nearly so. */
export function percent(probability: number): string {
  if (probability >= 0.995 && probability < 1) return ">99 %";
  if (probability > 0 && probability < 0.005) return "<1 %";
  return `${figure(100 * probability, 0)} %`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** How far a player looks. */
export function ahead(depth: number | null | undefined): string {
  return `${plural(depth ?? 0, "move")} ahead`;
}

/** A list as a person would say it: "2, 4 and 8". */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** A name inside a sentence: "Your partner" is "your partner" there. */
export function lowered(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The first words of a line. */
export function raised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Words as a sentence; nothing stays nothing. */
export function sentence(words: string): string {
  return words && `${raised(words)}${/[.!?]$/.test(words) ? "" : "."}`;
}

/** Why a game ended, as a sentence. What records call plies are moves to everybody else. */
export function reasonOf({ reason }: Pick<Result, "reason">): string {
  return sentence(reason.replace(/\bplies\b/g, "moves"));
}

/** Who did what, without what was made of it. */
export function firstSentence(text: string): string {
  return sentence(text.split(". ")[0] ?? "");
}

/** A move as a button or a list names it: by its phrase, if that says more than its text. */
export function moveName({ action, phrase }: Pick<Legal, "action" | "phrase">): string {
  return phrase === `play ${action}` ? action : phrase;
}

/** The name of an action that was possible in a state. */
export function actionName(state: State | undefined, action: string): string {
  return moveName(state?.legal.find((legal) => legal.action === action) ?? { action, phrase: `play ${action}` });
}

/** The player in a seat, by name; seats are counted from 1 where people read it. */
export function calledAt(players: readonly Player[], seat: number): string {
  return players.find((player) => player.seat === seat)?.called ?? `player ${seat + 1}`;
}

/** Who plays with and against whom. */
export function teamsInWords(players: readonly Player[]): string {
  const teams = [...new Set(players.map(({ team }) => team))].sort((a, b) => a - b);
  return teams
    .map((team) => listed(players.filter((player) => player.team === team).map(({ called }) => called)))
    .join(" against ");
}

/** What a team is called. */
export function sideName({ sides }: Pick<GameOffer, "sides">, team: number): string {
  return sides[team] ?? `team ${team + 1}`;
}

/** Which turn it is, and the score that one team has together. */
export function turnAndScore(offer: Pick<GameOffer, "turns"> | undefined, { ply, actor, score }: Pick<State, "ply" | "actor" | "score">): string {
  const turns = offer?.turns ?? null;
  const turn = turns === null ? "" : `Turn ${Math.min(turns, actor === null ? ply : ply + 1)} of ${turns}`;
  return [turn, score.length === 1 && `Score ${figure(score[0] ?? 0)}`].filter(Boolean).join(" · ");
}

/** The most likely depth and its probability. */
export function likeliest(belief: Pick<Belief, "types" | "probabilities">): [number, number] {
  const best = belief.probabilities.reduce((most, p, at, all) => (p > (all[most] ?? 0) ? at : most), 0);
  return [belief.types[best] ?? 0, belief.probabilities[best] ?? 0];
}

/** How likely it is none of the depths: what their probabilities lack to 1. */
export function noneOf(belief: Pick<Belief, "probabilities">): number {
  return Math.max(0, 1 - belief.probabilities.reduce((sum, p) => sum + p, 0));
}

/** How sure a probability is, in words that do not claim more than it does. */
export function sureness(probability: number): string {
  if (probability >= 0.95) return "almost certain";
  if (probability >= 0.75) return "fairly sure";
  if (probability >= 0.5) return "inclined to think";
  return "unsure, but thinks it most likely";
}

/** How a game ended, for whoever reads it. */
export function outcomeWords(result: Result): string {
  if (result.stopped !== null) {
    const score = result.scores.length === 1 ? ` with ${points(result.total)}` : "";
    return `Stopped after ${plural(result.stopped, "move")}${score}`;
  }
  const by = result.margin === null ? "" : ` by ${points(result.margin)}`;
  switch (result.outcome) {
    case "won":
      return `Your team won${by}`;
    case "lost":
      return `Your team lost${by}`;
    case "drawn":
      return "A draw";
    case "done":
      return result.scores.length > 1 ? `${raised(result.winner ?? "nobody")} won${by}` : `Team score: ${points(result.total)}`;
  }
}
