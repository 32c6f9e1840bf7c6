/** The first thing a visitor sees: the idea, the same team twice, and the doors. */

import { Bars } from "../beliefs";
import { Board } from "../board/board";
import { wantsStillness } from "../board/travel";
import { button, h, link, type Child } from "../dom";
import { beliefHistory, beliefPairs } from "../game";
import type { About, Strip } from "../protocol";
import { address } from "../router";
import { ahead, figure } from "../words";
import type { Screen } from "./screen";

const FRAME = 900;
const REST = 4;

export function home(about: About): Screen {
  const { game, title, oblivious, aware } = about.showcase;
  const pair = [
    stripView(oblivious, "Oblivious", "The expert assumes that its partner sees as far as it does, whatever its partner does."),
    stripView(aware, "Aware", "The expert learns from its partner’s moves how far it sees, and plans for that."),
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
          link(address("play", game), { class: "primary" }, `Play ${title}`),
          link("/play", { class: "secondary" }, "Other games"),
        ),
      ),
      h(
        "section",
        { "aria-label": `The same team twice at ${title}` },
        h("div", { class: "pair" }, ...pair.map((view) => view.element)),
        h(
          "p",
          { class: "caption" },
          caption(about),
          pause,
        ),
      ),
      h(
        "section",
        { class: "doors", "aria-label": "Where to go" },
        door("/play", "Play", "Team up with an agent, and be sized up."),
        door("/watch", "Watch", "Choose agents and how deep they look, and see what they come to believe."),
        door("/replay", "Replay", "Step through any recorded game and see what every player believed."),
        door("/results", "Results", "Experiments: published numbers next to ours, with intervals."),
      ),
    ),
  };
}

/** Who plays, and by which rules. */
function caption({ games, showcase }: About): string {
  const [expert, novice] = showcase.aware.players;
  const rules = games.find(({ name }) => name === showcase.game)?.rules ?? "";
  return `${showcase.title}, played by an expert that looks ${ahead(expert?.depth)} and a novice that looks ${novice?.depth}. ${rules} `;
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
