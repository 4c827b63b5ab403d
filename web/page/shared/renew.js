// Content of elements that changes only when what it shows has changed.

import { spoken } from "./language.js";

/** What an element was last made of. @type {WeakMap<HTMLElement, string>} */
const shown = new WeakMap();

/**
 * Puts something new into a place if `what` it shows has changed; who comes by keyboard stays where they are.
 *
 * @param {HTMLElement} place
 * @param {unknown} what
 * @param {() => (Node | string)[]} build
 */
export function renew(place, what, build) {
  const key = JSON.stringify([spoken.language, what]);
  if (shown.get(place) === key) return;
  shown.set(place, key);
  const names = ["href", "data-replay", "data-action"];
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const name = names.find((attribute) => focused?.hasAttribute(attribute));
  const value = name && focused?.getAttribute(name);
  place.replaceChildren(...build());
  place.hidden = !place.childNodes.length;
  if (!name) return;
  /** @type {NodeListOf<HTMLElement>} */
  const others = place.querySelectorAll(`[${name}]`);
  Array.from(others).find((other) => other.getAttribute(name) === value)?.focus();
}
