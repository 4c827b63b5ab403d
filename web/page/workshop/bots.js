// The programs that are kept in this browser.

/** @import { Language } from "./editor.js" */

/** A program: the name of its file, with the ending of its language, and its text. @typedef {{ name: string, text: string }} Kept */

const KEY = "pacman-iuto bots";

/** The language of a file, by its name. @param {string} name @returns {Language | null} */
export function languageOf(name) {
  if (/\.py$/i.test(name)) return "python";
  return /\.(c|m)?js$/i.test(name) ? "javascript" : null;
}

export class Bots {
  /** @param {Kept[]} examples @param {Storage | null} storage */
  constructor(examples, storage) {
    this.storage = storage;
    /** @type {Kept[]} */
    this.all = this.kept() ?? examples;
  }

  /** @returns {Kept[] | null} */
  kept() {
    try {
      const all = JSON.parse(this.storage?.getItem(KEY) ?? "null");
      const isBot = (/** @type {any} */ bot) => typeof bot?.text === "string" && typeof bot?.name === "string" && languageOf(bot.name) !== null;
      return Array.isArray(all) && all.length > 0 && all.every(isBot) ? all : null;
    } catch {
      return null;
    }
  }

  /** Keeps the programs; false if the browser does not. */
  keep() {
    try {
      this.storage?.setItem(KEY, JSON.stringify(this.all));
      return this.storage !== null;
    } catch {
      return false;
    }
  }

  /** A name like this one that no program has. @param {string} name */
  free(name) {
    const dot = name.lastIndexOf(".");
    const isTaken = (/** @type {string} */ other) => this.all.some((bot) => bot.name === other);
    for (let number = 1; ; number += 1) {
      const other = number === 1 ? name : `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
      if (!isTaken(other)) return other;
    }
  }
}
