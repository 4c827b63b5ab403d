// Tables.

import { element } from "../shared/element.js";

/**
 * A table in a place that scrolls. Cells are texts, elements, or texts that are numbers: `{ number }`.
 *
 * @typedef {string | Node | { number: string }} Cell
 * @param {string[]} heads
 * @param {{ cells: Cell[], name?: string }[]} rows
 */
export function table(heads, rows) {
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  const body = rows.map(({ cells, name }) => element("tr", { class: name ?? "" }, ...cells.map(cell)));
  return element("div", { class: "scroll", tabindex: "0" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
}

/** @param {Cell} content */
function cell(content) {
  if (typeof content === "object" && "number" in content) return element("td", { class: "number" }, content.number);
  return element("td", {}, content);
}
