// Which game is shown, which one is being played, and what becomes of both as the server tells more.

import { RETRY } from "../shared/connection.js";

/** @import { Film } from "./film.js" */
/** @import { Frame } from "./frames.d.ts" */

/** Milliseconds for which the end of a game stays, at least, before the next one of a series is shown. */
const REST = 6000;

/** Milliseconds between two updates of the figures of a live game, at least. */
export const FIGURES = 250;

/** A number of this server, or a number and a seed of a game that was played on an earlier one. @typedef {number | string} Id */
/** A game of the server's list. @typedef {{ id: number, seed: string, game: "pacman" | "pyrat", players: string[], running: boolean, turn: number, points?: number[] }} Game */
/** The film of a game up to now; null when there is none, undefined when the server cannot say. With files, games can be downloaded; an embeddable page may be in a frame of another site. @typedef {{ games: Game[], hasFiles?: boolean, isEmbeddable?: boolean, film: (id: Id) => Promise<Film | null | undefined> }} Server */
/**
 * The view that shows the session.
 *
 * @typedef {object} View
 * @property {string} hash The address after the `#`.
 * @property {boolean} isFollowing True if the newest turns are shown as they come.
 * @property {(film: Film, turn: number) => void} show Shows a game.
 * @property {() => void} follow Shows the newest turns from now on.
 * @property {(interval: number) => void} extended The shown game has another turn, milliseconds after the one before.
 * @property {() => void} completed The shown film is known better.
 * @property {() => void} listed The list of games, or what it says of them, has changed.
 * @property {() => void} changed Something is to be drawn.
 * @property {() => void} redraw All is to be drawn at once.
 * @property {() => void} unreachable The server cannot say anything of the wanted game.
 * @property {(isLink: boolean) => void} missing The wanted game is neither here nor recorded; true if its link is from an earlier server.
 */

/**
 * The game and the turn that an address asks for, if it does not ask for whatever is live. A game is a number of this
 * server, or a number and a seed when it was played on an earlier one.
 *
 * @param {string} hash
 * @param {{ id: number, seed: string }[]} games of this server
 * @returns {{ game: Id | null, turn: number | null }}
 */
export function wanted(hash, games) {
  const parts = new URLSearchParams(hash.slice(1));
  const matched = (/** @type {string} */ key, /** @type {RegExp} */ form) => (parts.has("live") ? null : form.exec(parts.get(key) ?? ""));
  const [, turn] = matched("turn", /^(\d+)$/) ?? [];
  const [name, id, seed] = matched("game", /^(\d+)(?:-(\d+))?$/) ?? [];
  const isHere = games.some((game) => game.id === Number(id) && game.seed === seed);
  const number = (/** @type {string | undefined} */ text) => (text === undefined ? null : Number(text));
  return { game: name === undefined || seed === undefined || isHere ? number(id) : name, turn: number(turn) };
}

export class Session {
  /** @param {View} view @param {() => number} now the time in milliseconds */
  constructor(view, now = () => performance.now()) {
    this.view = view;
    this.now = now;
    /** @type {Server | null} */
    this.server = null;
    /** @type {Film | null} */
    this.film = null;
    /** The game that is shown. @type {Id | null} */
    this.game = null;
    /** The game that is being played. @type {Id | null} */
    this.running = null;
    /** The game that began last. @type {Id | null} */
    this.latest = null;
    /** The game that is being fetched to be shown. @type {Id | null} */
    this.opening = null;
    /** True if the game that began last is to be shown. */
    this.waits = false;
    /** True if the wanted game is missing. */
    this.isGone = false;
    /** When the end of the game that is followed was shown. */
    this.ended = -Infinity;
    /** @type {Map<Id, Film>} */
    this.films = new Map();
    /** @type {Set<Id>} */
    this.fetching = new Set();
    /** When the last frame came. @type {number | null} */
    this.lastFrame = null;
    /** The film with which the last game began. @type {Film | null} */
    this.fresh = null;
    /** When the list was last told of a game that is not followed. */
    this.listedAt = 0;
    /** The wait for the end of the game before. @type {ReturnType<typeof setTimeout> | null} */
    this.resting = null;
  }

  get games() {
    return this.server?.games ?? [];
  }

  /** Tests if the game that is shown goes on. */
  get goesOn() {
    return this.server !== null && this.running === this.game;
  }

  /** Tests if the newest turns of a game that goes on are shown. */
  get isLive() {
    return this.view.isFollowing && this.running !== null && this.running === this.game;
  }

  /** Name of the shown game in links, on later servers too. */
  get name() {
    return typeof this.game === "string" ? this.game : `${this.game}-${this.film?.seed}`;
  }

  /** The game and turn that the address asks for; a game that has `begun` may not be listed yet. @param {{ id: number, seed: string }[]} begun */
  wanted(begun = []) {
    return wanted(this.view.hash, [...begun, ...this.games]);
  }

  /** @param {Id | null} id @param {Film} film @param {number} turn */
  show(id, film, turn) {
    this.game = id;
    this.film = film;
    this.opening = null;
    this.waits = false;
    this.isGone = false;
    this.view.show(film, turn);
  }

  /** Opens a game of the list; a running one is followed unless a turn is asked for. `follow` waits for later ones. @param {Id} id @param {number | null} turn */
  async open(id, turn, follow = false) {
    const { server } = this;
    if (!server) return;
    const running = id === this.running || this.games.some((game) => game.id === id && game.running);
    let film = this.films.get(id);
    if (!film?.frames.length || (!running && !film.complete)) {
      this.opening = id;
      const found = await server.film(id);
      if (this.opening !== id) return;
      film = found ?? film;
      if (!film) return found === null ? this.miss(id) : this.retry(id, turn, follow);
      this.films.set(id, film);
    }
    this.show(id, film, turn ?? 0);
    if (follow || (running && turn === null)) this.view.follow();
    this.complete();
  }

  /** The server is busy or cannot be reached: the game may still be there. @param {Id} id @param {number | null} turn @param {boolean} follow */
  retry(id, turn, follow) {
    this.isGone = false;
    this.view.unreachable();
    setTimeout(() => this.opening === id && this.open(id, turn, follow), RETRY[1]);
  }

  /** A link leads to a game that is neither here nor recorded. @param {Id} id */
  miss(id) {
    this.opening = null;
    this.isGone ||= typeof id === "string";
    this.view.missing(typeof id === "string");
  }

  /** A game begins. @param {number} id @param {Film} film */
  begin(id, film) {
    // After a lost connection, the shown game may still be the same.
    const shown = this.game === id && this.film?.isSame(film) ? this.film : null;
    const known = shown ?? this.films.get(id);
    this.films.set(id, known?.isSame(film) ? known : film);
    this.running = this.latest = id;
    this.lastFrame = null;
    this.fresh = film;
    const { game, turn } = this.wanted([{ id, seed: film.seed }]);
    this.waits = this.film ? this.view.isFollowing : game === null || (game === id && turn === null);
    // This number now belongs to another game.
    if (!this.waits && this.game === id && !shown) this.game = this.name;
    this.view.changed();
  }

  /** Frames that were not sent one by one. @param {number} id @param {Frame[]} frames */
  skipped(id, frames) {
    frames.forEach((frame) => this.films.get(id)?.add(frame));
  }

  /** A turn was played. @param {number} id @param {Frame} frame */
  frame(id, frame) {
    let film = this.films.get(id);
    if (!film) return;
    if (this.lastFrame === null && frame.t < film.last && this.fresh) {
      // A restarted server plays the same game again.
      film = this.fresh;
      this.films.set(id, film);
      this.waits = this.view.isFollowing;
      if (!this.waits && this.game === id) this.game = null;
    }
    film.add(frame);
    const now = this.now();
    const interval = now - (this.lastFrame ?? now);
    this.lastFrame = now;
    if (this.waits) this.enter();
    else if (this.game === id && this.film === film) this.view.extended(interval);
    if (!this.isLive && now - this.listedAt > FIGURES) {
      this.listedAt = now;
      this.enlist(id, film, frame.t);
      if (this.film === film) this.view.redraw();
    }
  }

  /** Shows the game that is waited for, once the end of the one before has been seen. */
  enter() {
    // Somebody looks at earlier turns meanwhile.
    if (this.film && !this.view.isFollowing) this.waits = false;
    if (!this.waits || this.latest === null) return;
    const rest = this.ended + REST - this.now();
    if (rest > 0) {
      this.resting ??= setTimeout(() => {
        this.resting = null;
        this.enter();
      }, rest);
      return;
    }
    const film = this.films.get(this.latest);
    if (!film?.frames.length) return;
    this.show(this.latest, film, film.last);
    this.view.follow();
    if (this.running !== this.latest) this.ended = this.now();
    // Fetches the turns played before the page was opened.
    if (film.last > 0) this.complete();
  }

  /** A game is over. @param {number} id */
  async end(id) {
    this.running = null;
    const film = this.films.get(id);
    if (film) this.enlist(id, film, film.last);
    this.view.redraw();
    if (this.game === id) {
      this.ended = this.now();
      await this.complete();
      this.ended = this.now();
    }
    this.view.redraw();
  }

  /** The connection is lost. A new server numbers its games from the start. */
  disconnected() {
    this.films.clear();
    this.running = null;
  }

  /** Tells in the list how far a game is. @param {Id} id @param {Film} film @param {number} turn */
  enlist(id, film, turn) {
    const entry = this.games.find((game) => game.id === id);
    if (!entry) return;
    entry.turn = turn;
    entry.points = film.players.map((_, colour) => film.points(turn, colour));
    this.view.listed();
  }

  /** The server has told its games: without another one to show, opens that of the address, or else the newest. */
  choose() {
    if (this.film || this.waits || this.opening !== null || this.isGone) return;
    const { game, turn } = this.wanted();
    const isListed = game !== null && this.games.some(({ id }) => id === game);
    if (typeof game === "string" || isListed) this.open(game, turn);
    else if (this.games.length > 0) this.open(Math.max(...this.games.map(({ id }) => id)), null, true);
  }

  /** Fetches the turns that were skipped, and the analysis. */
  async complete() {
    const { game, film, server } = this;
    if (!server || !film || game === null || this.fetching.has(game) || (film.complete && film.hasAll(0, film.last))) return;
    this.fetching.add(game);
    const whole = await server.film(game);
    this.fetching.delete(game);
    if (!whole?.isSame(film)) return;
    film.complement(whole);
    if (this.film === film) this.view.completed();
  }

  /** Fetches what is not known around a turn that is shown. @param {number} turn */
  completeAt(turn) {
    if (this.film && !this.film.hasAll(Math.max(0, turn - 10), turn)) this.complete();
  }
}
