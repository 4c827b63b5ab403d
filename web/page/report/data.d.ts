/** The data of a page about a tournament: `report::Data`, and `report::live::LiveState` while it is played, as JSON. */
export interface Data {
  about: About;
  ranking: Ranking;
  /** In the order of the ranking. */
  teams: TeamDetails[];
  games: GameLine[];
  /** `again` if the game was played again. */
  voids: { game: GameLine; reason: string; again: boolean }[];
  /** The teams that a lot put into the final, and the equal teams that it left out. */
  lots: [string[], string[]];
  /** The films of the games that the page can replay, by key: JSON, compressed (zlib), in base 64. */
  films: Record<string, string>;
  /** False also if its maker does not know that no games are missing. */
  over: boolean;
}

/** A text in both languages. */
export type Note = { en: string; fr: string };

export interface About {
  name: string;
  seed: string;
  rules: string;
  turns: number;
  /** In milliseconds. */
  deadline: number;
  house: string;
  seatings: number;
  maps: string[];
  format: string;
  /** 0 if their number follows from that of the teams. */
  rounds: number;
  notes: Note[];
}

export interface Ranking {
  provisional: boolean;
  games: number;
  /** The risk of an error at which the first team is shown to be the best; null above 5 %. */
  risk: number | null;
  rows: RankingLine[];
  /** `duels[a][b]`: games with both teams, and those that `a` won. */
  duels: [games: number, wins: number][][];
}

export interface RankingLine {
  /** Null without games, and for a disqualified team. */
  rank: number | null;
  name: string;
  games: number;
  rating: number;
  /** Null in a provisional ranking. */
  interval: [number, number] | null;
  risk: number;
  /** The organiser's reason; null for a team that is not disqualified. */
  disqualified: string | null;
  points: number;
  mean_rank: number;
  firsts: number;
  faults: [kind: string, count: number][];
  malformed: number;
  missed: number;
  /** Mean and longest time, in milliseconds. */
  thinking: [number, number];
}

export interface TeamDetails {
  /** By the map's index in `About`. */
  maps: [map: number, spread: Spread][];
  seats: Spread[];
  all: Spread;
  faults: FaultLine[];
  /** After some rounds, in their order, the last one among them. */
  ratings: RatingPoint[];
  /** In milliseconds; `missed` is a number of states. */
  thinking: { first: number; first_longest: number; mean: number; longest: number; missed: number };
  /** The keys of the games with the most and the fewest points; null without games. */
  extremes: [string, string] | null;
}

/** A rating after a round, with the ends of its interval. */
export type RatingPoint = [round: number, rating: number, low: number, high: number];

/** The distribution of the points of some games; all 0 without games. */
export interface Spread {
  games: number;
  mean: number;
  min: number;
  low: number;
  median: number;
  high: number;
  max: number;
  mean_rank: number;
}

export interface FaultLine {
  /** The key of the game. */
  game: string;
  round: number;
  map: number | null;
  kind: string;
  turn: number | null;
  detail: Note;
}

/** A player is a team, by its index in the ranking, or the name of a house player. */
export type GameLine = [key: string, round: number, map: number | null, turns: number, seats: [who: number | string, points: number, rank: number, isFaulty: boolean][]];

export interface Now {
  about: About;
  phase: "lobby" | "running" | "paused" | "over";
  /** 0 before the first one. */
  round: number;
  played: number;
  /** Null if unknown. */
  total: number | null;
  teams: { name: string; presence: "absent" | "present" | "playing" }[];
  /** Null if the games run on this machine or on those of the teams. */
  cluster: { is_connected: boolean; meetings: number; leases: number; rate: number; workers: Worker[] } | null;
  running: { key: string; map: string; seats: LiveSeat[]; turn: number; turns: number; featured: boolean }[];
  next: { map: string; teams: string[] }[];
  results: LastGame[];
  faults: { key: string; round: number; map: string; team: string; kind: string; turn: number | null; detail: Note }[];
  voids: { game: LastGame; reason: string; again: boolean }[];
  game_addresses: string[];
  page_addresses: string[];
  /** The number of changes of the refused players so far. */
  refusals: number;
  message: Note | null;
}

export interface Worker {
  name: string;
  activity: string;
  places: number;
  leases: number;
  /** Turns of a reference game per second. */
  speed: number;
  lateness: number;
  /** In percent of the cores; null if unknown. */
  load: number | null;
  games: number;
  /** Games per minute. */
  rate: number;
  rejected: number;
  faults: number;
}

export interface LiveSeat {
  team: string;
  house: boolean;
  points: number;
}

export interface LastGame {
  key: string;
  round: number;
  map: string;
  seats: LiveSeat[];
}
