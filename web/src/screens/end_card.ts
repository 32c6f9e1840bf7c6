/** What the game told: how deep you seemed to look, and which moves said so. */

import { exportAddress } from "../api";
import { Bars } from "../beliefs";
import { button, h, link, type Child } from "../dom";
import type { Game } from "../game";
import type { Card } from "../protocol";
import { address } from "../router";
import { actionWords, likeliest, outcomeWords, percent, sureness } from "../words";

/** What two decimals show; a move that told less told nothing. */
const LEAST_BITS = 0.005;

export function endCard(game: Game, again: () => void): HTMLElement {
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
    h("p", { class: "quiet" }, end.result.reason),
    h("h2", {}, outcomeWords(end.result)),
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

function sizedUp(game: Game, card: Card, record: string): Child[] {
  const [depth, probability] = likeliest(card);
  const bars = new Bars();
  bars.show(card);
  const telling = card.informative.filter((move) => move.bits >= LEAST_BITS);
  const who = game.observer ? "A silent observer in your partner’s place would be" : "Your partner is";
  return [
    h(
      "p",
      { class: "verdict" },
      `${who} ${sureness(probability)} that you look `,
      h("strong", {}, `${depth} moves ahead`),
      ` (${percent(probability)}).`,
    ),
    bars.element,
    telling.length > 0 && h("h3", {}, "The moves that told most"),
    h(
      "ol",
      { class: "telling" },
      ...telling.map((move) =>
        h(
          "li",
          {},
          link(address("replay", record, move.ply), {}, `Move ${move.ply}, ${actionWords(move.action)}`),
          h("span", { class: "bits" }, ` ${move.bits.toFixed(2)} bits`),
          h("p", { class: "quiet" }, move.sentence),
        ),
      ),
    ),
  ];
}
