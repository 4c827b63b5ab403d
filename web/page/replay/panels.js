// The panels beside the board: the log, the winner, the list of games.

import { element, named, part } from "../shared/element.js";
import { LETTERS } from "../shared/letters.js";
import { renew } from "../shared/renew.js";
import { rove } from "../shared/roving.js";
import { chip, turnButton } from "./pieces.js";
import { changedPoints, tell } from "./telling.js";
import { decimals, say } from "./words.js";

/** @import { Film } from "./film.js" */
/** @import { Game, Id } from "./session.js" */

/** Lines that the log shows, and turns that it looks back for them. */
const LOG_LINES = 60;
const LOG_TURNS = 600;
/** Players on the podium. */
const PODIUM = 3;

export class Log {
  /** @param {HTMLElement} list @param {(turn: number) => void} seek */
  constructor(list, seek) {
    this.list = list;
    this.seek = seek;
    /** @type {Film | null} */
    this.film = null;
    /** The turn that is shown, and the number of frames known then. @type {string | null} */
    this.shown = null;
    /** @type {number | null} */
    this.followed = null;
    rove(list);
  }

  /** @param {Film} film */
  show(film) {
    this.film = film;
    this.shown = null;
    this.followed = null;
  }

  /** Only what concerns this player is shown, or everything for null. @param {number | null} followed */
  follow(followed) {
    this.followed = followed;
    this.shown = null;
  }

  /** The events up to a turn, newest first. @param {number} turn */
  draw(turn) {
    const { film, followed } = this;
    if (!film) return;
    const key = `${turn} ${film.frames.length}`;
    if (this.shown === key) return;
    this.shown = key;
    /** @type {Node[]} */
    const lines = [];
    for (let at = turn; at > Math.max(0, turn - LOG_TURNS) && lines.length < LOG_LINES; at -= 1) {
      for (const { event, changes } of film.happenings(at).reverse()) {
        const words = tell(event, film, at);
        const isShown = followed === null || words?.some((one) => typeof one !== "string" && film.colourOf.get(one.letter) === followed);
        if (!words || !isShown || lines.length === LOG_LINES) continue;
        const parts = [...words, ...changedPoints(changes)].map((one) => (typeof one === "string" ? one : chip(film, one.letter)));
        const button = turnButton(at, this.seek, element("span", { class: "at" }, String(at)), element("span", {}, ...parts));
        lines.push(element("li", { class: at === turn ? "now" : null }, button));
      }
    }
    this.list.replaceChildren(...lines);
  }
}

/** The winner, once the end of a game is shown. */
export class Winner {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    /** The film whose winner is shown. @type {Film | null} */
    this.film = null;
  }

  /** @param {Film} film @param {number} turn @param {boolean} goesOn */
  draw(film, turn, goesOn) {
    this.place.hidden = goesOn || !film.complete || film.last === 0 || turn !== film.last;
    if (this.place.hidden || this.film === film) return;
    this.film = film;
    const points = film.players.map((_, colour) => film.points(turn, colour));
    const most = Math.max(...points);
    const first = film.players.filter((_, colour) => points[colour] === most);
    const player = (/** @type {{ letter: string, name: string }} */ { letter, name }) => element("span", { class: "who" }, chip(film, letter), named(name));
    const ranking = [...film.players.keys()].sort((a, b) => points[b] - points[a] || a - b).slice(0, PODIUM);
    const steps = ranking.map((colour) => {
      const rank = 1 + points.filter((other) => other > points[colour]).length;
      return element("li", { class: `step-${rank}` }, player(film.players[colour]), element("b", {}, String(rank)), decimals(points[colour]));
    });
    this.place.replaceChildren(element("p", {}, ...first.map(player), `${say.wins(first.length)}${say.colon} ${decimals(most)}`), element("ol", { class: "podium" }, ...steps));
  }
}

export class GameList {
  /** @param {HTMLElement} nav */
  constructor(nav) {
    this.nav = nav;
    this.list = part(nav, "ul");
  }

  /** @param {Game[]} games @param {Id | null} selected */
  show(games, selected) {
    this.nav.hidden = games.length === 0;
    const newest = [...games].sort((a, b) => b.id - a.id);
    renew(this.list, [newest, selected], () => newest.map((game) => this.entry(game, game.id === selected)));
  }

  /** @param {Game} game @param {boolean} isSelected */
  entry(game, isSelected) {
    const film = { colourOf: new Map(Array.from(LETTERS, (text, colour) => [text, colour])) };
    const order = game.players.map((name, colour) => /** @type {const} */ ([colour, name, game.points?.[colour] ?? 0])).sort((a, b) => b[2] - a[2]);
    const players = order.slice(0, 4).map(([colour, name, points]) => element("span", { class: "entry" }, chip(film, LETTERS[colour]), named(name), element("b", {}, decimals(points))));
    if (order.length > 4) players.push(element("span", { class: "soft" }, `+ ${order.length - 4}`));
    const state = game.running ? `${say.playing} · ${say.turn} ${game.turn}` : `${say.finished} · ${game.turn} ${say.turns(game.turn)}`;
    return element("li", {}, element("a", { href: `#game=${game.id}`, "aria-current": isSelected ? "true" : null },
      element("span", { class: "head" }, element("b", {}, `${game.id} · ${say.gameNames[game.game]}`), element("span", { class: game.running ? "state on" : "state" }, state)), ...players));
  }
}
