/** What the server and the page say to each other. The server holds the truth; ids only, no paths. */

export type Cell = readonly [row: number, column: number];

export interface Tile {
  ground: string;
  piece: string | null;
  label: string;
  /** Something short to be written in the tile. */
  text?: string;
  /** Something small in its corner: what moves call it. */
  note?: string;
}

export interface Legal {
  action: string;
  /** Where the mover starts, every stop, where it ends. */
  cells: Cell[];
}

export interface State {
  ply: number;
  text: string;
  /** Seat to move; null when the game is over. */
  actor: number | null;
  rows: Tile[][];
  legal: Legal[];
  /** Every legal move is a capture. */
  captures: boolean;
  /** Reward so far, by team. */
  score: number[];
  last: Cell[] | null;
}

export interface Player {
  seat: number;
  team: number;
  /** What to call it, on the page and in sentences; no two are called alike. */
  called: string;
  name: string;
  kind: string;
  depth: number | null;
}

export interface Belief {
  believer: number;
  about: number;
  types: number[];
  probabilities: number[];
}

export interface Losses {
  believer: number;
  about: number;
  types: number[];
  losses: (number | null)[];
}

export interface Move {
  ply: number;
  seat: number;
  action: string;
  reward: number;
  sentence: string;
  forced: boolean;
  beliefs: Belief[];
  losses: Losses[];
}

export interface PlaySetup {
  mode: "play";
  game: string;
  partner: "ca" | "obl";
  partner_depth: number;
  opponent_depth: number | null;
  you: "first" | "second";
  side: 0 | 1;
  seed: number;
}

export interface WatchSetup {
  mode: "watch";
  game: string;
  /** One text for each team, such as "ca:8+obl:2". */
  teams: string[];
  seed: number;
}

export type Setup = PlaySetup | WatchSetup;

export interface Result {
  reason: string;
  total: number;
  scores: number[];
  winner: string | null;
  /** By how many points, if a limit ended the game and points decided it. */
  margin: number | null;
  outcome: "won" | "lost" | "drawn" | "done";
}

export interface InformativeMove {
  ply: number;
  action: string;
  sentence: string;
  bits: number;
}

/** How deep a player looks, from all of its moves taken together. */
export interface Reading {
  types: number[];
  probabilities: number[];
  moves: number;
}

export interface Card {
  depth: number;
  types: number[];
  probabilities: number[];
  informative: InformativeMove[];
  believer: number | null;
  reading: Reading | null;
}

export type ClientMessage =
  | { type: "new"; setup: Setup }
  | { type: "resume"; setup: Setup; moves: string[] }
  | { type: "move"; game_id: string; ply: number; action: string }
  | { type: "step"; game_id: string; ply: number }
  | { type: "leave"; game_id: string }
  | { type: "ping" };

export interface GameMessage {
  type: "game";
  game_id: string;
  setup: Setup;
  players: Player[];
  types: number[];
  state: State;
  moves: Move[];
  states: State[];
  first_beliefs: Belief[];
  /** The beliefs are those of a silent observer in an oblivious partner's place. */
  observer: boolean;
}

export interface EndedMessage {
  type: "ended";
  game_id: string;
  result: Result;
  card: Card | null;
  record_id: string;
}

export interface ErrorMessage {
  type: "error";
  code: string;
  message: string;
  game_id: string | null;
}

export type ServerMessage =
  | GameMessage
  | { type: "thinking"; game_id: string; seat: number }
  /** Your own move is on the board; what it told follows with "moved". */
  | { type: "placed"; game_id: string; state: State }
  | { type: "moved"; game_id: string; move: Move; state: State }
  | EndedMessage
  | ErrorMessage
  | { type: "pong" };

export interface GameAbout {
  name: string;
  title: string;
  blurb: string;
  /** What agents do not know of the game, if anything. */
  note: string;
  types: number[];
  default: PlaySetup;
  sides: number;
  seats: number;
  max_depth: number;
}

export interface KindAbout {
  kind: string;
  title: string;
  blurb: string;
}

/** A short recorded game, shown as a loop on the home page. */
export interface Strip {
  title: string;
  players: Player[];
  states: State[];
  moves: Move[];
  total: number;
}

export interface About {
  version: string;
  games: GameAbout[];
  kinds: KindAbout[];
  limits: { max_depth: number; message_bytes: number; sessions: number; idle_minutes: number };
  store: boolean;
  fire: { oblivious: Strip; aware: Strip };
}

export interface RecordLine {
  id: string;
  game: string;
  players: string[];
  plies: number;
  result: string;
  source: string;
}

export interface RecordView {
  id: string;
  game: string;
  players: Player[];
  types: number[];
  /** A text where it is longer than a number of JavaScript's. */
  seed: number | string;
  states: State[];
  moves: Move[];
  first_beliefs: Belief[];
  result: Result;
  reproducible: boolean;
  command: string;
  observer: boolean;
  source: string;
  /** Set for a game that left another one at a move. */
  branch_of: Origin | null;
}

/** The game that a branch left at move number `ply`. */
export interface Origin {
  id: string;
  ply: number;
  result: Result;
  /** Seats where somebody else sits now. */
  seats: { seat: number; was: string; is: string }[];
}

export interface TypeEntry {
  visits: number;
  share: number;
  value: number | null;
  loss: number;
}

export interface Table {
  types: number[];
  actions: { action: string; played: boolean; by_type: (TypeEntry | null)[] }[];
}

export interface TableAnswer {
  table: Table | null;
  source: "recorded" | "searched";
  reduced?: Belief[];
}

export interface ExperimentLine {
  name: string;
  title: string;
  question: string;
  seed: number;
  games: number;
  planned: number;
  finished: boolean;
  running: boolean;
}

export interface Entry {
  row: string;
  mean: number | null;
  low: number | null;
  high: number | null;
  n: number;
  wins: number | null;
  draws: number | null;
  losses: number | null;
  missing: number;
  published: number | null;
  /** Set where one cell is the whole entry; an entry may sum up several. */
  cell: string | null;
  cells: string[];
}

export interface Arm {
  arm: string;
  title: string;
  entries: Entry[];
}

export interface ResultTable {
  title: string;
  measure: string;
  rows: string[];
  arms: Arm[];
}

export interface Comparison {
  title: string;
  mean: number | null;
  low: number | null;
  high: number | null;
  n: number;
  sentence: string;
}

export interface Experiment {
  name: string;
  title: string;
  question: string;
  finished: boolean;
  games: number;
  planned: number;
  quarantined: number;
  running: boolean;
  cells: { cell: string; arm: string; games: number }[];
  tables: ResultTable[];
  comparisons: Comparison[];
  command: string;
  etag: string;
}

export interface CellGames {
  cell: string;
  command: string;
  games: { id: string; score: number | null; plies: number; reason: string; seed: string }[];
  more: number;
}
