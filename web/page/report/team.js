// The page of a team.

import { element, named } from "../shared/element.js";
import { spoken } from "../shared/language.js";
import { Scale, bar, boxPlot, cell, ratingCurve, table, wide } from "./plots.js";
import { faultCount, faultName, faultWords, teamLink } from "./ranking.js";
import { seatChip } from "./seats.js";
import { milliseconds, number, percent, rating, say } from "./words.js";

/** @import { Data, FaultLine, RankingLine, Spread } from "./data.d.ts" */
/** @import { OwnTeam } from "./own.js" */
/** @import { Column } from "./plots.js" */

/** Number of games that are listed at first, and that each click adds. */
const LISTED = 20;

export class TeamPage {
  /** `data` is all there is; `open` is told the key of a game to look at, `has` tells whether that is possible, and `chosen` is told when the reader's own team has changed. @param {Data} data @param {number} place @param {OwnTeam} own @param {(key: string) => void} open @param {(key: string) => boolean} has @param {() => void} chosen */
  constructor(data, place, own, open, has, chosen) {
    this.own = own;
    this.chosen = chosen;
    this.data = data;
    this.place = place;
    this.open = open;
    this.has = has;
    this.line = data.ranking.rows[place];
    this.team = data.teams[place];
    this.listed = LISTED;
  }

  build() {
    const section = (/** @type {string} */ title, /** @type {Node[]} */ ...children) => element("section", { class: "card" }, element("h3", {}, title), ...children);
    return element("article", { class: "team" },
      this.head(),
      this.tiles(),
      element("div", { class: "columns" },
        ...this.ratings(section),
        section(say.pointsByMap, this.spreads(this.team.maps.map(([map, spread]) => [element("span", { class: "name", title: this.mapName(map) }, this.mapName(map)), spread]), say.map, true)),
        section(say.pointsBySeat, this.spreads(this.team.seats.map((spread, seat) => [seatChip(seat), spread]), say.seat, false)),
        section(say.opponents, this.opponents()),
        section(say.faults, ...this.faults()),
        section(say.thinking, ...this.thinking())),
      element("section", { class: "card" }, element("h3", {}, say.games), ...this.games()));
  }

  head() {
    const { rows } = this.data.ranking;
    const step = (/** @type {number} */ by, /** @type {string} */ title, /** @type {string} */ text) => {
      const other = rows[this.place + by];
      return other ? [element("a", { class: "button", href: `#equipe=${encodeURIComponent(other.name)}`, title: `${title}${say.colon}${other.name}`, "aria-label": `${title}${say.colon}${other.name}` }, text)] : [];
    };
    return element("header", { class: "title" },
      element("a", { class: "button back", href: "#" }, "← ", element("span", { class: "long" }, say.back)),
      element("h2", {}, element("span", { class: "rank" }, `${this.line.rank ?? "–"}`), element("span", { class: "name" }, this.line.name)),
      this.ownButton(), ...step(-1, say.previousTeam, "‹"), ...step(1, say.nextTeam, "›"));
  }

  /** The button that makes the team the reader's own. */
  ownButton() {
    const { name } = this.line;
    const toggle = () => {
      this.own.toggle(name);
      this.chosen();
    };
    return element("button", { type: "button", "data-own": name, "aria-pressed": this.own.name === name, title: say.ownTeamTitle, onclick: toggle }, "★ ", element("span", { class: "long" }, say.ownTeam));
  }

  tiles() {
    const { line, team } = this;
    const ends = line.interval?.map(rating).join(" – ") ?? "";
    const isCompared = this.data.ranking.rows.filter(({ rank }) => rank !== null).length > 1;
    const tile = (/** @type {string} */ value, /** @type {string} */ name, /** @type {string} */ title, small = "") => element("div", { class: "tile", title }, element("b", {}, value), element("small", {}, name, small));
    const extreme = (/** @type {string} */ key, /** @type {string} */ title) => {
      const game = this.data.games.find(([other]) => other === key);
      const points = key === team.extremes?.[0] ? team.all.max : team.all.min;
      const name = game ? ` · ${this.mapName(game[2])}` : "";
      const texts = [element("b", {}, `${title} ▸`), element("small", {}, `${number(points)} ${say.points}${name}`)];
      return this.has(key) ? [element("button", { type: "button", class: "tile open", "data-replay": key, onclick: () => this.open(key) }, ...texts)] : [];
    };
    return element("div", { class: "tiles" },
      ...(isCompared ? [tile(rating(line.rating), say.rating, say.intervalTitle, ` ${ends}`)] : []),
      tile(number(line.points, 1), say.points, say.pointsTitle),
      tile(number(line.mean_rank, 2), say.meanRank, say.meanRankTitle),
      tile(number(line.firsts, Number.isInteger(line.firsts) ? 0 : 1), say.firsts, say.firstsTitle, ` · ${say.gamesPlayed(line.games)}`),
      ...(team.extremes ? [...extreme(team.extremes[0], say.best), ...extreme(team.extremes[1], say.fewest)] : []));
  }

  /** The rating by round, if there are several teams and rounds. @param {(title: string, ...children: Node[]) => Node} section */
  ratings(section) {
    const { ratings } = this.team;
    if (ratings.length < 2 || this.data.ranking.rows.length < 2) return [];
    return [section(say.ratingByRound, ratingCurve(ratings), element("p", { class: "help" }, say.ratingHelp))];
  }

  /** @param {number | null} map */
  mapName(map) {
    return this.data.about.maps[map ?? -1] ?? "–";
  }

  /** Box plot of points, always on the scale of all games. @param {[Node | string, Spread][]} list @param {string} what @param {boolean} withAll */
  spreads(list, what, withAll) {
    const scale = new Scale([this.team.all.min, this.team.all.max], 4);
    /** @type {Column[]} */
    const columns = [[what, "team"], [say.games, "figure minor"], [say.mean, "figure"], [say.min, "figure minor"], [say.max, "figure minor"], [say.meanRank, "figure"], [scale.axis(), "room", say.spreadHelp]];
    const row = (/** @type {[Node | string, Spread]} */ [name, spread]) => {
      const some = (/** @type {number} */ value, digits = 0) => (spread.games ? number(value, digits) : "–");
      const contents = [name, number(spread.games), some(spread.mean, 1), some(spread.min), some(spread.max), some(spread.mean_rank, 2), boxPlot(scale, spread)];
      return element("tr", { class: spread === this.team.all ? "sum" : null }, ...contents.map((content, index) => cell(columns[index], content)));
    };
    /** @type {[Node | string, Spread][]} */
    const rows = withAll && list.length > 1 ? [...list, [say.all, this.team.all]] : list;
    return element("div", {}, wide(table(columns, rows.map(row), { class: "figures" })), ...(withAll ? [element("p", { class: "help" }, say.spreadHelp)] : []));
  }

  opponents() {
    /** @type {Column[]} */
    const columns = [[say.team, "team"], [say.games, "figure minor"], [say.share, "figure"], ["", "room", say.share]];
    const row = (/** @type {[RankingLine, [number, number]]} */ [line, [games, wins]]) => {
      const share = wins / games;
      return element("tr", {}, cell(columns[0], teamLink(line.name)), cell(columns[1], number(games)), cell(columns[2], percent(share)), cell(columns[3], bar(share)));
    };
    /** @type {[RankingLine, [number, number]][]} */
    const met = this.data.ranking.rows.map((line, place) => [line, this.data.ranking.duels[this.place][place]]);
    return wide(table(columns, met.filter(([line, [games]]) => line !== this.line && games).map(row), { class: "figures" }));
  }

  faults() {
    const { faults } = this.team;
    const total = faultCount(this.line);
    const counts = faultWords(this.line);
    const summary = element("p", {}, counts || say.noFault);
    if (!faults.length) return [summary];
    const item = (/** @type {FaultLine} */ fault) => {
      const where = [`${say.round} ${fault.round}`, this.mapName(fault.map), ...(fault.turn === null ? [] : [`${say.turn} ${fault.turn}`])].join(" · ");
      return element("li", {}, element("span", { class: "soft" }, where), " ", element("b", {}, faultName(fault.kind)), ...this.replayButton(fault.game), element("pre", {}, fault.detail[spoken.language]));
    };
    const more = total > faults.length ? [element("p", { class: "help" }, say.many(faults.length, total))] : [];
    return [summary, element("ol", { class: "faults" }, ...faults.map(item)), ...more];
  }

  thinking() {
    const { thinking } = this.team;
    const { deadline } = this.data.about;
    /** @type {Column[]} */
    const columns = [["", "label", say.turn], [say.average, "figure"], [say.longest, "figure"], ["", "room", say.longest]];
    const row = (/** @type {string} */ name, /** @type {number} */ mean, /** @type {number} */ longest) => element("tr", {}, cell(columns[0], name), cell(columns[1], milliseconds(mean)), cell(columns[2], milliseconds(longest)), cell(columns[3], bar(longest / deadline)));
    const longest = Math.max(thinking.longest, thinking.first_longest);
    return [
      wide(table(columns, [row(say.first, thinking.first, thinking.first_longest), row(say.other, thinking.mean, thinking.longest)], { class: "figures" })),
      element("p", { class: "help" }, say.thinkingOf(milliseconds(longest), milliseconds(deadline))),
    ];
  }

  /** @param {string} key */
  replayButton(key) {
    if (!this.has(key)) return [];
    return [element("button", { type: "button", class: "small", "data-replay": key, title: say.replay, "aria-label": say.replay, onclick: () => this.open(key) }, "▸")];
  }

  /** Newest first; the last ones are shown at once. */
  games() {
    const { data, place, line } = this;
    const own = data.games.filter(([, , , , seats]) => seats.some(([who]) => who === place)).reverse();
    /** @type {Column[]} */
    const columns = [["", "middle", say.replay], [say.round, "figure minor"], [say.map, ""], [say.seat, "middle"], [say.points, "figure"], [say.rank, "figure"], [say.opponents, "others"]];
    const rows = own.slice(0, this.listed).map(([key, round, map, , seats]) => {
      const seat = seats.findIndex(([who]) => who === place);
      const [, points, rank, faulty] = seats[seat];
      const others = seats.flatMap(([who, theirs], other) => (other === seat ? [] : [this.opponent(who, theirs, other)]));
      const contents = [this.replayButton(key), [number(round)], [this.mapName(map)], [seatChip(seat)], [number(points)], [`${rank}`, ...(faulty ? [element("span", { class: "faulty", title: say.faults }, " !")] : [])], others];
      return element("tr", { title: key.slice(0, 8) }, ...contents.map((children, index) => cell(columns[index], ...children)));
    });
    const left = own.length - rows.length;
    const more = left > 0 ? [element("button", { type: "button", class: "more", onclick: (/** @type {Event} */ event) => this.more(/** @type {Element} */ (event.target)) }, say.more(Math.min(left, 5 * LISTED)))] : [];
    const note = own.length < line.games ? [element("p", { class: "help" }, say.gamesOf(own.length, line.games))] : [];
    return [wide(table(columns, rows, { class: "figures games" })), ...more, ...note];
  }

  /** @param {number | string} who @param {number} points @param {number} seat */
  opponent(who, points, seat) {
    const name = typeof who === "number" ? this.data.ranking.rows[who].name : `${who} (${say.house})`;
    return element("span", { class: "entry" }, seatChip(seat), named(name), element("b", {}, number(points)));
  }

  /** @param {Element} button */
  more(button) {
    this.listed += 5 * LISTED;
    button.closest("section")?.replaceChildren(element("h3", {}, say.games), ...this.games());
  }
}
