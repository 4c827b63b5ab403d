// Thoughts of players: the texts beside the board, and the marks on it.

import { element, named } from "../shared/element.js";
import { renew } from "../shared/renew.js";
import { cellsOf, items, thoughtsAt } from "./items.js";
import { chip } from "./pieces.js";
import { PLAYER_COLOURS, letter } from "./shapes.js";
import { decimals, say } from "./words.js";

/** @import { Drawing } from "./drawing.js" */
/** @import { Film } from "./film.js" */
/** @import { Cell } from "./frames.d.ts" */
/** @import { Item } from "./items.js" */
/** @import { Look, Pen } from "./shapes.js" */

/** Draws the marks of a turn. @param {Pen} pen @param {Look} look @param {Film} film @param {Drawing} drawing @param {number} turn @param {number | null} followed */
export function drawThoughts(pen, look, film, drawing, turn, followed) {
  for (const [player, text] of thoughtsAt(film, turn).thoughts) {
    const colour = film.colourOf.get(player);
    if (colour === undefined || (followed !== null && followed !== colour)) continue;
    const all = items(text, film);
    const most = Math.max(...all.map((item) => (item.kind === "value" ? Math.abs(item.value) : 0)));
    pen.save();
    pen.strokeStyle = PLAYER_COLOURS[colour];
    pen.lineCap = pen.lineJoin = "round";
    const shift = ((colour % 4) - 1.5) * 0.1;
    for (const item of all) {
      if (item.kind === "path") {
        pen.lineWidth = 0.12;
        pen.setLineDash([0.02, 0.22]);
        pen.beginPath();
        const cells = cellsOf(film, item.cell, item.steps);
        for (let at = 1; at < cells.length; at += 1) drawing.link(pen, cells[at - 1], cells[at], shift);
        pen.stroke();
        pen.setLineDash([]);
      }
      if (item.kind !== "cell" && item.kind !== "value") continue;
      const [x, y] = drawing.middle(item.cell);
      if (item.kind === "value") {
        pen.fillStyle = PLAYER_COLOURS[colour];
        pen.globalAlpha = 0.12 + 0.4 * (Math.abs(item.value) / most || 0);
        pen.fillRect(x - 0.5, y - 0.5, 1, 1);
        pen.globalAlpha = 1;
        letter(pen, decimals(Math.round(item.value * 10) / 10), x, y, 0.36, look.ink);
      } else {
        pen.lineWidth = 0.1;
        pen.strokeRect(x - 0.4 + shift / 4, y - 0.4 + shift / 4, 0.8, 0.8);
      }
    }
    pen.restore();
  }
}

/** The tab with the texts of a turn. */
export class Thinking {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
  }

  /** @param {Film} film @param {number} turn @param {number | null} followed */
  draw(film, turn, followed) {
    const { turn: of, thoughts } = thoughtsAt(film, turn);
    const shown = thoughts.filter(([player]) => followed === null || film.colourOf.get(player) === followed);
    renew(this.place, [shown, of, film.dropped, film.thinks], () => [
      ...(shown.length > 0 ? [element("p", { class: "soft" }, say.thinkTurn(of))] : []),
      ...shown.map(([player, text]) => element("article", { class: "thought" }, element("h2", {}, chip(film, player), named(film.players[film.colourOf.get(player) ?? 0].name)), ...items(text, film).map((item) => words(item, film)))),
      ...(shown.length === 0 ? [element("p", { class: "soft" }, film.thinks ? say.thinkNothing : say.thinkHow)] : []),
      ...(film.dropped ? [element("p", { class: "soft" }, say.thinkDropped(film.dropped))] : []),
    ]);
  }
}

/** @param {Item} item @param {Film} film */
function words(item, { cols }) {
  const at = (/** @type {Cell} */ cell) => say.cell(Math.floor(cell / cols), cell % cols);
  if (item.kind === "text") return element("p", {}, item.words);
  if (item.kind === "output") return element("pre", {}, item.words);
  if (item.kind === "public") return element("p", { class: "soft" }, say.thinkPublic);
  const mark = item.kind === "value" ? String(item.value) : item.words;
  const where = item.kind === "path" ? `${at(item.cell)} ${item.steps}` : at(item.cell);
  return element("p", { class: "mark" }, element("span", { class: "soft" }, where), ...(mark ? [` ${mark}`] : []));
}
