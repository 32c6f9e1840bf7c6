/** The same team twice, side by side and in step: once with an oblivious and once with an aware expert. */

import { Bars } from "../beliefs";
import { Board } from "../board/board";
import { wantsStillness } from "../board/travel";
import { button, h } from "../dom";
import { beliefHistory, beliefPairs } from "../game";
import type { About, Strip } from "../protocol";
import { figure } from "../words";

const FRAME = 900;
const REST = 4;

/** Both games in step, for ever, with a rest at the end. Whoever wants no motion sees the ends. */
export class Strips {
  readonly element: HTMLElement;
  readonly pause = button("", () => this.toggle(), { class: "small" });
  private readonly views: readonly StripView[];
  private readonly frames: number;
  private frame: number;
  private timer = 0;

  constructor({ showcase: { oblivious, aware } }: About) {
    this.views = [
      stripView(oblivious, "Oblivious", "The expert assumes that its partner sees as far as it does, whatever its partner does."),
      stripView(aware, "Aware", "The expert learns from its partner’s moves how far it sees, and plans for that."),
    ];
    this.element = h("div", { class: "pair" }, ...this.views.map((view) => view.element));
    this.frames = Math.max(...this.views.map((view) => view.frames));
    this.frame = wantsStillness() ? this.frames - 1 : 0;
    this.show();
    if (wantsStillness()) this.label();
    else this.toggle();
  }

  stop(): void {
    window.clearInterval(this.timer);
    this.timer = 0;
  }

  private toggle(): void {
    if (this.timer) this.stop();
    else this.timer = window.setInterval(() => this.step(), FRAME);
    this.label();
  }

  private label(): void {
    this.pause.textContent = this.timer ? "Pause" : "Play";
  }

  private step(): void {
    this.frame = (this.frame + 1) % (this.frames + REST);
    this.show();
  }

  private show(): void {
    for (const view of this.views) view.show(this.frame);
  }
}

interface StripView {
  element: HTMLElement;
  frames: number;
  show(frame: number): void;
}

function stripView(strip: Strip, title: string, words: string): StripView {
  const board = new Board({ label: strip.title });
  const bars = new Bars();
  const score = h("output", { class: "score" }, "0");
  const [first] = beliefPairs([], strip.moves);
  const history = first ? beliefHistory([], strip.moves, first.believer, first.about) : [];
  const show = (frame: number): void => {
    const state = strip.states[Math.min(frame, strip.states.length - 1)];
    if (!state) return;
    board.show(state, strip.art);
    score.textContent = figure(state.score[0] ?? 0);
    const reward = frame < strip.states.length ? (strip.moves[frame - 1]?.reward ?? 0) : 0;
    board.floatReward(reward, reward > 0);
    const belief = history[Math.min(frame, history.length - 1)];
    if (belief) bars.show(belief);
  };
  if (history.length === 0) bars.show(takenForEqual(strip));
  const says = history.length === 0 ? "The expert assumes that its partner looks this many moves ahead:" : "The expert believes that its partner looks this many moves ahead:";
  const thought = h("div", { class: "thought" }, h("p", { class: "quiet" }, says), bars.element);
  const element = h(
    "article",
    { class: "strip" },
    h("header", {}, h("h2", {}, title), h("p", { class: "total" }, "score ", score)),
    board.element,
    h("p", {}, words),
    thought,
  );
  return { element, frames: strip.states.length, show };
}

/** An oblivious player plans as if everybody were as deep as itself, whatever they do. */
function takenForEqual({ players }: Strip): { types: number[]; probabilities: number[] } {
  const types = [...new Set(players.map((player) => player.depth ?? 0))].sort((a, b) => a - b);
  const own = players[0]?.depth ?? 0;
  return { types, probabilities: types.map((type) => (type === own ? 1 : 0)) };
}
