/** The first visit: guess what a partner will do, see the same game twice, then be sized up yourself. */

import { announce } from "../announce";
import { Bars } from "../beliefs";
import { Board } from "../board/board";
import { shapeOf } from "../board/geometry";
import { button, fill, h, type Child } from "../dom";
import { beliefHistory, beliefPairs } from "../game";
import { arePadMoves, keyAction, MoveButtons } from "../parts/moves";
import { Strips } from "../parts/strips";
import type { About, Belief, GameOffer, Move, State, Strip } from "../protocol";
import { go } from "../router";
import { noteToured } from "../saved";
import { actionName, figure, likeliest, plural } from "../words";
import { play } from "./play";
import type { Screen } from "./screen";

/** How many moves of the expert are guessed. */
const GUESSES = 3;
const STEPS = ["Guess", "Compare", "Your turn"] as const;

interface Step {
  element: HTMLElement;
  close?(): void;
}

export function tour(about: About): Screen {
  const offer = about.games.find(({ name }) => name === about.showcase.game);
  if (!offer) throw new Error(`the game ${about.showcase.game} is shown but not offered`);
  const view = new Tour(about, offer);
  return { title: "A guided game", door: "home", element: view.element, close: () => view.close() };
}

class Tour {
  readonly element: HTMLElement;
  private readonly marks = STEPS.map((name, n) => h("li", {}, `${n + 1} ${name}`));
  private readonly leave = button("Skip", () => this.home(), { class: "small" });
  private readonly stage = h("div");
  private shown: Step | null = null;

  constructor(private readonly about: About, private readonly offer: GameOffer) {
    const steps = h("ol", { class: "tour-steps", "aria-label": "Steps of the guided game" }, ...this.marks);
    this.element = h("div", { class: "tour" }, h("div", { class: "tour-bar" }, steps, this.leave), this.stage);
    this.show(0, new Guessing(about.showcase.aware, offer, () => this.compare()));
  }

  close(): void {
    this.shown?.close?.();
  }

  private compare(): void {
    const strips = new Strips(this.about);
    const { oblivious, aware } = this.about.showcase;
    const next = button("Next: your turn", () => this.take(), { class: "primary" });
    const words = `Both games start alike, with the same novice and the same luck. They end at ${figure(oblivious.total)} and ${figure(aware.total)} points.`;
    const head = [h("h1", {}, "The same game, twice"), h("p", { class: "lead" }, words), h("p", { class: "actions" }, next, strips.pause)];
    this.show(1, { element: h("div", {}, ...head, strips.element), close: () => strips.stop() });
    announce(words);
  }

  /** A real game, at the table of every other one. */
  private take(): void {
    noteToured();
    const table = play(this.about, this.offer);
    const words = "Now you: each of your moves tells your partner how far ahead you look. Play to the end, or press “Stop and see” for its verdict.";
    this.leave.textContent = "Done";
    this.show(2, { element: h("div", {}, h("p", { class: "tour-words" }, words), table.element), close: () => table.close?.() });
    announce(words);
  }

  private show(at: number, step: Step): void {
    const first = this.shown === null;
    this.shown?.close?.();
    this.shown = step;
    fill(this.stage, step.element);
    this.marks.forEach((mark, n) => (n === at ? mark.setAttribute("aria-current", "step") : mark.removeAttribute("aria-current")));
    if (first) return;
    window.scrollTo(0, 0);
    document.getElementById("main")?.focus({ preventScroll: true });
  }

  private home(): void {
    noteToured();
    go("/");
  }
}

/** The expert's first moves, each to be guessed before it is seen. */
class Guessing implements Step {
  readonly element: HTMLElement;
  private readonly question = h("h1", {});
  private readonly words = h("div", { class: "tour-words" });
  private readonly board: Board;
  private readonly buttons: MoveButtons;
  private readonly bars = new Bars();
  private readonly thought = h("div", { class: "thought", hidden: true }, h("p", { class: "quiet" }, "How many moves ahead the expert believes the novice looks:"), this.bars.element);
  private readonly next = button("Next", () => this.goOn(), { class: "primary" });
  private readonly plies: readonly number[];
  private readonly beliefs: readonly Belief[];
  private asked = 0;
  private right = 0;
  private asking = false;

  constructor(
    private readonly strip: Strip,
    private readonly offer: GameOffer,
    private readonly done: () => void,
  ) {
    const [pair] = beliefPairs([], strip.moves);
    this.beliefs = pair ? beliefHistory([], strip.moves, pair.believer, pair.about) : [];
    this.plies = strip.moves.filter(({ seat }) => seat === pair?.believer).slice(0, GUESSES).map(({ ply }) => ply);
    const guess = (action: string): void => this.answer(action);
    this.board = new Board({ label: `${offer.title}, the board`, play: guess, keyed: true });
    this.buttons = new MoveButtons(offer.keys, guess);
    document.addEventListener("keydown", this.keyed);
    const seat = h("section", { class: "seat", "aria-label": "The board" }, h("div", { class: "board-box" }, this.board.element));
    seat.style.setProperty("--shape", shapeOf(offer.board.rows));
    const told = h("section", { class: "told panel", "aria-label": "Your guess" }, this.words, this.buttons.element, this.next, this.thought);
    this.element = h("div", {}, this.question, h("div", { class: "columns guessing" }, seat, told));
    this.ask();
  }

  close(): void {
    document.removeEventListener("keydown", this.keyed);
  }

  /** Arrow keys guess, wherever the focus is, but for the board, which has its own. */
  private readonly keyed = (event: KeyboardEvent): void => {
    const elsewhere = event.target instanceof Element && event.target.closest(".cells");
    if (!this.asking || elsewhere || !event.key.startsWith("Arrow") || event.altKey || event.ctrlKey || event.metaKey) return;
    const { legal } = this.before;
    if (!arePadMoves(this.offer.keys, legal)) return;
    event.preventDefault();
    const action = keyAction(this.offer.keys, legal, event.key.slice(5).toLowerCase())?.action;
    if (action !== undefined) this.answer(action);
  };

  private get ply(): number {
    return this.plies[this.asked] ?? 1;
  }

  private get move(): Move {
    const move = this.strip.moves[this.ply - 1];
    if (!move) throw new Error(`there is no move ${this.ply} to guess`);
    return move;
  }

  /** The board that is guessed on. */
  private get before(): State {
    const state = this.strip.states[this.ply - 1];
    if (!state) throw new Error(`there is no board before move ${this.ply}`);
    return state;
  }

  private ask(): void {
    this.asking = true;
    this.question.textContent = `Where will the expert move? (${this.asked + 1} of ${this.plies.length})`;
    const last = this.strip.moves[this.ply - 2];
    const start = `${this.offer.about} ${this.offer.rules} An expert who looks ${this.strip.players[0]?.depth} moves ahead is teamed with a novice who looks ${this.strip.players[1]?.depth} ahead, and does not know it yet. The expert moves first.`;
    this.say(last ? this.told(last) : start, h("p", { class: "quiet" }, "Guess with an arrow key, a button or a tile."));
    this.board.show(this.before, this.strip.art, { choosing: true });
    this.buttons.element.hidden = false;
    this.buttons.show(this.before.legal, this.before.columns);
    this.believe(this.ply - 1);
    this.next.hidden = true;
    announce(`${this.question.textContent}. ${this.words.textContent}`);
  }

  private answer(guess: string): void {
    if (!this.asking) return;
    this.asking = false;
    const { move, before } = this;
    const after = this.strip.states[this.ply];
    if (guess === move.action) this.right += 1;
    const verdict = guess === move.action ? "You were right." : `You guessed: ${actionName(before, guess)}.`;
    this.say(`${verdict} ${this.told(move)}`, h("p", {}, this.reason()));
    if (after) this.board.show(after, this.strip.art);
    if (move.reward !== 0) this.board.floatReward(move.reward, move.reward > 0);
    this.buttons.element.hidden = true;
    const more = this.asked + 1 < this.plies.length;
    this.next.textContent = more ? "Next" : `${plural(this.right, "right guess", "right guesses")} of ${this.plies.length}. Next: the same game, twice`;
    this.next.hidden = false;
    this.next.focus({ preventScroll: true });
    announce(this.words.textContent ?? "");
  }

  /** Why the expert moves so: what it takes the novice for. */
  private reason(): string {
    const belief = this.beliefs[this.ply - 1];
    const [depth, probability] = belief ? likeliest(belief) : [0, 0];
    if (probability < 0.9) return "It does not know the novice yet, so it counts on a partner who may follow.";
    return `It takes the novice for somebody who looks only ${depth} ahead and will not follow it through the fire, so it does not pay for a walk that leads nowhere.`;
  }

  private goOn(): void {
    this.asked += 1;
    if (this.asked === this.plies.length) return this.done();
    this.ask();
    // The button is gone: from here arrow keys guess, and Tab leads to the pad.
    document.getElementById("main")?.focus({ preventScroll: true });
  }

  private say(first: string, ...more: Child[]): void {
    fill(this.words, h("p", { class: "told-line" }, first), ...more);
  }

  /** A recorded sentence, with the players called what they are here. */
  private told({ plain }: Move): string {
    const [expert, novice] = this.strip.players.map(({ called }) => called);
    return plain.replaceAll(expert ?? "", "The expert").replaceAll(novice ?? "", "The novice");
  }

  private believe(ply: number): void {
    const belief = this.beliefs[ply];
    if (belief) this.bars.show(belief);
    this.thought.hidden = belief === undefined || ply === 0;
  }
}
