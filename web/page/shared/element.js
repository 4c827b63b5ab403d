// Makes and finds elements. Texts are never parsed as HTML.

/**
 * An element with attributes, listeners (`onclick`) and children.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, any>} attributes
 * @param {...(Node | string)} children
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class") made.className = value;
    else if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/**
 * A name, whole at the pointer. Where it is cut, whole words are left out: a browser cuts no box in two, only the first word.
 *
 * @param {string} name
 * @param {"span" | "a"} kind
 */
export function named(name, kind = "span", attributes = {}) {
  const parts = name.split(/(\s+)/).map((part, index) => (index > 0 && index % 2 === 0 && part ? element("span", {}, part) : part));
  return element(kind, { class: "name", title: name, ...attributes }, ...parts);
}

/**
 * The element with an id, which the page has.
 *
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 */
export function find(id, kind = /** @type {any} */ (HTMLElement)) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no element ${id}`);
  return found;
}

/**
 * The first element of a name within a place, which the place has.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {ParentNode} place
 * @param {K} name
 */
export function part(place, name) {
  return /** @type {HTMLElementTagNameMap[K]} */ (place.querySelector(name));
}

/** The context in which a canvas is drawn on. @param {HTMLCanvasElement} canvas */
export function penOf(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}

/** The JSON that the page has in the script element with an id; null if it has none. @param {string} id @returns {any} */
export function embedded(id) {
  const place = document.getElementById(id);
  return place && JSON.parse(place.textContent);
}
