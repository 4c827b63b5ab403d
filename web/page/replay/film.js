// A film as `replay::film` writes it, with direct access to any turn.

/** Turns between two that are known whole, at most. */
const WHOLE_EVERY = 64;

export class Film {
  constructor(beginning) {
    const { rows, cols, players, game, turns } = beginning;
    Object.assign(this, { rows, cols, players, game, turns });
    this.seed = beginning.seed;
    this.map = beginning.map;
    this.walls = beginning.walls;
    this.cells = beginning.cells;
    this.links = beginning.links;
    this.freezeRange = beginning.freeze_range;
    this.analysis = beginning.analysis;
    this.complete = beginning.complete;
    this.colourOf = new Map(players.map((player, colour) => [player.letter, colour]));
    /** Frames by turn; of a live game some may be missing. */
    this.frames = [];
    this.around = { turn: -1, objects: null };
    for (const frame of beginning.frames ?? []) this.add(frame);
  }

  /** The last turn that is known. */
  get last() {
    return Math.max(0, this.frames.length - 1);
  }

  /** Tests if the other film is of the same game, perhaps known better. */
  isSame(other) {
    const names = (film) => JSON.stringify([film.game, film.seed, film.players, film.walls]);
    return names(this) === names(other);
  }

  add(frame) {
    // A list of changes cannot be shown without the frame that it changes.
    if (this.frames[frame.t] || (!frame.o && !this.frames[frame.t - 1])) return;
    const before = this.tally(frame.t - 1);
    this.frames[frame.t] = frame;
    if (!frame.o && frame.t % WHOLE_EVERY === 0) {
      frame.whole = this.objects(frame.t).slice();
    }
    frame.tally = before.map((tally, colour) => tally.after(frame.g?.[colour]));
  }

  /** Fills in what was skipped of a live game. */
  complement(film) {
    const later = this.frames.slice(film.frames.length);
    this.analysis = film.analysis;
    this.complete = film.complete;
    this.frames = film.frames;
    this.around = { turn: -1, objects: null };
    later.forEach((frame) => this.add(frame));
  }

  /** The turn that is known at or before this one, or else the first one. */
  known(turn) {
    let at = Math.min(turn, this.last);
    while (at >= 0 && !this.frames[at]) at -= 1;
    return at >= 0 ? at : Math.max(0, this.frames.findIndex((frame) => frame));
  }

  hasAll(first, last) {
    for (let turn = first; turn <= last; turn += 1) if (!this.frames[turn]) return false;
    return true;
  }

  /** Objects on the cells after a known turn: letters, or "C" for cheese. Callers must not keep it. */
  objects(turn) {
    const isWhole = (frame) => frame.o !== undefined || frame.whole;
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

  read(objects) {
    if (typeof objects === "string") return Array.from(objects);
    const all = new Array(this.rows * this.cols).fill(" ");
    for (const cell of objects) all[cell] = "C";
    return all;
  }

  /** The cell of a player, in Pacman that of its pacman. */
  cell(frame, colour) {
    return frame.p[colour][0];
  }

  /** The cells of a player's pieces. */
  pieces(turn, colour) {
    return this.frames[turn].p[colour].slice(0, this.game === "pyrat" ? 1 : 2);
  }

  points(turn, colour) {
    return this.frames[turn].p[colour][this.game === "pyrat" ? 1 : 2];
  }

  tally(turn) {
    while (turn >= 0 && !this.frames[turn]) turn -= 1;
    return this.frames[turn]?.tally ?? this.players.map(() => new Tally());
  }

  events(turn) {
    return this.frames[turn]?.e ?? [];
  }

  /** Marks for the time line: the turn, the lane, and what happened. */
  *marks(first = 0) {
    for (let turn = first; turn < this.frames.length; turn += 1) {
      const frame = this.frames[turn];
      if (!frame) continue;
      for (const happening of this.happenings(turn)) {
        const lane = laneOf(happening.event);
        if (lane) yield { turn, lane, ...happening };
      }
    }
  }

  /**
   * What is told of a turn, with the points that changed by player: events, and one fault for each answer that was not as
   * it should be, to which the false moves of both pieces belong.
   */
  happenings(turn) {
    const faults = this.faults(turn).map((event) => ({ event, changes: {} }));
    const faulty = new Map(faults.filter(({ event }) => event[2] !== "back").map((fault) => [fault.event[1], fault]));
    const events = [];
    for (const event of this.events(turn)) {
      const [kind, who, what] = event;
      const last = event[event.length - 1];
      const changes = last instanceof Object && !Array.isArray(last) ? last : {};
      if (kind !== "false" || what !== "malformed") {
        events.push({ event, changes });
        continue;
      }
      const letter = who.toUpperCase();
      if (!faulty.has(letter)) {
        faulty.set(letter, { event: ["absent", letter, "malformed"], changes: {} });
        // Malformed orders of a disconnected player are not shown.
        const given = this.frames[turn].g?.[this.colourOf.get(letter)];
        if (given?.[1] !== 3) faults.push(faulty.get(letter));
      }
      const fault = faulty.get(letter);
      for (const [player, points] of Object.entries(changes)) fault.changes[player] = (fault.changes[player] ?? 0) + points;
    }
    return [...events, ...faults];
  }

  /**
   * Faults that are no events of the rules: as ["absent", letter, why, cause], and as ["sent", letter, excerpt]. A
   * player that stays away is told once.
   */
  faults(turn) {
    const given = this.frames[turn]?.g ?? [];
    const before = this.frames[turn - 1]?.g ?? [];
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

/** The lane of the time line that an event is shown in, if it is. */
function laneOf([kind, , what]) {
  if (kind === "absent" || kind === "sent") return "fault";
  if (kind === "battle" || kind === "teleport") return kind;
  if (kind === "ate") return "cheese";
  if (kind === "took") return "$@~".includes(what) ? "power" : null;
  return kind === "false" ? "fault" : null;
}

/** Thinking times of a player up to a turn, and its faults. */
class Tally {
  constructor(last = null, faults = [0, 0, 0], times = new SortedTimes()) {
    Object.assign(this, { last, faults, times });
    this.median = times.median;
  }

  after(given) {
    if (!given) return this;
    const [time, fault] = given;
    const faults = fault ? this.faults.map((count, kind) => count + (kind + 1 === fault)) : this.faults;
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
