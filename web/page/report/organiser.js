// The organiser's actions, which need a token. The token comes with the address and stays in this tab.

import { element } from "../shared/element.js";
import { spoken } from "../shared/language.js";
import { renew } from "../shared/renew.js";
import { say } from "./words.js";

/** @import { Note } from "./data.d.ts" */

const TOKEN = "jeton";

/** @typedef {keyof typeof say.actions} Action */

/** Actions that are possible in a phase. @type {Record<string, Action[]>} */
const ACTIONS = { lobby: ["start", "end"], running: ["pause", "end"], paused: ["resume", "end"], over: [] };

export class Organiser {
  /** `changed` is told when what can be done has changed. @param {HTMLElement} place @param {() => void} changed */
  constructor(place, changed) {
    this.place = place;
    this.changed = changed;
    this.isKnown = false;
    /** The error that is shown. @type {keyof typeof say.errors | null} */
    this.error = null;
    /** @type {string | null} */
    this.token = null;
    /** Players that are refused, in both languages, and the number of changes after which they were asked for. @type {Note[]} */
    this.refused = [];
    this.known = 0;
  }

  /** The token out of the address, where nobody shall read it any longer. */
  take() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const given = wanted.get(TOKEN) ?? wanted.get("token");
    if (given !== null) {
      history.replaceState(null, "", location.pathname + location.search);
      sessionStorage.setItem(TOKEN, given);
    }
    return sessionStorage.getItem(TOKEN);
  }

  /** Asks whether the token is right. */
  async enter() {
    this.token = this.take();
    if (this.token === null) return;
    this.error = await this.ask("GET", "api/organiser");
    this.isKnown = this.error === null;
    this.changed();
  }

  /** Asks who is refused after each change. @param {number} refusals */
  async learn(refusals) {
    if (!this.isKnown || refusals === this.known) return;
    this.known = refusals;
    try {
      const response = await fetch("api/refused", { cache: "no-store", headers: { Authorization: `Bearer ${this.token}` } });
      if (response.ok) this.refused = await response.json();
    } catch {
      // The next change asks again.
    }
    this.changed();
  }

  /** @param {Action} action @param {string | undefined} key */
  async act(action, key) {
    if (action === "end" && !window.confirm(say.confirmEnd)) return;
    const path = key === undefined ? `api/${action}` : `api/${action}/${key}`;
    this.error = await this.ask("POST", path);
    if (this.error === "token") this.isKnown = false;
    this.changed();
  }

  /** Null when it is done, else what is wrong. @param {string} method @param {string} path @returns {Promise<keyof typeof say.errors | null>} */
  async ask(method, path) {
    try {
      const response = await fetch(path, { method, cache: "no-store", headers: { Authorization: `Bearer ${this.token}` } });
      if (response.ok) return null;
      const { error } = await response.json();
      return error in say.errors ? error : "failed";
    } catch {
      return "failed";
    }
  }

  /** @param {Action} action @param {string | undefined} key */
  button(action, key = undefined) {
    return element("button", { type: "button", class: action === "start" || action === "resume" ? "main" : key === undefined ? null : "small", "data-action": [action, key].join(" "), title: say.actionTitles[action], onclick: () => this.act(action, key) }, say.actions[action]);
  }

  /** @param {string | undefined} phase */
  show(phase) {
    const { isKnown, error, refused } = this;
    renew(this.place, [phase, isKnown, error, refused], () => {
      const buttons = isKnown ? (ACTIONS[phase ?? ""] ?? []).map((action) => this.button(action)) : [];
      const message = error ? [element("p", { class: "error", role: "alert" }, say.errors[error])] : [];
      const list = isKnown && refused.length ? [element("h3", {}, say.refused), element("ul", { class: "refused" }, ...refused.map((note) => element("li", {}, note[spoken.language])))] : [];
      return isKnown || error ? [element("h2", {}, say.organiser), ...buttons, ...message, ...list] : [];
    });
  }
}
