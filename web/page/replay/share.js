// The Share menu: the link to what is shown, and the code that shows it in a frame of another page.

import { find } from "../shared/element.js";
import { say } from "./words.js";

/** What is shared: the end of its address, and whether pages of other sites may show it in frames. @typedef {{ hash: string, isEmbeddable: boolean }} Shared */

/** Width and height of a frame, in pixels. */
const FRAME = [800, 600];

export class Share {
  /** @param {() => Shared} shared what is shown now */
  constructor(shared) {
    this.shared = shared;
    this.menu = find("share", HTMLDetailsElement);
    this.menu.addEventListener("toggle", () => this.fill());
    for (const button of this.menu.querySelectorAll("button")) button.addEventListener("click", () => this.copy(find(String(button.dataset.copy), HTMLInputElement)));
  }

  fill() {
    const { hash, isEmbeddable } = this.shared();
    find("copied").textContent = "";
    find("link", HTMLInputElement).value = `${location.href.split("#")[0]}${hash}`;
    find("frame").hidden = !isEmbeddable || location.protocol === "about:";
    find("code", HTMLInputElement).value = frameCode(hash);
  }

  /** @param {HTMLInputElement} field */
  async copy(field) {
    field.select();
    // Pages that do not come over TLS have no clipboard of the newer kind.
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value).catch(() => document.execCommand("copy"));
    else document.execCommand("copy");
    find("copied").textContent = say.copied;
  }
}

/** HTML that shows this page in a frame; a page from disk is expected beside the page with the frame. @param {string} hash */
function frameCode(hash) {
  const { protocol, origin, pathname } = location;
  const address = protocol === "file:" ? pathname.slice(pathname.lastIndexOf("/") + 1) : `${origin}${pathname}`;
  const source = `${address}?embed${hash}`.replaceAll("&", "&amp;");
  return `<iframe src="${source}" width="${FRAME[0]}" height="${FRAME[1]}" style="border: 0" title="${document.title.split(" – ").pop()}" loading="lazy"></iframe>`;
}
