// The live connection of the page of games: fetches the list of games and their films, and receives turns as they are played.

import { Connection, ask } from "../shared/connection.js";
import { find } from "../shared/element.js";
import { Film } from "./film.js";

/** @import { Beginning, Frame } from "./frames.d.ts" */
/** @import { Game, Id } from "./session.js" */

/** The players that are there before a game, the addresses that others connect to, and those of the page, as far as other machines reach it. @typedef {{ game: "pacman" | "pyrat", names: string[], seats: number, players: string[], pages: string[] }} Gathering */
/** A message of the server. @typedef {{ type: "gathering" } & Gathering | { type: "begin", id: number, film: Beginning } | { type: "skipped", id: number, frames: Frame[] } | { type: "frame", id: number, frame: Frame } | { type: "end", id: number }} Message */
/**
 * A listener to the games of a server.
 *
 * @typedef {object} Listener
 * @property {(id: number, film: Film) => void} begin
 * @property {(id: number, frames: Frame[]) => void} skipped
 * @property {(id: number, frame: Frame) => void} frame
 * @property {(id: number) => void} end
 * @property {(gathering: Gathering) => void} gathering
 * @property {(games: Game[]) => void} games
 * @property {(yes: boolean) => void} connected
 */

export class Live {
  /** @param {Listener} on */
  constructor(on) {
    this.on = on;
    /** @type {Game[]} */
    this.games = [];
    this.hasFiles = true;
    /** True if other sites may show the page in frames. */
    this.isEmbeddable = false;
    this.connection = new Connection({
      told: (message) => this.receive(message),
      connected: (yes) => {
        on.connected(yes);
        if (yes) this.refresh();
      },
    });
  }

  /** @param {Message} message */
  receive(message) {
    const { on } = this;
    if (message.type === "gathering") on.gathering(message);
    if (message.type === "begin") on.begin(message.id, new Film(message.film));
    if (message.type === "skipped") return on.skipped(message.id, message.frames);
    if (message.type === "frame") return on.frame(message.id, message.frame);
    if (message.type === "end") on.end(message.id);
    this.refresh();
  }

  async refresh() {
    const answer = await ask("api/games");
    if (answer) {
      this.games = answer.games;
      this.isEmbeddable = answer.embeddable;
      find("arena").hidden = !answer.arena;
      this.on.games(this.games);
    }
  }

  /** The film of a game up to now; null when there is none, undefined when the server cannot say. @param {Id} id */
  async film(id) {
    const film = await ask(`api/games/${encodeURIComponent(id)}/film`);
    return film && new Film(film);
  }
}
