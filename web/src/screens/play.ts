/** You, your partner, a board, and what your partner makes of you. */

import { announce } from "../announce";
import { BeliefPanels, type BeliefAbout } from "../beliefs";
import { Board } from "../board/board";
import { shapeOf } from "../board/geometry";
import { button, fill, h, link } from "../dom";
import { beliefPairs, now, onBoard, partnersOf, yourself, type Game } from "../game";
import { LiveGame, type Watcher } from "../live_game";
import { pace, PACES, setPace } from "../pace";
import { select, toggle } from "../parts/fields";
import { GivingUp } from "../parts/giving_up";
import { MoveLog } from "../parts/log";
import { arePadMoves, keyAction, MoveButtons } from "../parts/moves";
import { Notice } from "../parts/notice";
import { Invitation } from "../parts/people";
import { PlayersStrip, showStanding } from "../parts/players";
import { Told } from "../parts/told";
import type { ErrorMessage, GameOffer, Known, Move, PlaySetup, ServerMessage } from "../protocol";
import { veil, veiled } from "../saved";
import type { Early, Line } from "../socket";
import { ahead, calledAt, firstSentence, likeliest, lowered, percent, raised, sentence } from "../words";
import { freshSetup, summary } from "./play_setup";
import { PREPARING, table, type Screen } from "./screen";

/** With `early`, the game has begun while the page was loading. */
export function play(known: Known, game: GameOffer, early: Early | null = null): Screen {
  const view = new PlayTable(known, game, (watcher) => new LiveGame(early?.setup ?? freshSetup(game), watcher, early));
  return { title: game.title, door: "play", element: view.element, close: () => view.close() };
}

/** What is not needed before the first move comes after it could be made. */
const later = (): Promise<typeof import("./play_later")> => import("./play_later");

export class PlayTable {
  readonly element: HTMLElement;
  private readonly notice = new Notice();
  private readonly turn = h("p", { class: "turn" }, "Setting up the board…");
  private readonly hint = h("p", { class: "hint" });
  private readonly score = h("output", { class: "score" });
  private readonly setup = h("details", { class: "setup-box" });
  private readonly boardBox = h("div", { class: "board-box" });
  private readonly seat = h("section", { class: "seat", "aria-label": "The game" });
  private readonly endBox = h("div");
  private readonly buttons: MoveButtons;
  private readonly players: PlayersStrip;
  private readonly log = new MoveLog((ply) => this.review(ply));
  private readonly beliefs = new BeliefPanels();
  private readonly pace = select("Pace", PACE_OPTIONS, pace(), () => {
    setPace(this.pace.value());
    if (this.pace.value() === "instant") this.live.rush();
  });
  private readonly stop = button("Stop and see", () => this.live.stop(), { class: "small", title: "End the game here and see what your partner thinks of you" });
  private readonly undo = button("Take back", () => this.takeBack(), { class: "small" });
  private readonly giving = new GivingUp(() => this.live.resign(), () => this.live.offerDraw());
  private readonly back = button("Back to the game", () => this.review(null), { class: "small", hidden: true });
  private readonly told = new Told(h("div", { class: "told-actions" }, this.back, this.undo, this.stop, this.pace.element));
  private readonly veil = h("p", { class: "quiet", hidden: true });
  private board: Board | null = null;
  private yours = false;
  /** The move that is looked at again, null while the game itself is shown. */
  private looking: number | null = null;
  private preparing = false;
  /** The end that the card tells of. */
  private ended: Game["end"] = null;
  private readonly live: LiveGame;
  private readonly invitation = new Invitation(() => this.live.invite());

  /** A game that is `joined` is somebody else's, who has invited the visitor to it. */
  constructor(
    private readonly known: Pick<Known, "kinds"> & Partial<Known>,
    private readonly offer: GameOffer,
    begin: (watcher: Watcher) => LiveGame,
    private readonly joined = false,
  ) {
    this.players = new PlayersStrip(known.kinds);
    this.buttons = new MoveButtons(offer.keys, (action) => this.live.move(action));
    this.element = this.lay();
    document.addEventListener("keydown", this.keyed);
    const watcher: Watcher = {
      changed: (game, message) => this.show(game, message),
      line: (line, why) => this.line(line, why),
      people: (people) => people.type === "table" && this.invitation.show(people),
      preparing: () => this.prepare(),
      declined: (words) => this.giving.say(words),
      refused: (error) => this.refused(error),
    };
    this.live = begin(watcher);
  }

  close(): void {
    document.removeEventListener("keydown", this.keyed);
    this.live.close();
  }

  /** Arrow keys that nothing else wants play the move they stand for, or lead to the board. */
  private readonly keyed = (event: KeyboardEvent): void => {
    const idle = event.target instanceof Element && event.target.matches("body, main, .end-card, .step");
    if (!idle || !event.key.startsWith("Arrow") || event.altKey || event.ctrlKey || event.metaKey) return;
    const legal = this.yours && this.live.game ? now(this.live.game).legal : [];
    if (!arePadMoves(this.offer.keys, legal)) return this.board?.take(event);
    event.preventDefault();
    const action = keyAction(this.offer.keys, legal, event.key.slice(5).toLowerCase())?.action;
    if (action !== undefined) this.live.move(action);
  };

  private lay(): HTMLElement {
    const show = (on: boolean): void => {
      veil(!on);
      this.beliefs.element.classList.toggle("veiled", !on);
      this.beliefs.briefs.hidden = !on;
      this.log.element.classList.toggle("veiled", !on);
      this.veil.hidden = on;
      if (this.live?.game) this.tell(this.live.game);
    };
    const hide = toggle("Show beliefs", !veiled(), show);
    show(!veiled());
    const beliefs = h("div", { class: "panel" }, hide, this.beliefs.element, this.veil);
    this.seat.append(
      h("div", { class: "turn-line" }, this.turn, this.score),
      this.players.element,
      this.beliefs.briefs,
      this.boardBox,
    );
    const below = [this.buttons.element, this.hint, this.offer.teams > 1 && this.giving.element];
    const beside = [this.endBox, beliefs, h("div", { class: "panel" }, this.log.element)];
    const head = [h("h1", {}, this.offer.title), this.setup, this.invitation.element];
    return table("playing", head, this.notice.element, { seat: this.seat, told: this.told.element, below, beside });
  }

  private prepare(): void {
    this.preparing = true;
    this.turn.textContent = PREPARING;
  }

  /** Look at the board after an earlier move, or at the game again. */
  private review(ply: number | null): void {
    const { game } = this.live;
    if (!game) return;
    const newest = game.moves.length;
    this.looking = ply === null || ply >= newest ? null : ply;
    this.show(game, null);
    announce(game.moves[(this.looking ?? newest) - 1]?.plain ?? "");
  }

  private line(line: Line, why: string): void {
    this.notice.line(line, this.live?.away ?? false, () => this.live.hurry(), why); // the first news comes while `live` is made
    if (this.live?.game && this.live.away) this.show(this.live.game, null);
  }

  /** Show the game; `message` is what changed it, null if only the line did. */
  private show(game: Game, message: ServerMessage | null): void {
    const state = now(game);
    const you = yourself(game.players);
    const yours = you !== null && state.actor === you.seat && !game.placed && !game.end && !this.live.away;
    if (message?.type === "game") this.open(game);
    if (message?.type === "placed") this.looking = null;
    this.yours = yours && this.looking === null; // nobody moves in the past
    if (message?.type === "moved" && message.move.seat !== you?.seat) this.preparing = false;
    const shown = this.looking === null ? onBoard(game) : (game.states[this.looking] ?? state);
    const moving = this.looking === null && (message?.type === "moved" || message?.type === "placed");
    this.board?.show(shown, game.arts, { choosing: this.yours, moving });
    this.boardBox.classList.toggle("looking", this.looking !== null);
    this.seat.style.setProperty("--shape", shapeOf(state.rows));
    this.buttons.element.hidden = !you; // who watches has nothing to press
    this.buttons.show(this.yours ? state.legal : [], state.columns);
    this.players.show(this.offer, game.players, state, game.arts, game.thinking);
    this.tellTurn(game, yours);
    this.giving.show(this.mayResign(game) && game.end === null && !this.live.away, yours, this.mayOfferDraw(game));
    if (message?.type === "moved" || message?.type === "game") this.giving.say("");
    this.beliefs.show(game.firstBeliefs, game.moves, this.looking ?? game.moves.length);
    this.log.show(game.moves, this.looking ?? game.moves.length);
    this.tell(game);
    if (message?.type === "moved") this.tellMove(game, message.move);
    if (yours) void later(); // before the server can go away
    if (game.end) void this.finish(game);
  }

  /** Take your last move back, or the one that is looked at and all after it. */
  private takeBack(): void {
    const { game } = this.live;
    const you = game && yourself(game.players)?.seat;
    const own = game?.moves.slice(0, this.looking ?? game.moves.length).findLast(({ seat }) => seat === you);
    if (own) this.live.takeBack(own.ply - 1);
  }

  /** Tell the move that is looked at, or the last one. */
  private tell(game: Game): void {
    const at = this.looking ?? game.moves.length;
    const you = yourself(game.players)?.seat;
    const own = game.moves.slice(0, at).findLast(({ seat }) => seat === you);
    this.told.show(game.moves[at - 1], `${this.offer.about} ${this.offer.rules}`, !this.veil.hidden, own);
    this.back.hidden = this.looking === null;
    const over = game.end !== null || this.live.away;
    // Not `disabled`: whoever uses it by keyboard would be thrown out of it.
    this.undo.setAttribute("aria-disabled", String(over || own === undefined));
    this.stop.hidden = game.end !== null || this.joined;
    this.undo.hidden = this.stop.hidden || isShared(game); // nobody takes back what another has answered
  }

  /** Another game: another board, perhaps turned round, and nothing left of the one before. */
  private open(game: Game): void {
    this.boardBox.dataset["game"] = game.id;
    this.notice.clear();
    this.looking = null;
    const { setup } = game;
    const chosen = setup.mode === "play" ? setup : this.offer.default;
    if (!isShared(game)) this.invitation.hide();
    const words = setup.mode === "guest" ? "" : setup.mode === "continue" ? `You went on from move ${setup.ply} of another game.` : summary(this.offer, this.known.kinds, chosen);
    this.board = new Board({
      label: `${this.offer.title}, the board`,
      flipped: yourself(game.players)?.team === this.offer.turned_for,
      play: (action) => this.live.move(action),
      keyed: Object.keys(this.offer.keys).length > 0,
    });
    this.beliefs.lay(believers(game));
    fill(this.boardBox, this.board.element);
    fill(this.endBox);
    this.ended = null;
    const restart = (next: PlaySetup): void => {
      this.setup.open = false;
      this.live.restart(next);
    };
    const form = h("div");
    this.setup.ontoggle = async () => {
      const { setupForm } = await later();
      if (form.childElementCount === 0 && !this.joined) fill(form, setupForm(this.offer, this.known.kinds, chosen, restart, this.known.guests));
    };
    fill(
      this.setup,
      h("summary", {}, h("span", { class: "setup-words" }, words), h("span", { class: "change" }, this.joined ? "Rules" : "Rules and setup")),
      h("p", { class: "quiet" }, `${this.offer.about} ${this.offer.rules}`),
      form,
    );
  }

  /** A guest beside its host would end the host's game. */
  private mayResign({ players }: Game): boolean {
    const you = yourself(players);
    if (!you) return false;
    return !this.joined || players.some(({ kind, team }) => kind === "person" && team !== you.team);
  }

  /** Agents answer by what they expect, people would have to be asked. */
  private mayOfferDraw({ players }: Game): boolean {
    const team = yourself(players)?.team;
    return !this.joined && !players.some((player) => player.team !== team && player.kind === "person");
  }

  private tellTurn(game: Game, yours: boolean): void {
    const state = now(game);
    const mover = game.players.find((player) => player.seat === state.actor);
    const you = yourself(game.players);
    const others = you ? [...partnersOf(game.players, you), ...game.players.filter(({ team }) => team !== you.team)] : game.players;
    const next = game.placed ? others.find(({ kind }) => kind !== "person") : mover;
    const busy = next?.kind === "person" ? `It is the turn of ${lowered(next.called)}` : `${next?.called ?? "Your partner"} is thinking`;
    const thinking = this.preparing ? PREPARING : busy;
    const waiting = this.live.away ? (this.live.returning ? "Restoring your game" : "Waiting for the connection") : thinking;
    this.turn.textContent = game.end ? "The game is over" : yours ? "Your move" : waiting;
    this.turn.classList.toggle("yours", yours);
    showStanding(this.score, this.offer, state);
    // Always there while there is something to do: what comes and goes would move the buttons.
    this.hint.textContent = game.end || !you ? "" : (yours && sentence(state.hint)) || this.offer.how_to_move;
    this.veil.textContent = game.end
      ? "Hidden. The card above says how you were read."
      : "Hidden while you play. Your partner keeps watching.";
  }

  private tellMove(game: Game, move: Move): void {
    const you = yourself(game.players);
    if (now(game).score.length === 1) this.board?.floatReward(move.reward, move.reward > 0);
    announce(firstSentence(move.plain));
    const belief = move.beliefs.find(({ believer, about }) => about === you?.seat && believer !== about);
    if (belief && move.seat === you?.seat && this.veil.hidden) {
      const [depth, probability] = likeliest(belief);
      announce(`Most likely, you look ${ahead(depth)}: ${percent(probability)}.`);
    }
    const first = !game.moves.some(({ seat }) => seat === you?.seat);
    if (now(game).actor === you?.seat) announce(`Your move. ${sentence(now(game).hint) || (first ? this.offer.how_to_move : "")}`);
  }

  private async finish(game: Game): Promise<void> {
    const { end } = game;
    if (end === this.ended) return;
    this.ended = end;
    const { endCard, keepGame, readAgain } = await later();
    if (end !== this.ended || !end) return; // another game has begun, or more is known
    const shown = this.endBox.firstElementChild;
    if (shown instanceof HTMLElement) {
      readAgain(shown, game);
      announce(shown.querySelector(".verdict")?.textContent ?? "");
      if (!this.joined) keepGame(game).catch(() => undefined);
      return;
    }
    const again = this.joined ? null : (): void => this.live.restart({ ...(game.setup.mode === "play" ? game.setup : this.offer.default), seed: freshSetup(this.offer).seed });
    const card = endCard(this.known, this.offer, game, "Play again", again);
    fill(this.endBox, card);
    const note = h("p", { class: "quiet kept" }, "This game is kept among ", link("/replay", {}, "your games"), " in this browser.");
    if (!this.joined)
      keepGame(game).then(
        () => card.append(note),
        () => undefined, // storage may be full or forbidden
      );
    card.focus({ preventScroll: true });
    // Whoever sees its beginning sees the board too, and wants to.
    if (card.getBoundingClientRect().top > window.innerHeight - 200) card.scrollIntoView({ block: "start" });
    announce(card.textContent ?? "");
  }

  private refused(error: ErrorMessage): void {
    // What is shown is newer already, or the line is about to be lost and found again.
    if (["stale", "too_fast", "stopping", "away"].includes(error.code)) return;
    if (this.joined) return this.notice.say(raised(error.message));
    const again = { label: "New game", do: () => this.live.restart(freshSetup(this.offer)) };
    const back = { label: "Continue", do: () => this.live.begin() };
    this.notice.say(raised(error.message), ["idle", "no_game", "elsewhere"].includes(error.code) ? back : again);
    // A refused move must not stay where it was dropped.
    if (this.live.game) this.show(this.live.game, error);
  }
}

const PACE_OPTIONS = Object.keys(PACES).map((value) => ({ value, label: raised(value) }));

/** Whether two people play. */
const isShared = ({ players }: Game): boolean => players.some(({ kind }) => kind === "person");

/** Who holds a belief about you or another person, and what it is worth knowing about that. */
function believers(game: Game): BeliefAbout[] {
  const you = yourself(game.players)?.seat;
  const people = game.players.filter(({ kind }) => kind === "you" || kind === "person");
  return beliefPairs(game.firstBeliefs, game.moves)
    .filter(({ about }) => people.some(({ seat }) => seat === about))
    .sort((a, b) => Number(b.about === you) - Number(a.about === you))
    .map((pair) => {
      const whom = pair.about === you ? "you" : lowered(calledAt(game.players, pair.about));
      const who = lowered(calledAt(game.players, pair.believer));
      const only = game.firstBeliefs.some(({ believer, types }) => believer === pair.believer && types.length === 1);
      if (game.observer) {
        const note = `${raised(who)} is oblivious and keeps no beliefs. A silent observer in its place watches you.`;
        return { ...pair, title: `What an observer in its place believes${whom === "you" ? "" : ` about ${whom}`}`, note };
      }
      const note = only
        ? `It considers no depth but its own, so it takes ${whom} for its equal.`
        : `How many moves ahead ${whom} look${whom === "you" ? "" : "s"}, and how likely it thinks each is.`;
      return { ...pair, title: `What ${who} believes about ${whom}`, note };
    });
}
