// The live connection of the page of a tournament: receives the server's messages, and asks for all games now and then.

import { Connection, ask } from "../shared/connection.js";

/** @import { Data, Now, Ranking } from "./data.d.ts" */

/** Milliseconds between two looks at all games, at least. */
const REPORT = 5000;

export class Live {
  /**
   * `reported` is told all games, or null when they are to be fetched again.
   *
   * @param {{ told: (message: { type: "now", now: Now, arena: boolean } | { type: "ranking", ranking: Ranking }) => void, reported: (report: Data | null) => void, connected: (yes: boolean) => void }} on
   */
  constructor(on) {
    this.on = on;
    /** Games of the last report, and when it came. */
    this.report = { games: -1, at: -Infinity };
    this.fetching = false;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.waiting = null;
    this.connection = new Connection(on);
  }

  /** Fetches all games, if there are `games` now and these are not known. @param {number} games */
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
    const report = await ask("api/report");
    this.fetching = false;
    this.report = { games: report ? games : -1, at: performance.now() };
    this.on.reported(report ?? null);
  }
}
