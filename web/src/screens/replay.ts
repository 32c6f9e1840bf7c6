/** One recorded game: the board at a ply, a scrubber, beliefs in step, and questions to ask of it. */

import { announce } from "../announce";
import { exportAddress, getRecord } from "../api";
import { BeliefPanel } from "../beliefs";
import { Board, shapeOf } from "../board/board";
import { fill, h, link, type Child } from "../dom";
import { beliefHistory, beliefPairs, yourself } from "../game";
import { command } from "../parts/fields";
import { MoveLog } from "../parts/log";
import { PlayersStrip } from "../parts/players";
import type { About, Origin, Player, RecordView } from "../protocol";
import { address, note } from "../router";
import { calledAt, lowered, outcomeWords, standing } from "../words";
import { Scrubber } from "./replay_scrubber";
import { SearchTable } from "./replay_table";
import { WhatIf } from "./replay_what_if";
import type { Screen } from "./screen";

export function replay(about: About, id: string, ply: number | null): Screen {
  const box = h("div", {}, h("p", { class: "quiet" }, "Fetching the game…"));
  let view: ReplayView | null = null;
  let closed = false;
  getRecord(id).then(
    (record) => {
      if (closed) return;
      view = new ReplayView(about, record, ply ?? 0);
      fill(box, view.element);
    },
    (error: Error) => fill(box, h("h1", {}, "Replay"), h("p", { class: "quiet" }, error.message), elsewhere()),
  );
  const close = (): void => {
    closed = true;
    view?.close();
  };
  return { title: "Replay", door: "replay", element: box, close };
}

/** Ways on from a game that cannot be shown. */
function elsewhere(): HTMLElement {
  return h(
    "p",
    { class: "actions" },
    link("/replay", { class: "primary" }, "Other games, or a file"),
    link("/play", { class: "secondary" }, "Play"),
  );
}

/** Where you sit or, in a branch of a game of yours, sat: the board stays turned as it was. */
function yourSeat(record: RecordView): Player | null {
  const left = record.branch_of?.seats.find(({ was }) => was === "You");
  return yourself(record.players) ?? record.players.find(({ seat }) => seat === left?.seat) ?? null;
}

/** Whether the game can be had again, and from what. */
function howPlayed(record: RecordView): string {
  if (record.branch_of) return "";
  if (yourself(record.players)) return "A person played, so no seed gives it again.";
  return record.reproducible ? `Seed ${record.seed}.` : `Seed ${record.seed}, as the file says.`;
}

/** Which game a branch left, where, how that one ended, and who sits in whose place. */
function origin({ id, ply, result, seats }: Origin): Child[] {
  const instead = seats.map(({ was, is }) => ` ${is} plays in ${was === "You" ? "your" : `${was}’s`} place.`);
  return [
    `What if? From move ${ply} on the agents played anew, unlike in `,
    link(address("replay", id, ply), {}, "the original game"),
    ` (${lowered(outcomeWords(result))}).`,
    ...instead,
  ];
}

class ReplayView {
  readonly element: HTMLElement;
  private readonly board: Board;
  private readonly sentence = h("p", { class: "sentence" });
  private readonly score = h("output", { class: "score" });
  private readonly players: PlayersStrip;
  private readonly scrubber: Scrubber;
  private readonly table: SearchTable;
  private readonly whatIf: WhatIf;
  private readonly log: MoveLog;
  private readonly panels: { believer: number; about: number; panel: BeliefPanel }[];
  private readonly svg: HTMLAnchorElement;

  constructor(
    private readonly about: About,
    private readonly record: RecordView,
    ply: number,
  ) {
    const flipped = record.game === "checkers" && yourSeat(record)?.team === 0;
    this.whatIf = new WhatIf(record);
    this.board = new Board({ label: "The board; pick a move to ask what if", flipped, play: (action) => this.whatIf.choose(action) });
    this.players = new PlayersStrip(about.kinds);
    this.scrubber = new Scrubber(record.moves.length, (at) => this.show(at));
    this.table = new SearchTable(record);
    this.log = new MoveLog((at) => this.scrubber.set(at));
    this.svg = h("a", { class: "secondary", download: true }, "Board as SVG");
    this.panels = beliefPairs(record.first_beliefs, record.moves).map((pair) => ({ ...pair, panel: this.panel(pair) }));
    this.element = this.lay();
    this.element.style.setProperty("--shape", record.states[0] ? shapeOf(record.states[0]) : "1");
    this.scrubber.set(Math.min(ply, record.moves.length));
  }

  close(): void {
    this.scrubber.close();
    this.table.close();
    this.whatIf.close();
  }

  private lay(): HTMLElement {
    const { record } = this;
    const title = this.about.games.find((game) => game.name === record.game)?.title ?? record.game;
    return h(
      "div",
      { class: "table" },
      h(
        "header",
        { class: "table-head" },
        h("h1", {}, title),
        h("p", { class: "quiet" }, `${outcomeWords(record.result)}: ${record.result.reason}. ${howPlayed(record)}`),
        record.branch_of && h("p", { class: "quiet" }, ...origin(record.branch_of)),
      ),
      h(
        "div",
        { class: "columns" },
        h(
          "section",
          { class: "seat", "aria-label": "The game" },
          h("div", { class: "turn-line" }, this.sentence, this.score),
          this.players.element,
          ...this.panels.map(({ panel }) => panel.brief),
          h("div", { class: "board-box" }, this.board.element),
          this.scrubber.element,
          this.whatIf.element,
          this.keep(),
        ),
        h(
          "div",
          { class: "beside" },
          ...this.panels.map(({ panel }) => h("div", { class: "panel" }, panel.element)),
          h("div", { class: "panel" }, this.table.element),
          h("div", { class: "panel" }, this.log.element),
        ),
      ),
    );
  }

  /** Ways to take the game along. */
  private keep(): HTMLElement {
    const { id, game, command: text } = this.record;
    return h(
      "section",
      { class: "keep" },
      h("h2", {}, "Take it along"),
      h(
        "p",
        { class: "actions" },
        h("a", { class: "secondary", href: exportAddress(id, "json"), download: true }, "JSON"),
        game === "checkers" && h("a", { class: "secondary", href: exportAddress(id, "pdn"), download: true }, "PDN"),
        this.svg,
      ),
      text !== "" && command(text),
    );
  }

  private show(ply: number): void {
    const { record } = this;
    const state = record.states[ply];
    if (!state) return;
    const move = record.moves[ply - 1];
    note(address("replay", record.id, ply));
    this.board.show(state, { choosing: state.legal.length > 0 });
    this.players.show(record.game, record.players, state, null);
    this.sentence.textContent = move?.sentence ?? "The start of the game.";
    this.score.textContent = standing(record.game, state);
    this.svg.href = exportAddress(record.id, "svg", ply);
    this.whatIf.show(ply);
    this.table.show(ply + 1);
    this.log.show(record.moves, ply);
    for (const { believer, about, panel } of this.panels) {
      panel.show(beliefHistory(record.first_beliefs, record.moves, believer, about), record.moves.length, ply);
    }
    announce(this.sentence.textContent);
  }

  /** What no belief of this player's can say. */
  private shortSighted(believer: number): string {
    const depth = this.record.players.find(({ seat }) => seat === believer)?.depth ?? null;
    const deeper = depth !== null && this.record.types.some((type) => type > depth);
    return deeper ? ` It looks ${depth} ahead itself, and can tell nobody deeper apart.` : "";
  }

  private panel({ believer, about }: { believer: number; about: number }): BeliefPanel {
    const { players } = this.record;
    return new BeliefPanel({
      title: `${calledAt(players, believer)} about ${lowered(calledAt(players, about))}`,
      note: `How many moves ahead.${this.shortSighted(believer)} Click the curve to go there.`,
      jump: (ply) => this.scrubber.set(ply),
    });
  }
}
