// The workers of the workshop: one for each language, started when it is needed, ended when a program does not react.

import { texts } from "./words.js";

/** @import { Parts } from "./python.js" */
/** @import { Start, Task, Told } from "./worker.js" */

/** Milliseconds that a program has beyond its deadline before its worker is ended. */
const PATIENCE = 3000;
/** Milliseconds that the coach may take. */
const COACH = 120_000;

export class Crew {
  /** @param {string} script the text of the worker's script @param {WebAssembly.Module} wasm @param {string} language */
  constructor(script, wasm, language) {
    this.script = script;
    this.wasm = wasm;
    this.language = language;
    /** @type {Parts | null} */
    this.parts = null;
    /** The worker with Python, which is kept. @type {Promise<Worker> | null} */
    this.python = null;
    /** Ends what runs. @type {((reason: string) => void) | null} */
    this.stop = null;
  }

  /** Starts a worker, and waits until it can play. @param {Parts | null} parts @returns {Promise<Worker>} */
  start(parts) {
    const address = URL.createObjectURL(new Blob([this.script], { type: "text/javascript" }));
    const worker = new Worker(address);
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => {
        URL.revokeObjectURL(address);
        if (data.kind === "broken") reject(new Error(data.text));
        else resolve(worker);
      };
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(/** @type {Start} */ ({ kind: "start", wasm: this.wasm, language: this.language, python: parts }));
    });
  }

  /** Gives the workers Python. @param {Parts} parts */
  async bring(parts) {
    this.parts = parts;
    this.python = this.start(parts);
    await this.python;
  }

  /**
   * Runs a program, and tells what its worker tells; resolves when it has ended, with a reason if it did not end by itself.
   *
   * @param {Task} task @param {(told: Told) => void} tell
   * @returns {Promise<string | null>}
   */
  async run(task, tell) {
    const isPython = task.kind !== "coach" && task.program.language === "python";
    if (isPython) this.python ??= this.start(this.parts);
    const running = { worker: /** @type {Worker | null} */ (null), stop: /** @type {typeof this.stop} */ (null) };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let clock;
    const reason = await new Promise((resolve) => {
      this.stop = running.stop = resolve;
      const watch = (/** @type {number} */ extra) => {
        clearTimeout(clock);
        // A server has deadlines of its own.
        if (task.kind === "enter") return;
        clock = setTimeout(() => resolve(texts.killed), (task.kind === "coach" ? COACH : task.deadline) + extra);
      };
      const begin = async () => {
        const worker = await (isPython ? this.python : this.start(null));
        if (!worker || this.stop !== resolve) return;
        running.worker = worker;
        worker.onmessage = ({ data }) => {
          watch(["turn", "said", "asked"].includes(data.kind) ? PATIENCE : 4 * PATIENCE);
          tell(data);
          if (data.kind === "broken") resolve(data.text);
          if (["ended", "closed", "advised"].includes(data.kind)) resolve(null);
        };
        worker.postMessage(task);
        // A trial tells nothing of the turns of a game.
        watch(task.kind === "trial" ? 60_000 : 4 * PATIENCE);
      };
      begin().catch((error) => resolve(error instanceof Error ? error.message : String(error)));
    });
    clearTimeout(clock);
    // Another run may have begun.
    if (this.stop === running.stop) this.stop = null;
    if (isPython && reason === null) return null;
    running.worker?.terminate();
    if (isPython) this.python = null;
    return reason;
  }
}
