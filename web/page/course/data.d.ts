/** The JSON from the course to the page. Times are seconds since 1970 (UTC). */

export interface Course {
  name: string;
  you: "teacher" | "team" | null;
  levels: string[];
  ladder: Row[];
  games: number;
  playing: number;
  paused: boolean;
  ended: number | null;
  /** True if there is the page with the workshop. */
  arena: boolean;
  /** In bytes. */
  uploadLimit: number;
}

/** The rating of a team, by its public name, on a day since 1970 (UTC). */
export interface Day {
  name: string;
  day: number;
  rating: number;
}

export interface Rating {
  rating: number;
  low: number;
  high: number;
  games: number;
}

export interface Row extends Rating {
  name: string;
  group: string;
  house: boolean;
}

export interface Version {
  id: number;
  at: number;
  about: { upload: string; command: string[]; build: string[] | null; because: string; files: number; bytes: number; leftOut: string[] };
  state: "received" | "checking" | "passed" | "failed";
  withdrawn: boolean;
  hasFiles: boolean;
  games: number;
}

export interface Verdict {
  ready: boolean;
  summary: string;
  shortened?: boolean;
  checks: { title: string; verdict: "passed" | "warning" | "failed" | "skipped"; findings: { seen: string; advice: string | null; output?: string[] }[] }[];
}

export interface Game {
  key: string;
  at: number;
  map: string;
  seats: { kind: "own" | "other" | "house"; name: string; place: number; points: number; fault: string | null; cpu: number | null }[];
}

export interface Team {
  name: string;
  group: string;
  members: string[];
  pseudonym: string | null;
  disqualified: string | null;
  plays: number | null;
  checking: number | null;
  rating: Rating | null;
  versions: Version[];
  pairs: { name: string; games: number; wins: number; draws: number }[];
  games: Game[];
  perHour: number;
  /** Games of challenges that it may ask for today, and those that wait. */
  challenges: number;
  pending: number;
  comparisons: Comparison[];
}

export interface TeacherTeam {
  id: number;
  name: string;
  group: string;
  members: string[];
  mail: string | null;
  pseudonym: string | null;
  disqualified: string | null;
  versions: number;
  waiting: number;
  last: Version | null;
  plays: number | null;
  rating: Rating | null;
}

export interface Overview {
  teams: TeacherTeam[];
  checking: number | null;
  playing: number;
  paused: boolean;
  /** Other machines that play, the games that each plays at a time, and those that it has played. */
  machines: { name: string; places: number; games: number }[];
  /** The reasons why this machine cannot check or play. */
  troubles: string[];
  games: Game[];
  review: Review;
  audit: { at: number; team: string | null; deed: string }[];
}

/** The comparison of sources and games, for the teacher only. */
export interface Review {
  /** The progress of the review that is under way. */
  progress: { part: "sources" | "games"; done: number } | null;
  /** The reason why the last one has failed. */
  trouble: string | null;
  last: ReviewResult | null;
}

export interface ReviewResult {
  at: number;
  /** Number of programs that were compared. */
  programs: number;
  /** Shares of code that two versions have in common, 0 to 1. */
  alike: { teams: [string, string]; versions: [number, number]; ofSmaller: number; ofBoth: number }[];
  /** Teams with programs that are too long. */
  cut: string[];
  /** Teams with more code that does not count than code that does. */
  common: string[];
  unread: { team: string; why: string }[];
  /** True if the time was over before all pairs were compared. */
  cutShort: boolean;
  /** Number of games that were looked at, and of pairs that were tested. */
  games: number;
  tested: number;
  /** `bites` has the bites of the first team's ghosts, then those of the second one's; `chance` is the probability of such a pair in an honest class. */
  spared: { teams: [string, string]; games: number; chance: number; bites: [Bites, Bites]; examples: string[] }[];
}

export interface Bites {
  seen: number;
  expected: number;
}

export interface Comparison {
  newer: number;
  older: number;
  at: number;
  /** `won` is the share of duels that the newer version has won, `low` and `high` its 95 % confidence interval. */
  result: { verdict: "better" | "worse" | "not_better" | "open"; pairs: number; won: number; low: number; high: number } | null;
}

/** Means of lost games, `games` apart; of `sources`, the one that the winner gained most by is first. */
export interface Losses {
  games: number;
  behind: number;
  sources: { key: string; own: Share; winner: Share }[];
  missed: number;
  malformed: number;
}

interface Share {
  count: number;
  points: number;
}
