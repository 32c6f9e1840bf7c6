/** Who plays, in the order of their turns, and who moves next. */

import { dye } from "../board/drawing";
import { fill, h } from "../dom";
import { yourself } from "../game";
import type { Arts, GameOffer, KindAbout, Player, State } from "../protocol";
import { lowered, raised, turnAndScore } from "../words";

export class PlayersStrip {
  readonly element = h("ol", { class: "players", "aria-label": "Players" });

  constructor(private readonly kinds: readonly KindAbout[]) {}

  show(offer: GameOffer | undefined, players: readonly Player[], state: State, arts: Arts, thinking: number | null): void {
    const played = yourself(players) !== null;
    const teams = players.some((player) => player.team > 0);
    fill(
      this.element,
      ...inTurn(players).map((player) => {
        const active = state.actor === player.seat;
        const words = played ? this.about(player) : "";
        const side = teams ? offer?.sides[player.team] : offer?.seats[player.seat];
        return h(
          "li",
          { class: `player${active ? " active" : ""}`, "aria-current": active && "true" },
          side && badge(side, arts),
          h("span", { class: "player-name" }, player.called),
          words !== "" && h("span", { class: "player-kind" }, words),
          active && thinking === player.seat && h("span", { class: "thinking", role: "img", "aria-label": "thinking" }, h("i"), h("i"), h("i")),
        );
      }),
    );
  }

  private about(player: Player): string {
    if (player.kind === "you" || player.kind === "person") return "";
    const kind = lowered(this.kinds.find((known) => known.kind === player.kind)?.title ?? player.kind);
    return player.depth === null ? kind : `${kind}, looks ${player.depth} ahead`;
  }
}

/** What a side or a seat is called: in the colour of the piece that is named or signed so, if there is one. */
function badge(name: string, arts: Arts): HTMLElement {
  const piece = Object.values(arts).find((art) => art.shape !== "" && (art.sign === name || art.name.startsWith(`${name} `)));
  if (!piece) return h("span", { class: "player-kind" }, name);
  return dye(h("span", { class: "side", role: "img", "aria-label": name }), piece);
}

/** How things stand: in the game's own words, and in turns and points. */
export function showStanding(output: HTMLElement, offer: GameOffer | undefined, state: State): void {
  const counted = turnAndScore(offer, state);
  fill(output, state.standing && h("span", { class: counted ? "quiet" : null }, raised(state.standing)), counted && h("span", {}, counted));
}

/** Teams alternate: first members of all teams, then the second ones. */
export function inTurn(players: readonly Player[]): Player[] {
  const round = ({ team, seat }: Player): number => players.filter((other) => other.team === team && other.seat < seat).length;
  return [...players].sort((a, b) => round(a) - round(b) || a.team - b.team);
}
