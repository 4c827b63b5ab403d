// The connection to the server of a running tournament.

/** Milliseconds between attempts to find a server that is gone, at first and at most. */
const RETRY = [500, 5000];

/** Milliseconds between two looks at all games, at least. */
const REPORT = 5000;

class Live {
  /** `on` has `told`, `reported` and `connected`. */
  constructor(on) {
    this.on = on;
    this.retry = RETRY[0];
    /** Games of the last report, and when it came. */
    this.report = { games: -1, at: -Infinity };
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

  /** Fetches all games, if there are `games` now and these are not known. */
  async wantReport(games) {
    if (this.fetching || games === this.report.games) return;
    const wait = this.report.at + REPORT - performance.now();
    if (wait > 0) {
      this.waiting ??= setTimeout(() => {
        this.waiting = null;
        this.on.reported(null);
      }, wait);
      return;
    }
    this.fetching = true;
    const report = await this.get("api/report");
    this.fetching = false;
    this.report = { games: report ? games : -1, at: performance.now() };
    this.on.reported(report);
  }

  async get(path) {
    try {
      const response = await fetch(path, { cache: "no-store" });
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    }
  }
}
