// What the drawings of both games share.

import { OBJECTS, ring } from "./shapes.js";

/** Which way a step goes: 0 right, 1 down, 2 left, 3 up. */
export function quarters([across, down]) {
  return across ? (across > 0 ? 0 : 2) : down > 0 ? 1 : 3;
}

/** Base of both games' boards: a torus of cells, and pieces that move on it. */
export class Drawing {
  constructor(film) {
    this.film = film;
  }

  /** The column and row of a cell's middle. */
  middle(cell) {
    return [(cell % this.film.cols) + 0.5, Math.floor(cell / this.film.cols) + 0.5];
  }

  /** The step from a cell to one beside it, across the edge if need be; null when they are further apart. */
  step(from, to) {
    const { rows, cols } = this.film;
    const wrap = (difference, size) => ((difference + size + Math.floor(size / 2)) % size) - Math.floor(size / 2);
    const across = wrap((to % cols) - (from % cols), cols);
    const down = wrap(Math.floor(to / cols) - Math.floor(from / cols), rows);
    return Math.abs(across) + Math.abs(down) <= 1 ? [across, down] : null;
  }

  /** Draws at a place, and again where that comes back in at the other side. */
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

  /** The column and row of a player on its way to a turn. */
  place(turn, phase, colour) {
    const { frames } = this.film;
    const cells = [frames[turn - 1] ?? frames[turn], frames[turn]].map((frame) => this.film.cell(frame, colour));
    const [from, to] = cells.map((cell) => this.middle(cell));
    const step = this.step(...cells);
    return step ? from.map((at, axis) => at + step[axis] * phase) : to;
  }

  /** Marks the player that is followed, and lets the others fade. */
  emphasise(pen, look, colour, followed) {
    if (followed === null) return;
    if (colour === followed) ring(pen, look.ink, 0.62, 0.08);
    else pen.globalAlpha = 0.4;
  }

  /** Which way a piece last went, found by `place` in earlier frames. */
  direction(turn, place) {
    for (let at = turn; at > Math.max(0, turn - 12); at -= 1) {
      const [after, before] = [this.film.frames[at], this.film.frames[at - 1]];
      const step = before && after && this.step(place(before), place(after));
      if (step && (step[0] || step[1])) return quarters(step);
    }
    return 0;
  }

  drawObjects(pen, look, turn) {
    this.film.objects(turn).forEach((object, cell) => {
      if (!OBJECTS[object]) return;
      pen.save();
      pen.translate(...this.middle(cell));
      OBJECTS[object](pen, look);
      pen.restore();
    });
  }
}
