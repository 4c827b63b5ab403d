// The table of duels: the share of games that each team won against each other team.

import { element } from "../shared/element.js";
import { wide } from "./plots.js";
import { teamLink } from "./ranking.js";
import { number, percent, say } from "./words.js";

/** @import { Ranking, RankingLine } from "./data.d.ts" */

/** Number of colours for shares on each side of the middle. */
const STEPS = 5;

/** The class of a share: from "lose5" over "even" to "win5". @param {number} share */
function shade(share) {
  const step = Math.round(2 * STEPS * (share - 0.5));
  return step === 0 ? "even" : `${step > 0 ? "win" : "lose"}${Math.abs(step)}`;
}

/** @param {Ranking} ranking */
export function duelsSection(ranking) {
  const { rows, duels } = ranking;
  if (rows.length < 2) return [];
  const column = (/** @type {RankingLine} */ line) => element("th", { scope: "col", title: line.name }, element("span", { "aria-hidden": "true" }, `${line.rank ?? "–"}`), element("span", { class: "unseen" }, line.name));
  const duel = (/** @type {number} */ a, /** @type {number} */ b) => {
    if (a === b) return element("td", { class: "self" });
    const [games, wins] = duels[a][b];
    if (!games) return element("td", {}, "–");
    const share = wins / games;
    const title = say.duelTitle(rows[a].name, rows[b].name, percent(share), games);
    return element("td", { class: shade(share), title }, number(100 * share));
  };
  const row = (/** @type {RankingLine} */ line, /** @type {number} */ a) => element("tr", {}, element("th", { scope: "row" }, element("span", { class: "rank" }, `${line.rank ?? "–"}`), teamLink(line.name)), ...rows.map((_, b) => duel(a, b)));
  const head = element("thead", {}, element("tr", {}, element("td", {}), ...rows.map(column)));
  const made = element("table", { class: rows.length > 16 ? "duels many" : "duels" }, head, element("tbody", {}, ...rows.map(row)));
  return [element("h2", {}, say.duels), wide(made), element("p", { class: "help" }, say.duelsHelp)];
}
