/** You, your partner, a board, and what your partner makes of you. */

import { announce } from "../announce";
import { BeliefPanel } from "../beliefs";
import { Board, shapeOf } from "../board/board";
import { fill, h } from "../dom";
import { beliefHistory, now, onBoard, partnerOf, yourself, type Game } from "../game";
import { LiveGame } from "../live_game";
import { toggle } from "../parts/fields";
import { MoveLog } from "../parts/log";
import { MoveButtons } from "../parts/moves";
import { Notice } from "../parts/notice";
import { PlayersStrip } from "../parts/players";
import type { About, ErrorMessage, GameAbout, PlaySetup, ServerMessage, State } from "../protocol";
import { veil, veiled } from "../saved";
import type { Line } from "../socket";
import { actionWords, likeliest, percent, points, raised, standing } from "../words";
import { endCard } from "./end_card";
import { freshSetup, howTo, introduction, setupForm, summary, turnOf } from "./play_setup";
import type { Screen } from "./screen";

export function play(about: About, game: GameAbout): Screen {
  const table = new PlayTable(about, game);
  return { title: game.title, door: "play", element: table.element, close: () => table.close() };
}

/** Said where captures are forced, which is not obvious. */
function mustCapture({ captures, legal }: State): string {
  if (!captures) return "";
  return legal.length === 1 ? "You must capture; there is one way." : "You must capture.";
}

class PlayTable {
  readonly element: HTMLElement;
  private readonly notice = new Notice();
  private readonly turn = h("p", { class: "turn" }, "Setting up the board…");
  private readonly hint = h("p", { class: "hint" });
  private readonly score = h("output", { class: "score" });
  private readonly setup = h("details", { class: "setup-box" });
  private readonly boardBox = h("div", { class: "board-box" });
  private readonly seat = h("section", { class: "seat playing", "aria-label": "The game" });
  private readonly endBox = h("div");
  private readonly buttons: MoveButtons;
  private readonly players: PlayersStrip;
  private readonly log = new MoveLog();
  private readonly panel: BeliefPanel;
  private readonly veil = h("p", { class: "quiet", hidden: true });
  private board: Board | null = null;
  private readonly live: LiveGame;

  constructor(private readonly about: About, private readonly offer: GameAbout) {
    this.players = new PlayersStrip(about.kinds);
    this.buttons = new MoveButtons((action) => this.live.move(action), offer.name === "narrow-tunnel");
    this.panel = new BeliefPanel({
      title: "What your partner believes about you",
      note: "How many moves ahead you look, and how likely it thinks each is.",
    });
    this.element = this.lay();
    document.addEventListener("keydown", this.keyed);
    this.live = new LiveGame(freshSetup(offer), {
      changed: (game, message) => this.show(game, message),
      line: (line) => this.line(line),
      refused: (error) => this.refused(error),
    });
  }

  close(): void {
    document.removeEventListener("keydown", this.keyed);
    this.live.close();
  }

  /** Arrow keys lead to the board from wherever nothing else wants them. */
  private readonly keyed = (event: KeyboardEvent): void => {
    const idle = event.target instanceof Element && event.target.matches("body, main");
    if (idle && event.key.startsWith("Arrow")) this.board?.take(event);
  };

  private lay(): HTMLElement {
    const show = (on: boolean): void => {
      veil(!on);
      this.panel.element.classList.toggle("veiled", !on);
      this.panel.brief.classList.toggle("veiled", !on);
      this.log.element.classList.toggle("veiled", !on);
      this.veil.hidden = on;
    };
    const hide = toggle("Show beliefs", !veiled(), show);
    show(!veiled());
    const beliefs = h("div", { class: "panel" }, hide, this.panel.element, this.veil);
    this.seat.append(
      h("div", { class: "turn-line" }, this.turn, this.score),
      this.players.element,
      this.panel.brief,
      this.boardBox,
      this.buttons.element,
      this.hint,
    );
    return h(
      "div",
      { class: "table" },
      h("header", { class: "table-head" }, h("h1", {}, this.offer.title), h("p", { class: "quiet" }, introduction(this.offer)), this.setup),
      this.notice.element,
      h(
        "div",
        { class: "columns" },
        this.seat,
        h("div", { class: "beside" }, this.endBox, beliefs, h("div", { class: "panel" }, this.log.element)),
      ),
    );
  }

  private line(line: Line): void {
    this.notice.line(line, this.live?.away ?? false, () => this.live.hurry()); // the first news comes while `live` is made
    if (this.live?.game && this.live.away) this.show(this.live.game, null);
  }

  /** Show the game; `message` is what changed it, null if only the line did. */
  private show(game: Game, message: ServerMessage | null): void {
    const state = now(game);
    const you = yourself(game.players);
    const yours = you !== null && state.actor === you.seat && !game.placed && !game.end && !this.live.away;
    if (message?.type === "game") this.open(game);
    const moving = message?.type === "moved" || message?.type === "placed";
    this.board?.show(onBoard(game), { choosing: yours, moving });
    this.seat.style.setProperty("--shape", shapeOf(state));
    this.buttons.show(yours ? state.legal : [], yours);
    this.players.show(this.offer.name, game.players, state, game.thinking);
    this.tellTurn(game, yours);
    this.showBeliefs(game);
    this.log.show(game.moves);
    if (message?.type === "moved") this.tellMove(game, message.move.reward);
    if (game.end) this.finish(game);
  }

  /** Another game: another board, perhaps turned round, and nothing left of the one before. */
  private open(game: Game): void {
    this.boardBox.dataset["game"] = game.id;
    this.notice.clear();
    const setup = game.setup as PlaySetup;
    const flipped = setup.game === "checkers" && setup.side === 0;
    this.board = new Board({ label: `${this.offer.title}, the board`, flipped, play: (action) => this.live.move(action) });
    fill(this.boardBox, this.board.element);
    fill(this.endBox);
    const restart = (next: PlaySetup): void => {
      this.setup.open = false;
      this.live.restart(next);
    };
    fill(this.setup, h("summary", {}, summary(setup), h("span", { class: "change" }, "Change")), setupForm(this.offer, setup, restart));
  }

  private tellTurn(game: Game, yours: boolean): void {
    const state = now(game);
    const mover = game.players.find((player) => player.seat === state.actor);
    const you = yourself(game.players);
    const partner = you && mover?.team === you.team;
    const theirs = !game.placed && !partner ? "The opponent is thinking" : "Your partner is thinking";
    const apart = this.live.returning ? "Picking up your game" : "Waiting for the connection";
    const waiting = this.live.away ? apart : theirs;
    this.turn.textContent = game.end || !mover ? "The game is over" : yours ? "Your move" : waiting;
    this.turn.classList.toggle("yours", yours);
    this.score.textContent = [turnOf(this.offer.name, state), standing(this.offer.name, state)].filter(Boolean).join(" · ");
    // Always there while there is something to do: what comes and goes would move the buttons.
    this.hint.textContent = game.end ? "" : (yours && mustCapture(state)) || howTo(this.offer.name);
    this.veil.textContent = game.end
      ? "Hidden. How the game was read stands in the card above."
      : "Hidden while you play. It goes on watching.";
  }

  private showBeliefs(game: Game): void {
    const you = yourself(game.players);
    const partner = you && partnerOf(game.players, you);
    if (!you || !partner) return;
    const history = beliefHistory(game.firstBeliefs, game.moves, partner.seat, you.seat);
    const only = history[0]?.types.length === 1;
    this.panel.title(
      game.observer ? "What an observer in its place believes" : "What your partner believes about you",
      game.observer
        ? "Your partner is oblivious and believes nothing. A silent observer in its place watches you."
        : only
          ? "It knows players of its own depth only, so it takes you for one."
          : "How many moves ahead you look, and how likely it thinks each is.",
    );
    this.panel.show(history, game.moves.length, game.moves.length);
  }

  private tellMove(game: Game, reward: number): void {
    const move = game.moves[game.moves.length - 1];
    const you = yourself(game.players);
    const partner = you && partnerOf(game.players, you);
    if (!move || !you || !partner) return;
    if (now(game).score.length === 1) this.board?.floatReward(reward, reward > 0);
    const who = move.seat === you.seat ? "You play" : move.seat === partner.seat ? "Your partner plays" : "The opponent plays";
    const worth = reward === 0 ? "" : `, ${points(reward)}`;
    announce(`${who} ${actionWords(move.action)}${worth}.`);
    const belief = move.beliefs.find((one) => one.believer === partner.seat && one.about === you.seat);
    if (belief && move.seat === you.seat && this.veil.hidden) {
      const [depth, probability] = likeliest(belief);
      announce(`Most likely, you look ${depth} moves ahead: ${percent(probability)}.`);
    }
    const first = !game.moves.some((made) => made.seat === you.seat);
    if (now(game).actor === you.seat) announce(`Your move. ${mustCapture(now(game)) || (first ? howTo(this.offer.name) : "")}`);
  }

  private finish(game: Game): void {
    if (this.endBox.childElementCount > 0) return;
    const card = endCard(this.about, game, () => this.live.restart({ ...(game.setup as PlaySetup), seed: freshSetup(this.offer).seed }));
    fill(this.endBox, card);
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
    announce(card.textContent ?? "");
  }

  private refused(error: ErrorMessage): void {
    // What is shown is newer already, or the line is about to be lost and found again.
    if (["stale", "too_fast", "stopping"].includes(error.code)) return;
    const again = { label: "New game", do: () => this.live.restart(freshSetup(this.offer)) };
    const back = { label: "Go on", do: () => this.live.begin() };
    this.notice.say(raised(error.message), error.code === "idle" || error.code === "no_game" ? back : again);
    // A refused move must not stay where it was dropped.
    if (this.live.game) this.show(this.live.game, error);
  }
}
