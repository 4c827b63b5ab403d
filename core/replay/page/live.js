// The connection to the server: its list of games, their films, and live events.

/** Milliseconds between attempts to find a server that is gone, at first and at most. */
const RETRY = [500, 5000];

class Live {
  /** `on` has `begin`, `skipped`, `frame`, `end`, `gathering`, `games` and `connected`. */
  constructor(on) {
    this.on = on;
    this.games = [];
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
      this.refresh();
    });
    socket.addEventListener("message", ({ data }) => this.receive(JSON.parse(data)));
    socket.addEventListener("close", () => {
      this.on.connected(false);
      setTimeout(() => this.connect(), this.retry);
      this.retry = Math.min(2 * this.retry, RETRY[1]);
    });
  }

  receive({ type, id, film, frames, frame, ...gathering }) {
    if (type === "gathering") this.on.gathering(gathering);
    if (type === "begin") this.on.begin(id, new Film(film));
    if (type === "skipped") return this.on.skipped(id, frames);
    if (type === "frame") this.on.frame(id, frame);
    if (type === "end") this.on.end(id);
    if (type !== "frame") this.refresh();
  }

  async refresh() {
    const answer = await this.get("api/games");
    if (answer) {
      this.games = answer.games;
      this.on.games(this.games);
    }
  }

  /** The film of a game up to now; null when there is none, undefined when the server cannot say. */
  async film(id) {
    const film = await this.get(`api/games/${encodeURIComponent(id)}/film`);
    return film && new Film(film);
  }

  /** Answer of the server: null if it has no such thing, undefined if it is busy or cannot be reached. */
  async get(path) {
    try {
      const response = await fetch(path, { cache: "no-store" });
      if (response.status === 404) return null;
      return response.ok ? await response.json() : undefined;
    } catch {
      return undefined;
    }
  }
}
