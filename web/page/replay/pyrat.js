// Draws a game of PyRat on the board.

import { Drawing, quarters } from "./drawing.js";
import { FULL, drawRat, letter } from "./shapes.js";

/** @import { Step } from "./drawing.js" */
/** @import { Film } from "./film.js" */
/** @import { Cell, Frame, PyratFrame } from "./frames.d.ts" */
/** @import { Look, Pen } from "./shapes.js" */

export class PyRatDrawing extends Drawing {
  /** @param {Film} film */
  constructor(film) {
    super(film);
    this.isCell = new Set(film.cells);
    this.turnsOf = new Map(film.links.map(([from, to, turns]) => [this.key(from, to), turns]));
  }

  /** @param {Cell} from @param {Cell} to */
  key(from, to) {
    return from < to ? `${from} ${to}` : `${to} ${from}`;
  }

  /** @param {Pen} pen @param {Look} look */
  drawStill(pen, look) {
    const { rows, cols } = this.film;
    pen.fillStyle = look.hole;
    for (let cell = 0; cell < rows * cols; cell += 1) {
      if (this.isCell.has(cell)) continue;
      const [x, y] = this.middle(cell);
      pen.fillRect(x - 0.5, y - 0.5, 1, 1);
    }
    for (const [from, to, turns] of this.film.links) if (turns > 1) this.drawMud(pen, look, from, to, turns);
    pen.strokeStyle = look.wall;
    pen.lineWidth = 0.11;
    pen.lineCap = "round";
    pen.beginPath();
    /** @type {(here: Cell, there: Cell, x: number, y: number, across: number, down: number) => void} */
    const wall = (here, there, x, y, across, down) => {
      if (!this.isCell.has(here) && !this.isCell.has(there)) return;
      if (this.turnsOf.has(this.key(here, there))) return;
      pen.moveTo(x, y);
      pen.lineTo(x + across, y + down);
    };
    for (let row = 0; row <= rows; row += 1) {
      for (let col = 0; col <= cols; col += 1) {
        const index = (/** @type {number} */ r, /** @type {number} */ c) => (r < 0 || c < 0 || r >= rows || c >= cols ? -1 : r * cols + c);
        if (col < cols) wall(index(row - 1, col), index(row, col), col, row, 1, 0);
        if (row < rows) wall(index(row, col - 1), index(row, col), col, row, 0, 1);
      }
    }
    pen.stroke();
  }

  /** A puddle across the passage, with the turns that it takes. @param {Pen} pen @param {Look} look @param {Cell} from @param {Cell} to @param {number} turns */
  drawMud(pen, look, from, to, turns) {
    const [across, down] = this.step(from, to) ?? [0, 0];
    const [x, y] = this.middle(from);
    pen.save();
    pen.translate(x + across / 2, y + down / 2);
    pen.save();
    if (across) pen.rotate(Math.PI / 2);
    pen.fillStyle = look.mud;
    pen.beginPath();
    pen.moveTo(-0.4, 0);
    pen.bezierCurveTo(-0.4, -0.26, -0.14, -0.14, -0.04, -0.2);
    pen.bezierCurveTo(0.16, -0.28, 0.4, -0.2, 0.4, 0.02);
    pen.bezierCurveTo(0.4, 0.26, 0.12, 0.14, 0.02, 0.2);
    pen.bezierCurveTo(-0.2, 0.28, -0.4, 0.2, -0.4, 0);
    pen.fill();
    pen.restore();
    letter(pen, String(turns), 0, 0, 0.28, "#fff");
    pen.restore();
  }

  /** @param {Pen} pen @param {Look} look @param {number} turn @param {number} phase @param {number | null} followed */
  draw(pen, look, turn, phase, followed) {
    const { film } = this;
    const frames = /** @type {PyratFrame[]} */ (film.frames);
    const frame = frames[turn];
    const places = film.players.map((_, colour) => this.place(turn, phase, colour));
    film.players.forEach(({ letter: text }, colour) => {
      const [x, y] = places[colour];
      const near = places.filter(([otherX, otherY]) => Math.hypot(x - otherX, y - otherY) < 0.3).length > 1;
      const angle = (colour / places.length) * FULL + FULL / 2;
      const far = near ? 0.2 : 0;
      const target = frame.p[colour][3];
      const cell = (/** @type {Frame} */ { p }) => p[colour][0];
      const direction = target === null ? this.direction(turn, cell) : quarters(this.step(cell(frame), target) ?? [1, 0]);
      pen.save();
      pen.translate(x + far * Math.cos(angle), y + far * Math.sin(angle));
      this.emphasise(pen, look, colour, followed);
      drawRat(pen, look, { colour, text, direction });
      pen.restore();
    });
  }

  /** @override @param {number} turn @param {number} phase @param {number} colour @returns {Step} */
  place(turn, phase, colour) {
    const frames = /** @type {PyratFrame[]} */ (this.film.frames);
    const [from, to] = [frames[turn - 1] ?? frames[turn], frames[turn]].map((frame) => this.spot(frame, colour));
    return [from[0] + (to[0] - from[0]) * phase, from[1] + (to[1] - from[1]) * phase];
  }

  /** Position of a rat; in the mud, between two cells. @param {PyratFrame} frame @param {number} colour @returns {Step} */
  spot(frame, colour) {
    const [cell, , left, target] = frame.p[colour];
    const [x, y] = this.middle(cell);
    if (target === null) return [x, y];
    const turns = this.turnsOf.get(this.key(cell, target)) ?? left;
    const part = 1 - left / turns;
    const [toX, toY] = this.middle(target);
    return [x + (toX - x) * part, y + (toY - y) * part];
  }
}
