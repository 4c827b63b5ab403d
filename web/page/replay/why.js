// The reasons of a result: for each player the gap to the winner by source of points, and statistics of its answers.

import { element, named } from "../shared/element.js";
import { rove } from "../shared/roving.js";
import { sourceWords } from "../shared/sources.js";
import { chip, turnButton } from "./pieces.js";
import { causeOfDefeat, remarkWords } from "./telling.js";
import { decimals, milliseconds, say, signed } from "./words.js";

/** @import { Film } from "./film.js" */
/** @import { PlayerAnalysis } from "./frames.d.ts" */

/** The analysis of a player, with its letter. @typedef {PlayerAnalysis & { letter: string }} Analysed */
/** A difference to another player: of points, from a source that both have some times. @typedef {{ key: string, own: number, other: number, points: number }} Difference */

/** The kinds of episodes in which points of a source are won or lost, and by which side. @type {Record<string, [kinds: string[], side: "player" | "other"]>} */
const EPISODES = {
  bite: [["bite"], "player"],
  meal: [["meal"], "player"],
  bitten: [["bite"], "other"],
  eaten: [["meal"], "other"],
  malformed: [["malformed", "missed", "disconnected"], "player"],
  pacman_blocked: [["blocked"], "player"],
  ghost_blocked: [["blocked"], "player"],
};

export class Why {
  /** @param {HTMLElement} place @param {(turn: number) => void} seek */
  constructor(place, seek) {
    this.place = place;
    this.seek = seek;
  }

  /** Nothing is told of a game that goes on. @param {Film} film @param {boolean} goesOn */
  show(film, goesOn) {
    if (goesOn || !film.analysis || film.last === 0) {
      this.place.replaceChildren(element("p", { class: "soft" }, goesOn ? say.whyLater : say.whyNothing));
      return;
    }
    const players = film.analysis.map((player, colour) => ({ ...player, letter: film.players[colour].letter }));
    players.sort((a, b) => a.rank - b.rank || a.letter.localeCompare(b.letter));
    const answering = players.map(({ thinking_s: times }) => times).filter((times) => times[4] > 0);
    const range = [Math.min(...answering.map((times) => times[0])), Math.max(...answering.map((times) => times[4]))].map((seconds) => Math.max(seconds, 1e-6));
    this.place.replaceChildren(...players.map((player) => this.card(film, player, players, range)));
  }

  /** Shows the card of one player alone, or all for null. @param {Film} film @param {number | null} followed */
  follow(film, followed) {
    const letter = followed === null ? null : film.players[followed].letter;
    for (const card of this.place.querySelectorAll("article")) card.hidden = letter !== null && card.dataset.letter !== letter;
  }

  /** @param {Film} film @param {Analysed} player @param {Analysed[]} ranking @param {number[]} range */
  card(film, player, ranking, range) {
    const rival = player.rank > 1 ? ranking[0] : ranking.find(({ letter }) => letter !== player.letter);
    const title = element("h2", {}, element("span", { class: "rank" }, `${player.rank}.`), chip(film, player.letter), named(player.name), element("span", { class: "sum" }, decimals(player.points)));
    const sentence = causeOfDefeat(player.letter, film.episodes, player.rank === 1);
    const card = element("article", { class: "card", "data-letter": player.letter }, title,
      ...(sentence ? [element("p", { class: player.rank > 1 ? "lost" : "won" }, ...sentence.map((one) => (typeof one === "string" ? one : chip(film, one.letter))))] : []),
      ...(rival ? this.waterfall(film, player, rival) : []),
      element("h3", {}, say.answers), this.facts(film, player), ...this.thinking(player.thinking_s, range),
      ...this.remarks(player.remarks, film.game));
    rove(card);
    return card;
  }

  /** The difference to another player by source, each from where the one before ends; a bar opens its largest episode. @param {Film} film @param {Analysed} player @param {Analysed} rival */
  waterfall(film, player, rival) {
    const rows = differences(player, rival);
    if (!rows.length) return [];
    /** @type {number[]} */
    const sums = [0];
    for (const { points } of rows) sums.push(sums[sums.length - 1] + points);
    const [low, high] = [Math.min(...sums), Math.max(...sums)];
    const far = (/** @type {number} */ points) => ((points - low) / Math.max(high - low, 1e-9)) * 100;
    const row = (/** @type {Difference} */ { key, own, other, points }, /** @type {number} */ index) => {
      const bar = element("i", { class: points < 0 ? "bar loss" : "bar" });
      const [from, to] = [far(sums[index]), far(sums[index + 1])];
      bar.style.marginLeft = `${Math.min(from, to)}%`;
      bar.style.width = `${Math.max(1, Math.abs(to - from))}%`;
      const episode = this.largest(film, key, player.letter, rival.letter, points);
      const words = `${sourceWords(key)} ${own} ${say.against} ${other}`;
      const label = episode ? turnButton(episode.first, this.seek, words) : words;
      return element("tr", {}, element("th", { scope: "row" }, label), element("td", { class: "number" }, signed(points)), element("td", { class: "room" }, bar));
    };
    const total = player.points - rival.points;
    const head = element("caption", {}, `${say.difference} `, chip(film, rival.letter), ` ${rival.name}${say.colon} ${signed(total)}`);
    return [element("table", { class: "sources" }, head, element("tbody", {}, ...rows.map(row)))];
  }

  /** The episode that a difference comes from most: the player's own, or the rival's if that one gained it. @param {Film} film @param {string} key @param {string} own @param {string} rival @param {number} points */
  largest(film, key, own, rival, points) {
    const [kinds, side] = EPISODES[key] ?? [[key], "player"];
    const isLoss = ["bitten", "eaten", "malformed", "pacman_blocked", "ghost_blocked"].includes(key);
    const who = (points < 0) === isLoss ? own : rival;
    const all = film.episodes.filter((episode) => kinds.includes(episode.kind) && episode[side] === who);
    return all.length ? all.reduce((most, episode) => (Math.abs(episode.points) > Math.abs(most.points) ? episode : most)) : null;
  }

  /** @param {Film} film @param {Analysed} player */
  facts(film, player) {
    /** @type {Record<string, number>} */
    const counts = player.causes;
    const causes = Object.entries(say.countedCauses).filter(([cause]) => counts[cause] > 0).map(([cause, word]) => `${counts[cause]} ${word}`);
    const missed = `${say.missedTurns}${say.colon} ${causes.join(", ")}`;
    /** @type {[number, string][]} */
    const facts = [[player.idle, say.idleTurns], [player.held, say.heldTurns[film.game]], [player.missed, missed], [player.malformed, say.malformedTurns(player.malformed)], [player.late, say.lateTurns], [player.disconnected, say.disconnectedTurns]];
    const shown = facts.filter(([count], index) => index < 2 || count > 0);
    return element("ul", { class: "facts" }, ...shown.map(([count, what]) => element("li", {}, element("b", {}, String(count)), ` ${say.of} ${film.last} ${say.turns(film.last)} ${what}`)));
  }

  /** The first answers that went wrong; what was sent is only ever text. @param {PlayerAnalysis["remarks"]} remarks @param {"pacman" | "pyrat"} game */
  remarks(remarks, game) {
    if (!remarks.length) return [];
    const line = (/** @type {PlayerAnalysis["remarks"][number]} */ [turn, ...flaws]) => element("li", {}, turnButton(turn, this.seek, element("b", {}, `${turn}${say.colon}`), ` ${remarkWords(flaws, game)}`));
    return [element("h3", {}, say.remarks), element("ul", { class: "remarks" }, ...remarks.map(line))];
  }

  /** Thinking times on a logarithmic scale: a box up to nine in ten, with the median, and how far the others go. @param {number[]} times @param {number[]} range */
  thinking(times, [shortest, longest]) {
    if (times[4] === 0) return [element("p", {}, say.noAnswer)];
    const far = (/** @type {number} */ seconds) => Math.max(0, (Math.log(seconds / shortest) / Math.log(Math.max(longest / shortest, 1.01))) * 99);
    const piece = (/** @type {string} */ name, /** @type {number} */ from, /** @type {number} */ to) => {
      const made = element("i", { class: name });
      made.style.left = `${from}%`;
      made.style.width = `${to - from}%`;
      return made;
    };
    const [least, median, mostly, nearly, most] = times.map(far);
    const box = element("div", { class: "times", "aria-hidden": "true" }, piece("whisker", least, most), piece("box", least, mostly), piece("tick", median, median), piece("tick end", nearly, nearly), piece("tick end", most, most));
    const words = times.map((seconds, index) => element("span", {}, element("small", {}, say.thinkingScale[index]), ` ${milliseconds(seconds * 1000)} ms`));
    return [element("h3", {}, say.thinking), box, element("p", { class: "scale" }, ...words)];
  }
}

/** The differences in points between a player and another one, by source, the largest loss first. @param {PlayerAnalysis} player @param {PlayerAnalysis} rival @returns {Difference[]} */
export function differences(player, rival) {
  const of = (/** @type {PlayerAnalysis} */ { sources }, /** @type {string} */ key) => sources.find(([other]) => other === key) ?? [key, 0, 0];
  const keys = new Set([...player.sources, ...rival.sources].map(([key]) => key));
  const all = Array.from(keys, (key) => {
    const [[, own, points], [, other, theirs]] = [of(player, key), of(rival, key)];
    return { key, own, other, points: points - theirs };
  });
  return all.filter(({ points }) => points !== 0).sort((a, b) => a.points - b.points);
}
