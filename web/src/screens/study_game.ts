/** A game of a study: the board and whose turn it is; what is made of the moves only where the study shows it. */

import { announce } from "../announce";
import { BeliefPanels } from "../beliefs";
import { Board } from "../board/board";
import { shapeOf } from "../board/geometry";
import { button, fill, h } from "../dom";
import { beliefPairs, now, onBoard, yourself, type Game } from "../game";
import { LiveGame } from "../live_game";
import { arePadMoves, keyAction, MoveButtons } from "../parts/moves";
import { Notice } from "../parts/notice";
import { PlayersStrip, showStanding } from "../parts/players";
import { Told } from "../parts/told";
import type { About, ErrorMessage, GameOffer, ServerMessage } from "../protocol";
import type { Line } from "../socket";
import { firstSentence, outcomeWords, raised, reasonOf, sentence } from "../words";
import { PREPARING, table } from "./screen";

export class StudyTable {
  readonly element: HTMLElement;
  private readonly notice = new Notice();
  private readonly turn = h("p", { class: "turn" }, "Setting up the board…");
  private readonly score = h("output", { class: "score" });
  private readonly hint = h("p", { class: "hint" });
  private readonly boardBox = h("div", { class: "board-box" });
  private readonly seat = h("section", { class: "seat", "aria-label": "The game" });
  private readonly endBox = h("div");
  private readonly told = new Told();
  private readonly beliefs = new BeliefPanels();
  private readonly players: PlayersStrip;
  private readonly buttons: MoveButtons;
  private readonly live: LiveGame;
  private board: Board | null = null;
  private yours = false;
  /** When it became the participant's turn, for how long a move takes. */
  private since: number | null = null;

  constructor(
    about: About,
    private readonly offer: GameOffer,
    private readonly showsAll: boolean,
    head: HTMLElement,
    private readonly next: () => void,
  ) {
    // Where only the board is shown, every agent is just a partner or an opponent.
    this.players = new PlayersStrip([{ kind: "agent", title: "", blurb: "" }, ...about.kinds]);
    this.buttons = new MoveButtons(offer.keys, (action) => this.move(action));
    this.seat.append(h("div", { class: "turn-line" }, this.turn, this.score), this.players.element, this.boardBox);
    const rules = h("section", { class: showsAll ? "panel" : "told panel" }, h("h2", {}, "Rules"), h("p", {}, `${offer.about} ${offer.rules}`));
    const beside = showsAll ? [this.endBox, h("div", { class: "panel" }, this.beliefs.element), rules] : [this.endBox];
    const told = showsAll ? this.told.element : rules;
    this.element = table("playing", [head], this.notice.element, { seat: this.seat, told, below: [this.buttons.element, this.hint], beside });
    document.addEventListener("keydown", this.keyed);
    this.live = new LiveGame({ mode: "study", game: offer.name }, {
      changed: (game, message) => this.show(game, message),
      line: (line) => this.line(line),
      preparing: () => (this.turn.textContent = PREPARING),
      refused: (error) => this.refused(error),
    });
  }

  close(): void {
    document.removeEventListener("keydown", this.keyed);
    this.live.close();
  }

  private move(action: string): void {
    this.live.move(action, this.since === null ? undefined : performance.now() - this.since);
  }

  /** Arrow keys that nothing else wants play the move they stand for, or lead to the board. */
  private readonly keyed = (event: KeyboardEvent): void => {
    const idle = event.target instanceof Element && event.target.matches("body, main, h1");
    if (!idle || !event.key.startsWith("Arrow") || event.altKey || event.ctrlKey || event.metaKey) return;
    const legal = this.yours && this.live.game ? now(this.live.game).legal : [];
    if (!arePadMoves(this.offer.keys, legal)) return this.board?.take(event);
    event.preventDefault();
    const action = keyAction(this.offer.keys, legal, event.key.slice(5).toLowerCase())?.action;
    if (action !== undefined) this.move(action);
  };

  private line(line: Line): void {
    this.notice.line(line, this.live?.away ?? false, () => this.live.hurry()); // the first news comes while `live` is made
    if (this.live?.game && this.live.away) this.show(this.live.game, null);
  }

  private show(game: Game, message: ServerMessage | null): void {
    const state = now(game);
    const you = yourself(game.players);
    if (message?.type === "game") this.open(game);
    const yours = state.actor === you?.seat && !game.placed && !game.end && !this.live.away;
    if (yours !== this.yours) this.since = yours ? performance.now() : null;
    this.yours = yours;
    const moving = message?.type === "moved" || message?.type === "placed";
    this.board?.show(onBoard(game), game.arts, { choosing: yours, moving });
    this.seat.style.setProperty("--shape", shapeOf(state.rows));
    this.buttons.show(yours ? state.legal : [], state.columns);
    this.players.show(this.offer, game.players, state, game.arts, game.thinking);
    showStanding(this.score, this.offer, state);
    this.turn.textContent = this.turnWords(game);
    this.turn.classList.toggle("yours", yours);
    this.hint.textContent = game.end ? "" : (yours && sentence(state.hint)) || this.offer.how_to_move;
    if (this.showsAll) this.tell(game);
    if (message?.type === "moved" && yours) announce("Your move.");
    if (game.end) this.finish(game);
  }

  private turnWords(game: Game): string {
    if (game.end) return "The game is over";
    if (this.live.away) return this.live.returning ? "Restoring your game" : "Waiting for the connection";
    if (this.yours) return "Your move";
    const mover = game.players.find(({ seat }) => seat === now(game).actor && seat !== yourself(game.players)?.seat);
    return `${mover?.called ?? "Your partner"} is thinking`;
  }

  private tell(game: Game): void {
    this.told.show(game.moves.at(-1), `${this.offer.about} ${this.offer.rules}`);
    this.beliefs.show(game.firstBeliefs, game.moves, game.moves.length);
    announce(firstSentence(game.moves.at(-1)?.plain ?? ""));
  }

  private open(game: Game): void {
    this.boardBox.dataset["game"] = game.id;
    this.notice.clear();
    const you = yourself(game.players);
    this.board = new Board({
      label: `${this.offer.title}, the board`,
      flipped: you?.team === this.offer.turned_for,
      play: (action) => this.move(action),
      keyed: Object.keys(this.offer.keys).length > 0,
    });
    const about = beliefPairs(game.firstBeliefs, game.moves).filter((pair) => pair.about === you?.seat);
    this.beliefs.lay(about.map((pair) => ({ ...pair, title: "What your partner believes about you", note: "" })));
    fill(this.boardBox, this.board.element);
    fill(this.endBox);
  }

  private finish({ end }: Game): void {
    if (this.endBox.childElementCount > 0 || !end) return;
    const go = button("Continue", this.next, { class: "primary" });
    const card = h("section", { class: "end-card", tabindex: -1, "aria-label": "The game is over" }, h("h2", {}, outcomeWords(end.result)), h("p", { class: "quiet" }, reasonOf(end.result)), h("p", { class: "actions" }, go));
    fill(this.endBox, card);
    card.focus({ preventScroll: true });
    if (card.getBoundingClientRect().top > window.innerHeight - 120) card.scrollIntoView({ block: "start" });
    announce(card.textContent ?? "");
  }

  private refused(error: ErrorMessage): void {
    if (["stale", "too_fast", "stopping"].includes(error.code)) return;
    const back = { label: "Continue", do: () => (error.code === "idle" || error.code === "full" ? this.live.begin() : this.next()) };
    this.notice.say(raised(error.message), back);
  }
}
