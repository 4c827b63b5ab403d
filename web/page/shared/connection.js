// The connection to the server of the page.

/** Milliseconds between attempts to find a server that is gone, at first and at most. */
export const RETRY = [500, 5000];

/** A connection on which the server tells what happens. It is made again when it ends. */
export class Connection {
  /**
   * `told` is told each message, and `connected` whether there is a connection.
   *
   * @param {{ told: (message: any) => void, connected: (yes: boolean) => void }} on
   */
  constructor(on) {
    this.on = on;
    this.retry = RETRY[0];
    this.connect();
  }

  connect() {
    const url = new URL("api/live", location.href.split("#")[0]);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    socket.addEventListener("open", () => {
      this.retry = RETRY[0];
      this.on.connected(true);
    });
    socket.addEventListener("message", ({ data }) => this.on.told(JSON.parse(data)));
    socket.addEventListener("close", () => {
      this.on.connected(false);
      setTimeout(() => this.connect(), this.retry);
      this.retry = Math.min(2 * this.retry, RETRY[1]);
    });
  }
}

/** Answer of the server: null if it has no such thing, undefined if it is busy or cannot be reached. @param {string} path @returns {Promise<any>} */
export async function ask(path) {
  try {
    const response = await fetch(path, { cache: "no-store" });
    if (response.status === 404) return null;
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}
