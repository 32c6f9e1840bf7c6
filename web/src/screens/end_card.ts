/** What the game told: how deep you seemed to look, and which moves said so. */

import { exportAddress } from "../api";
import { Bars } from "../beliefs";
import { button, fill, h, link, type Child } from "../dom";
import type { Game } from "../game";
import type { Card, GameOffer, Known, OtherCard, Yardstick } from "../protocol";
import { address } from "../router";
import { actionName, ahead, figure, likeliest, lowered, outcomeWords, percent, plural, reasonOf, sureness } from "../words";

/** A move that told less, in bits, told nothing. */
const LEAST_BITS = 0.005;

/** How a game ended; `label` names what `again` does, if it can be done. */
export function endCard({ showcase }: Partial<Known>, offer: GameOffer | undefined, game: Game, label: string, again: (() => void) | null): HTMLElement {
  const { end } = game;
  if (!end) return h("section");
  const isTwo = game.setup.mode === "play" && game.setup.game === showcase?.game && !game.setup.guest;
  const saves = savable(offer).map((format) =>
    h("a", { class: "secondary", href: exportAddress(end.record, format), download: true }, `Save ${format.toUpperCase()}`),
  );
  return h(
    "section",
    { class: "end-card", tabindex: -1, "aria-label": "The game is over" },
    end.result.stopped === null && h("p", { class: "quiet" }, reasonOf(end.result)),
    h("h2", {}, outcomeWords(end.result)),
    end.result.stopped === null && isTwo && showcase && h("p", { class: "quiet" }, yardstick(showcase)),
    h("div", { class: "read" }, ...read(game)),
    end.record === "" ? null : h(
      "p",
      { class: "actions" },
      again && button(label, again, { class: "primary" }),
      link(address("replay", end.record), { class: "secondary" }, "Replay"),
      h("a", { class: "secondary", href: exportAddress(end.record, "html"), download: true }, "One page to share"),
      ...saves,
    ),
  );
}

/** Say what is known by now of how somebody played. */
export function readAgain(card: HTMLElement, game: Game): void {
  const box = card.querySelector(".read");
  if (!box) return;
  if (box.contains(document.activeElement)) card.focus({ preventScroll: true });
  fill(box, ...read(game));
}

/** What is made of the moves of people. */
function read(game: Game): Child[] {
  const { end } = game;
  return end ? [...(end.card ? sizedUp(game, end.card, end.record) : []), ...end.others.flatMap(another)] : [];
}

/** Formats in which a whole game can be saved; a picture is of one position. */
export function savable(offer: GameOffer | undefined): string[] {
  return (offer?.exports ?? ["json"]).filter((format) => format !== "svg");
}

/** What one's own score is held against. */
function yardstick({ aware, oblivious }: Yardstick): string {
  const [deep, shallow] = [aware.players[0]?.depth, aware.players.at(-1)?.depth];
  return `For comparison: agents that look ${deep} and ${ahead(shallow)} scored ${figure(aware.total)} when the deeper one was aware, and ${figure(oblivious.total)} when it was oblivious.`;
}

/** What can be said; a partner that considers one depth only has nothing to find out. */
function verdict(who: string, { types, probabilities, depth, none, credible }: Card): Child[] {
  const [likely, probability] = likeliest({ types, probabilities });
  if (none) return [`${who} finds that you play like `, h("strong", {}, "none of the depths"), " that it considers: by chance, or deeper than it can follow."];
  if (types.length === 1) return [`${who} looks ${ahead(likely)} and considers no other depth, so it takes you for its equal.`];
  if (depth === null) return [`${who} `, h("strong", {}, "cannot tell"), ` how far you look ahead: ${credible.length > 1 ? `it may be ${or(credible)} moves` : `perhaps ${ahead(likely)} (${percent(probability)})`}.`];
  return [`${who} is ${sureness(probability)} that you look `, h("strong", {}, ahead(depth)), ` (${percent(probability)}).`];
}

/** What the figures of people say: they are held against searches, and people are none. */
const CAUTION =
  "You are compared with searches. Take it as “played like a search of this depth”: how far people look ahead could not be measured reliably by their moves.";

/** How much there was to go by. */
function evidence({ moves, told, closer }: Card): string {
  return `${plural(moves, "move")} looked at${closer ? ", and again for longer after the game" : ""}; ${told === 0 ? "none is" : told === 1 ? "one is" : `${told} are`} likelier for some depths than for others.`;
}

const or = (numbers: readonly number[]): string => `${numbers.slice(0, -1).join(", ")} or ${numbers.at(-1)}`;

/** The same about somebody else who played. */
function another({ called, card }: OtherCard): Child[] {
  const [likely, probability] = likeliest(card);
  const seen = card.depth === null ? "cannot be read yet" : `looks ${ahead(likely)}, it seems (${percent(probability)})`;
  const words = card.none ? "played like none of the depths that were considered" : seen;
  const bars = new Bars();
  bars.show(card);
  return [h("h3", {}, called), h("p", {}, `${called} ${words}.`), card.types.length > 1 && bars.element];
}

function sizedUp(game: Game, card: Card, record: string): Child[] {
  const telling = card.informative.filter((move) => move.bits >= LEAST_BITS);
  const watcher = game.observer ? "A silent observer in your partner’s place" : "Your partner";
  const who = card.closer ? `On a closer look, ${lowered(watcher)}` : watcher;
  const bars = new Bars();
  bars.show(card);
  return [
    h("p", { class: "verdict" }, ...verdict(who, card)),
    game.end?.looking && h("p", { class: "quiet looking-closer" }, "Your moves are being looked at again, more closely. This may change in a moment."),
    card.types.length > 1 && h("p", { class: "quiet evidence" }, evidence(card)),
    card.types.length > 1 && h("p", { class: "quiet caution" }, CAUTION),
    card.types.length > 1 && bars.element,
    telling.length > 0 && h("h3", {}, "Your most telling moves"),
    h(
      "ol",
      { class: "telling" },
      ...telling.map((move) =>
        h(
          "li",
          {},
          opening(record, move.ply, `Move ${move.ply}: ${actionName(game.states[move.ply - 1], move.action)}`),
          h("p", { class: "quiet" }, move.plain),
        ),
      ),
    ),
    telling.length > 0 && h("p", { class: "quiet" }, "Follow a move to the replay to see what players of each depth would have done there."),
  ];
}

/** A move that can be looked at again, where its record can be opened. */
function opening(record: string, ply: number, words: string): Child {
  return record ? link(address("replay", record, ply), {}, words) : h("strong", {}, words);
}
