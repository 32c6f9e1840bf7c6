/** One recorded game: the board at a ply, a scrubber, beliefs in step, and questions to ask of it. */

import { announce } from "../announce";
import { exportAddress, getRecord } from "../api";
import { BeliefPanels, type BeliefAbout } from "../beliefs";
import { Board } from "../board/board";
import { shapeOf } from "../board/geometry";
import { fill, h, link, type Child } from "../dom";
import { beliefPairs, yourself } from "../game";
import { command } from "../parts/fields";
import { MoveLog } from "../parts/log";
import { PlayersStrip, showStanding } from "../parts/players";
import { Told } from "../parts/told";
import type { About, GameOffer, Origin, Player, RecordView, Table } from "../protocol";
import { bringBack } from "../memory";
import { address, go, note } from "../router";
import { calledAt, lowered, outcomeWords, reasonOf } from "../words";
import { savable } from "./end_card";
import { Scrubber } from "./replay_scrubber";
import { Sizes } from "./replay_sizes";
import { kindOf, SearchTable } from "./replay_table";
import { WhatIf } from "./replay_what_if";
import { table, type Screen } from "./screen";

export function replay(about: About, id: string, ply: number | null): Screen {
  const box = h("div", {}, h("p", { class: "quiet" }, "Loading the game…"));
  let view: ReplayView | null = null;
  let closed = false;
  const failed = (error: Error): void => fill(box, h("h1", {}, "Replay"), h("p", { class: "quiet" }, error.message), elsewhere());
  getRecord(id).then(
    (record) => {
      if (closed) return;
      view = new ReplayView(about, record, ply ?? 0);
      fill(box, view.element);
    },
    async (error: Error) => {
      // A server that was started anew has forgotten it, but this browser may not have.
      const again = await bringBack(id).catch(() => null);
      if (closed) return;
      if (again !== null && again !== id) go(ply === null ? address("replay", again) : address("replay", again, ply));
      else failed(error);
    },
  );
  const close = (): void => {
    closed = true;
    view?.close();
  };
  return { title: "Replay", door: "replay", element: box, close };
}

/** A game in a file of its own, which no server stands behind. */
export function replayAlone(about: Pick<About, "games" | "kinds">, record: RecordView): Screen {
  const view = new ReplayView(about, record, 0, true);
  return { title: view.title, door: "replay", element: view.element, close: () => view.close() };
}

/** Ways on from a game that cannot be shown. */
function elsewhere(): HTMLElement {
  return h(
    "p",
    { class: "actions" },
    link("/replay", { class: "primary" }, "Choose another game"),
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
  if (yourself(record.players)) return "A person played, so it cannot be played again from a seed.";
  return record.reproducible ? `Seed ${record.seed}.` : `Seed ${record.seed}, according to the file.`;
}

/** Which game a branch left, where, how that one ended, and who sits in whose place. */
function origin({ id, ply, result, seats }: Origin): Child[] {
  const instead = seats.map(({ was, is }) => ` ${is} plays in ${was === "You" ? "your" : `${was}’s`} place.`);
  return [
    `What if? From move ${ply} on, agents played a new ending. In `,
    link(address("replay", id, ply), {}, "the original game"),
    `: ${lowered(outcomeWords(result))}.`,
    ...instead,
  ];
}

const START = "The start of the game.";

class ReplayView {
  readonly element: HTMLElement;
  private readonly board: Board;
  private readonly told: Told;
  private readonly score = h("output", { class: "score" });
  private readonly players: PlayersStrip;
  private readonly scrubber: Scrubber;
  private readonly table: SearchTable;
  private readonly whatIf: WhatIf;
  private readonly sizes: Sizes;
  private readonly log: MoveLog;
  private readonly beliefs = new BeliefPanels((ply) => this.scrubber.set(ply));
  private readonly offer: GameOffer | undefined;
  private readonly svg: HTMLAnchorElement;

  constructor(
    about: Pick<About, "games" | "kinds">,
    private readonly record: RecordView,
    ply: number,
    /** Nobody can be asked for anything. */
    private readonly alone = false,
  ) {
    this.offer = about.games.find(({ name }) => name === record.game);
    const flipped = this.offer !== undefined && yourSeat(record)?.team === this.offer.turned_for;
    this.whatIf = new WhatIf(record);
    const pick = { label: "The board; pick a move to ask what if", play: (action: string) => this.whatIf.choose(action) };
    this.board = new Board({ flipped, ...(alone ? { label: "The board" } : pick) });
    this.players = new PlayersStrip(about.kinds);
    this.scrubber = new Scrubber(record.moves.length, (at) => this.show(at));
    this.table = new SearchTable(record, (found, at) => this.draw(found, at));
    this.sizes = new Sizes(record, (at) => this.scrubber.set(at));
    this.told = new Told();
    this.log = new MoveLog((at) => this.scrubber.set(at));
    this.svg = h("a", { class: "secondary", download: true }, "Board as SVG");
    this.beliefs.lay(beliefPairs(record.first_beliefs, record.moves).map((pair) => this.titled(pair)));
    this.element = this.lay();
    this.element.style.setProperty("--shape", shapeOf(record.states[0]?.rows ?? []));
    this.scrubber.set(Math.min(ply, record.moves.length));
  }

  get title(): string {
    return this.offer?.title ?? this.record.game;
  }

  close(): void {
    this.scrubber.close();
    this.table.close();
    this.whatIf.close();
    this.sizes.close();
  }

  private lay(): HTMLElement {
    const { record } = this;
    const head = [
      h("h1", {}, this.title),
      h("p", { class: "quiet" }, `${outcomeWords(record.result)}. ${record.result.stopped === null ? reasonOf(record.result) : ""} ${howPlayed(record)}`),
      record.branch_of && h("p", { class: "quiet" }, ...origin(record.branch_of)),
    ];
    const seat = h(
      "section",
      { class: "seat", "aria-label": "The game" },
      h("div", { class: "turn-line" }, this.players.element, this.score),
      this.beliefs.briefs,
      h("div", { class: "board-box" }, this.board.element),
      this.scrubber.element,
    );
    const asked = this.alone ? [] : [this.table.element];
    const panels = [...asked, this.log.element].map((part) => h("div", { class: "panel" }, part));
    const sizes = Sizes.areWanted(record) && this.sizes.element;
    const below = this.alone ? [] : [sizes, this.whatIf.element, this.keep()];
    return table("replaying", head, null, { seat, told: this.told.element, below, beside: [this.beliefs.element, ...panels] });
  }

  /** Ways to save the game. */
  private keep(): HTMLElement {
    const { id, command: text } = this.record;
    const saves = savable(this.offer).map((format) =>
      h("a", { class: "secondary", href: exportAddress(id, format), download: true }, format.toUpperCase()),
    );
    const page = h("a", { class: "secondary", href: exportAddress(id, "html"), download: true }, "One page to share");
    return h(
      "section",
      { class: "keep" },
      h("h2", {}, "Save it"),
      h(
        "p",
        { class: "actions" },
        page,
        ...saves,
        this.svg,
        h("a", { class: "secondary", href: exportAddress(id, "animation"), download: true }, "Animated SVG"),
      ),
      text !== "" && command(text),
    );
  }

  private show(ply: number): void {
    const { record } = this;
    const state = record.states[ply];
    if (!state) return;
    const move = record.moves[ply - 1];
    if (!this.alone) note(address("replay", record.id, ply));
    this.board.show(state, record.art, { choosing: state.legal.length > 0 });
    this.players.show(this.offer, record.players, state, record.art, null);
    this.told.show(move, START);
    showStanding(this.score, this.offer, state);
    this.svg.href = exportAddress(record.id, "svg", ply);
    this.whatIf.show(ply);
    if (!this.alone) this.table.show(ply);
    this.log.show(record.moves, ply);
    this.beliefs.show(record.first_beliefs, record.moves, ply);
    announce(move?.plain ?? START);
  }

  /** Draw where each depth would have gone in place of the move that is shown. */
  private draw(found: Table | null, ply: number): void {
    const legal = this.record.states[ply - 1]?.legal ?? [];
    const arrows = (found?.types ?? []).flatMap((type, n) => {
      const share = (one: Table["actions"][number]): number => one.by_type[n]?.played ?? 0;
      const best = found?.actions.reduce((most, one) => (share(one) > share(most) ? one : most));
      const way = legal.find(({ action }) => action === best?.action)?.squares ?? [];
      return way.length > 0 ? [{ way, kind: kindOf(found?.types ?? [], type), label: String(type) }] : [];
    });
    this.board.point(arrows);
  }

  /** What no belief of this player's can say. */
  private shortSighted(believer: number): string {
    const depth = this.record.players.find(({ seat }) => seat === believer)?.depth ?? null;
    const deeper = depth !== null && this.record.types.some((type) => type > depth);
    return deeper ? ` It looks ${depth} ahead itself and considers nothing deeper.` : "";
  }

  private titled(pair: { believer: number; about: number }): BeliefAbout {
    const { players } = this.record;
    const title = `${calledAt(players, pair.believer)} about ${lowered(calledAt(players, pair.about))}`;
    return { ...pair, title, note: `How many moves ahead.${this.shortSighted(pair.believer)} Click the curve to go to a move.` };
  }
}
