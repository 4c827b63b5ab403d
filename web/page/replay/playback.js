// The position on the time line, and its movement.

/** @import { Film } from "./film.js" */

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];

/** Turns a second at speed 1. */
const PACE = 4;

/** Milliseconds in which a single step is shown. */
const STEP = 160;

/** Milliseconds between two pictures of most screens. */
const PICTURE = 1000 / 60;

/** Turns by which the board may be behind a live game, so that it shows each of those that come together. */
const BEHIND = 4;

export class Playback {
  /** `changed` is told after every change. @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Film | null} */
    this.film = null;
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.speed = SPEEDS.indexOf(1);
    this.moves = false;
    /** The time of the last picture of a movement. @type {number | null} */
    this.pictured = null;
    /** Between turns while something moves: 56.5 is half way from turn 56 to turn 57. */
    this.position = 0;
    /** The position that is moved to, and the speed in turns per millisecond. */
    this.goal = 0;
    this.rate = 0;
    this.playing = false;
    /** True if the newest turns of a live game are shown. */
    this.following = false;
  }

  /** @param {Film} film @param {number} turn */
  show(film, turn) {
    this.film = film;
    this.following = false;
    this.rest(film.known(turn));
  }

  /** Stays at a position. @param {number} position */
  rest(position) {
    this.position = this.goal = position;
    this.playing = this.moves = false;
    this.changed();
  }

  get turn() {
    return this.film ? this.film.known(Math.max(0, Math.ceil(this.position - 1e-6))) : 0;
  }

  get phase() {
    if (this.still.matches || !this.film?.frames[this.turn - 1]) return 1;
    return Math.max(0, Math.min(1, 1 - (this.turn - this.position)));
  }

  /** Jumps to a turn. @param {number} turn */
  seek(turn) {
    if (!this.film) return;
    this.following = false;
    this.rest(Math.max(0, Math.min(turn, this.film.last)));
  }

  /** Goes some turns on or back; a single one forward is seen to happen. @param {number} turns */
  step(turns) {
    this.playing = false;
    const to = this.turn + turns;
    if (turns !== 1 || to > (this.film?.last ?? 0)) return this.seek(to);
    this.following = false;
    this.position = this.turn;
    this.glide(to, STEP);
  }

  /** @param {number} to @param {number} time */
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

  /** @param {number} steps */
  faster(steps) {
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, this.speed + steps));
    this.changed();
  }

  /** Stays with a live game. */
  follow() {
    this.following = true;
    this.rest(this.film?.last ?? 0);
  }

  /** A live game has gone on, `interval` milliseconds after it last did. @param {number} interval */
  extended(interval) {
    if (!this.following || !this.film) return this.changed();
    const { last } = this.film;
    this.position = Math.max(this.position, last - BEHIND);
    this.glide(last, Math.max(30, Math.min(400, interval)));
  }

  run() {
    if (!this.moves) this.pictured = null;
    this.moves = true;
  }

  /** Moves on to a picture of the time `now`, in milliseconds; tests if more pictures follow. @param {number} now */
  picture(now) {
    if (!this.moves) return false;
    // A movement is seen in its first picture: the time of that is when its frame began, which may be before the movement.
    const passed = this.pictured === null ? PICTURE : now - this.pictured;
    this.pictured = now;
    this.moves = this.advance(passed);
    return this.moves;
  }

  /** Moves on by some milliseconds; tests if more turns follow. @param {number} passed */
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
    // No turn goes by between two pictures.
    this.position = Math.min(this.goal, this.position + Math.min(1, this.rate * passed));
    return this.position < this.goal;
  }
}
