// The board on its canvas: the background is drawn once per size, the rest for every picture.

/** Pixels of a cell, at least, when a player is followed. */
const CLOSE = 26;

class Board {
  constructor(place) {
    this.place = place;
    this.canvas = place.querySelector("canvas");
    this.pen = this.canvas.getContext("2d");
    this.still = document.createElement("canvas");
    this.film = null;
  }

  show(film) {
    this.film = film;
    /** The colour of the player that is followed, if one is. */
    this.followed = null;
    this.drawing = film.game === "pyrat" ? new PyRatDrawing(film) : new PacmanDrawing(film);
    this.resize();
  }

  /** Takes the largest size that fits: a cell is a whole number of the screen's pixels, so that lines are sharp. */
  resize() {
    if (!this.film) return;
    const { rows, cols } = this.film;
    const ratio = window.devicePixelRatio || 1;
    const margin = 0.5;
    const [width, height] = [this.place.clientWidth, this.place.clientHeight];
    const cell = Math.min((width * ratio) / (cols + margin), (height * ratio) / (rows + margin));
    this.cell = Math.max(4, Math.floor(cell));
    this.margin = Math.ceil((this.cell * margin) / 2);
    for (const canvas of [this.canvas, this.still]) {
      canvas.width = cols * this.cell + 2 * this.margin;
      canvas.height = rows * this.cell + 2 * this.margin;
    }
    this.canvas.style.width = `${this.canvas.width / ratio}px`;
    this.canvas.style.height = `${this.canvas.height / ratio}px`;
    this.look = look(this.place);
    const pen = this.still.getContext("2d");
    pen.fillStyle = this.look.floor;
    pen.fillRect(0, 0, this.still.width, this.still.height);
    this.scale(pen);
    this.drawing.drawStill(pen, this.look);
  }

  /** The way to a turn, of which `phase` is done, from 0 to 1. */
  draw(turn, phase) {
    const { pen } = this;
    const { width, height } = this.still;
    const [zoom, left, top] = this.camera(turn, phase);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.still, left, top, width / zoom, height / zoom, 0, 0, width, height);
    pen.setTransform(this.cell * zoom, 0, 0, this.cell * zoom, (this.margin - left) * zoom, (this.margin - top) * zoom);
    pen.beginPath();
    pen.rect(-0.25, -0.25, this.film.cols + 0.5, this.film.rows + 0.5);
    pen.save();
    pen.clip();
    this.drawing.draw(pen, this.look, turn, phase, this.followed);
    pen.restore();
  }

  /** Enlargement, and the left and top pixel that are shown: small cells are enlarged around a player that is followed. */
  camera(turn, phase) {
    const zoom = Math.max(1, (CLOSE * (window.devicePixelRatio || 1)) / this.cell);
    if (this.followed === null || zoom === 1) return [1, 0, 0];
    const { width, height } = this.still;
    const [x, y] = this.drawing.place(turn, phase, this.followed);
    const start = (at, size) => Math.max(0, Math.min(size - size / zoom, this.margin + at * this.cell - size / zoom / 2));
    return [zoom, start(x, width), start(y, height)];
  }

  /** The player whose piece is at a point of the window, or null. */
  playerAt({ clientX, clientY }, turn) {
    const box = this.canvas.getBoundingClientRect();
    const [zoom, left, top] = this.camera(turn, 1);
    const scale = this.canvas.width / box.width / zoom;
    const x = ((clientX - box.left) * scale + left - this.margin) / this.cell;
    const y = ((clientY - box.top) * scale + top - this.margin) / this.cell;
    const far = (cell) => Math.hypot(...this.drawing.middle(cell).map((middle, axis) => middle - [x, y][axis]));
    const pieces = this.film.players.flatMap((_, colour) => this.film.pieces(turn, colour).map((cell) => [far(cell), colour]));
    const [distance, colour] = pieces.sort(([a], [b]) => a - b)[0];
    return distance < 0.8 ? colour : null;
  }

  scale(pen) {
    pen.setTransform(this.cell, 0, 0, this.cell, this.margin, this.margin);
  }
}

/** The colours of the theme. */
function look(place) {
  const style = getComputedStyle(place);
  const names = ["floor", "wall", "wall-fill", "vitamin", "glutton", "freeze", "pass", "stem", "cherry", "teleporter", "cheese", "cheese-edge", "edge", "battle", "mud", "hole", "ink", "ink-soft", "line", "panel"];
  const camel = (name) => name.replace(/-(.)/g, (_, initial) => initial.toUpperCase());
  return Object.fromEntries(names.map((name) => [camel(name), style.getPropertyValue(`--${name}`).trim()]));
}

/** Which way a step goes: 0 right, 1 down, 2 left, 3 up. */
function quarters([across, down]) {
  return across ? (across > 0 ? 0 : 2) : down > 0 ? 1 : 3;
}

/** Base of both games' boards: a torus of cells, and pieces that move on it. */
class Drawing {
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
