// The projection for the whole room: the ranking, running games and addresses, without buttons.

import { element, named } from "../shared/element.js";
import { spoken } from "../shared/language.js";
import { renew } from "../shared/renew.js";
import { listSection, presenceSection, progressParts, scanParts } from "./now.js";
import { certainty } from "./ranking.js";
import { Screen } from "./screen.js";
import { number, rating, say } from "./words.js";

/** @import { About, LiveSeat, Now, Ranking, RankingLine } from "./data.d.ts" */

/** Number of teams that fit into a column. */
const COLUMN = 15;
/** Number of columns beside the board: more would be too narrow for names. */
const BESIDE = 2;

export class Projection {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.parts = Object.fromEntries(["head", "main", "side", "foot"].map((name) => [name, element("div", { class: name })]));
    const screen = element("div", { class: "screen" });
    this.screen = new Screen(screen);
    const { head, main, side, foot } = this.parts;
    place.append(head, screen, main, side, foot);
  }

  /** `now` is null in a report. @param {About} about @param {Ranking} ranking @param {Now | null} now @param {boolean} isOver */
  show(about, ranking, now, isOver) {
    const phase = now?.phase ?? "over";
    this.place.className = phase;
    const waits = phase === "lobby";
    renew(this.parts.head, [about.name, phase, now?.round, now?.played, now?.total], () => [element("h1", {}, about.name), ...(now ? progressParts(now) : [])]);
    if (now && waits) renew(this.parts.main, ["lobby", now.teams, now.game_addresses, now.page_addresses], () => this.lobby(now));
    const isWatched = now?.running.some(({ featured }) => featured) ?? false;
    this.screen.show(isWatched);
    if (!waits) renew(this.parts.main, [isOver, ranking, isWatched], () => this.ranking(ranking, isOver, isWatched));
    renew(this.parts.side, [phase, now?.running, now?.next], () => (now && !waits ? this.side(now) : []));
    renew(this.parts.foot, [phase, now?.game_addresses, now?.page_addresses, now?.message], () => (now ? this.foot(now, waits) : []));
  }

  hide() {
    this.screen.show(false);
  }

  /** All teams, or as many as there is room for beside the board. @param {Ranking} ranking @param {boolean} isOver @param {boolean} isWatched */
  ranking(ranking, isOver, isWatched) {
    const ranked = ranking.rows.filter(({ rank }) => rank !== null);
    const title = ranking.provisional ? say.provisional : isOver ? say.final : say.ranking;
    const rows = isWatched ? ranked.slice(0, BESIDE * COLUMN) : ranked;
    const columns = Math.max(1, Math.ceil(rows.length / COLUMN));
    const more = ranked.length > rows.length ? [element("p", { class: "soft" }, say.others(ranked.length - rows.length))] : [];
    const item = (/** @type {RankingLine} */ line) => element("li", { class: `place${Math.min(line.rank ?? 4, 4)}` },
      element("span", { class: "rank" }, `${line.rank ?? "–"}`), named(line.name),
      element("b", {}, rating(line.rating)), element("small", {}, `${number(line.points, columns > 1 ? 0 : 1)} ${columns > 1 ? "" : say.points}`));
    const list = element("ol", { class: `places columns${Math.min(columns, 4)}` }, ...rows.map(item));
    list.style.setProperty("--rows", String(Math.ceil(rows.length / columns)));
    return [element("h2", {}, title), list, ...more, ...certainty(ranking)];
  }

  /** @param {Now} now */
  lobby(now) {
    const address = (/** @type {string} */ text) => element("code", {}, text);
    return [
      element("h2", {}, say.addressGame), element("p", { class: "big" }, ...now.game_addresses.map(address)),
      element("h2", {}, say.addressPage), element("p", { class: "big" }, ...now.page_addresses.map(address), ...scanParts(now)),
      ...presenceSection(now),
    ];
  }

  /** @param {Now} now */
  side(now) {
    const names = (/** @type {LiveSeat[]} */ seats) => [...seats].sort((a, b) => b.points - a.points).flatMap(({ team, points }, index) => [...(index ? [" · "] : []), element("span", { class: "whole" }, `${team}\u00a0`, element("b", {}, number(points)))]);
    const game = (/** @type {Now["running"][number]} */ running) => element("li", {}, element("span", { class: "soft" }, `${running.map} ${running.turn}/${running.turns}${say.colon}`), ...names(running.seats));
    const meeting = (/** @type {Now["next"][number]} */ { map, teams }) => element("li", {}, element("span", { class: "soft" }, `${map}${say.colon}`), teams.join(" · "));
    // The featured game is shown above the list.
    const running = now.running.filter(({ featured }) => !featured);
    /** @type {<T>(title: string, all: T[], most: number, item: (one: T) => Node) => Node[]} */
    const list = (title, all, most, item) => listSection(all.length > most ? `${title} (${say.others(all.length - most)})` : title, all.slice(0, most).map(item), "games");
    return [...list(say.inGame, running, 3, game), ...list(say.next, now.next, 2, meeting)];
  }

  /** @param {Now} now @param {boolean} waits */
  foot(now, waits) {
    const message = now.message ? [element("p", { class: "said" }, now.message[spoken.language])] : [];
    if (waits) return message;
    const some = (/** @type {string} */ title, /** @type {string[]} */ [address]) => (address ? [element("p", {}, `${title}${say.colon}`, element("code", {}, address))] : []);
    const own = now.phase === "over" ? [] : some(say.addresses, now.game_addresses);
    return [...message, ...own, ...some(say.addressPage, now.page_addresses)];
  }
}
