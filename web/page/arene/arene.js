// The arena as a module, for pages and for Node: games of Pacman and PyRat with house bots, and recordings.
//
// It needs `glue.js` and `arene.wasm` beside it; `scripts/page.sh` makes both. Whatever cannot be played throws an `Error` with the
// words of the programs, in the language of `arena.language`.

import { catalogue, distances, init, open, pacman, pacmanTerms, pyrat, pyratTerms, setLanguage, share } from "./glue.js";

/** @import { Handle } from "./glue.js" */
/** @import { Beginning, Frame, RecordedFilm } from "../replay/frames.d.ts" */

/** The name of a house bot, or null for a player whose messages `step` is given. @typedef {string | null} Player */
/**
 * The terms of a game of Pacman; all can be left out.
 *
 * @typedef {object} PacmanTerms
 * @property {string} [map] The name of a built-in map or the text of one; `plan1`.
 * @property {string} [rules] `sujet` or `orleans2024`; `sujet`.
 * @property {bigint | number} [seed] From 0 to 2⁶⁴ − 1; 0. The same seed and messages give the same game everywhere.
 * @property {number} [turns] The number of turns; 200.
 * @property {Player[]} [players] From 1 to 26, A first; one without a bot.
 * @property {string[]} [names] The names of the players, by colour; those of their bots with their letters.
 */
/**
 * The terms of a game of PyRat, whose maze is that of PyRat 6; all can be left out.
 *
 * @typedef {object} PyratTerms
 * @property {number} [width] Columns.
 * @property {number} [height] Rows.
 * @property {number} [cells] Share of the places that are cells, in percent.
 * @property {number} [walls] Share of the passages outside a spanning tree that walls close, in percent.
 * @property {number} [mud] Share of the passages that are muddy, in percent.
 * @property {[number, number]} [mud_turns] The fewest and the most turns that a muddy passage takes.
 * @property {number} [cheese] Pieces of cheese; 1.
 * @property {boolean} [corners] True if the rats start in the corners, else they start in the middle.
 * @property {bigint | number} [seed] From 0 to 2⁶⁴ − 1; 0.
 * @property {number} [turns] Most turns of the game; 1000.
 * @property {Player[]} [players] From 1 to 26, A first; one without a bot.
 * @property {string[]} [names] The names of the players, by colour.
 */
/** A player in the ranking: equal points share a rank. Points of PyRat are pieces of cheese. @typedef {{ letter: string, name: string, points: number, rank: number }} Ranked */
/** A house bot, with what it does. @typedef {{ name: string, en: string, fr: string }} Bot */
/** @typedef {{ maps: { name: string, text: string }[], rules: string[], bots: Bot[], rats: Bot[] }} Catalogue */

/**
 * The faults in the orders of a player: the turns in which it was asked, those without an answer, malformed orders with the turn and
 * the beginning of the first, orders that lead into a wall (of the pacman or the rat, and of the ghost), and the order, if all are
 * the same.
 *
 * @typedef {{ turns: number, missed: number, malformed: number, first: [number, string] | null, walls: [number, number], only: string | null }} Check
 */

/**
 * A house bot's evaluation of its decision: of Pacman, the points that it expects of each first move of a piece (`X` is to stay), if
 * it values moves; and the cells that it plans to walk to, row by row from 0, the next turn first.
 *
 * @typedef {{ pacman: [string, number][], ghost: [string, number][], line: number[] }} Evaluation
 */

/**
 * Loads the arena.
 *
 * @param {BufferSource | WebAssembly.Module} [wasm] The bytes of `arene.wasm`, or what they were compiled to, where the file
 *   beside this module cannot be fetched: in Node, and in a page from a file.
 */
export async function load(wasm) {
  await init({ module_or_path: wasm ?? new URL("./arene.wasm", import.meta.url) });
  return new Arena();
}

/** A decision of a player, what would have been better, and the points that it would have gained, with half of the width of their 95 % interval. @typedef {[turn: number, played: string, advised: string, gain: number, margin: number]} Advice */

export class Arena {
  #language = "en";

  /** The language of errors: `en` or `fr`. */
  get language() {
    return this.#language;
  }

  set language(code) {
    this.#language = code;
    setLanguage(code);
  }

  /** The maps, rules and bots that exist. @returns {Catalogue} */
  get catalogue() {
    return JSON.parse(catalogue());
  }

  /**
   * The share of first places in games, with its 95 % confidence interval (Wilson's); null without games. A first place that k
   * players share counts 1/k.
   *
   * @param {number} firsts
   * @param {number} games
   * @returns {{ share: number, low: number, high: number } | null}
   */
  share(firsts, games) {
    const told = JSON.parse(share(firsts, games));
    return told && { share: told[0], low: told[1], high: told[2] };
  }

  /**
   * The cells that can be reached from one cell of a board whose opposite edges are joined, nearest first, each followed by its
   * distance in steps; empty if the board has no such cell. Cells are counted row by row from 0.
   *
   * @param {string} board a letter for each cell, `#` for a wall
   * @param {number} rows
   * @param {number} start
   * @param {number} [wallPass] The number of first steps that pass walls.
   */
  distances(board, rows, start, wallPass = 0) {
    return distances(board, rows, start, wallPass);
  }

  /** Begins a game of Pacman. @param {PacmanTerms} [terms] */
  game({ players = [null], names, ...terms } = {}) {
    return new Game(pacman(this.#filled(pacmanTerms(), terms), seats(players), names));
  }

  /** Begins a game of PyRat. @param {PyratTerms} [terms] */
  pyrat({ players = [null], names, mud_turns, ...terms } = {}) {
    const [mud_least, mud_most] = mud_turns ?? [];
    return new Game(pyrat(this.#filled(pyratTerms(), { ...terms, mud_least, mud_most }), seats(players), names));
  }

  /** Replaces usual terms by those that are given. @template {object} Terms @param {Terms} usual @param {Record<string, unknown>} given @returns {Terms} */
  #filled(usual, given) {
    const all = /** @type {Record<string, unknown>} */ (usual);
    for (const [name, wanted] of Object.entries(given)) {
      // Seeds are texts on the way: numbers of JavaScript have 53 bits.
      const value = name === "seed" ? String(wanted) : wanted;
      const known = all[name];
      if (wanted === undefined) continue;
      if (typeof known === typeof value) all[name] = value;
      // The setter of a number rounds or wraps a value that its type cannot hold.
      if (all[name] !== value) throw new Error(this.#wrong(name, wanted, known));
    }
    return usual;
  }

  /** @param {string} name @param {unknown} value @param {unknown} usual */
  #wrong(name, value, usual) {
    const isFrench = this.#language === "fr";
    if (usual === undefined) return isFrench ? `champ inconnu : ${name}` : `unknown field ${name}`;
    return isFrench ? `${name} : ${value} n'est pas possible ; une valeur comme ${usual} est attendue` : `${name}: ${value} is not possible, expected something like ${usual}`;
  }

  /** Opens a recording: a game whose turns were played, to look at or to branch. @param {Uint8Array} bytes */
  open(bytes) {
    return new Game(open(bytes));
  }
}

/** A game, turn by turn. */
export class Game {
  #handle;

  /** @param {Handle} handle */
  constructor(handle) {
    this.#handle = handle;
  }

  /** True after the last turn. */
  get over() {
    return this.#handle.over;
  }

  /** The number of turns played. */
  get turn() {
    return this.#handle.turn;
  }

  /** The state as a server sends it, in the text of the protocol. */
  get state() {
    return this.#handle.state;
  }

  /** The maze of PyRat, in the text of the protocol; undefined in Pacman. */
  get maze() {
    return this.#handle.maze;
  }

  /** The states before the present one, as texts of the protocol. @returns {string[]} */
  get past() {
    return JSON.parse(this.#handle.past);
  }

  /** The faults in the orders of a player. @param {string} letter @returns {Check} */
  check(letter) {
    return JSON.parse(this.#handle.check(letter));
  }

  /** The names of the players, by colour. @returns {string[]} */
  get names() {
    return this.beginning.players.map(({ name }) => name);
  }

  /** The players, the best first. @returns {Ranked[]} */
  get ranking() {
    return JSON.parse(this.#handle.ranking);
  }

  /** The data that a page needs before the frames. @returns {Beginning} */
  get beginning() {
    return JSON.parse(this.#handle.beginning);
  }

  /** The frame of the last turn: what happened in it, and the changes of the board. @returns {Frame} */
  get frame() {
    return JSON.parse(this.#handle.frame);
  }

  /** The film of the game so far, as the pages show it. @returns {RecordedFilm} */
  get film() {
    return JSON.parse(this.#handle.film());
  }

  /**
   * Plays a turn: house bots think, the others' messages are given by letter, as `{ D: "NE" }`. Who sends none misses the turn; any
   * text counts as it would on the wire. Does nothing after the last turn.
   *
   * @param {Record<string, string>} [messages]
   */
  step(messages = {}) {
    this.#handle.step(Object.keys(messages), Object.values(messages));
  }

  /** Lets house bots think about this turn before its messages are known, so that the next `step` takes less time. Plays nothing. */
  think() {
    this.#handle.think();
  }

  /**
   * The message that a house bot would send for a player in this turn, having seen the game so far as that player. Empty while a rat
   * is in the mud.
   *
   * @param {string} letter
   * @param {string} bot
   */
  advise(letter, bot) {
    return this.#handle.advise(letter, bot);
  }

  /**
   * A house bot's evaluation of the message that it would send in this turn; null if it neither values moves nor plans a path.
   *
   * @param {string} letter
   * @param {string} bot
   * @returns {Evaluation | null}
   */
  evaluation(letter, bot) {
    return JSON.parse(this.#handle.evaluation(letter, bot));
  }

  /**
   * A game of its own from a turn on, with the same luck. House bots of the branch have seen the turns before.
   *
   * @param {number} turn The number of turns that are kept.
   * @param {Player[] | null} [players] Who plays on, by colour; those who play this game if nobody else is named.
   */
  branch(turn, players = null) {
    return new Game(this.#handle.branch(turn, players && seats(players)));
  }

  /** The answers of a player by turn, as letters; null for a missed turn. @param {string} letter @returns {(string | null)[]} */
  orders(letter) {
    return JSON.parse(this.#handle.orders(letter));
  }

  /** The decisions of a player that cost most, and what would have been better. Takes seconds. @param {string} letter @returns {Advice[]} */
  coach(letter) {
    return JSON.parse(this.#handle.coach(letter));
  }

  /** The bytes of the recording so far, a `.rejeu` file, with a block of thoughts. @param {{ block: Uint8Array, dropped: number }} [thoughts] */
  recording({ block, dropped } = { block: new Uint8Array(), dropped: 0 }) {
    return this.#handle.recording(dropped, block);
  }

  /** The first difference between an opened recording and the game as it is played again; undefined if there is none. */
  verify() {
    return this.#handle.verify();
  }

  /** Gives the memory of the game back; it cannot be used any more. */
  free() {
    this.#handle.free();
  }
}

/** The bots of players; none is an empty text. @param {Player[]} players */
function seats(players) {
  return players.map((bot) => bot ?? "");
}
