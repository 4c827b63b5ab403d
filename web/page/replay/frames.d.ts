/** A film: what the page is told of a game. The server tells the beginning first and sends frames as turns are played. */
export type RecordedFilm = RecordedPacmanFilm | RecordedPyratFilm;
export type RecordedPacmanFilm = Recorded<PacmanBeginning, PacmanFrame>;
export type RecordedPyratFilm = Recorded<PyratBeginning, PyratFrame>;
export type Beginning = PacmanBeginning | PyratBeginning;
export type Frame = PacmanFrame | PyratFrame;

/** The number of a cell, row by row. */
export type Cell = number;

/** Facts that do not change during a game. */
export interface Common {
  rows: number;
  cols: number;
  /** A text, since it may exceed the integers of JavaScript. */
  seed: string;
  /** The maximum number of turns. */
  turns: number;
  players: { letter: string; name: string }[];
}

export interface PacmanBeginning extends Common {
  game: "pacman";
  /** The name of a preset, or null. */
  rules: string | null;
  /** The name of a built-in map, or null. */
  map: string | null;
  /** One character per cell: "#" for a wall, else a space. */
  walls: string;
  /** The number of cells, in each direction, within which a freezing pacman freezes ghosts. */
  freeze_range: number;
}

export interface PyratBeginning extends Common {
  game: "pyrat";
  cells: Cell[];
  /** The passages, once each. */
  links: [from: Cell, to: Cell, turns: number][];
}

export type Recorded<B, F> = B & {
  /** True if the game was recorded to its end. */
  complete: boolean;
  /** By colour. */
  analysis: PlayerAnalysis[];
  /** The number of thoughts that the recording had no room for; missing if there are none. */
  dropped?: number;
  /** The states, the start first. */
  frames: F[];
};

/** The state after a turn. A whole frame has the objects `o`, another one has the changes `d` since the frame before. */
export interface AnyFrame<P, O> {
  /** The turn. */
  t: number;
  /** The players by colour. */
  p: P[];
  /** The answers by colour; missing at the start. */
  g?: Given[];
  /** The events of the turn. */
  e?: Event[];
  /** The episodes that the turn began or continued, as they are after it. */
  s?: EpisodeChange[];
  /** Thoughts that came with the orders of the turn, and the output of the programs meanwhile. */
  w?: Thought[];
  /** The objects on the board. */
  o?: O;
  /** The changed cells, each with its object; a space is an empty cell. */
  d?: [Cell, string][];
}

/** The objects of Pacman are a text of one letter per cell. */
export type PacmanFrame = AnyFrame<PacmanPlayer, string>;
/** The objects of PyRat are the cells with cheese. */
export type PyratFrame = AnyFrame<PyratPlayer, Cell[]>;

/** The powers are turns that are left. */
export type PacmanPlayer = [pacman: Cell, ghost: Cell, points: number, falseMoves: number, glutton: number, freeze: number, wallPass: number];
/** `left` are turns left in the mud, on the way to the cell `target`. */
export type PyratPlayer = [cell: Cell, points: number, left: number, target: Cell | null, missed: number];

/** The text of a thought has items between semicolons, as the protocol defines them. */
export type Thought = [player: string, text: string];

/** An answer; without cause and excerpt when there are none. */
export type Given = [milliseconds: number, fault: Fault] | [milliseconds: number, fault: Fault, cause: Cause | null, excerpt: Excerpt | null];

/** None, malformed, missed, or disconnected. */
export type Fault = 0 | 1 | 2 | 3;

/** Whose fault a missed answer is. */
export type Cause =
  | ["bot"]
  | ["network", rttInMs: number, segmentsUnacknowledged: number, retransmits: number, bytesQueued: number]
  | ["host", stallInMs: number];

/** The start of the first malformed or late message, in quotes and escaped. The hint is the expected form. */
export type Excerpt = ["late", text: string] | ["malformed", text: string, hint: Hint | null];
export type Hint = "capitals" | "two" | "one" | "letters";

/** A player is a letter; a piece is one too, upper case for a pacman, lower case for a ghost. */
export type Event =
  | [kind: "took", player: string, object: string, cell: Cell, changes?: Changes]
  | [kind: "battle", pacman: string, ghost: string, isBitten: boolean, cell: Cell, changes?: Changes]
  | [kind: "teleport", piece: string, from: Cell, to: Cell, changes?: Changes]
  | [kind: "false", piece: string, cause: "malformed" | "blocked", changes?: Changes]
  | [kind: "frozen", player: string, changes?: Changes]
  | [kind: "digest", player: string, changes?: Changes]
  | [kind: "appear", object: string, cell: Cell, changes?: Changes]
  | [kind: "ate", players: string[], cell: Cell];

/** The kind of an episode: the letter of the objects that are taken, or the kind of event. */
export type EpisodeKind = "." | "$" | "@" | "~" | "&" | "!" | "bite" | "meal" | "cheese" | "blocked" | "malformed" | "missed" | "disconnected";

/** Events of one kind between the same players, close to each other in time. The points are those that the player won and that the other one lost. */
export type EpisodeChange = [index: number, kind: EpisodeKind, player: string, other: string | null, firstTurn: number, lastTurn: number, count: number, points: number, otherPoints: number];

/** Changes of points by player, in Pacman. */
export type Changes = { [player: string]: number };

export interface PlayerAnalysis {
  name: string;
  rank: number;
  points: number;
  /** The sources of the points. */
  sources: [key: string, count: number, points: number][];
  /** Numbers of turns. */
  idle: number;
  held: number;
  missed: number;
  disconnected: number;
  malformed: number;
  late: number;
  /** Missed answers by cause. */
  causes: { bot: number; network: number; host: number; unknown: number };
  /** The first answers that were not as they should be. */
  remarks: [turn: number, fault: Fault, cause: Cause | null, excerpt: Excerpt | null][];
  /** In seconds: the shortest thinking time, the median, the 90th and the 99th percentile, and the longest one. */
  thinking_s: [number, number, number, number, number];
  /** The turns with the largest and the smallest change of points. */
  best: [turn: number, points: number][];
  worst: [turn: number, points: number][];
}
