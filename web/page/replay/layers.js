// The layers between the board and its pieces: trails, visits of cells, and the player that reaches each cell first.

import { Reach, arrivals } from "./reach.js";
import { PLAYER_COLOURS } from "./shapes.js";

/** @import { Drawing } from "./drawing.js" */
/** @import { Film } from "./film.js" */
/** @import { Turns } from "./reach.js" */
/** @import { Look, Pen } from "./shapes.js" */

/** The layers. @typedef {"trails" | "heat" | "reach" | "thoughts"} Layer */

/** Turns that a trail goes back. */
const TRAIL = 20;

export class Layers {
  /** @param {Film} film @param {Drawing} drawing */
  constructor(film, drawing) {
    this.film = film;
    this.drawing = drawing;
    this.reach = new Reach(film);
    /** Turns to each cell after a turn, by colour. @type {{ turn: number, turns: Turns[] }} */
    this.known = { turn: -1, turns: [] };
    /** Visits of each cell up to a turn. */
    this.visits = { turn: -1, counts: new Uint32Array(film.rows * film.cols) };
    /** The player whose visits are counted, or null for all. @type {number | null} */
    this.of = null;
  }

  /** Turns that each player, in Pacman its pacman, needs to each cell after a turn. @param {number} turn */
  turns(turn) {
    if (this.known.turn !== turn) {
      const frame = this.film.frames[turn];
      this.known = { turn, turns: this.film.players.map((_, colour) => this.reach.from(this.film.cell(frame, colour))) };
    }
    return this.known.turns;
  }

  /** @param {Pen} pen @param {Look} look @param {Set<Layer>} shown @param {number} turn @param {number | null} followed */
  draw(pen, look, shown, turn, followed) {
    if (shown.has("heat")) this.drawHeat(pen, look, turn, followed);
    if (shown.has("reach")) this.drawReach(pen, turn);
    if (shown.has("trails")) this.drawTrails(pen, turn, followed);
    pen.globalAlpha = 1;
  }

  /** Each cell in the colour of who is first there; cells of nobody alone stay as they are. @param {Pen} pen @param {number} turn */
  drawReach(pen, turn) {
    const turns = this.turns(turn);
    pen.globalAlpha = 0.3;
    for (let cell = 0; cell < turns[0].length; cell += 1) {
      const [first, second] = arrivals(turns, cell);
      if (!first || (second && second[1] === first[1])) continue;
      const [x, y] = this.drawing.middle(cell);
      pen.fillStyle = PLAYER_COLOURS[first[0]];
      pen.fillRect(x - 0.5, y - 0.5, 1, 1);
    }
  }

  /** @param {Pen} pen @param {Look} look @param {number} turn @param {number | null} followed */
  drawHeat(pen, look, turn, followed) {
    const counts = this.visited(turn, followed);
    const most = Math.max(1, ...counts);
    pen.fillStyle = look.battle;
    counts.forEach((count, cell) => {
      if (!count) return;
      const [x, y] = this.drawing.middle(cell);
      pen.globalAlpha = 0.08 + 0.6 * Math.sqrt(count / most);
      pen.fillRect(x - 0.5, y - 0.5, 1, 1);
    });
  }

  /** @param {number} turn @param {number | null} followed */
  visited(turn, followed) {
    const { film, visits } = this;
    if (this.of !== followed || turn < visits.turn) {
      visits.counts.fill(0);
      visits.turn = -1;
      this.of = followed;
    }
    for (let at = visits.turn + 1; at <= turn; at += 1) {
      const frame = film.frames[at];
      if (!frame) continue;
      film.players.forEach((_, colour) => {
        if (followed === null || colour === followed) visits.counts[film.cell(frame, colour)] += 1;
      });
    }
    visits.turn = turn;
    return visits.counts;
  }

  /** @param {Pen} pen @param {number} turn @param {number | null} followed */
  drawTrails(pen, turn, followed) {
    const { film, drawing } = this;
    pen.lineCap = "round";
    film.players.forEach((_, colour) => {
      if (followed !== null && colour !== followed) return;
      const shift = ((colour % 4) - 1.5) * 0.1;
      pen.strokeStyle = PLAYER_COLOURS[colour];
      const count = film.pieces(turn, colour).length;
      for (let piece = 0; piece < count; piece += 1) {
        pen.lineWidth = piece ? 0.06 : 0.14;
        for (let at = Math.max(1, turn - TRAIL + 1); at <= turn; at += 1) {
          if (!film.frames[at] || !film.frames[at - 1]) continue;
          const [from, to] = [at - 1, at].map((when) => Number(film.pieces(when, colour)[piece]));
          pen.globalAlpha = 0.15 + 0.7 * (1 - (turn - at) / TRAIL);
          pen.beginPath();
          drawing.link(pen, from, to, shift);
          pen.stroke();
        }
      }
    });
  }
}
