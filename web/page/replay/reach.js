// The number of turns in which each player reaches each cell.

/** @import { Film } from "./film.js" */
/** @import { Cell } from "./frames.d.ts" */

/** Turns to each cell, by cell; infinite where there is no way. @typedef {Float64Array} Turns */

/** The distances on the board of a film, without regard to powers and ghosts. */
export class Reach {
  /** @param {Film} film */
  constructor(film) {
    /** The cells beside each cell, with the turns to them. @type {[to: Cell, turns: number][][]} */
    this.links = Array.from({ length: film.rows * film.cols }, () => []);
    if (film.game === "pyrat") {
      for (const [from, to, turns] of film.links) {
        this.links[from].push([to, turns]);
        this.links[to].push([from, turns]);
      }
      return;
    }
    const { rows, cols, walls } = film;
    this.links.forEach((links, cell) => {
      if (walls[cell] === "#") return;
      const [row, col] = [Math.floor(cell / cols), cell % cols];
      for (const [down, right] of [[0, 1], [1, 0], [0, -1], [-1, 0]]) {
        const to = ((row + down + rows) % rows) * cols + ((col + right + cols) % cols);
        if (walls[to] !== "#") links.push([to, 1]);
      }
    });
  }

  /** Dijkstra's algorithm with a bucket for each distance: links take few turns. @param {Cell} start @returns {Turns} */
  from(start) {
    const turns = new Float64Array(this.links.length).fill(Infinity);
    turns[start] = 0;
    /** @type {Cell[][]} */
    const buckets = [[start]];
    for (let far = 0; far < buckets.length; far += 1) {
      for (const cell of buckets[far] ?? []) {
        if (turns[cell] < far) continue;
        for (const [to, more] of this.links[cell]) {
          if (turns[to] <= far + more) continue;
          turns[to] = far + more;
          (buckets[far + more] ??= []).push(to);
        }
      }
    }
    return turns;
  }
}

/** The players that are first at a cell, with the turns that they need; empty where nobody arrives. @param {Turns[]} turns by colour @param {Cell} cell @returns {[colour: number, turns: number][]} */
export function arrivals(turns, cell) {
  const all = turns.map((of, colour) => /** @type {[number, number]} */ ([colour, of[cell]]));
  return all.filter(([, time]) => Number.isFinite(time)).sort(([, one], [, other]) => one - other);
}
