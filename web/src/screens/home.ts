/** The first thing a visitor sees: the idea, twice the same fire, and the doors. */

import { Bars } from "../beliefs";
import { Board } from "../board/board";
import { wantsStillness } from "../board/travel";
import { button, h, link, type Child } from "../dom";
import { beliefHistory, beliefPairs } from "../game";
import type { About, Strip } from "../protocol";
import { figure } from "../words";
import type { Screen } from "./screen";

const FRAME = 900;
const REST = 4;

export function home(about: About): Screen {
  const pair = [
    stripView(about.fire.oblivious, "Oblivious", "The expert asks its partner to walk on through the fire, again and again."),
    stripView(about.fire.aware, "Aware", "The expert tries once, sees its partner step back, and stops asking."),
  ];
  const clock = loop(pair);
  const pause = button(clock.running() ? "Pause" : "Play", () => {
    clock.toggle();
    pause.textContent = clock.running() ? "Pause" : "Play";
  }, { class: "small" });
  return {
    title: "Sizeup",
    door: "home",
    close: () => clock.stop(),
    element: h(
      "div",
      { class: "home" },
      h(
        "section",
        { class: "hero" },
        h("h1", {}, "A partner that sizes you up"),
        h(
          "p",
          { class: "lead" },
          "Sizeup’s agents work out how far ahead their teammates look, from nothing but their moves, and plan for the team they really have. Play one, and watch what it comes to believe about you.",
        ),
        h(
          "p",
          { class: "actions" },
          link("/play/wall-of-fire", { class: "primary" }, "Play Wall of Fire"),
          link("/play", { class: "secondary" }, "Other games"),
        ),
      ),
      h(
        "section",
        { class: "fires", "aria-label": "The same team twice at the wall of fire" },
        h("div", { class: "pair" }, ...pair.map((view) => view.element)),
        h(
          "p",
          { class: "caption" },
          "An expert that looks 20 moves ahead and a novice that looks 2 move one avatar in turn. Fire costs 2 a step, coins pay 100, and only the expert sees that far. ",
          pause,
        ),
      ),
      h(
        "section",
        { class: "doors", "aria-label": "Where to go" },
        door("/play", "Play", "Be somebody’s teammate at a game or two, and be sized up."),
        door("/watch", "Watch", "Seat any agents, any depths, and look over their shoulders."),
        door("/replay", "Replay", "Any recorded game, ply by ply, with what everybody believed."),
        door("/results", "Results", "The experiments: published numbers beside ours, with intervals."),
      ),
    ),
  };
}

function door(path: string, title: string, words: string): Child {
  return link(path, { class: "door" }, h("h2", {}, title), h("p", {}, words), h("span", { class: "arrow", "aria-hidden": "true" }, "→"));
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
    board.show(state);
    score.textContent = figure(state.score[0] ?? 0);
    const reward = frame < strip.states.length ? (strip.moves[frame - 1]?.reward ?? 0) : 0;
    board.floatReward(reward, reward > 0);
    const belief = history[Math.min(frame, history.length - 1)];
    if (belief) bars.show(belief);
  };
  if (history.length === 0) bars.show(takenForEqual(strip));
  const says = history.length === 0 ? "The expert takes for granted that its partner looks this far ahead:" : "The expert believes its partner looks this far ahead:";
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

/** Both strips in step, for ever, with a rest at the end. Whoever wants no motion sees the ends. */
function loop(views: readonly StripView[]): { running(): boolean; toggle(): void; stop(): void } {
  const frames = Math.max(...views.map((view) => view.frames));
  let frame = wantsStillness() ? frames - 1 : 0;
  let timer = 0;
  const show = (): void => views.forEach((view) => view.show(frame));
  const tick = (): void => {
    frame = (frame + 1) % (frames + REST);
    show();
  };
  const toggle = (): void => {
    if (timer) window.clearInterval(timer);
    timer = timer ? 0 : window.setInterval(tick, FRAME);
  };
  show();
  if (!wantsStillness()) toggle();
  return { running: () => timer !== 0, toggle, stop: () => window.clearInterval(timer) };
}
