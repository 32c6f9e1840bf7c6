/** Agents at the table; the visitor sets the pace. */

import { announce } from "../announce";
import { BeliefPanels } from "../beliefs";
import { Board } from "../board/board";
import { shapeOf } from "../board/geometry";
import { button, fill, h } from "../dom";
import { beliefPairs, now, type Game } from "../game";
import { LiveGame } from "../live_game";
import { MoveLog } from "../parts/log";
import { Notice } from "../parts/notice";
import { PlayersStrip, showStanding } from "../parts/players";
import { Told } from "../parts/told";
import type { About, GameOffer, Move, ServerMessage, WatchSetup } from "../protocol";
import { watched } from "../saved";
import { calledAt, lowered, outcomeWords, raised, teamsInWords } from "../words";
import { endCard } from "./end_card";
import { PREPARING, table, type Screen } from "./screen";
import { openingSetup, watchForm } from "./watch_setup";

/** Milliseconds between moves, slow to fast. */
const PACES = [2400, 1400, 800, 400, 120] as const;

const INTRODUCTION =
  "Agents play with or against each other, and you see what they come to believe. “Change” lets you choose the game and the players.";

export function watch(about: About): Screen {
  const view = new WatchTable(about);
  return { title: "Watch", door: "watch", element: view.element, close: () => view.close() };
}

class WatchTable {
  readonly element: HTMLElement;
  private readonly notice = new Notice();
  private readonly turn = h("p", { class: "turn" }, "Setting up the board…");
  private readonly score = h("output", { class: "score" });
  private readonly boardBox = h("div", { class: "board-box" });
  private readonly seat = h("section", { class: "seat", "aria-label": "The game" });
  private readonly beliefs = new BeliefPanels();
  private readonly endBox = h("div");
  private readonly setup = h("details", { class: "setup-box" });
  private readonly log = new MoveLog();
  private readonly told = new Told();
  private readonly players: PlayersStrip;
  private readonly runner = button("Play", () => this.toggle(), { class: "primary" });
  private readonly stepper = button("Step", () => this.live.step(), { class: "secondary" });
  private readonly pace = h("input", { type: "range", min: 0, max: PACES.length - 1, value: 2, "aria-label": "Speed" });
  private board: Board | null = null;
  private running = false;
  private timer = 0;
  private readonly live: LiveGame;

  constructor(private readonly about: About) {
    this.players = new PlayersStrip(about.kinds);
    this.element = this.lay();
    const first = watched();
    this.live = new LiveGame(first?.mode === "watch" ? first : openingSetup(about), {
      changed: (game, message) => this.show(game, message),
      line: (line) => {
        if (line === "lost") this.pause();
        this.notice.line(line, this.live?.away ?? false, () => this.live.hurry()); // the first news comes while `live` is made
      },
      preparing: () => (this.turn.textContent = PREPARING),
      refused: (error) => {
        if (error.code === "stale" || error.code === "stopping") return;
        this.pause();
        this.notice.say(raised(error.message), { label: "Try again", do: () => this.live.begin() });
      },
    });
  }

  close(): void {
    this.pause();
    this.live.close();
  }

  private lay(): HTMLElement {
    const controls = h("div", { class: "controls" }, this.runner, this.stepper, h("label", { class: "pace" }, h("span", {}, "Speed"), this.pace));
    this.seat.append(h("div", { class: "turn-line" }, this.turn, this.score), this.players.element, this.beliefs.briefs, this.boardBox);
    const beside = [this.endBox, this.beliefs.element, h("div", { class: "panel" }, this.log.element)];
    const parts = { seat: this.seat, told: this.told.element, below: [controls], beside };
    return table("watching", [h("h1", {}, "Watch"), this.setup], this.notice.element, parts);
  }

  private show(game: Game, message: ServerMessage): void {
    if (message.type === "game") this.open(game);
    const state = now(game);
    const mover = game.players.find((player) => player.seat === state.actor);
    const offer = this.offer(game);
    this.board?.show(state, game.arts, { moving: message.type === "moved" });
    this.players.show(offer, game.players, state, game.arts, game.thinking);
    this.turn.textContent = game.end ? "The game is over" : mover ? `${mover.called} to move` : "Chance decides";
    showStanding(this.score, offer, state);
    this.seat.style.setProperty("--shape", shapeOf(state.rows));
    this.beliefs.show(game.firstBeliefs, game.moves);
    this.log.show(game.moves);
    this.told.show(game.moves.at(-1), INTRODUCTION);
    if (message.type === "game" && this.running) this.live.step();
    if (message.type === "moved") this.moved(message.move, state.score.length);
    if (game.end) this.finish(game);
  }

  private moved({ plain: words, reward }: Move, teams: number): void {
    if (teams === 1) this.board?.floatReward(reward, reward > 0);
    announce(words);
    if (this.running) this.soon();
  }

  private open(game: Game): void {
    this.boardBox.dataset["game"] = game.id;
    this.notice.clear();
    this.board = new Board({ label: "The board" });
    fill(this.boardBox, this.board.element);
    fill(this.endBox);
    this.runner.disabled = this.stepper.disabled = false;
    this.beliefs.lay(
      beliefPairs(game.firstBeliefs, game.moves).map((pair) => ({
        ...pair,
        title: `${calledAt(game.players, pair.believer)} about ${lowered(calledAt(game.players, pair.about))}`,
        note: "How many moves ahead it looks.",
      })),
    );
    const setup = game.setup as WatchSetup;
    const title = this.offer(game)?.title ?? setup.game;
    fill(
      this.setup,
      h("summary", {}, `${title}: ${teamsInWords(game.players)}; seed ${setup.seed}.`, h("span", { class: "change" }, "Change")),
      watchForm(this.about, setup, (next) => this.restart(next)),
    );
  }

  private offer({ setup }: Game): GameOffer | undefined {
    return this.about.games.find(({ name }) => name === setup.game);
  }

  private restart(setup: WatchSetup): void {
    this.pause();
    this.setup.open = false;
    this.live.restart(setup);
  }

  private toggle(): void {
    if (this.running) this.pause();
    else {
      this.running = true;
      this.runner.textContent = "Pause";
      this.live.step();
    }
  }

  private pause(): void {
    this.running = false;
    this.runner.textContent = "Play";
    window.clearTimeout(this.timer);
  }

  /** The next move, after a pause as long as the visitor likes. */
  private soon(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.running && this.live.step(), PACES[Number(this.pace.value)] ?? PACES[2]);
  }

  private finish(game: Game): void {
    if (!game.end || this.endBox.childElementCount > 0) return;
    this.pause();
    this.runner.disabled = this.stepper.disabled = true;
    const setup = game.setup as WatchSetup;
    const again = { ...setup, seed: setup.seed + 1 };
    fill(this.endBox, endCard(this.about, this.offer(game), game, "Play another seed", () => this.restart(again)));
    announce(outcomeWords(game.end.result));
  }
}
