/** What your games say of you together: how often you were read as what, and how sure that can be. */

import type { KeptGame } from "./memory";
import { ahead, listed, percent, plural } from "./words";

/** How one game read you. */
export function readAs(card: KeptGame["card"]): string {
  if (card?.none) return "none of the depths";
  if (!card || card.types.length < 2) return "–";
  if (card.depth !== null) return ahead(card.depth);
  return card.credible.length > 1 ? `cannot tell (${listed(card.credible.map(String)).replace(" and ", " or ")})` : "cannot tell";
}

/** 95 % interval of a share (Wilson): how often it may be in the long run. */
export function shareInterval(hits: number, games: number): [number, number] {
  const z = 1.96;
  const share = hits / games;
  const middle = (share + (z * z) / (2 * games)) / (1 + (z * z) / games);
  const half = (z / (1 + (z * z) / games)) * Math.sqrt((share * (1 - share)) / games + (z * z) / (4 * games * games));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** A line for each game that you were read in more than once, the most often played first. */
export function profile(kept: readonly KeptGame[]): { game: string; words: string }[] {
  const read = kept.filter(({ card }) => card !== null && card.types.length > 1);
  const games = [...new Set(read.map(({ game }) => game))];
  const of = (game: string): KeptGame[] => read.filter((one) => one.game === game);
  return games
    .filter((game) => of(game).length > 1)
    .sort((a, b) => of(b).length - of(a).length)
    .map((game) => ({ game, words: inWords(of(game)) }));
}

function answerOf({ card }: KeptGame): string {
  return card?.none === false && card.depth === null ? "cannot tell" : readAs(card);
}

/** Fewer games than this in a half say nothing about a change. */
const LEAST_GAMES = 3;

/** What you were read as more often, or less often, in later games than in earlier ones. */
export function changed(read: readonly KeptGame[]): string {
  const games = [...read].sort((a, b) => a.date - b.date);
  const half = Math.floor(games.length / 2);
  if (half < LEAST_GAMES) return "";
  const [early, late] = [games.slice(0, half), games.slice(half)];
  const counted = [...new Set(games.map(answerOf))].map((answer) => {
    const hits = (some: readonly KeptGame[]): number => some.filter((one) => answerOf(one) === answer).length;
    const [before, after] = [hits(early), hits(late)];
    const [low, high] = [shareInterval(before, early.length), shareInterval(after, late.length)];
    return { answer, before, after, apart: low[1] < high[0] || high[1] < low[0] };
  });
  const moved = counted.filter(({ apart }) => apart);
  if (moved.length === 0) return ` The first ${half} and the last ${late.length} do not differ by more than chance.`;
  return ` It changed: ${listed(moved.map(({ answer, before, after }) => `${answer} in ${before} of the first ${half} and in ${after} of the last ${late.length}`))}.`;
}

function inWords(read: readonly KeptGame[]): string {
  const answers = new Map<string, number>();
  for (const one of read) answers.set(answerOf(one), (answers.get(answerOf(one)) ?? 0) + 1);
  const told = [...answers]
    .sort((a, b) => b[1] - a[1])
    .map(([answer, hits]) => {
      const [low, high] = shareInterval(hits, read.length);
      return `${answer} in ${hits} (95 % interval ${percent(low)} to ${percent(high)})`;
    });
  return `of ${plural(read.length, "game")}, you were read as ${listed(told)}.${changed(read)}`;
}
