// The small things that panels are made of. Names come from clients, and are never parsed as HTML.

import { element, penOf } from "../shared/element.js";
import { INKS, PLAYER_COLOURS } from "./shapes.js";

/** @import { Draw, Look } from "./shapes.js" */

/** A player's letter on its colour. @param {{ colourOf: Map<string, number> }} film @param {string} text */
export function chip(film, text) {
  const colour = film.colourOf.get(text) ?? 0;
  const made = element("span", { class: "chip" }, text);
  made.style.backgroundColor = PLAYER_COLOURS[colour];
  made.style.color = INKS[colour];
  return made;
}

/** @param {number} turn @param {(turn: number) => void} seek @param {...(Node | string)} children */
export function turnButton(turn, seek, ...children) {
  return element("button", { type: "button", "data-turn": turn, onclick: () => seek(turn) }, ...children);
}

/** A small picture, `size` times as high as the text beside it. @param {Draw} draw @param {Look} theme @param {number} size */
export function picture(draw, theme, size) {
  const canvas = element("canvas", { "aria-hidden": "true", class: "picture" });
  canvas.width = canvas.height = 80;
  canvas.style.width = canvas.style.height = `${size}em`;
  const pen = penOf(canvas);
  pen.setTransform(canvas.width / 1.15, 0, 0, canvas.width / 1.15, canvas.width / 2, canvas.width / 2);
  draw(pen, theme);
  return canvas;
}

