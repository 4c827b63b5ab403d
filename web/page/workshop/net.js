// The parts of Node's `net` and `process` for programs in JavaScript. Sockets lead to the page.

/** @import { Remote } from "./remote.js" */
/** @import { Seat } from "./seat.js" */

/** Ends a program that calls `process.exit`. */
export class Exit extends Error {}

/** Bytes that are a text when they are added to one, as Node's are. */
class Bytes extends Uint8Array {
  /** @override */
  toString() {
    return new TextDecoder().decode(this);
  }
}

/** @typedef {(...values: any[]) => void} Handler */

class Socket {
  /** @param {Seat | Remote} seat @param {() => void} ended */
  constructor(seat, ended) {
    this.seat = seat;
    this.ended = ended;
    /** @type {Map<string, Handler[]>} */
    this.handlers = new Map();
    this.isText = false;
    this.isClosed = false;
    /** The wait for an answer that comes later. @type {ReturnType<typeof setTimeout> | undefined} */
    this.clock = undefined;
    this.isDue = false;
  }

  /** @param {...any} terms */
  connect(...terms) {
    const then = terms.find((term) => typeof term === "function");
    if (then) this.once("connect", then);
    queueMicrotask(() => this.emit("connect"));
    return this;
  }

  /** @param {string} event @param {Handler} handler */
  on(event, handler) {
    this.handlers.set(event, [...(this.handlers.get(event) ?? []), handler]);
    return this;
  }

  /** @param {string} event @param {Handler} handler */
  once(event, handler) {
    const once = (/** @type {any[]} */ ...values) => {
      this.off(event, once);
      handler(...values);
    };
    return this.on(event, once);
  }

  /** @param {string} event @param {Handler} handler */
  off(event, handler) {
    this.handlers.set(event, (this.handlers.get(event) ?? []).filter((other) => other !== handler));
    return this;
  }

  /** @param {string} event @param {...any} values */
  emit(event, ...values) {
    for (const handler of this.handlers.get(event) ?? []) handler(...values);
  }

  setEncoding() {
    this.isText = true;
    return this;
  }

  setNoDelay() {
    return this;
  }

  setTimeout() {
    return this;
  }

  setKeepAlive() {
    return this;
  }

  /** @param {string | Uint8Array} data @param {...any} rest */
  write(data, ...rest) {
    if (this.isClosed) return false;
    this.seat.send(data);
    if (!this.seat.isAwaited || this.seat.seen < 0) this.pump();
    rest.find((term) => typeof term === "function")?.();
    return true;
  }

  /** @param {string | Uint8Array} [data] */
  end(data) {
    if (data !== undefined) this.write(data);
    this.close();
  }

  destroy() {
    this.close();
  }

  /** Tells the next message once what runs now has ended. */
  pump() {
    clearTimeout(this.clock);
    if (this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => this.deliver());
  }

  async deliver() {
    const { seat } = this;
    const message = await seat.receive();
    this.isDue = false;
    if (this.isClosed) return;
    if (message === null) {
      this.ended();
      return;
    }
    if (message === "") {
      this.close();
      return;
    }
    this.emit("data", this.isText ? message : new Bytes(new TextEncoder().encode(message)));
    if (!seat.isAwaited) this.pump();
    else {
      // A program that asks for the next message after the deadline is late; in the mud it need not answer.
      this.clock = setTimeout(() => this.pump(), Math.max(0, seat.left + 1));
    }
  }

  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.clock);
    this.emit("end");
    this.emit("close", false);
    this.ended();
  }

  /** The messages, as `for await (const data of socket)` reads them. */
  async *[Symbol.asyncIterator]() {
    /** @type {any[]} */
    const waiting = [];
    let wake = () => {};
    this.on("data", (data) => (waiting.push(data), wake()));
    while (waiting.length > 0 || !this.isClosed) {
      if (waiting.length === 0) await new Promise((resolve) => (wake = () => resolve(undefined)));
      if (waiting.length > 0) yield waiting.shift();
    }
  }
}

/**
 * The modules that a program may require. `ended` is called once the program is told no more.
 *
 * @param {Seat | Remote} seat @param {() => void} ended
 */
export function modules(seat, ended) {
  const open = (/** @type {any[]} */ ...terms) => new Socket(seat, ended).connect(...terms);
  const net = { connect: open, createConnection: open, Socket: class extends Socket { constructor() { super(seat, ended); } } };
  return (/** @type {string} */ name) => {
    if (name === "net" || name === "node:net") return net;
    throw new Error(`a page has no module ${name}, only net`);
  };
}

/** @param {string[]} argv the file, and what follows it in the command @param {(text: string) => void} say @param {() => void} ended */
export function processOf(argv, say, ended) {
  const stream = { write: (/** @type {unknown} */ text) => (say(String(text)), true) };
  const exit = () => {
    ended();
    throw new Exit();
  };
  return { argv: ["node", ...argv], env: {}, exit, stdout: stream, stderr: stream, on: () => {} };
}
