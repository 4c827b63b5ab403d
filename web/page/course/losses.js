// The sources of points in a team's last lost games, beside those of the winners.

import { element, find } from "../shared/element.js";
import { renew } from "../shared/renew.js";
import { sourceWords } from "../shared/sources.js";
import { read } from "./ask.js";
import { table } from "./table.js";
import { decimal, say, signed } from "./words.js";

/** @import { Losses } from "./data.d.ts" */

/** The least difference that is shown, in points a game. */
const LEAST = 0.5;

export class LossesCard {
  /** `failed` is told what has failed. @param {(error: unknown) => void} failed */
  constructor(failed) {
    this.failed = failed;
    /** @type {Losses | null} */
    this.losses = null;
  }

  /** @param {boolean} hasGames */
  show(hasGames) {
    renew(find("losses"), [hasGames, this.losses], () => {
      if (!hasGames) return [];
      const button = element("button", { type: "button", onclick: () => this.ask(hasGames) }, say.whyLost);
      return [element("h2", {}, say.losses), element("p", {}, button), ...(this.losses ? told(this.losses) : [])];
    });
  }

  /** @param {boolean} hasGames */
  async ask(hasGames) {
    try {
      this.losses = await read("api/equipe/defaites");
      this.show(hasGames);
    } catch (error) {
      this.failed(error);
    }
  }
}

/** @param {Losses} losses */
function told({ games, behind, sources, missed, malformed }) {
  if (!games) return [element("p", { class: "soft" }, say.noLosses)];
  const rows = sources
    .map(({ key, own, winner }) => ({ key, own, winner, gap: own.points - winner.points }))
    .filter(({ gap }) => Math.abs(gap) >= LEAST)
    .map(({ key, own, winner, gap }) => ({ cells: [sourceWords(key), { number: decimal(own.count) }, { number: decimal(winner.count) }, { number: signed(gap) }] }));
  const flaws = [missed > 0 ? say.missedTurns(missed) : "", malformed > 0 ? say.malformedTurns(malformed) : ""].filter(Boolean);
  return [
    element("p", {}, say.behind(games, behind)),
    table([say.source, say.ownCount, say.winnerCount, say.difference], rows),
    ...flaws.map((flaw) => element("p", { class: "bad" }, flaw)),
  ];
}
