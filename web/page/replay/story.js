// The story of a game: its episodes and the changes of the lead, in the order of their turns.

import { element } from "../shared/element.js";
import { rove } from "../shared/roving.js";
import { chip } from "./pieces.js";
import { episodeWords, leadWords } from "./telling.js";

/** @import { Film } from "./film.js" */
/** @import { Part } from "./telling.js" */

/** A line of the story. @typedef {{ key: string, first: number, last: number, players: string[], parts: Part[] }} Line */

export class Story {
  /** @param {HTMLElement} list @param {(turn: number) => void} seek */
  constructor(list, seek) {
    this.list = list;
    this.seek = seek;
    /** @type {Film | null} */
    this.film = null;
    /** The lines that are shown, each with what it says. @type {Map<string, { item: HTMLElement, text: string, line: Line }>} */
    this.items = new Map();
    /** The player whose lines alone are shown, if there is one. @type {string | null} */
    this.followed = null;
    rove(list);
  }

  /** @param {Film} film */
  show(film) {
    this.film = film;
    this.followed = null;
    this.items.clear();
    this.list.replaceChildren();
  }

  /** @param {number | null} followed */
  follow(followed) {
    this.followed = followed === null ? null : this.film?.players[followed].letter ?? null;
  }

  /** The lines of what is known of the game. @returns {Line[]} */
  lines() {
    const { film } = this;
    if (!film) return [];
    const episodes = film.notable().map((episode, index) => ({ key: `${episode.kind} ${episode.player} ${episode.other} ${episode.first} ${index}`, first: episode.first, last: episode.last, players: [episode.player, episode.other ?? ""], parts: episodeWords(episode) }));
    const leads = film.leads().map((lead) => ({ key: `lead ${lead.turn}`, first: lead.turn, last: lead.turn, players: [lead.letter], parts: leadWords(lead) }));
    return [...episodes, ...leads].filter(({ players }) => this.followed === null || players.includes(this.followed)).sort((a, b) => a.first - b.first);
  }

  /** @param {number} turn */
  draw(turn) {
    const { film } = this;
    if (!film) return;
    const items = this.lines().map((line) => this.item(film, line));
    const before = Array.from(this.list.children);
    if (items.length !== before.length || items.some((item, index) => item !== before[index])) this.list.replaceChildren(...items);
    /** @type {HTMLElement | null} */
    let current = null;
    for (const { item, line } of this.items.values()) {
      if (!item.isConnected) continue;
      const isNow = line.first <= turn && turn <= line.last;
      item.className = isNow ? "now" : line.first > turn ? "later" : "";
      if (line.first <= turn && (!current || current.compareDocumentPosition(item) & Node.DOCUMENT_POSITION_FOLLOWING)) current = item;
    }
    if (!this.list.matches(":hover, :focus-within")) reveal(this.list, current);
  }

  /** The element of a line, made anew if it says something else. @param {Film} film @param {Line} line */
  item(film, line) {
    const text = JSON.stringify([line.parts, line.last]);
    const known = this.items.get(line.key);
    if (known?.text === text) return known.item;
    const turns = line.first === line.last ? `${line.first}` : `${line.first}–${line.last}`;
    const parts = line.parts.map((one) => (typeof one === "string" ? one : chip(film, one.letter)));
    const button = element("button", { type: "button", "data-turn": line.first, onclick: () => this.seek(line.first) },
      element("span", { class: "at" }, turns), element("span", {}, ...parts));
    const item = known?.item ?? element("li");
    item.replaceChildren(button);
    this.items.set(line.key, { item, text, line });
    return item;
  }
}

/** Scrolls a list, and nothing else, so that an entry is seen. @param {HTMLElement} list @param {HTMLElement | null} entry */
function reveal(list, entry) {
  if (!entry) return void (list.scrollTop = 0);
  const [top, bottom] = [entry.offsetTop - list.offsetTop, entry.offsetTop - list.offsetTop + entry.offsetHeight];
  if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight + entry.offsetHeight;
  if (top < list.scrollTop) list.scrollTop = Math.max(0, top - entry.offsetHeight);
}
