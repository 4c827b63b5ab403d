// The dialog that embeds the page of a recorded game.

import { element, embedded, part } from "../shared/element.js";
import { spoken } from "../shared/language.js";
import { say } from "./words.js";

export class Replay {
  /** `films` has compressed films by key; where they are served, `isLive`, every game can be had. `closed` is told. @param {HTMLDialogElement} dialog @param {Record<string, string>} films @param {boolean} isLive @param {() => void} closed */
  constructor(dialog, films, isLive, closed) {
    this.dialog = dialog;
    this.films = films;
    this.isLive = isLive;
    /** The game that is shown. @type {string | null} */
    this.key = null;
    /** @type {HTMLIFrameElement | null} */
    this.frame = null;
    /** The page for games, before and after the film. @type {Promise<string[]> | null} */
    this.player = null;
    this.title = part(dialog, "h2");
    /** Number of requests: an answer to an earlier one is not shown. */
    this.asked = 0;
    this.status = part(dialog, "p");
    this.head = part(dialog, "header");
    this.link = part(this.head, "a");
    part(dialog, "button").addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      this.key = null;
      this.frame?.remove();
      closed();
    });
  }

  /** @param {string} key */
  has(key) {
    return this.isLive || key in this.films;
  }

  /** Shows a game under a title; null closes. @param {string | null} key @param {string} title */
  async show(key, title) {
    if (key === this.key) return;
    this.key = key;
    this.asked += 1;
    const { asked } = this;
    this.frame?.remove();
    if (key === null) return this.dialog.close();
    this.title.textContent = title;
    this.status.hidden = true;
    this.head.hidden = false;
    this.link.hidden = !this.isLive;
    if (!this.dialog.open) this.dialog.showModal();
    try {
      const frame = element("iframe", { title: say.replay });
      frame.addEventListener("load", () => this.enter(frame));
      if (this.isLive) {
        frame.src = `rejeu/${key}?lang=${spoken.language}`;
        this.link.href = frame.src;
      } else {
        frame.srcdoc = await this.page(key);
      }
      if (asked !== this.asked || this.key === null) return;
      this.frame = frame;
      this.dialog.append(frame);
    } catch {
      this.status.textContent = say.noReplay;
      this.status.hidden = false;
    }
  }

  /** The page for games with the film in it. @param {string} key */
  async page(key) {
    this.player ??= Promise.all(embedded("player").map(unpack));
    const [[before, after], film] = await Promise.all([this.player, unpack(this.films[key])]);
    return before.replace("<html lang=\"en\">", `<html lang="${spoken.language}" data-lang="${spoken.language}">`) + film + after;
  }

  /** The game plays, its header takes the place of the dialog's, and keys are for the game; Escape comes back. @param {HTMLIFrameElement} frame */
  enter(frame) {
    const inside = frame.contentWindow;
    const top = inside?.document.querySelector(".top");
    /** @type {HTMLElement | null | undefined} */
    const play = inside?.document.querySelector("#play");
    if (!inside || !top || !play) return;
    const close = element("button", { type: "button", class: "close", title: say.close, "aria-label": say.close, onclick: () => this.dialog.close() }, "✕");
    close.style.marginInlineStart = "auto";
    // On a phone, a window of its own is no larger than the dialog.
    const isWide = window.matchMedia("(min-width: 56rem)").matches;
    top.append(...(this.isLive && isWide ? [this.link.cloneNode(true)] : []), close);
    this.head.hidden = true;
    inside.focus();
    play.click();
    // The capture phase runs before the embedded page closes its own dialogs and its projection with Escape.
    inside.addEventListener("keydown", (event) => {
      const own = inside.document.querySelector("dialog[open], .projector");
      if (event.key === "Escape" && !own) this.dialog.close();
    }, { capture: true });
  }
}

/** A text that was compressed and is in base 64. @param {string} packed */
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}
