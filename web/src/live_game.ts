/** A game over a socket: starts, moves, survives a lost line, and tells one screen what it is now. */

import { getRecord, type Refused } from "./api";
import { after, now, yourself, type Game } from "./game";
import { pace, PACES, Queue } from "./pace";
import type { ErrorMessage, PeopleMessage, ServerMessage, Setup, TableMessage } from "./protocol";
import { forget, save, saved } from "./saved";
import { Connection, socketAddress, type Early, type Line } from "./socket";

export interface Watcher {
  /** The game changed; `message` is why. */
  changed(game: Game, message: ServerMessage): void;
  line(line: Line, why: string): void;
  /** The rules are being compiled, for the first time. */
  preparing?(): void;
  /** Somebody came to the table, or went. */
  people?(people: TableMessage | PeopleMessage): void;
  /** An offer of a draw was turned down. */
  declined?(words: string): void;
  refused(error: ErrorMessage): void;
}

export class LiveGame {
  game: Game | null = null;
  /** The line was lost, and the game has not come back on it yet: nothing can be asked for. */
  away = false;
  /** The server is there again, and the game is on its way. */
  returning = false;
  private readonly connection: Connection;
  /** Plies for which a request is under way: a double click must not ask twice. */
  private asked = -1;
  /** Nobody has seen the board yet: what is played before the visitor's first turn need not wait. */
  private isOpening = false;
  private readonly queue = new Queue(
    (message) => this.heard(message),
    (message) => this.isReply(message),
    () => PACES[pace()],
  );

  constructor(
    private wanted: Setup,
    private readonly watcher: Watcher,
    early: Early | null = null,
  ) {
    let isAsked = early !== null; // it was with the request for the line
    this.isOpening = isAsked;
    const ear = {
      opened: () => {
        if (!isAsked) this.begin();
        isAsked = false;
      },
      heard: (message: ServerMessage) => this.sort(message),
      changed: (line: Line, why = "") => {
        if (line !== "open") this.away = this.game !== null && !this.game.end;
        this.returning = line === "open" && this.away;
        watcher.line(line, why);
      },
    };
    this.connection = new Connection(socketAddress(this.isGuest ? "/ws/join" : "/ws"), ear, early);
  }

  /** Leave this game and start another one. */
  restart(setup: Setup): void {
    this.wanted = setup;
    this.game = null;
    forget(setup);
    this.begin();
  }

  /** Ask for the game that was left on this page, or for a new one. */
  begin(): void {
    this.asked = -1;
    if (this.wanted.mode === "study") return this.join();
    if (this.isGuest) return; // the host's game comes by itself
    if (this.game?.end) return void this.restore(this.game);
    const left = saved(this.wanted);
    const same = left !== null && (this.game !== null || left.setup.game === this.wanted.game);
    if (same) this.connection.send({ type: "resume", ...left });
    else this.connection.send({ type: "new", setup: this.wanted });
  }

  private get isGuest(): boolean {
    return this.wanted.mode === "guest";
  }

  /** Play a game of a study: the server knows how far it is. */
  private join(): void {
    if (!this.game?.end) this.connection.send({ type: "study" });
  }

  move(action: string, thought?: number): boolean {
    const more = thought === undefined ? {} : { thought: Math.round(thought) };
    return this.ask((game, ply) => ({ type: "move", game_id: game.id, ply, action, ...more }));
  }

  step(): boolean {
    return this.ask((game, ply) => ({ type: "step", game_id: game.id, ply }));
  }

  /** Look at once whether the server is there again. */
  hurry(): void {
    this.connection.hurry();
  }

  /** End the game here, and see what was made of it. */
  stop(): void {
    this.queue.rush();
    if (this.game && !this.game.end && !this.away) this.connection.send({ type: "stop", game_id: this.game.id });
  }

  /** Give the game up. */
  resign(): void {
    if (this.game && !this.game.end && !this.away) this.connection.send({ type: "resign", game_id: this.game.id });
  }

  /** Offer a draw to whoever is on the other side. */
  offerDraw(): void {
    if (this.game && !this.game.end && !this.away) this.connection.send({ type: "draw", game_id: this.game.id, ply: now(this.game).ply });
  }

  /** Make new links to the table, and shut out whoever came by the old ones. */
  invite(): void {
    if (this.game && !this.game.end && !this.away) this.connection.send({ type: "invite", game_id: this.game.id });
  }

  /** Go back to the state after `ply` moves. */
  takeBack(ply: number): void {
    if (this.game && !this.game.end && !this.away) this.connection.send({ type: "back", game_id: this.game.id, ply });
  }

  /** Show at once what waits for its turn to be seen. */
  rush(): void {
    this.queue.rush();
  }

  close(): void {
    this.queue.clear();
    if (this.game && !this.isGuest) this.connection.send({ type: "leave", game_id: this.game.id });
    this.connection.close();
  }

  /** A server that was started anew has forgotten how this game went: tell it. */
  private async restore(game: Game): Promise<void> {
    const known = await getRecord(game.end?.record ?? "").then(
      () => true,
      (error: Refused) => error.status !== 404,
    );
    if (known || this.game !== game || game.end?.result.settled) return; // moves do not say how it ended
    this.connection.send({ type: "resume", setup: game.setup, moves: game.moves.map((move) => move.action) });
  }

  private ask(message: (game: Game, ply: number) => Parameters<Connection["send"]>[0]): boolean {
    if (this.game === null || this.game.end || this.away) return false;
    const { ply } = now(this.game);
    if (this.asked === ply) return false;
    const sent = this.connection.send(message(this.game, ply));
    if (sent) this.asked = ply;
    return sent;
  }

  /** News about the game are shown one after the other; a whole game or a refusal at once. */
  private sort(message: ServerMessage): void {
    if (message.type === "game") this.queue.clear();
    if (message.type === "preparing") this.watcher.preparing?.();
    else if (message.type === "error") this.heard(message);
    else this.queue.push(message);
  }

  /** Whether somebody else did something that the visitor should see by itself. */
  private isReply(message: ServerMessage): boolean {
    if (this.wanted.mode === "watch" || this.isOpening) return false; // who watches sets the pace another way
    const you = this.game && yourself(this.game.players);
    return message.type === "ended" || (message.type === "moved" && message.move.seat !== you?.seat);
  }

  private heard(message: ServerMessage): void {
    if (message.type === "error") this.sorry(message);
    if (message.type === "table" || message.type === "people") this.watcher.people?.(message);
    if (message.type === "declined" && message.game_id === this.game?.id) this.watcher.declined?.(message.words);
    const next = after(this.game, message);
    if (next === null || next === this.game) return;
    this.game = next;
    if (now(next).actor === yourself(next.players)?.seat) this.isOpening = false;
    if (message.type === "game") {
      this.asked = -1;
      this.away = false;
    }
    if (next.end) forget(next.setup);
    else if (next.setup.mode !== "study" && !this.isGuest) save({ setup: next.setup, moves: next.moves.map((move) => move.action) });
    this.watcher.changed(next, message);
  }

  private sorry(error: ErrorMessage): void {
    this.asked = -1;
    if (error.code === "not_same") {
      this.away = false;
      // Another version of Sizeup plays differently: the saved game cannot be continued.
      forget(this.wanted);
      this.game = null;
    }
    this.watcher.refused(error);
  }
}
