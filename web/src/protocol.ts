/** What the server and the page say to each other, as far as the page uses it. The server holds the truth; ids only, no paths. */

export type Square = readonly [row: number, column: number];

/** How a ground or a piece looks; `shape` is drawn in the page's own hand, in these colours. */
export interface Art {
  name: string;
  shape: string;
  fill: string;
  ink: string;
  /** A letter that tells it apart without colour. */
  sign: string;
}

/** The art of every id that the tiles beside it use. */
export type Arts = Readonly<Record<string, Art>>;

export interface Tile {
  ground: string;
  piece: string | null;
  /** What a screen reader says. */
  label: string;
  /** Something short to be written in the tile. */
  text?: string;
  /** Something small in its corner: what moves call it. */
  note?: string;
  marked?: true;
}

export interface Legal {
  action: string;
  /** The action as a verb phrase, such as "move north". */
  phrase: string;
  /** Where the mover starts, every stop, where it ends; none where no board is clicked. */
  squares: Square[];
}

/** What a board shows. */
export interface Position {
  rows: Tile[][];
  /** Names of the columns, if they have any. */
  columns: string[];
}

export interface State extends Position {
  ply: number;
  /** Seat to move; null when the game is over. */
  actor: number | null;
  legal: Legal[];
  /** What whoever moves should know; often nothing. */
  hint: string;
  standing: string;
  /** Reward so far, by team. */
  score: number[];
  last: Square[] | null;
}

export interface Player {
  seat: number;
  team: number;
  /** What to call it, on the page and in sentences; no two are called alike. */
  called: string;
  kind: string;
  depth: number | null;
}

export interface Belief {
  believer: number;
  about: number;
  types: number[];
  /** What they lack to 1 is how likely it is none of these depths. */
  probabilities: number[];
}

export interface Move {
  ply: number;
  /** Null where chance decided. */
  seat: number | null;
  action: string;
  reward: number;
  /** In everyday words, and with the numbers behind them. */
  plain: string;
  sentence: string;
  /** How much it told whoever sizes the mover up. */
  bits: number;
  beliefs: Belief[];
}

export interface PlaySetup {
  mode: "play";
  game: string;
  /** A kind of agent. */
  partner: string;
  partner_depth: number;
  opponent_depth: number | null;
  you: "first" | "second";
  side: 0 | 1;
  seed: number;
  /** Where a second person sits, beside you or on the other side. */
  guest?: Place | null;
  /** What the server calls the table where both meet. */
  table?: string | null;
}

export type Place = "with" | "against";

export interface WatchSetup {
  mode: "watch";
  game: string;
  /** One text for each team, such as "ca:8+obl:2". */
  teams: string[];
  seed: number;
}

/** Go on from a recorded game, after `ply` of its moves, in a seat. */
export interface ContinueSetup {
  mode: "continue";
  game: string;
  record: string;
  ply: number;
  seat: number;
}

/** A game of a study: the server knows who plays in it, and the page does not. */
export interface StudySetup {
  mode: "study";
  game: string;
}

/** A game to which somebody has invited you. */
export interface GuestSetup {
  mode: "guest";
  game: string;
}

export type Setup = PlaySetup | WatchSetup | ContinueSetup | StudySetup | GuestSetup;

/** Who is at a table. */
export interface People {
  host: boolean;
  guest: boolean;
  /** Whether somebody has the second seat, who may be away. */
  taken: boolean;
  watching: number;
}

export interface TableMessage extends People {
  type: "table";
  /** What is left of the links that lead there. */
  links: { seat?: string; watch?: string };
  /** Where others find the server, if not where you do. */
  address: string | null;
  /** Whether only this machine reaches the server. */
  local: boolean;
}

export interface PeopleMessage extends People {
  type: "people";
  role: "seat" | "watch";
}

export interface Result {
  reason: string;
  total: number;
  scores: number[];
  winner: string | null;
  /** By how many points, if a limit ended the game and points decided it. */
  margin: number | null;
  outcome: "won" | "lost" | "drawn" | "done";
  /** Whether somebody resigned or a draw was agreed. */
  settled: boolean;
  /** After how many moves somebody stopped it; null if it came to its own end. */
  stopped: number | null;
}

export interface InformativeMove {
  ply: number;
  action: string;
  plain: string;
  sentence: string;
  bits: number;
}

export interface Card {
  /** Null if no depth is likely enough to be named. */
  depth: number | null;
  /** Whether the player is like none of the depths. */
  none: boolean;
  /** The fewest depths that are likely enough together. */
  credible: number[];
  types: number[];
  probabilities: number[];
  /** How many moves were looked at, and how many of them players of some depths make more often. */
  moves: number;
  told: number;
  informative: InformativeMove[];
  believer: number | null;
  /** Whether the moves were looked at again, after the game. */
  closer: boolean;
}

export type ClientMessage =
  | { type: "new"; setup: Setup }
  | { type: "resume"; setup: Setup; moves: string[] }
  /** `thought` is how long the visitor took, in milliseconds. */
  | { type: "move"; game_id: string; ply: number; action: string; thought?: number }
  /** Play the game of the study that comes next, from where it was left. */
  | { type: "study" }
  | { type: "step"; game_id: string; ply: number }
  /** Go back to the state after `ply` moves. */
  | { type: "back"; game_id: string; ply: number }
  | { type: "stop"; game_id: string }
  | { type: "resign"; game_id: string }
  | { type: "draw"; game_id: string; ply: number }
  /** Make new links to the table, and shut out whoever came by the old ones. */
  | { type: "invite"; game_id: string }
  | { type: "leave"; game_id: string }
  | { type: "ping" };

export interface GameMessage {
  type: "game";
  game_id: string;
  setup: Setup;
  players: Player[];
  types: number[];
  art: Arts;
  moves: Move[];
  states: State[];
  first_beliefs: Belief[];
  /** The beliefs are those of a silent observer in an oblivious partner's place. */
  observer: boolean;
  /** What a guest has to know of the game, which a host has asked for before. */
  offer?: GameOffer;
  kinds?: KindAbout[];
}

/** What was made of somebody else who plays. */
export interface OtherCard {
  called: string;
  card: Card;
}

export interface EndedMessage {
  type: "ended";
  game_id: string;
  result: Result;
  card: Card | null;
  others?: OtherCard[];
  /** Whether the moves are looked at more closely now, of which "judged" tells. */
  looking?: boolean;
  /** Empty for a guest: the record is the host's. */
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
  /** Nobody has played this game since the server was started: its rules are compiled first. */
  | { type: "preparing"; game: string }
  | { type: "thinking"; game_id: string; seat: number }
  /** Your own move is on the board; what it told follows with "moved". */
  | { type: "placed"; game_id: string; state: State; art: Arts }
  | { type: "moved"; game_id: string; move: Move; state: State; art: Arts }
  /** What a closer look at the moves has found, after the end. */
  | { type: "judged"; game_id: string; card: Card | null; others: OtherCard[] }
  /** Your opponent does not take a draw; in words, and why. */
  | { type: "declined"; game_id: string; words: string }
  | TableMessage
  | PeopleMessage
  /** New links were made: the table is another one. */
  | { type: "moved_table"; game_id: string; table: string }
  | EndedMessage
  | ErrorMessage
  | { type: "pong" };

/** A game as the server offers it: all that the page knows of it. Texts are empty if there is nothing to say. */
export interface GameOffer {
  name: string;
  title: string;
  about: string;
  rules: string;
  how_to_move: string;
  /** What agents are not told about the game. */
  untold: string;
  /** Names of the teams. */
  sides: string[];
  /** Names of the players of one team, if each has something of its own. */
  seats: string[];
  teams: number;
  /** Whether a team may have any number of members. */
  resizable: boolean;
  /** Members of each team in a game with a visitor. */
  members: number[];
  types: number[];
  max_depth: number;
  /** What to start with in Play and in Watch. */
  default: PlaySetup;
  first_teams: string[];
  /** Actions as arrow keys. */
  keys: Readonly<Record<string, Key>>;
  /** The team that sees the board upside down. */
  turned_for: number | null;
  /** Turns after which the game is over, if that is known. */
  turns: number | null;
  exports: string[];
  /** Where a second person can sit. */
  guest_places: Place[];
  board: Position & { art: Arts };
}

export type Key = "up" | "right" | "down" | "left" | "stay";

export interface KindAbout {
  kind: string;
  title: string;
  blurb: string;
  /** Of a file or package that the server was started with. */
  own?: boolean;
}

/** A short recorded game, shown as a loop on the home page. */
export interface Strip {
  title: string;
  players: Player[];
  states: State[];
  art: Arts;
  moves: Move[];
  total: number;
}

export interface About {
  games: GameOffer[];
  kinds: KindAbout[];
  limits: { max_depth: number };
  store: boolean;
  /** Whether a second person can be invited. */
  guests: boolean;
  /** Whether the server runs a study, and nothing else. */
  study: boolean;
  /** The same team twice, once with an oblivious and once with an aware member. */
  showcase: { game: string; title: string; oblivious: Strip; aware: Strip };
}

/** What is known of a game's page without asking for anything else: all that it takes to play. */
export interface Known extends Pick<About, "games" | "kinds" | "guests"> {
  showcase?: Yardstick;
}

/** What two agents got in the same game, on Home. */
export type Yardstick = { game: string } & Record<"oblivious" | "aware", Pick<Strip, "players" | "total">>;

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
  /** Text if it is too long for a JavaScript number. */
  seed: number | string;
  states: State[];
  art: Arts;
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
  /** In how many of the searches; those that came to several moves count in parts. */
  played: number;
  value: number | null;
}

export interface Table {
  types: number[];
  searches: number;
  actions: { action: string; played: boolean; by_type: (TypeEntry | null)[] }[];
}

export interface TableAnswer {
  table: Table | null;
  reduced?: Belief[];
}

/** How deep a player seemed to look, from its moves alone. */
export interface Sized extends Pick<Card, "types" | "probabilities" | "depth" | "none" | "credible"> {
  seat: number;
  moves: number;
  telling: { ply: number; action: string; reason: string }[];
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

export interface Question {
  name: string;
  ask: string;
  /** None for an answer in one's own words. */
  options: string[];
  /** What the ends of a scale mean. */
  ends: string[];
  optional: boolean;
  lines: boolean;
}

/** What a participant of a study goes through. */
export type StudyStep =
  | { kind: "consent"; text: string }
  | { kind: "questions"; number: number; questions: Question[] }
  | { kind: "game"; number: number; place: [number, number]; show: "board" | "everything"; game: string }
  /** `next` is what the next participant at this computer is asked to agree to. */
  | { kind: "done"; text: string; code: string; next: string | null }
  | { kind: "full" }
  | { kind: "left" };

export interface StudyPage {
  title: string;
  progress?: [done: number, all: number];
  step: StudyStep;
}
