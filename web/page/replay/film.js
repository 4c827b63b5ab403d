// A film as `replay::film` writes it, with direct access to any turn.

/** @import { Beginning, Cause, Cell, Changes, Common, EpisodeKind, Event, Excerpt, Frame, Given, PacmanBeginning, PyratBeginning, RecordedFilm, Thought } from "./frames.d.ts" */

/** News of a turn beside the events of the rules. @typedef {[kind: "absent", letter: string, why: "disconnected" | "back" | "missed" | "malformed", cause?: Cause | null] | [kind: "sent", letter: string, excerpt: Excerpt]} Told */
/** @typedef {{ event: Event | Told, changes: Changes }} Happening */
/** A frame with what a page adds to it. @typedef {Frame & { whole?: string[], tally: Tally[] }} KnownFrame */
/** Events of the same kind over several turns between the same players. @typedef {{ kind: EpisodeKind, player: string, other: string | null, first: number, last: number, count: number, points: number, otherPoints: number }} Episode */
/** A turn in which another player takes the lead. @typedef {{ turn: number, letter: string }} Lead */

/** Turns between two that are known whole, at most. */
const WHOLE_EVERY = 64;
/** Turns of a clip before and after a turn in which no episode of several turns goes on. */
const CLIP_AROUND = 10;
/** The kinds of episodes that are faults. */
const FAULTS = ["malformed", "missed", "disconnected"];

export class Film {
  /** @param {Beginning | RecordedFilm} beginning */
  constructor(beginning) {
    /** @type {Common & { game: "pacman" | "pyrat" } & Partial<Omit<PacmanBeginning, "game">> & Partial<Omit<PyratBeginning, "game">> & Partial<Pick<RecordedFilm, "analysis" | "complete" | "dropped" | "frames">>} */
    const all = beginning;
    this.game = all.game;
    this.rows = all.rows;
    this.cols = all.cols;
    this.players = all.players;
    this.turns = all.turns;
    this.seed = all.seed;
    this.map = all.map ?? null;
    this.walls = all.walls ?? "";
    this.cells = all.cells ?? [];
    this.links = all.links ?? [];
    this.freezeRange = all.freeze_range;
    this.analysis = all.analysis;
    this.complete = all.complete;
    /** The number of thoughts that the recording had no room for. */
    this.dropped = all.dropped ?? 0;
    /** True if anybody is known to have thought aloud. */
    this.thinks = false;
    this.colourOf = new Map(this.players.map((player, colour) => [player.letter, colour]));
    /** Frames by turn; of a live game some may be missing. @type {KnownFrame[]} */
    this.frames = [];
    /** The objects after a turn, by cell. @type {{ turn: number, objects: string[] }} */
    this.around = { turn: -1, objects: [] };
    /** The episodes by their index; of a live game some may be missing. @type {Episode[]} */
    this.indexed = [];
    for (const frame of all.frames ?? []) this.add(frame);
  }

  /** The last turn that is known. */
  get last() {
    return Math.max(0, this.frames.length - 1);
  }

  /** Tests if the other film is of the same game, perhaps known better. @param {Film} other */
  isSame(other) {
    const names = (/** @type {Film} */ film) => JSON.stringify([film.game, film.seed, film.players, film.walls]);
    return names(this) === names(other);
  }

  /** @param {Frame} added */
  add(added) {
    const frame = /** @type {KnownFrame} */ (added);
    // A list of changes cannot be shown without the frame that it changes.
    if (this.frames[frame.t] || (!frame.o && !this.frames[frame.t - 1])) return;
    const before = this.tally(frame.t - 1);
    this.frames[frame.t] = frame;
    this.thinks ||= frame.w !== undefined;
    if (!frame.o && frame.t % WHOLE_EVERY === 0) {
      frame.whole = this.objects(frame.t).slice();
    }
    frame.tally = before.map((tally, colour) => tally.after(frame.g?.[colour]));
    for (const [index, kind, player, other, first, last, count, points, otherPoints] of frame.s ?? []) {
      if ((this.indexed[index]?.last ?? 0) <= last) this.indexed[index] = { kind, player, other, first, last, count, points, otherPoints };
    }
  }

  /** The thoughts of players up to a turn, by turn. @param {number} last @returns {[turn: number, thought: Thought][]} */
  thoughts(last = this.last) {
    return this.frames.slice(0, last + 1).flatMap((frame) => (frame?.w ?? []).map((thought) => /** @type {[number, Thought]} */ ([frame.t, thought])));
  }

  /** Adds what players thought, by turn. @param {[turn: number, thought: Thought][]} thoughts */
  recall(thoughts) {
    for (const [turn, thought] of thoughts) {
      const frame = this.frames[turn];
      if (!frame || !this.colourOf.has(thought[0])) continue;
      (frame.w ??= []).push(thought);
      this.thinks = true;
    }
  }

  /** The episodes that are known, by their first turns. */
  get episodes() {
    return this.indexed.filter((episode) => episode);
  }

  /** The episodes that are worth a line: of objects and of walls only those that change a twentieth of the most points, or more. A run of faults is one. */
  notable() {
    const points = this.players.map((_, colour) => this.points(this.last, colour));
    const least = Math.max(...points, 100) / 20;
    const isSmall = (/** @type {Episode} */ { kind, points: own, count }) => [".", "&", "!", "blocked"].includes(kind) && Math.abs(own) < least && !(kind === "blocked" && count > 4);
    const isIdle = (/** @type {Episode} */ { player, other }) => player === other;
    return foldFaults(this.episodes.filter((episode) => !isSmall(episode) && !isIdle(episode)));
  }

  /** The turns of the episode that goes on in a turn, the one that began last, or else those around the turn. @param {number} turn @returns {[first: number, last: number]} */
  clipAround(turn) {
    const episode = this.notable().findLast(({ kind, first, last }) => first <= turn && turn <= last && first < last && !FAULTS.includes(kind));
    if (episode) return [episode.first - 1, episode.last];
    return [Math.max(0, turn - CLIP_AROUND), Math.min(this.last, turn + CLIP_AROUND)];
  }

  /** The changes of the lead so far. Who is level with the leader does not lead, nor who plays alone. @returns {Lead[]} */
  leads() {
    /** @type {Lead[]} */
    const leads = [];
    if (this.players.length < 2) return leads;
    for (const frame of this.frames) {
      if (!frame) continue;
      const points = this.players.map((_, colour) => this.points(frame.t, colour));
      const most = Math.max(...points);
      const [first, level] = this.players.filter((_, colour) => points[colour] === most);
      if (level || first.letter === leads[leads.length - 1]?.letter) continue;
      leads.push({ turn: frame.t, letter: first.letter });
    }
    return leads;
  }

  /** Fills in what was skipped of a live game. @param {Film} film */
  complement(film) {
    const later = this.frames.slice(film.frames.length);
    // A recording may have had no room for what was thought.
    const thoughts = this.thoughts().filter(([turn]) => film.frames[turn] && !film.frames[turn].w);
    this.analysis = film.analysis;
    this.complete = film.complete;
    this.dropped = film.dropped;
    this.thinks ||= film.thinks;
    this.frames = film.frames;
    this.indexed = film.indexed;
    this.around = { turn: -1, objects: [] };
    later.forEach((frame) => this.add(frame));
    this.recall(thoughts);
  }

  /** The turn that is known at or before this one, or else the first one. @param {number} turn */
  known(turn) {
    let at = Math.min(turn, this.last);
    while (at >= 0 && !this.frames[at]) at -= 1;
    return at >= 0 ? at : Math.max(0, this.frames.findIndex((frame) => frame));
  }

  /** Tests if all turns of a range are known. @param {number} first @param {number} last */
  hasAll(first, last) {
    for (let turn = first; turn <= last; turn += 1) if (!this.frames[turn]) return false;
    return true;
  }

  /** Objects on the cells after a known turn: letters, or "C" for cheese. Callers must not keep it. @param {number} turn */
  objects(turn) {
    const isWhole = (/** @type {KnownFrame} */ frame) => frame.o !== undefined || frame.whole;
    let start = turn;
    while (start > 0 && start !== this.around.turn && !isWhole(this.frames[start])) start -= 1;
    if (start !== this.around.turn) {
      const frame = this.frames[start];
      this.around.objects = frame.whole ? frame.whole.slice() : this.read(frame.o ?? []);
    }
    for (let at = start + 1; at <= turn; at += 1) {
      for (const [cell, letter] of this.frames[at].d ?? []) this.around.objects[cell] = letter;
    }
    this.around.turn = turn;
    return this.around.objects;
  }

  /** @param {string | Cell[]} objects */
  read(objects) {
    if (typeof objects === "string") return Array.from(objects);
    const all = new Array(this.rows * this.cols).fill(" ");
    for (const cell of objects) all[cell] = "C";
    return all;
  }

  /** The cell of a player, in Pacman that of its pacman. @param {Frame} frame @param {number} colour */
  cell(frame, colour) {
    return frame.p[colour][0];
  }

  /** The cells of a player's pieces. @param {number} turn @param {number} colour */
  pieces(turn, colour) {
    const [one, other] = this.frames[turn].p[colour];
    return this.game === "pyrat" ? [one] : [one, other];
  }

  /** @param {number} turn @param {number} colour */
  points(turn, colour) {
    return this.frames[turn].p[colour][this.game === "pyrat" ? 1 : 2];
  }

  /** The tallies after a turn, or after the last one before it that is known. @param {number} turn */
  tally(turn) {
    while (turn >= 0 && !this.frames[turn]) turn -= 1;
    return this.frames[turn]?.tally ?? this.players.map(() => new Tally());
  }

  /** @param {number} turn */
  events(turn) {
    return this.frames[turn]?.e ?? [];
  }

  /**
   * The news of a turn, with the changed points by player: events, and one fault for each faulty answer, to which the false
   * moves of both pieces belong.
   *
   * @param {number} turn
   */
  happenings(turn) {
    /** @type {Happening[]} */
    const faults = this.faults(turn).map((event) => ({ event, changes: {} }));
    const faulty = new Map(faults.filter(({ event }) => event[2] !== "back").map((fault) => [String(fault.event[1]), fault]));
    /** @type {Happening[]} */
    const events = [];
    for (const event of this.events(turn)) {
      const changes = changesOf(event);
      if (event[0] !== "false" || event[2] !== "malformed") {
        events.push({ event, changes });
        continue;
      }
      const letter = event[1].toUpperCase();
      /** @type {Happening} */
      const fault = faulty.get(letter) ?? { event: ["absent", letter, "malformed"], changes: {} };
      if (!faulty.has(letter)) {
        faulty.set(letter, fault);
        // Malformed orders of a disconnected player are not shown.
        const given = this.frames[turn].g?.[this.colourOf.get(letter) ?? 0];
        if (given?.[1] !== 3) faults.push(fault);
      }
      for (const [player, points] of Object.entries(changes)) fault.changes[player] = (fault.changes[player] ?? 0) + points;
    }
    return [...events, ...faults];
  }

  /**
   * Faults that are no events of the rules: as ["absent", letter, why, cause], and as ["sent", letter, excerpt]. A
   * player that stays away is told once.
   *
   * @param {number} turn
   */
  faults(turn) {
    const given = this.frames[turn]?.g ?? [];
    const before = this.frames[turn - 1]?.g ?? [];
    /** @type {Told[]} */
    const events = [];
    given.forEach(([, fault, cause, excerpt], colour) => {
      const { letter } = this.players[colour];
      const was = before[colour]?.[1] ?? 0;
      if (fault === 3 && was !== 3) events.push(["absent", letter, "disconnected"]);
      if (fault !== 3 && was === 3) events.push(["absent", letter, "back"]);
      if (fault === 2) events.push(["absent", letter, "missed", cause]);
      if (excerpt) events.push(["sent", letter, excerpt]);
      else if (fault === 1 && this.game === "pyrat") events.push(["absent", letter, "malformed"]);
    });
    return events;
  }
}

/** Episodes of which faults of one kind are joined where a player has nothing else in between. @param {Episode[]} episodes */
function foldFaults(episodes) {
  /** The last episode of each player. @type {Map<string, Episode>} */
  const latest = new Map();
  /** @type {Episode[]} */
  const folded = [];
  for (const episode of episodes) {
    const run = latest.get(episode.player);
    if (run?.kind === episode.kind && FAULTS.includes(run.kind)) {
      run.last = episode.last;
      run.count += episode.count;
      run.points += episode.points;
    } else {
      const own = { ...episode };
      latest.set(episode.player, own);
      folded.push(own);
    }
  }
  return folded;
}

/** The points that an event changed, by player. @param {Event} event @returns {Changes} */
function changesOf(event) {
  const last = event[event.length - 1];
  return last instanceof Object && !Array.isArray(last) ? last : {};
}

/** Thinking times of a player up to a turn, and its faults. */
class Tally {
  /** @param {number | null} last @param {number[]} faults by kind */
  constructor(last = null, faults = [0, 0, 0], times = new SortedTimes()) {
    this.last = last;
    this.faults = faults;
    this.times = times;
    this.median = times.median;
  }

  /** @param {Given | undefined} given @returns {Tally} */
  after(given) {
    if (!given) return this;
    const [time, fault] = given;
    const faults = fault ? this.faults.map((count, kind) => count + Number(kind + 1 === fault)) : this.faults;
    const answered = fault < 2;
    if (answered) this.times.add(time);
    return new Tally(answered ? time : this.last, faults, this.times);
  }

  get count() {
    return this.faults.reduce((sum, count) => sum + count, 0);
  }
}

/** Times in order, so that their median is at hand. */
class SortedTimes {
  constructor() {
    this.times = new Float32Array(256);
    this.length = 0;
  }

  /** @param {number} time */
  add(time) {
    if (this.length === this.times.length) {
      const longer = new Float32Array(2 * this.length);
      longer.set(this.times);
      this.times = longer;
    }
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle] < time) low = middle + 1;
      else high = middle;
    }
    this.times.copyWithin(low + 1, low, this.length);
    this.times[low] = time;
    this.length += 1;
  }

  get median() {
    return this.length ? this.times[(this.length - 1) >> 1] : null;
  }
}
