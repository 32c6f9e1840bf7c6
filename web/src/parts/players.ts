/** Who plays, in the order of their turns, and who moves next. */

import { fill, h } from "../dom";
import type { KindAbout, Player, State } from "../protocol";
import { yourself } from "../game";

/** What a partner or an opponent is called where there is little room. */
const SHORT: Record<string, string> = { ca: "aware", obl: "oblivious" };

/** The colours of the two sides where they share no board's colour. */
const SIDES: Record<string, readonly string[]> = { checkers: ["black", "white"], "connect-four": ["yellow", "red"] };

/** The colours of players who share a team but not a piece. */
const FIGURES: Record<string, readonly string[]> = { "narrow-tunnel": ["blue", "red"] };

/** The colour of what a player moves; nothing where all move the same. */
function colourOf(game: string, player: Player, teams: boolean): string | undefined {
  return teams ? SIDES[game]?.[player.team] : FIGURES[game]?.[player.seat];
}

export class PlayersStrip {
  readonly element = h("ol", { class: "players", "aria-label": "Players" });

  constructor(private readonly kinds: readonly KindAbout[]) {}

  /** `game` decides what colour a side has. */
  show(game: string, players: readonly Player[], state: State, thinking: number | null): void {
    const you = yourself(players);
    const teams = players.some((player) => player.team > 0);
    fill(
      this.element,
      ...inTurn(players).map((player) => {
        const active = state.actor === player.seat;
        const colour = colourOf(game, player, teams);
        const words = you === null ? "" : this.about(player);
        return h(
          "li",
          { class: `player team${player.team}${active ? " active" : ""}`, "aria-current": active && "true" },
          colour && h("span", { class: `side side-${colour}`, role: "img", "aria-label": colour }),
          h("span", { class: "player-name" }, player.called),
          words !== "" && h("span", { class: "player-kind" }, words),
          active && thinking === player.seat && h("span", { class: "thinking", role: "img", "aria-label": "thinking" }, h("i"), h("i"), h("i")),
        );
      }),
    );
  }

  private about(player: Player): string {
    if (player.kind === "you") return "";
    const kind = SHORT[player.kind] ?? this.kinds.find((known) => known.kind === player.kind)?.title ?? player.kind;
    return player.depth === null ? kind : `${kind}, looks ${player.depth} ahead`;
  }
}

/** Teams alternate: first members of all teams, then the second ones. */
export function inTurn(players: readonly Player[]): Player[] {
  const place = new Map<number, number>();
  const rank = (player: Player): number => {
    const rank = place.get(player.team) ?? 0;
    place.set(player.team, rank + 1);
    return rank;
  };
  return [...players]
    .sort((a, b) => a.seat - b.seat)
    .map((player) => ({ player, round: rank(player) }))
    .sort((a, b) => a.round - b.round || a.player.team - b.player.team)
    .map(({ player }) => player);
}
