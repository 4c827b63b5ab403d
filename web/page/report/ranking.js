// The ranking of the teams.

import { element, named } from "../shared/element.js";
import { spoken } from "../shared/language.js";
import { Scale, cell, intervalPlot, table, wide } from "./plots.js";
import { milliseconds, number, rating, say } from "./words.js";

/** @import { About, Data, GameLine, Ranking, RankingLine } from "./data.d.ts" */
/** @import { Column } from "./plots.js" */

/** The key that teams are sorted by. @typedef {"rank" | "name" | "games" | "points" | "meanRank" | "firsts" | "faults" | "malformed" | "thinking"} Key */

/** Numbers that sort teams. @type {Record<Exclude<Key, "name" | "rank">, (line: RankingLine) => number>} */
const NUMBERS = {
  games: (line) => line.games,
  points: (line) => line.points,
  meanRank: (line) => line.mean_rank,
  firsts: (line) => line.firsts,
  faults: faultCount,
  malformed: (line) => line.malformed,
  thinking: (line) => line.thinking[0],
};
/** Keys that begin with the largest number. @type {Key[]} */
const LARGEST_FIRST = ["games", "points", "firsts", "faults", "malformed"];

/** Link to the page of a team. @param {string} name */
export function teamLink(name) {
  return named(name, "a", { href: `#equipe=${encodeURIComponent(name)}` });
}

/** The number of faults of a team. @param {RankingLine} line */
export function faultCount(line) {
  return line.faults.reduce((sum, [, count]) => sum + count, 0);
}

/** Faults, malformed orders and missed deadlines of a team, in words. @param {RankingLine} line */
export function faultWords(line) {
  const kinds = line.faults.map(([kind, count]) => `${count} × ${faultName(kind)}`);
  if (line.malformed) kinds.push(say.malformed(line.malformed));
  if (line.missed) kinds.push(say.deadlines(line.missed));
  return kinds.join(", ");
}

/** The name of a fault. @param {string} kind */
export function faultName(kind) {
  return /** @type {Record<string, string>} */ (say.faultKinds)[kind] ?? kind;
}

/** A text to search in, without case and accents. @param {string} text */
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The ranking as a table that the reader sorts and filters. */
export class RankingTable {
  /** `changed` is told when the reader has chosen something. @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.choice = { key: /** @type {Key} */ ("rank"), isReversed: false, filter: "" };
  }

  /** Sorts by a key, and in the other order if it is the key already. @param {Key} key */
  sort(key) {
    this.choice.isReversed = this.choice.key === key && !this.choice.isReversed;
    this.choice.key = key;
    this.changed();
  }

  /** Shows only teams whose names contain a text. @param {string} text */
  filter(text) {
    this.choice.filter = plain(text.trim());
    this.changed();
  }

  /** The teams that are chosen, in the order that is chosen. @param {RankingLine[]} ranked */
  chosen(ranked) {
    const { key, isReversed, filter } = this.choice;
    const lines = ranked.filter(({ name }) => plain(name).includes(filter));
    const sign = isReversed === LARGEST_FIRST.includes(key) ? 1 : -1;
    if (key === "rank") return isReversed ? lines.reverse() : lines;
    if (key === "name") return lines.sort((a, b) => sign * a.name.localeCompare(b.name, spoken.language));
    return lines.sort((a, b) => sign * (NUMBERS[key](a) - NUMBERS[key](b)));
  }

  /** The sorting of a column by this key. @param {Key} key */
  sorting(key) {
    const isDown = this.choice.isReversed !== LARGEST_FIRST.includes(key);
    return { key, state: this.choice.key === key ? (isDown ? "descending" : "ascending") : null, act: () => this.sort(key) };
  }

  /** @param {Ranking} ranking @param {boolean} isOver */
  build(ranking, isOver) {
    const title = ranking.provisional ? say.provisional : isOver ? say.final : say.ranking;
    const head = element("h2", {}, title);
    const ranked = ranking.rows.filter(({ rank }) => rank !== null);
    if (!ranked.length) return [head, element("p", { class: "soft" }, say.noGame), ...disqualifiedParts(ranking)];
    const unranked = ranking.rows.filter(({ rank, disqualified }) => rank === null && disqualified === null).map(({ name }) => name);
    const scale = new Scale(ranked.flatMap(({ rating: value, interval }) => [value, ...(interval ?? [])]));
    /** @type {Column[]} */
    const columns = [
      ["#", "rank", say.rank, this.sorting("rank")],
      [say.team, "team", undefined, this.sorting("name")],
      // A team that is compared with no other one has no rating.
      ...(ranked.length > 1 ? /** @type {Column[]} */ ([[say.rating, "figure", say.intervalTitle], [scale.axis(rating), "room", say.intervalTitle]]) : []),
      [say.games, "figure minor", undefined, this.sorting("games")],
      [say.points, "figure", say.pointsTitle, this.sorting("points")],
      [say.meanRank, "figure minor", say.meanRankTitle, this.sorting("meanRank")],
      [say.firsts, "figure minor", say.firstsTitle, this.sorting("firsts")],
      [say.faults, "figure tiny", say.faultsTitle, this.sorting("faults")],
      [say.badOrders, "figure tiny", say.badOrdersTitle, this.sorting("malformed")],
      [say.milliseconds, "figure minor", say.thinkingTitle, this.sorting("thinking")],
    ];
    const row = (/** @type {RankingLine} */ line) => {
      const value = rating(line.rating);
      const ends = line.interval?.map(rating).join(" – ") ?? "";
      const count = faultCount(line);
      const contents = [
        [`${line.rank}`],
        [teamLink(line.name)],
        ...(ranked.length > 1 ? [[element("b", {}, value), element("small", {}, ` ${ends}`)], [intervalPlot(scale, line.rating, line.interval, say.plotTitle(line.name, value, ends))]] : []),
        [number(line.games)],
        [number(line.points, 1)],
        [number(line.mean_rank, 2)],
        [number(line.firsts, Number.isInteger(line.firsts) ? 0 : 1)],
        [element("span", { class: count ? "faulty" : null, title: faultWords({ ...line, malformed: 0 }) }, number(count))],
        [number(line.malformed)],
        [number(line.thinking[0], 1)],
      ];
      const cells = contents.map((children, index) => cell(columns[index], ...children));
      return element("tr", { class: line.rank === 1 ? "first" : null }, ...cells);
    };
    return [head, ...certainty(ranking), wide(table(columns, this.chosen(ranked).map(row), { class: "figures ranking" })), ...(unranked.length ? [element("p", {}, `${unranked.join(", ")} (${say.unranked})`)] : []), ...disqualifiedParts(ranking), element("p", { class: "help" }, ranking.provisional ? say.howProvisional : `${say.how} ${say.raceHelp}`)];
  }
}

/** The disqualified teams with the organiser's reasons. @param {Ranking} ranking */
function disqualifiedParts(ranking) {
  return ranking.rows.flatMap(({ name, disqualified }) => (disqualified === null ? [] : [element("p", { class: "disqualified" }, teamLink(name), ` (${say.disqualified})${say.colon}${disqualified}`)]));
}

/** Tells if a team is shown to be the best, or at most `most` of those that may be. @param {Ranking} ranking */
export function certainty(ranking, most = 3) {
  if (ranking.provisional || !ranking.games || ranking.rows.length < 2) return [];
  const sentence = (/** @type {(Node | string)[]} */ ...parts) => [element("p", { class: "certainty", title: say.raceHelp }, ...parts)];
  if (ranking.risk !== null) {
    const [name, rest] = say.bestIs(ranking.rows[0].name, `${number(Math.max(0.1, Math.ceil(1000 * ranking.risk) / 10), 1)}\u00a0%`);
    return sentence(element("b", {}, name), rest);
  }
  const racing = ranking.rows.filter(({ risk }) => risk > 0.05);
  const names = racing.slice(0, most).map(({ name }) => name);
  if (names.length && racing.length > most) names.push(say.others(racing.length - most));
  return sentence(say.noBest, names.length ? say.stillPossible(names.join(", ")) : "");
}

/** Results that were voided, and lots that put teams into the final. @param {Data} data */
export function notesSection({ voids, lots: [lucky, unlucky], ranking, about }) {
  const name = (/** @type {GameLine[4][number]} */ [who, points]) => `${typeof who === "number" ? ranking.rows[who].name : who} ${points}`;
  const item = (/** @type {Data["voids"][number]} */ { game: [key, round, map, , seats], reason, again }) => element("li", {}, element("code", {}, key.slice(0, 8)), ` ${say.round} ${round}, ${about.maps[map ?? -1] ?? "–"}${say.colon}${seats.map(name).join(", ")}. `, element("b", {}, reason), ` (${say.voidedAgain(again)})`);
  const byLot = lucky.length ? [element("p", {}, say.byLot(lucky.join(", "), unlucky.join(", ")))] : [];
  return [...byLot, ...(voids.length ? [element("h2", {}, say.voided), element("ul", { class: "voids" }, ...voids.map(item))] : [])];
}

/** Conditions of every game. @param {About} about @param {number} games */
export function conditionsSection(about, games) {
  const facts = [
    [say.format, `${/** @type {Record<string, string>} */ (say.formats)[about.format] ?? about.format}, ${say.rounds.toLowerCase()}${say.colon}${about.rounds || say.roundsLater}`],
    [say.games, number(games)],
    [say.seatings, number(about.seatings)],
    [say.maps, about.maps.join(", ")],
    [say.rules, about.rules],
    [say.turns, number(about.turns)],
    [say.deadline, milliseconds(about.deadline)],
    [say.houseBot, about.house],
    [say.seed, about.seed],
  ];
  const list = facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
  const notes = about.notes.map((note) => element("p", { class: "help" }, note[spoken.language]));
  return [element("h2", {}, say.conditions), element("dl", { class: "facts" }, ...list), ...notes, element("p", { class: "help" }, say.draws)];
}
