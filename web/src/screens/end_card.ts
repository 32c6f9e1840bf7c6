/** What the game told: how deep you seemed to look, and which moves said so. */

import { exportAddress } from "../api";
import { Bars } from "../beliefs";
import { button, h, link, type Child } from "../dom";
import type { Game } from "../game";
import type { About, Card, GameOffer, Reading } from "../protocol";
import { address } from "../router";
import { actionName, ahead, figure, likeliest, outcomeWords, percent, sentence, sureness } from "../words";

const DIFFERS =
  "Your partner updates its belief move by move with the published rule, which favours shallow depths wherever several moves are equally good. The reading above asks how likely each depth was to make all of your moves.";

/** A move that told less, in bits, told nothing. */
const LEAST_BITS = 0.005;

/** How a game ended; `label` names what `again` does. */
export function endCard(about: About, offer: GameOffer | undefined, game: Game, label: string, again: () => void): HTMLElement {
  const { end } = game;
  if (!end) return h("section");
  const saves = savable(offer).map((format) =>
    h("a", { class: "secondary", href: exportAddress(end.record, format), download: true }, `Save ${format.toUpperCase()}`),
  );
  return h(
    "section",
    { class: "end-card", tabindex: -1, "aria-label": "The game is over" },
    h("p", { class: "quiet" }, sentence(end.result.reason)),
    h("h2", {}, outcomeWords(end.result)),
    game.setup.mode === "play" && game.setup.game === about.showcase.game && h("p", { class: "quiet" }, yardstick(about)),
    ...(end.card ? sizedUp(game, end.card, end.record) : []),
    h(
      "p",
      { class: "actions" },
      button(label, again, { class: "primary" }),
      link(address("replay", end.record), { class: "secondary" }, "Replay"),
      ...saves,
    ),
  );
}

/** Formats in which a whole game can be saved; a picture is of one position. */
export function savable(offer: GameOffer | undefined): string[] {
  return (offer?.exports ?? ["json"]).filter((format) => format !== "svg");
}

/** What two agents got in the same game, on Home. */
function yardstick({ showcase: { aware, oblivious } }: About): string {
  const [deep, shallow] = [aware.players[0]?.depth, aware.players.at(-1)?.depth];
  return `For comparison: agents that look ${deep} and ${ahead(shallow)} scored ${figure(aware.total)} when the deeper one was aware, and ${figure(oblivious.total)} when it was oblivious.`;
}

/** A partner that considers one depth only has nothing to find out. */
function verdict(who: string, { types, probabilities }: Card): Child[] {
  const [depth, probability] = likeliest({ types, probabilities });
  if (types.length === 1) return [`${who} looks ${ahead(depth)} and considers no other depth, so it takes you for its equal.`];
  return [`${who} is ${sureness(probability)} that you look `, h("strong", {}, ahead(depth)), ` (${percent(probability)}).`];
}

/** What all moves of a game say together: fairer to a deep player than a partner that learns as it goes. */
function together(reading: Reading): Child[] {
  const [depth, probability] = likeliest(reading);
  const bars = new Bars();
  bars.show(reading);
  return [
    h("p", { class: "verdict" }, "Taken together, your moves look like ", h("strong", {}, ahead(depth)), ` (${percent(probability)}).`),
    bars.element,
  ];
}

function sizedUp(game: Game, card: Card, record: string): Child[] {
  const telling = card.informative.filter((move) => move.bits >= LEAST_BITS);
  const who = game.observer ? "A silent observer in your partner’s place" : "Your partner";
  return [
    ...(card.reading ? together(card.reading) : []),
    h("p", { class: card.reading ? null : "verdict" }, ...verdict(who, card)),
    card.reading && likeliest(card.reading)[0] !== likeliest(card)[0] && h("p", { class: "quiet" }, DIFFERS),
    telling.length > 0 && h("h3", {}, "Your most telling moves"),
    h(
      "ol",
      { class: "telling" },
      ...telling.map((move) =>
        h(
          "li",
          {},
          link(address("replay", record, move.ply), {}, `Move ${move.ply}: ${actionName(game.states[move.ply - 1], move.action)}`),
          h("p", { class: "quiet" }, move.sentence),
        ),
      ),
    ),
  ];
}
