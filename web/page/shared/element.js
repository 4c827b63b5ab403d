// Makes and finds elements. Texts are never parsed as HTML.

/** An element with attributes, listeners (`onclick`) and children. */
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

/** The element with an id, which the page has. */
export function find(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}

/** The JSON that the page has in the script element with an id; null if it has none. */
export function embedded(id) {
  const place = document.getElementById(id);
  return place && JSON.parse(place.textContent);
}
