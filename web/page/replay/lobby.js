// The lobby before a game: the seats that are taken and free, the map, and how to join.

import { ask } from "../shared/connection.js";
import { copy } from "../shared/copy.js";
import { element, find } from "../shared/element.js";
import { LETTERS } from "../shared/letters.js";
import { renew } from "../shared/renew.js";
import { Board } from "./board.js";
import { Film } from "./film.js";
import { chip } from "./pieces.js";
import { say } from "./words.js";

/** @import { Gathering } from "./live.js" */

export class Lobby {
  constructor() {
    this.section = find("lobby");
    this.board = new Board(find("map"));
    /** True once the map was asked for; the server knows one that stays the same, or none. */
    this.hasAsked = false;
    find("join-copy").addEventListener("click", () => copy(find("join", HTMLInputElement), find("join-copied"), say.copied));
    new ResizeObserver(() => this.draw()).observe(find("map"));
  }

  /** @param {Gathering} gathering */
  show({ game, names, seats, players, pages }) {
    this.section.hidden = false;
    find("seats-count").textContent = say.missing(names.length, seats);
    const film = { colourOf: new Map(Array.from(LETTERS, (letter, colour) => [letter, colour])) };
    const seat = (/** @type {number} */ colour) => (colour < names.length
      ? element("li", { class: "who" }, chip(film, LETTERS[colour]), element("span", { class: "name", title: names[colour] }, names[colour]))
      : element("li", { class: "who soft" }, element("span", { class: "chip free", "aria-hidden": "true" }, "○"), say.free));
    renew(find("seats"), [names, seats], () => Array.from({ length: Math.max(seats, names.length) }, (_, colour) => seat(colour)));
    // A machine has several addresses; the one by which the page was found is right for others, too.
    const own = (/** @type {string} */ address) => new URL(address).hostname === location.hostname;
    const address = players.find((one) => own(`http://${one}`)) ?? players[0];
    find("join-how").hidden = address === undefined;
    find("address").textContent = address ?? "";
    find("join", HTMLInputElement).value = `client ${game === "pyrat" ? "pyrat " : ""}${say.joinFlags(address)}`;
    const page = Math.max(0, pages.findIndex(own));
    renew(find("scan"), pages[page] ?? null, () => (page in pages ? [element("img", { src: `qr/${page}`, alt: say.qrCode(pages[page]) }), element("p", {}, pages[page])] : []));
    this.askMap();
  }

  async askMap() {
    if (this.hasAsked) return;
    this.hasAsked = true;
    const film = await ask("api/map");
    // A server that is busy is asked again when somebody comes.
    this.hasAsked = film !== undefined;
    find("map").hidden = !film;
    if (!film) return;
    this.board.show(new Film(film));
    this.board.canvas.setAttribute("aria-label", say.map(film.map));
    this.draw();
  }

  draw() {
    this.board.resize();
    this.board.draw(0, 1);
  }

  hide() {
    this.section.hidden = true;
  }
}
