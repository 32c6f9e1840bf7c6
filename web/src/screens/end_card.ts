/** What the game told: how deep you seemed to look, and which moves said so. */

import { exportAddress } from "../api";
import { Bars } from "../beliefs";
import { button, h, link, type Child } from "../dom";
import type { Game } from "../game";
import type { About, Card, Reading } from "../protocol";
import { address } from "../router";
import { actionWords, figure, likeliest, outcomeWords, percent, raised, sureness } from "../words";

const DIFFERS =
  "Your partner takes one move after the other by the published rule, which leans to shallow depths wherever several moves are as good. The reading above asks how likely each depth was to make every move.";

/** A move that told less, in bits, told nothing. */
const LEAST_BITS = 0.005;

export function endCard(about: About, game: Game, again: () => void): HTMLElement {
  const { end } = game;
  if (!end) return h("section");
  const saves = [
    h("a", { class: "secondary", href: exportAddress(end.record, "json"), download: true }, "Save JSON"),
    game.setup.game === "checkers" &&
      h("a", { class: "secondary", href: exportAddress(end.record, "pdn"), download: true }, "Save PDN"),
  ];
  return h(
    "section",
    { class: "end-card", tabindex: -1, "aria-label": "The game is over" },
    h("p", { class: "quiet" }, raised(end.result.reason)),
    h("h2", {}, outcomeWords(end.result)),
    game.setup.game === "wall-of-fire" && h("p", { class: "quiet" }, yardstick(about)),
    ...(end.card ? sizedUp(game, end.card, end.record) : []),
    h(
      "p",
      { class: "actions" },
      button("Play again", again, { class: "primary" }),
      link(address("replay", end.record), { class: "secondary" }, "Replay"),
      ...saves,
    ),
  );
}

/** What two agents got at the same wall, in the games that Home shows. */
function yardstick({ fire }: About): string {
  const aware = `an aware expert with a novice ended on ${figure(fire.aware.total)}`;
  return `To compare: on Home, ${aware}, an oblivious expert on ${figure(fire.oblivious.total)}.`;
}

/** A partner that knows one depth only cannot be sure of anything else. */
function verdict(who: string, { types, probabilities }: Card): Child[] {
  const [depth, probability] = likeliest({ types, probabilities });
  if (types.length === 1) return [`${who} looks ${depth} moves ahead itself and can tell nobody deeper apart: it takes you for its like.`];
  return [`${who} is ${sureness(probability)} that you look `, h("strong", {}, `${depth} moves ahead`), ` (${percent(probability)}).`];
}

/** The moves of a game taken together, which are fairer to whoever looks far than a partner is that learns as it goes. */
function together(reading: Reading): Child[] {
  const [depth, probability] = likeliest(reading);
  const bars = new Bars();
  bars.show(reading);
  return [
    h("p", { class: "verdict" }, "All your moves taken together look like ", h("strong", {}, `${depth} moves ahead`), ` (${percent(probability)}).`),
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
    telling.length > 0 && h("h3", {}, "The moves that told most"),
    h(
      "ol",
      { class: "telling" },
      ...telling.map((move) =>
        h(
          "li",
          {},
          link(address("replay", record, move.ply), {}, `Move ${move.ply}, ${actionWords(move.action)}`),
          h("p", { class: "quiet" }, move.sentence),
        ),
      ),
    ),
  ];
}
