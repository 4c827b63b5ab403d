// The board on its canvas: what does not move is drawn once a size, the rest for every picture.

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
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.still, 0, 0);
    this.scale(pen);
    pen.beginPath();
    pen.rect(-0.25, -0.25, this.film.cols + 0.5, this.film.rows + 0.5);
    pen.save();
    pen.clip();
    this.drawing.draw(pen, this.look, turn, phase);
    pen.restore();
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

/** What both games share: a torus of cells and pieces that move on it. */
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
