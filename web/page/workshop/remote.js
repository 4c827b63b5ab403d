// A program's seat in a game of a server, over a WebSocket: `PROTOCOL.md` tells its messages.

export class Remote {
  /** `told` is told of each state: the number of turns played, and that of all. @param {string} address @param {(turn: number, turns: number) => void} told */
  constructor(address, told) {
    this.told = told;
    /** @type {string | null} */
    this.name = "";
    /** @type {"over" | null} */
    this.ending = null;
    /** The turn of the state that came last; −1 before the first. */
    this.seen = -1;
    this.left = Infinity;
    this.isAwaited = false;
    this.text = "";
    this.decoder = new TextDecoder();
    /** The reason why the server closed the connection. */
    this.reason = "";
    /** @type {string[]} */
    this.received = [];
    this.wake = () => {};
    this.socket = new WebSocket(address);
    this.isOpen = new Promise((resolve) => (this.socket.onopen = resolve));
    this.socket.onmessage = ({ data }) => this.hear(data);
    this.isClosed = new Promise((resolve) => {
      this.socket.onclose = ({ reason }) => {
        this.reason = reason;
        this.ending = "over";
        this.wake();
        resolve(undefined);
      };
    });
  }

  /** @param {string} message */
  hear(message) {
    const [, turn, turns] = /^jeu;[A-Z]\n(\d+);(\d+)\n/.exec(message) ?? [];
    if (turn !== undefined) {
      this.seen = Number(turn);
      this.told(this.seen, Number(turns));
    }
    this.received.push(`${message}\0`);
    this.wake();
  }

  /** Sends what the program writes, a message at a time. @param {Uint8Array | string} data */
  send(data) {
    const messages = (this.text + (typeof data === "string" ? data : this.decoder.decode(data, { stream: true }))).split("\0");
    this.text = messages.pop() ?? "";
    this.isOpen.then(() => messages.forEach((message) => this.socket.send(message)));
  }

  /** The next message with its NUL, when it comes; empty if the connection is closed. @returns {Promise<string>} */
  async receive() {
    while (this.received.length === 0 && this.ending === null) await new Promise((resolve) => (this.wake = () => resolve(undefined)));
    return this.received.shift() ?? "";
  }
}
