// The Share menu: the link to what is shown, the code that shows it in a frame of another page, the files of a game, and some of its turns as an animation.

import { copy } from "../shared/copy.js";
import { element, find } from "../shared/element.js";
import { say } from "./words.js";

/** @import { Film } from "./film.js" */

/** The shared game: its film and turn, the end of their address, the name of the game on its server, if it has one, and whether pages of other sites may show it in frames. @typedef {{ film: Film | null, turn: number, hash: string, game: string | null, isEmbeddable: boolean }} Shared */

/** Width and height of a frame, in pixels. */
const FRAME = [800, 600];

export class Share {
  /** @param {() => Shared} shared what is shown now */
  constructor(shared) {
    this.shared = shared;
    this.menu = find("share", HTMLDetailsElement);
    this.first = find("clip-first", HTMLInputElement);
    this.last = find("clip-last", HTMLInputElement);
    this.menu.addEventListener("toggle", () => this.menu.open && this.fill());
    for (const input of [this.first, this.last]) input.addEventListener("input", () => this.clip());
    for (const button of this.menu.querySelectorAll("button")) button.addEventListener("click", () => copy(find(String(button.dataset.copy), HTMLInputElement), find("copied"), say.copied));
  }

  fill() {
    const { film, turn, hash, isEmbeddable } = this.shared();
    find("copied").textContent = "";
    find("link", HTMLInputElement).value = `${location.href.split("#")[0]}${hash}`;
    find("frame").hidden = !isEmbeddable || location.protocol === "about:";
    find("code", HTMLInputElement).value = frameCode(hash);
    if (!film) return;
    const [first, last] = film.clipAround(turn);
    this.first.value = String(first);
    this.last.value = String(last);
    this.clip();
  }

  /** Offers the chosen turns as an animation: of the server, or else by the command that makes it. */
  clip() {
    const { film, game } = this.shared();
    if (!film) return;
    const [first, last] = [this.first, this.last].map((input) => (/^\d+$/.test(input.value) ? Number(input.value) : NaN));
    const isRight = first < last && last <= film.last;
    find("clip-wrong").hidden = isRight;
    find("clip-wrong").textContent = isRight ? "" : say.clipWrong(film.last);
    const [link, alone] = [find("clip", HTMLAnchorElement), find("clip-alone")];
    link.hidden = !isRight || game === null;
    alone.hidden = !isRight || game !== null;
    if (!isRight) return;
    const name = `${game === null ? fileName() : `partie-${game}`}-tours-${first}-${last}.gif`;
    link.textContent = say.clipFile(first, last);
    Object.assign(link, { href: `api/games/${game}/file/gif?tours=${first}..${last}`, download: name });
    find("command", HTMLInputElement).value = `rejeu gif ${fileName()}.rejeu ${name} ${say.clipTurns} ${first}..${last}`;
  }

  /** Shows links to what can be taken along of a game that is shown from now on. @param {string} game */
  showFiles(game) {
    if (this.menu.open) this.fill();
    const place = find("files");
    place.hidden = false;
    const links = Object.entries(say.files).map(([suffix, name]) => element("a", { href: `api/games/${game}/file/${suffix}`, download: `partie-${game}.${suffix}` }, name));
    place.replaceChildren(...links.flatMap((made, index) => (index ? [" · ", made] : [made])));
  }
}

/** HTML that shows this page in a frame; a page from disk is expected beside the page with the frame. @param {string} hash */
function frameCode(hash) {
  const { protocol, origin, pathname } = location;
  const address = protocol === "file:" ? pathname.slice(pathname.lastIndexOf("/") + 1) : `${origin}${pathname}`;
  const source = `${address}?embed${hash}`.replaceAll("&", "&amp;");
  return `<iframe src="${source}" width="${FRAME[0]}" height="${FRAME[1]}" style="border: 0" title="${document.title.split(" – ").pop()}" loading="lazy"></iframe>`;
}

/** The name of the page's file, which a recording probably has too, as far as a shell takes it without quotes. */
function fileName() {
  return /([\w.-]+)\.html$/.exec(location.pathname)?.[1] ?? "partie";
}
