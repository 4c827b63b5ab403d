// The colours of the theme, from the style sheet.

/** The colours of the theme. @param {Element} place @returns {Record<string, string>} */
export function look(place) {
  const style = getComputedStyle(place);
  const names = ["floor", "wall", "wall-fill", "vitamin", "glutton", "freeze", "pass", "stem", "cherry", "teleporter", "cheese", "cheese-edge", "edge", "battle", "mud", "hole", "ink", "ink-soft", "line", "panel"];
  const camel = (/** @type {string} */ name) => name.replace(/-(.)/g, (_, /** @type {string} */ initial) => initial.toUpperCase());
  return Object.fromEntries(names.map((name) => [camel(name), style.getPropertyValue(`--${name}`).trim()]));
}
