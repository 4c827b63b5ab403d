// The base of the drawings of Pacman and PyRat: the canvas, the places of cells, and the pieces.

import { OBJECTS, ring } from "./shapes.js";

/** @import { Film } from "./film.js" */
/** @import { Cell, Frame } from "./frames.d.ts" */
/** @import { Look, Pen } from "./shapes.js" */

/** Columns to the right and rows down. @typedef {[number, number]} Step */

/** Which way a step goes: 0 right, 1 down, 2 left, 3 up. */
export function quarters(/** @type {Step} */ [across, down]) {
  return across ? (across > 0 ? 0 : 2) : down > 0 ? 1 : 3;
}

/** Base of both games' boards: a torus of cells, and pieces that move on it. */
export class Drawing {
  /** @param {Film} film */
  constructor(film) {
    this.film = film;
  }

  /** The column and row of a cell's middle. @param {Cell} cell @returns {Step} */
  middle(cell) {
    return [(cell % this.film.cols) + 0.5, Math.floor(cell / this.film.cols) + 0.5];
  }

  /** The step from a cell to one beside it, across the edge if need be; null when they are further apart. @param {Cell} from @param {Cell} to @returns {Step | null} */
  step(from, to) {
    const { rows, cols } = this.film;
    const wrap = (/** @type {number} */ difference, /** @type {number} */ size) => ((difference + size + Math.floor(size / 2)) % size) - Math.floor(size / 2);
    const across = wrap((to % cols) - (from % cols), cols);
    const down = wrap(Math.floor(to / cols) - Math.floor(from / cols), rows);
    return Math.abs(across) + Math.abs(down) <= 1 ? [across, down] : null;
  }

  /** Draws at a place, and again where that comes back in at the other side. @param {Pen} pen @param {Step} place @param {() => void} draw */
  at(pen, [x, y], draw) {
    const { rows, cols } = this.film;
    const xs = [x, ...(x < 1 ? [x + cols] : x > cols - 1 ? [x - cols] : [])];
    const ys = [y, ...(y < 1 ? [y + rows] : y > rows - 1 ? [y - rows] : [])];
    for (const left of xs) {
      for (const top of ys) {
        pen.save();
        pen.translate(left, top);
        draw();
        pen.restore();
      }
    }
  }

  /** The column and row of a player on its way to a turn. @param {number} turn @param {number} phase @param {number} colour @returns {Step} */
  place(turn, phase, colour) {
    const { frames } = this.film;
    const [from, to] = [frames[turn - 1] ?? frames[turn], frames[turn]].map((frame) => this.film.cell(frame, colour));
    const step = this.step(from, to);
    const [x, y] = this.middle(step ? from : to);
    return step ? [x + step[0] * phase, y + step[1] * phase] : [x, y];
  }

  /** Adds a line between the middles of two cells side by side to a path; across the edge of the board, both halves. @param {Pen} pen @param {Cell} from @param {Cell} to @param {number} shift of the line to the right and down */
  link(pen, from, to, shift) {
    const step = from === to ? null : this.step(from, to);
    if (!step) return;
    const [[x, y], [toX, toY]] = [this.middle(from), this.middle(to)];
    pen.moveTo(x + shift, y + shift);
    pen.lineTo(x + step[0] + shift, y + step[1] + shift);
    if (x + step[0] === toX && y + step[1] === toY) return;
    pen.moveTo(toX - step[0] + shift, toY - step[1] + shift);
    pen.lineTo(toX + shift, toY + shift);
  }

  /** Marks the player that is followed, and lets the others fade. @param {Pen} pen @param {Look} look @param {number} colour @param {number | null} followed */
  emphasise(pen, look, colour, followed) {
    if (followed === null) return;
    if (colour === followed) ring(pen, look.ink, 0.62, 0.08);
    else pen.globalAlpha = 0.4;
  }

  /** Which way a piece last went, found by `place` in earlier frames. @param {number} turn @param {(frame: Frame) => Cell} place */
  direction(turn, place) {
    for (let at = turn; at > Math.max(0, turn - 12); at -= 1) {
      const [after, before] = [this.film.frames[at], this.film.frames[at - 1]];
      const step = before && after && this.step(place(before), place(after));
      if (step && (step[0] || step[1])) return quarters(step);
    }
    return 0;
  }

  /** Draws an object, if it is one, within its cell. @param {Pen} pen @param {Look} look @param {string} object @param {Cell} cell */
  drawObject(pen, look, object, cell) {
    if (!OBJECTS[object]) return;
    pen.save();
    pen.translate(...this.middle(cell));
    OBJECTS[object](pen, look);
    pen.restore();
  }
}
