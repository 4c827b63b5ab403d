// Runs a student's program and the game around it, in a worker, so that neither can hold up the page.

import { load } from "../arene/arene.js";
import { Exit, modules, processOf } from "./net.js";
import { startPython } from "./python.js";
import { Remote } from "./remote.js";
import { Seat } from "./seat.js";

/** @import { Advice, Arena, PacmanTerms, Player, PyratTerms } from "../arene/arene.js" */
/** @import { Parts } from "./python.js" */
/** @import { Ending } from "./seat.js" */
/** @import { Frame, RecordedFilm } from "../replay/frames.d.ts" */

/** A program: the name of its file, its language and its text. @typedef {{ name: string, language: "python" | "javascript", text: string }} Program */
/** The terms of a game, of PyRat if `isPyrat`. @typedef {(PacmanTerms | PyratTerms) & { players: Player[], isPyrat: boolean }} GameTerms */
/**
 * A task of a worker: to play a game, or to go on with a recorded one after a number of its turns; to play many games, with
 * other seeds and from each seat in turn; to ask a program for its orders in a recorded game; to play as a team on a server; or
 * to ask the coach about a player.
 *
 * @typedef {{ program: Program, deadline: number, letter: string, event?: string } & (
 *   | { kind: "play", terms: GameTerms, until: number }
 *   | { kind: "goOn", recording: Uint8Array, turn: number, players: Player[], until: number }
 *   | { kind: "trial", terms: GameTerms, games: number }
 *   | { kind: "ask", recording: Uint8Array }
 *   | { kind: "enter", address: string, team: string }) | { kind: "coach", recording: Uint8Array, letter: string }} Task
 */
/** @typedef {{ kind: "start", wasm: WebAssembly.Module, language: string, python: Parts | null }} Start */
/**
 * A message of a worker.
 *
 * @typedef {(
 *   | { kind: "ready" }
 *   | { kind: "broken", text: string }
 *   | { kind: "begun", film: RecordedFilm }
 *   | { kind: "turn", frame: Frame, thought: number | null }
 *   | { kind: "said", turn: number, text: string }
 *   | { kind: "failed", turn: number, text: string | null, line: number | null, isLate: boolean }
 *   | { kind: "at", turn: number, turns: number }
 *   | { kind: "closed", reason: string }
 *   | { kind: "result", rank: number, sharing: number, points: number }
 *   | { kind: "asked", turn: number, order: string | null, played: string | null, words: string }
 *   | { kind: "advised", advices: Advice[] }
 *   | { kind: "ended", ending: Ending | "left", turn: number, recording: Uint8Array })} Told
 */

/** Most lines, and most letters of one, that a program may print in a run. */
const LINES = 2000;
const LETTERS = 1000;
/** Most milliseconds for a server's last words. */
const FAREWELL = 2000;

const scope = /** @type {any} */ (globalThis);
const tell = (/** @type {Told} */ told) => scope.postMessage(told);

class Runner {
  /** @param {Arena} arena @param {Start} start */
  constructor(arena, start) {
    this.arena = arena;
    this.start = start;
    /** @type {Seat | Remote | null} */
    this.seat = null;
    this.lines = 0;
  }

  async prepare() {
    const { python } = this.start;
    this.python = python && (await startPython(python, this.arena, (text) => this.say(text)));
    scope.console = { ...console, ...Object.fromEntries(["log", "info", "warn", "error", "debug"].map((name) => [name, (/** @type {unknown[]} */ ...values) => this.say(values.map(shown).join(" "))])) };
    // A loop in JavaScript tells its line now and then.
    let turns = 0;
    scope.__loop = (/** @type {number} */ line) => {
      turns += 1;
      if (turns % 1024 === 0 && this.seat && this.seat.left < 0 && this.seat.ending !== "over") throw new Late(line);
    };
  }

  /** @param {string} text */
  say(text) {
    for (const line of text.replace(/\n$/, "").split("\n")) {
      this.lines += 1;
      if (this.lines > LINES) continue;
      const text = this.lines === LINES ? "…" : line.slice(0, LETTERS);
      tell({ kind: "said", turn: Math.max(0, this.seat?.seen ?? 0), text });
      if (this.seat instanceof Seat) this.seat.written.push(text);
    }
  }

  /** @param {Task} task */
  async run(task) {
    this.lines = 0;
    if (task.kind === "coach") {
      const game = this.arena.open(task.recording);
      tell({ kind: "advised", advices: game.coach(task.letter) });
      return game.free();
    }
    if (task.kind === "ask") return this.ask(task);
    if (task.kind === "trial") return this.trial(task);
    if (task.kind === "enter") return this.enter(task);
    const { letter, program, deadline, until, event } = task;
    const { arena } = this;
    const game = task.kind === "play" ? this.game(task.terms) : arena.open(task.recording).branch(task.turn, task.players);
    if (task.kind === "play") tell({ kind: "begun", film: game.film });
    const told = (/** @type {Frame} */ frame, /** @type {number | null} */ thought) => tell({ kind: "turn", frame, thought });
    const ending = await this.play(program, new Seat(game, letter, { past: game.past, until, event, deadline }, told));
    tell({ kind: "ended", ending, turn: game.turn, recording: game.recording() });
    game.free();
  }

  /** @param {GameTerms} terms */
  game({ isPyrat, ...terms }) {
    return isPyrat ? this.arena.pyrat(terms) : this.arena.game(terms);
  }

  /** Asks a program what it would order in the place of a player. @param {Extract<Task, { kind: "ask" }>} task */
  async ask({ program, deadline, letter, recording }) {
    const game = this.arena.open(recording);
    const played = game.orders(letter);
    const terms = { past: game.past, until: Infinity, deadline };
    const ending = await this.play(program, new Seat(game, letter, terms, () => {}, (turn, order, words) => tell({ kind: "asked", turn, order, played: played[turn - 1], words })));
    tell({ kind: "ended", ending, turn: Math.max(0, this.seat?.seen ?? 0), recording });
    game.free();
  }

  /** @param {Extract<Task, { kind: "enter" }>} task */
  async enter({ program, address, team }) {
    const remote = new Remote(address, (turn, turns) => tell({ kind: "at", turn, turns }));
    this.seat = remote;
    const found = await this.execute(program, [team], remote);
    // The server tells why, unless it is gone.
    remote.socket.close();
    await Promise.race([remote.isClosed, new Promise((resolve) => setTimeout(resolve, FAREWELL))]);
    if (found.text !== null) tell({ kind: "failed", turn: Math.max(0, remote.seen), isLate: false, ...found });
    tell({ kind: "closed", reason: remote.reason });
  }

  /** @param {Extract<Task, { kind: "trial" }>} task */
  async trial({ program, deadline, letter, terms, games }) {
    const { players, seed = 0 } = terms;
    const own = letter.charCodeAt(0) - "A".charCodeAt(0);
    for (let number = 0; number < games; number += 1) {
      const seats = players.map((_, seat) => players[(seat + number) % players.length]);
      const place = (((own - number) % players.length) + players.length) % players.length;
      const game = this.game({ ...terms, names: undefined, seed: BigInt(seed) + BigInt(number), players: seats });
      const seat = String.fromCharCode("A".charCodeAt(0) + place);
      const ending = await this.play(program, new Seat(game, seat, { past: [], until: Infinity, deadline }, () => {}));
      const { ranking, turn } = game;
      const recording = game.recording();
      game.free();
      if (ending !== "over") return tell({ kind: "ended", ending, turn, recording });
      const { rank = 1, points = 0 } = ranking.find((player) => player.letter === seat) ?? {};
      tell({ kind: "result", rank, points, sharing: ranking.filter((player) => player.rank === rank).length });
    }
    tell({ kind: "ended", ending: "over", turn: 0, recording: new Uint8Array() });
  }

  /** Lets a program play; why it ended. @param {Program} program @param {Seat} seat @returns {Promise<Ending | "left">} */
  async play(program, seat) {
    this.seat = seat;
    const found = await this.execute(program, [], seat);
    const isLate = (seat.ending ?? "late") === "late" && seat.left < 0;
    if (found.text !== null || isLate) tell({ kind: "failed", turn: Math.max(0, seat.seen), isLate, ...found });
    if (seat.ending === "over" || seat.ending === "stopped") return seat.ending;
    if (isLate) return "late";
    // Its last order counts, although it asks for no further state.
    if (seat.seen >= 0 && seat.orders.length > 0) seat.play();
    return seat.ending ?? (seat.name === null ? "unregistered" : "left");
  }

  /** Runs a program to its end; what went wrong. @param {Program} program @param {string[]} argv @param {Seat | Remote} seat */
  execute(program, argv, seat) {
    const { text, name, language } = program;
    if (language === "javascript") return this.inJavaScript(program, argv, seat);
    if (!this.python) throw new Error("the page has not brought Python");
    return this.python(text, name, argv, this.start.language, seat);
  }

  /** @param {Program} program @param {string[]} argv @param {Seat | Remote} seat @returns {Promise<{ text: string | null, line: number | null }>} */
  inJavaScript({ text, name }, argv, seat) {
    return new Promise((resolve) => {
      const end = (/** @type {unknown} */ error) => resolve(problem(error, address));
      const ended = () => end(null);
      scope.require = modules(seat, ended);
      scope.process = processOf([name, ...argv], (said) => this.say(said), ended);
      scope.module = { exports: {} };
      scope.onerror = (/** @type {any} */ _, /** @type {any} */ __, /** @type {number} */ ___, /** @type {any} */ ____, /** @type {unknown} */ error) => (end(error), true);
      scope.onunhandledrejection = (/** @type {PromiseRejectionEvent} */ event) => (event.preventDefault(), end(event.reason));
      const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
      // eslint-disable-next-line no-restricted-syntax -- the program of who sits here
      import(address).catch(end);
    });
  }
}

/** An answer that takes longer than it may, in a loop of this line. */
class Late extends Error {
  /** @param {number} line */
  constructor(line) {
    super();
    this.line = line;
  }
}

/** The text of an error, and its line in the program. @param {unknown} error @param {string} address of the program */
function problem(error, address) {
  if (error === null || error instanceof Exit) return { text: null, line: null };
  if (error instanceof Late) return { text: null, line: error.line };
  if (!(error instanceof Error)) return { text: String(error), line: null };
  const [, line] = new RegExp(`${address.replace(/[^\w]/g, "\\$&")}:(\\d+)`).exec(error.stack ?? "") ?? [];
  return { text: String(error), line: line === undefined ? null : Number(line) };
}

/** A value as a program prints it. @param {unknown} value */
function shown(value) {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** @type {Promise<Runner> | null} */
let runner = null;

async function begin(/** @type {Start} */ start) {
  const arena = await load(start.wasm);
  arena.language = start.language;
  const made = new Runner(arena, start);
  await made.prepare();
  tell({ kind: "ready" });
  return made;
}

scope.onmessage = async (/** @type {MessageEvent<Start | Task>} */ { data }) => {
  try {
    if (data.kind === "start") await (runner = begin(data));
    else await (await runner)?.run(data);
  } catch (error) {
    tell({ kind: "broken", text: error instanceof Error ? error.message : String(error) });
  }
};
