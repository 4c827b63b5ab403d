// The board of the game that everybody watches, within this page.

import { element } from "../shared/element.js";
import { spoken } from "../shared/language.js";
import { say } from "./words.js";

export class Screen {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
  }

  /** The page of the game stays the same while games change; nobody acts on it. @param {boolean} isThere */
  show(isThere) {
    const source = isThere ? `direct/?projector&lang=${spoken.language}` : null;
    const shown = this.place.firstElementChild?.getAttribute("src") ?? null;
    if (shown === source) return;
    this.place.hidden = !isThere;
    this.place.replaceChildren(...(source ? [element("iframe", { src: source, title: say.direct[0], inert: "" })] : []));
  }
}
