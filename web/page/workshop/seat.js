// A program's seat in a game: what the page says to it in the place of a server, and what becomes of what it sends.

/** @import { Game } from "../arene/arene.js" */
/** @import { Frame } from "../replay/frames.d.ts" */

/**
 * The reason why a program gets no more messages: the game is over, it was stopped at the chosen turn or event, an answer took too
 * long, or the program did not register.
 *
 * @typedef {"over" | "stopped" | "late" | "unregistered"} Ending
 */
/**
 * The terms that are fixed before a program begins.
 *
 * @typedef {object} Terms
 * @property {string[]} past The states of the turns before: the program sees them, and its answers to them count for nothing.
 * @property {number} until The number of played turns at which the game stops.
 * @property {string} [event] The event after which the game stops, as films name it.
 * @property {number} deadline Most milliseconds for an answer.
 */

/** Most milliseconds from the start of a program to its registration, and from the maze to the first answer. */
const START = 10_000;
/** Most letters of a thought. */
const LONGEST = 1000;

export class Seat {
  /**
   * `told` is told of each turn: its frame, and milliseconds of the program's answer, null if none came. With `asked`, only the
   * answers to the turns before are wanted.
   *
   * @param {Game} game @param {string} letter @param {Terms} terms
   * @param {(frame: Frame, thought: number | null) => void} told
   * @param {((turn: number, order: string | null, words: string) => void) | null} asked
   */
  constructor(game, letter, terms, told, asked = null) {
    this.game = game;
    this.letter = letter;
    this.terms = terms;
    this.told = told;
    this.asked = asked;
    /** The maze of PyRat, until the program has been told of it. */
    this.maze = game.maze;
    this.isPyrat = game.maze !== undefined;
    /** True if the rat is in the mud in the state that the program has seen last. */
    this.isInMud = false;
    /** If the program answers in the mud, where it need not; null until that is known. @type {boolean | null} */
    this.answersInMud = null;
    /** The name that the program gave itself. @type {string | null} */
    this.name = null;
    /** @type {Ending | null} */
    this.ending = null;
    /** The turn of the state that the program has seen last; −1 before the first. */
    this.seen = -1;
    /** When the program was given something to answer. */
    this.since = performance.now();
    /** @type {string[]} */
    this.orders = [];
    /** @type {number | null} */
    this.thought = null;
    this.received = "";
    this.decoder = new TextDecoder();
    /** The lines that the program has written since its last answer. @type {string[]} */
    this.written = [];
  }

  /** True while the program owes an answer. */
  get isAwaited() {
    const owes = this.seen < 0 ? this.name === null : !this.isInMud || this.answersInMud !== false;
    return this.ending === null && this.orders.length === 0 && owes;
  }

  /** Milliseconds that the program has left for its answer, or in a maze for its preparations; negative if it is late. */
  get left() {
    const most = this.seen < 0 ? START : this.terms.deadline;
    return this.since + most - performance.now();
  }

  /** Takes what the program sends. @param {Uint8Array | string} data */
  send(data) {
    const text = typeof data === "string" ? data : this.decoder.decode(data, { stream: true });
    const messages = (this.received + text).split("\0");
    this.received = messages.pop() ?? "";
    for (const message of messages) this.take(message);
  }

  /** @param {string} message */
  take(message) {
    if (this.left < 0) this.ending ??= "late";
    if (this.name !== null) {
      this.thought ??= performance.now() - this.since;
      this.orders.push(message);
    } else if (message.startsWith("joueur;")) this.name = message.slice("joueur;".length);
    else this.ending ??= "unregistered";
  }

  /**
   * The next message for the program, with its NUL; empty if the connection is closed, null if the program is to stop at once.
   */
  receive() {
    const { game, terms: { past } } = this;
    if (this.ending === null && this.name === null) this.ending = "unregistered";
    if (this.isAwaited && !this.isInMud && this.left < 0) this.ending = "late";
    if (this.ending !== null) return this.ending === "over" ? "" : null;
    if (this.seen >= 0) this.play();
    if ((this.seen === game.turn && game.over) || (this.asked && this.seen + 1 >= game.turn)) {
      this.ending = "over";
      return "quit\n\0";
    }
    if (game.turn >= this.terms.until && !game.over) {
      this.ending = "stopped";
      return null;
    }
    this.since = performance.now();
    if (this.maze !== undefined) {
      const { maze } = this;
      this.maze = undefined;
      return `labyrinthe;${this.letter}\n${maze}\0`;
    }
    this.seen += 1;
    const state = past[this.seen] ?? game.state;
    this.isInMud = this.isPyrat && isInMud(state, this.letter);
    return `jeu;${this.letter}\n${state}\0`;
  }

  /** Plays the turn of the state that the program has seen last. */
  play() {
    const { game, letter, seen } = this;
    const order = this.orders.shift();
    const { thought } = this;
    this.thought = null;
    if (this.isInMud && this.answersInMud !== true) this.answersInMud = order !== undefined;
    if (seen < game.turn || game.over) {
      if (order !== undefined) this.asked?.(seen + 1, order.split(";")[0], this.words(order));
      return;
    }
    game.step(order === undefined ? {} : { [letter]: order });
    const { frame } = game;
    const words = this.words(order);
    if (words) frame.w = [[letter, words]];
    // One looks, and goes on from here.
    const pauses = words.split(";").some((item) => item.trim() === "pause");
    if (pauses || frame.e?.some(([kind]) => kind === this.terms.event)) this.terms = { ...this.terms, until: game.turn };
    this.told(frame, order === undefined ? null : thought);
  }

  /** The thought after an order, and the output of the program in that turn. @param {string | undefined} order */
  words(order = "") {
    const at = order.indexOf(";");
    const written = this.written.splice(0).map((line) => `output ${line.replaceAll(";", ",")}`);
    const words = [...(at < 0 ? [] : [order.slice(at + 1, at + 1 + LONGEST)]), ...written].join(";");
    return words.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ").slice(0, 2 * LONGEST).trim();
  }
}

/** True if a rat is in the mud in a state of PyRat. @param {string} state @param {string} letter */
function isInMud(state, letter) {
  const line = state.split("\n").find((line) => line.startsWith(`${letter};`));
  const left = line?.split(";")[3];
  return left !== undefined && left !== "0";
}
