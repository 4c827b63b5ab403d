// The strip of players in the order of their points.

import { element, named } from "../shared/element.js";
import { sourceWords } from "../shared/sources.js";
import { chip, picture } from "./pieces.js";
import { OBJECTS } from "./shapes.js";
import { look } from "./theme.js";
import { decimals, say } from "./words.js";

/** @import { Film } from "./film.js" */
/** @import { PacmanPlayer } from "./frames.d.ts" */
/** @import { Look } from "./shapes.js" */

export class Scores {
  /** @param {HTMLElement} list @param {(colour: number) => void} follow */
  constructor(list, follow) {
    this.list = list;
    this.follow = follow;
    /** Of each player. @type {{ item: HTMLElement, rank: HTMLElement, points: HTMLElement, powers: HTMLElement, button: HTMLElement }[]} */
    this.entries = [];
    /** The colours in the order of the list. */
    this.order = "";
    /** @type {Film | null} */
    this.film = null;
    /** @type {Look} */
    this.theme = {};
  }

  /** @param {Film} film */
  show(film) {
    this.film = film;
    this.entries = film.players.map(({ letter, name }, colour) => {
      const rank = element("span", { class: "rank" });
      const points = element("b", { class: "points" });
      const powers = element("span", { class: "powers" });
      const button = element("button", { type: "button", class: "who", "aria-pressed": "false", onclick: () => this.follow(colour) },
        rank, chip(film, letter), named(name), powers, points);
      return { item: element("li", {}, button), rank, points, powers, button };
    });
    this.order = "";
    this.list.classList.toggle("many", film.players.length > 8);
    this.theme = look(this.list);
  }

  /** Shows which player is followed, if one is. @param {number | null} followed */
  mark(followed) {
    this.entries.forEach(({ button }, colour) => button.setAttribute("aria-pressed", String(colour === followed)));
  }

  /** @param {number} turn */
  draw(turn) {
    const { film } = this;
    if (!film) return;
    const points = film.players.map((_, colour) => film.points(turn, colour));
    const order = [...film.players.keys()].sort((a, b) => points[b] - points[a] || a - b);
    if (order.join() !== this.order) {
      this.order = order.join();
      const focused = this.list.contains(document.activeElement) ? document.activeElement : null;
      this.list.replaceChildren(...order.map((colour) => this.entries[colour].item));
      if (focused instanceof HTMLElement) focused.focus();
    }
    this.entries.forEach((entry, colour) => {
      write(entry.rank, `${1 + points.filter((other) => other > points[colour]).length}`);
      write(entry.points, decimals(points[colour]));
      if (film.game === "pacman") this.drawPowers(entry.powers, /** @type {PacmanPlayer} */ (film.frames[turn].p[colour]));
    });
  }

  /** @param {HTMLElement} place @param {PacmanPlayer} player */
  drawPowers(place, [, , , , glutton, freeze, pass]) {
    const powers = /** @type {const} */ ([["$", glutton], ["@", freeze], ["~", pass]]);
    const left = powers.filter(([, turns]) => turns > 0);
    const shown = left.flat().join(" ");
    if (place.dataset.shown === shown) return;
    place.dataset.shown = shown;
    place.replaceChildren(...left.map(([object, turns]) =>
      element("span", { class: "power", title: `${sourceWords(object)}${say.colon} ${turns}` }, picture(OBJECTS[object], this.theme, 1.25), String(turns))));
  }
}

/** @param {HTMLElement} place @param {string} text */
function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
