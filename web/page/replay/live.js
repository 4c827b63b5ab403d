// What the server tells: its list of games, their films, and live events.

import { Connection, ask } from "../shared/connection.js";
import { Film } from "./film.js";

export class Live {
  /** `on` has `begin`, `skipped`, `frame`, `end`, `gathering`, `games` and `connected`. */
  constructor(on) {
    this.on = on;
    this.games = [];
    this.connection = new Connection({
      told: (message) => this.receive(message),
      connected: (yes) => {
        on.connected(yes);
        if (yes) this.refresh();
      },
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
    const answer = await ask("api/games");
    if (answer) {
      this.games = answer.games;
      this.on.games(this.games);
    }
  }

  /** The film of a game up to now; null when there is none, undefined when the server cannot say. */
  async film(id) {
    const film = await ask(`api/games/${encodeURIComponent(id)}/film`);
    return film && new Film(film);
  }
}
