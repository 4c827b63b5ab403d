// The position on the time line, and its movement.

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];

/** Turns a second at speed 1. */
const PACE = 4;

/** Milliseconds in which a single step is shown. */
const STEP = 160;

export class Playback {
  /** `film` gives the film, `changed` is told after every change. */
  constructor(changed) {
    this.changed = changed;
    this.film = null;
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.speed = SPEEDS.indexOf(1);
    this.clock = null;
    this.show(null);
  }

  show(film, turn = 0) {
    this.film = film;
    /** Between turns while something moves: 56.5 is half way from turn 56 to turn 57. */
    this.position = film ? film.known(turn) : 0;
    this.goal = this.position;
    this.rate = 0;
    this.playing = false;
    this.following = false;
    this.changed();
  }

  get turn() {
    return this.film ? this.film.known(Math.ceil(this.position - 1e-6)) : 0;
  }

  get phase() {
    if (this.still.matches || !this.film?.frames[this.turn - 1]) return 1;
    return Math.max(0, Math.min(1, 1 - (this.turn - this.position)));
  }

  /** Jumps to a turn. */
  seek(turn) {
    if (!this.film) return;
    this.following = false;
    this.position = Math.max(0, Math.min(turn, this.film.last));
    this.goal = this.position;
    this.changed();
  }

  /** Goes some turns on or back; a single one forward is seen to happen. */
  step(turns) {
    this.playing = false;
    const to = this.turn + turns;
    if (turns !== 1 || to > (this.film?.last ?? 0)) return this.seek(to);
    this.following = false;
    this.position = this.turn;
    this.glide(to, STEP);
  }

  glide(to, time) {
    this.goal = to;
    this.rate = (to - this.position) / time;
    this.run();
    this.changed();
  }

  toggle() {
    if (!this.film) return;
    this.playing = !this.playing;
    this.following = false;
    if (this.playing && this.turn >= this.film.last) this.position = 0;
    this.goal = this.position;
    this.run();
    this.changed();
  }

  faster(steps) {
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, this.speed + steps));
    this.changed();
  }

  /** Stays with a live game. */
  follow() {
    this.following = true;
    this.playing = false;
    this.position = this.goal = this.film?.last ?? 0;
    this.changed();
  }

  /** A live game has gone on, `interval` milliseconds after it last did. */
  extended(interval) {
    if (!this.following) return this.changed();
    this.position = Math.max(this.position, this.film.last - 1);
    this.glide(this.film.last, Math.max(30, Math.min(400, interval)));
  }

  run() {
    if (this.clock !== null) return;
    let last = performance.now();
    const tick = (now) => {
      const passed = Math.max(0, now - last);
      last = now;
      this.clock = this.advance(passed) ? requestAnimationFrame(tick) : null;
      this.changed();
    };
    this.clock = requestAnimationFrame(tick);
  }

  /** Tests if more turns follow. */
  advance(passed) {
    if (!this.film) return false;
    if (this.playing) {
      this.position += (passed / 1000) * PACE * SPEEDS[this.speed];
      this.goal = this.position;
      if (this.position >= this.film.last) {
        this.position = this.goal = this.film.last;
        this.playing = false;
      }
      return this.playing;
    }
    this.position = Math.min(this.goal, this.position + this.rate * passed);
    return this.position < this.goal;
  }
}
