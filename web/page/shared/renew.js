// Content of elements that changes only when what it shows has changed.

import { spoken } from "./language.js";

/** The values that an element was last made from. @type {WeakMap<HTMLElement, string>} */
const shown = new WeakMap();

/** Attributes that tell elements apart, wherever these come to lie. */
const NAMES = ["id", "href", "data-replay", "data-action", "data-sort", "data-own"];

/**
 * Puts something new into a place if `what` it shows has changed. The focus and what was scrolled stay where they are.
 *
 * @param {HTMLElement} place
 * @param {unknown} what
 * @param {() => (Node | string)[]} build
 */
export function renew(place, what, build) {
  const key = JSON.stringify([spoken.language, what]);
  if (shown.get(place) === key) return;
  shown.set(place, key);
  const scrolled = Array.from(place.querySelectorAll("*"))
    .filter(({ scrollTop, scrollLeft }) => scrollTop || scrollLeft)
    .map((part) => /** @type {const} */ ([selector(place, part), part.scrollTop, part.scrollLeft]));
  const { activeElement } = document;
  const focused = activeElement && activeElement !== place && place.contains(activeElement) ? selector(place, activeElement) : null;
  place.replaceChildren(...build());
  place.hidden = !place.childNodes.length;
  for (const [path, top, left] of scrolled) place.querySelector(path)?.scrollTo({ top, left, behavior: "instant" });
  /** @type {HTMLElement | null} */
  const again = focused === null ? null : place.querySelector(focused);
  again?.focus({ preventScroll: true });
}

/** A selector that finds a part of a place again: by its name, or else by its position. @param {HTMLElement} place @param {Element} part */
function selector(place, part) {
  const name = NAMES.find((attribute) => part.hasAttribute(attribute));
  if (name) return `[${name}="${CSS.escape(String(part.getAttribute(name)))}"]`;
  /** @type {string[]} */
  const path = [];
  for (let one = part; one !== place && one.parentElement; one = one.parentElement) {
    path.unshift(`${one.tagName}:nth-child(${Array.from(one.parentElement.children).indexOf(one) + 1})`);
  }
  return [":scope", ...path].join(" > ");
}
