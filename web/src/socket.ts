/** One socket to the server that comes back by itself when it is lost. */

import type { ClientMessage, PlaySetup, ServerMessage, Tile } from "./protocol";

export type Line = "connecting" | "open" | "lost" | "refused";

export interface Ear {
  /** The line is open, for the first time or again. */
  opened(): void;
  heard(message: ServerMessage): void;
  changed(line: Line, why?: string): void;
}

/** A game that began while the page was loading (`early.js`): its line, and what was heard on it so far. */
export interface Early {
  socket: WebSocket;
  setup: PlaySetup;
  heard: string[];
}

/** The game that began early, once: whoever takes it goes on with it. */
export function early(): Early | null {
  const holder = window as { sizeupEarly?: Early };
  const found = holder.sizeupEarly ?? null;
  delete holder.sizeupEarly;
  return found;
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5_000;
const PING_EVERY = 20_000;
/** Close codes after which asking again cannot help: no cookie, a page from elsewhere, a seat that somebody else has. */
const REFUSALS = [4401, 4403, 4410];

/** Milliseconds before try number `attempt` (from 0): quick at first, then patient. */
export function waitBefore(attempt: number): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt);
}

/** How boards come over the line: each kind of tile once, and rows of their numbers. */
interface Packed {
  tiles?: Tile[];
  state?: { rows: number[][] };
  states?: { rows: number[][] }[];
}

/** A message with its boards whole. */
export function read(text: string): ServerMessage {
  const { tiles = [], ...message } = JSON.parse(text) as Packed;
  const { state, states } = message;
  const whole = <S extends { rows: number[][] }>(one: S): object => ({ ...one, rows: one.rows.map((row) => row.map((at) => tiles[at])) });
  return { ...message, ...(state && { state: whole(state) }), ...(states && { states: states.map(whole) }) } as ServerMessage;
}

export class Connection {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private timer = 0;
  private pinging = 0;
  private done = false;

  constructor(
    private readonly address: string,
    private readonly ear: Ear,
    early: Early | null = null,
  ) {
    this.connect(early?.socket);
    // Whoever made this connection has to have it before it hears anything.
    if (early) queueMicrotask(() => this.catchUp(early));
  }

  /** Say something; false if the line is not open, and then nothing was said. */
  send(message: ClientMessage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Try at once instead of waiting; nothing happens while a line is open or on its way. */
  hurry(): void {
    if (this.done || !this.timer) return;
    window.clearTimeout(this.timer);
    this.connect();
  }

  close(): void {
    this.done = true;
    window.clearTimeout(this.timer);
    window.clearInterval(this.pinging);
    this.socket?.close();
  }

  private connect(socket = new WebSocket(this.address)): void {
    this.timer = 0;
    if (this.attempt === 0) this.ear.changed("connecting");
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = (event: MessageEvent<string>) => {
      if (!this.done) this.ear.heard(read(event.data));
    };
    socket.onclose = (event) => this.lost(event.code, event.reason);
  }

  private opened(): void {
    this.attempt = 0;
    this.pinging = window.setInterval(() => this.send({ type: "ping" }), PING_EVERY);
    this.ear.changed("open");
    this.ear.opened();
  }

  /** Hear what was said before anybody listened. */
  private catchUp({ socket, heard }: Early): void {
    if (socket.readyState === WebSocket.OPEN) this.opened();
    for (const text of heard) this.ear.heard(read(text));
    if (socket.readyState >= WebSocket.CLOSING) this.lost(1006, "");
  }

  private lost(code: number, why: string): void {
    window.clearInterval(this.pinging);
    if (this.done) return;
    if (REFUSALS.includes(code)) {
      this.ear.changed("refused", why);
      return;
    }
    this.ear.changed("lost");
    this.timer = window.setTimeout(() => this.connect(), waitBefore(this.attempt));
    this.attempt += 1;
  }
}

/** Where the server listens, seen from this page. */
export function socketAddress(path = "/ws", place: Location = location): string {
  return `${place.protocol === "https:" ? "wss" : "ws"}://${place.host}${path}`;
}
