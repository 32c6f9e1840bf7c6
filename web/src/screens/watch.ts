/** Agents at the table; the visitor sets the pace. */

import { announce } from "../announce";
import { BeliefPanel } from "../beliefs";
import { Board, shapeOf } from "../board/board";
import { button, fill, h, link } from "../dom";
import { beliefHistory, beliefPairs, now, type Game } from "../game";
import { LiveGame } from "../live_game";
import { MoveLog } from "../parts/log";
import { Notice } from "../parts/notice";
import { PlayersStrip } from "../parts/players";
import type { About, ServerMessage, WatchSetup } from "../protocol";
import { address } from "../router";
import { watched } from "../saved";
import { calledAt, lowered, outcomeWords, raised, standing, teamsInWords } from "../words";
import type { Screen } from "./screen";
import { turnOf } from "./play_setup";
import { openingSetup, watchForm } from "./watch_setup";

/** Milliseconds between moves, slow to fast. */
export const PACES = [2400, 1400, 800, 400, 120] as const;

const INTRODUCTION =
  "Agents play each other or together, and you see what the aware ones come to believe. “Change” puts other players in the seats.";

export function watch(about: About): Screen {
  const table = new WatchTable(about);
  return { title: "Watch", door: "watch", element: table.element, close: () => table.close() };
}

class WatchTable {
  readonly element: HTMLElement;
  private readonly notice = new Notice();
  private readonly turn = h("p", { class: "turn" }, "Setting up the board…");
  private readonly score = h("output", { class: "score" });
  private readonly boardBox = h("div", { class: "board-box" });
  private readonly seat = h("section", { class: "seat", "aria-label": "The game" });
  private readonly briefBox = h("div");
  private readonly panelBox = h("div", { class: "panels" });
  private readonly endBox = h("div");
  private readonly setup = h("details", { class: "setup-box" });
  private readonly log = new MoveLog();
  private readonly players: PlayersStrip;
  private readonly runner = button("Play", () => this.toggle(), { class: "primary" });
  private readonly stepper = button("Step", () => this.live.step(), { class: "secondary" });
  private readonly pace = h("input", { type: "range", min: 0, max: PACES.length - 1, value: 2, "aria-label": "Speed" });
  private board: Board | null = null;
  private panels: { believer: number; about: number; panel: BeliefPanel }[] = [];
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
    this.seat.append(h("div", { class: "turn-line" }, this.turn, this.score), this.players.element, this.briefBox, this.boardBox, controls);
    return h(
      "div",
      { class: "table" },
      h("header", { class: "table-head" }, h("h1", {}, "Watch"), h("p", { class: "quiet" }, INTRODUCTION), this.setup),
      this.notice.element,
      h(
        "div",
        { class: "columns" },
        this.seat,
        h("div", { class: "beside" }, this.endBox, this.panelBox, h("div", { class: "panel" }, this.log.element)),
      ),
    );
  }

  private show(game: Game, message: ServerMessage): void {
    if (message.type === "game") this.open(game);
    const state = now(game);
    const mover = game.players.find((player) => player.seat === state.actor);
    this.board?.show(state, { moving: message.type === "moved" });
    this.players.show(game.setup.game, game.players, state, game.thinking);
    this.turn.textContent = game.end || !mover ? "The game is over" : `${mover.called} to move`;
    this.score.textContent = [turnOf(game.setup.game, state), standing(game.setup.game, state)].filter(Boolean).join(" · ");
    this.seat.style.setProperty("--shape", shapeOf(state));
    for (const { believer, about, panel } of this.panels) {
      panel.show(beliefHistory(game.firstBeliefs, game.moves, believer, about), game.moves.length, game.moves.length);
    }
    this.log.show(game.moves);
    if (message.type === "game" && this.running) this.live.step();
    if (message.type === "moved") this.moved(message.move.sentence, message.move.reward, state.score.length);
    if (game.end) this.finish(game);
  }

  private moved(sentence: string, reward: number, teams: number): void {
    if (teams === 1) this.board?.floatReward(reward, reward > 0);
    announce(sentence);
    if (this.running) this.soon();
  }

  private open(game: Game): void {
    this.boardBox.dataset["game"] = game.id;
    this.notice.clear();
    this.board = new Board({ label: "The board" });
    fill(this.boardBox, this.board.element);
    fill(this.endBox);
    this.runner.disabled = this.stepper.disabled = false;
    this.panels = beliefPairs(game.firstBeliefs, game.moves).map((pair) => ({ ...pair, panel: this.panel(game, pair) }));
    fill(this.panelBox, ...this.panels.map(({ panel }) => h("div", { class: "panel" }, panel.element)));
    fill(this.briefBox, ...this.panels.map(({ panel }) => panel.brief));
    const setup = game.setup as WatchSetup;
    const title = this.about.games.find((offer) => offer.name === setup.game)?.title ?? setup.game;
    fill(
      this.setup,
      h("summary", {}, `${title}: ${teamsInWords(game.players)}; seed ${setup.seed}.`, h("span", { class: "change" }, "Change")),
      watchForm(this.about, setup, (next) => this.restart(next)),
    );
  }

  private panel(game: Game, { believer, about }: { believer: number; about: number }): BeliefPanel {
    const title = `${calledAt(game.players, believer)} about ${lowered(calledAt(game.players, about))}`;
    return new BeliefPanel({ title, note: "How many moves ahead it looks." });
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
    const again = { ...(game.setup as WatchSetup), seed: game.setup.seed + 1 };
    fill(
      this.endBox,
      h(
        "section",
        { class: "end-card" },
        h("p", { class: "quiet" }, raised(game.end.result.reason)),
        h("h2", {}, outcomeWords(game.end.result)),
        h(
          "p",
          { class: "actions" },
          button("Another seed", () => this.restart(again), { class: "primary" }),
          link(address("replay", game.end.record), { class: "secondary" }, "Replay"),
        ),
      ),
    );
    announce(outcomeWords(game.end.result));
  }
}
