/** One recorded game: the board at a ply, a scrubber, beliefs in step, and questions to ask of it. */

import { announce } from "../announce";
import { exportAddress, getRecord } from "../api";
import { BeliefPanel } from "../beliefs";
import { Board } from "../board/board";
import { fill, h } from "../dom";
import { beliefHistory, beliefPairs, yourself } from "../game";
import { command } from "../parts/fields";
import { MoveLog } from "../parts/log";
import { PlayersStrip } from "../parts/players";
import type { About, Player, RecordView } from "../protocol";
import { address, note } from "../router";
import { figure, nameOf, outcomeWords } from "../words";
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
    (error: Error) => fill(box, h("h1", {}, "Replay"), h("p", { class: "quiet" }, error.message)),
  );
  const close = (): void => {
    closed = true;
    view?.close();
  };
  return { title: "Replay", door: "replay", element: box, close };
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
    const you = yourself(record.players);
    const flipped = record.game === "checkers" && you?.team === 0;
    this.whatIf = new WhatIf(record);
    this.board = new Board({ label: "The board; pick a move to ask what if", flipped, play: (action) => this.whatIf.choose(action) });
    this.players = new PlayersStrip(about.kinds);
    this.scrubber = new Scrubber(record.moves.length, (at) => this.show(at));
    this.table = new SearchTable(record, (player) => this.name(player));
    this.log = new MoveLog((at) => this.scrubber.set(at));
    this.svg = h("a", { class: "secondary", download: true }, "Board as SVG");
    this.panels = beliefPairs(record.first_beliefs, record.moves).map((pair) => ({ ...pair, panel: this.panel(pair) }));
    this.element = this.lay();
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
    const played = record.reproducible ? `seed ${record.seed}` : "a person played, so no seed gives it again";
    return h(
      "div",
      { class: "table" },
      h(
        "header",
        { class: "table-head" },
        h("h1", {}, title),
        h("p", { class: "quiet" }, `${outcomeWords(record.result)}, ${record.result.reason}; ${played}.`),
      ),
      h(
        "div",
        { class: "columns" },
        h(
          "section",
          { class: "seat", "aria-label": "The game" },
          h("div", { class: "turn-line" }, this.sentence, this.score),
          this.players.element,
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
    this.score.textContent = state.score.length === 1 ? `Score ${figure(state.score[0] ?? 0)}` : "";
    this.svg.href = exportAddress(record.id, "svg", ply);
    this.whatIf.show(ply);
    this.table.show(ply + 1);
    this.log.show(record.moves, ply);
    for (const { believer, about, panel } of this.panels) {
      panel.show(beliefHistory(record.first_beliefs, record.moves, believer, about), record.moves.length, ply);
    }
    announce(this.sentence.textContent);
  }

  private name(player: Player): string {
    return nameOf(player, yourself(this.record.players), this.about.kinds);
  }

  private panel({ believer, about }: { believer: number; about: number }): BeliefPanel {
    const seat = (number: number): string => {
      const player = this.record.players.find((one) => one.seat === number);
      return player ? this.name(player) : `player ${number}`;
    };
    return new BeliefPanel({
      title: `${seat(believer)} about ${seat(about).toLowerCase()}`,
      note: "How many moves ahead. Click the curve to go there.",
      jump: (ply) => this.scrubber.set(ply),
    });
  }
}
