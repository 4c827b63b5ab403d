// The dialog that embeds the page of a recorded game.

import { element, embedded } from "../shared/element.js";
import { spoken } from "../shared/language.js";
import { say } from "./words.js";

export class Replay {
  /** `films` has compressed films by key; where they are served, `isLive`, every game can be had. `closed` is told. */
  constructor(dialog, films, isLive, closed) {
    Object.assign(this, { dialog, films, isLive });
    this.key = null;
    /** Number of requests: an answer to an earlier one is not shown. */
    this.asked = 0;
    this.status = dialog.querySelector("p");
    this.link = dialog.querySelector("header a");
    dialog.querySelector("button").addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      this.key = null;
      this.frame?.remove();
      closed();
    });
  }

  has(key) {
    return this.isLive || key in this.films;
  }

  /** Shows a game under a title; null closes. */
  async show(key, title) {
    if (key === this.key) return;
    this.key = key;
    this.asked += 1;
    const { asked } = this;
    this.frame?.remove();
    if (key === null) return this.dialog.close();
    this.dialog.querySelector("h2").textContent = title;
    this.status.hidden = true;
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

  /** The page for games with the film in it. */
  async page(key) {
    this.player ??= Promise.all(embedded("player").map(unpack));
    const [[before, after], film] = await Promise.all([this.player, unpack(this.films[key])]);
    return before.replace("<html lang=\"en\">", `<html lang="${spoken.language}" data-lang="${spoken.language}">`) + film + after;
  }

  /** Keys are for the game now, but Escape comes back. */
  enter(frame) {
    const inside = frame.contentWindow;
    inside.focus();
    // The capture phase runs before the embedded page closes its own dialogs and its projection with Escape.
    inside.addEventListener("keydown", (event) => {
      const own = inside.document.querySelector("dialog[open], .projector");
      if (event.key === "Escape" && !own) this.dialog.close();
    }, { capture: true });
  }
}

/** A text that was compressed and is in base 64. */
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}
