// The form of a new game.

import { element, find } from "../shared/element.js";
import { LETTERS } from "../shared/letters.js";
import { spoken } from "../shared/language.js";
import { words } from "./words.js";

/** @import { Bot, Catalogue, PacmanTerms, Player } from "../arene/arene.js" */

/** @typedef {PacmanTerms & { players: Player[] }} Terms */

/** Players of a new game: nobody's bot is you. @type {Record<string, Player[]>} */
const USUAL = { pacman: [null, "glouton", "dijkstra", "champion"], pyrat: [null, "glouton"] };

export class Setup {
  /** @param {HTMLFormElement} form @param {Catalogue} catalogue @param {(kind: string, terms: Terms) => void} begin */
  constructor(form, catalogue, begin) {
    this.form = form;
    this.catalogue = catalogue;
    /** The program that plays in the place of a person, while the workshop is open. @type {(() => unknown) | null} */
    this.program = null;
    for (const { name } of catalogue.maps) find("plan", HTMLSelectElement).add(new Option(name));
    for (const name of catalogue.rules) find("rules", HTMLSelectElement).add(new Option(name));
    form.addEventListener("change", ({ target }) => target instanceof HTMLInputElement && target.name === "kind" && this.show());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.attempt(this.program ?? (() => begin(this.kind, this.terms)));
    });
    this.show();
  }

  get kind() {
    return new FormData(this.form).get("kind") === "pyrat" ? "pyrat" : "pacman";
  }

  /** @returns {Terms} */
  get terms() {
    const players = Array.from(find("bots").querySelectorAll("select"), ({ value }) => value || null);
    const names = players.map((bot, colour) => (bot ? `${bot} ${LETTERS[colour]}` : players.indexOf(null) === colour ? words.you : LETTERS[colour]));
    const common = { players, names, seed: BigInt(find("seed", HTMLInputElement).value), turns: Number(find("length", HTMLInputElement).value) };
    if (this.kind === "pyrat") return { ...common };
    return { ...common, map: find("plan", HTMLSelectElement).value, rules: find("rules", HTMLSelectElement).value };
  }

  /** Shows the form with a new seed. */
  show() {
    const { kind, catalogue } = this;
    document.body.classList.toggle("is-pyrat", kind === "pyrat");
    const bots = kind === "pyrat" ? catalogue.rats : catalogue.bots;
    find("bots").replaceChildren(...USUAL[kind].map((player, colour) => this.seat(bots, player, colour)));
    find("seed", HTMLInputElement).value = String(crypto.getRandomValues(new Uint32Array(1))[0]);
    find("wrong").textContent = "";
    find("game").hidden = true;
    find("nothing").hidden = true;
    this.form.hidden = false;
  }

  hide() {
    this.form.hidden = true;
  }

  /** The choice of a person or a bot for a seat. @param {Bot[]} bots @param {Player} player @param {number} colour */
  seat(bots, player, colour) {
    const select = element("select", { "aria-label": `${words.players} ${LETTERS[colour]}` });
    select.add(new Option(words.you, "", player === null, player === null));
    for (const bot of bots) {
      const option = new Option(bot.name, bot.name, bot.name === player, bot.name === player);
      option.title = spoken.language === "fr" ? bot.fr : bot.en;
      select.add(option);
    }
    return element("label", {}, `${LETTERS[colour]} `, select);
  }

  /** Offers a map that was dropped. @param {string} name @param {string} text */
  useMap(name, text) {
    find("plan", HTMLSelectElement).add(new Option(name, text, true, true));
    this.show();
  }

  /** Does something, and tells why it cannot be done. @param {() => unknown} act */
  async attempt(act) {
    find("wrong").textContent = "";
    try {
      await act();
    } catch (error) {
      this.form.hidden = false;
      find("wrong").textContent = error instanceof Error ? error.message : String(error);
    }
  }
}
