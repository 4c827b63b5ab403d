// The board on its canvas: what does not move is drawn once a size, the rest for every picture.

/** Cells that a rat's trace is long. */
const TRACE = 40;

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

class PacmanDrawing extends Drawing {
  /** Walls are outlines that follow the corridors, with round corners: quarter by quarter of each wall. */
  drawStill(pen, look) {
    const { rows, cols, walls } = this.film;
    const isWall = (row, col) => walls[((row + rows) % rows) * cols + ((col + cols) % cols)] === "#";
    const inset = 0.16;
    const reach = 0.5 - inset;
    // Quarters overlap where they meet inside a cell, for no seam to be seen.
    const lap = 0.06;
    const corners = [];
    for (let row = -1; row <= rows; row += 1) {
      for (let col = -1; col <= cols; col += 1) {
        if (!isWall(row, col)) continue;
        for (const [right, down] of [[1, 1], [-1, 1], [-1, -1], [1, -1]]) {
          const [beside, above] = [isWall(row, col + right), isWall(row + down, col)];
          const shape = beside && above ? (isWall(row + down, col + right) ? "full" : "inner") : beside ? "flat" : above ? "tall" : "outer";
          corners.push([col + 0.5, row + 0.5, right, down, shape]);
        }
      }
    }
    const each = (draw) => {
      for (const [x, y, right, down, shape] of corners) {
        pen.save();
        pen.translate(x, y);
        pen.scale(right, down);
        draw(shape);
        pen.restore();
      }
    };
    pen.save();
    pen.beginPath();
    pen.rect(-0.25, -0.25, cols + 0.5, rows + 0.5);
    pen.clip();
    pen.fillStyle = look.wallFill;
    each((shape) => {
      pen.beginPath();
      if (shape === "full") pen.rect(-lap, -lap, 0.5 + lap, 0.5 + lap);
      if (shape === "flat") pen.rect(-lap, -lap, 0.5 + lap, reach + lap);
      if (shape === "tall") pen.rect(-lap, -lap, reach + lap, 0.5 + lap);
      if (shape === "outer") disc(pen, 0, 0, reach);
      if (shape === "inner") {
        pen.moveTo(-lap, -lap);
        pen.lineTo(0.5, -lap);
        pen.arc(0.5, 0.5, inset, -FULL / 4, -FULL / 2, true);
        pen.lineTo(-lap, 0.5);
      }
      pen.fill();
    });
    // All lines at once, for the same reason.
    pen.beginPath();
    each((shape) => {
      const [from, to] = { flat: [[-lap, reach], [0.5, reach]], tall: [[reach, -lap], [reach, 0.5]], outer: [[reach, 0]], inner: [[0.5, reach]] }[shape] ?? [];
      if (from) pen.moveTo(...from);
      if (to) pen.lineTo(...to);
      if (shape === "outer") pen.arc(0, 0, reach, 0, FULL / 4);
      if (shape === "inner") pen.arc(0.5, 0.5, inset, -FULL / 4, -FULL / 2, true);
    });
    pen.strokeStyle = look.wall;
    pen.lineWidth = 0.09;
    pen.stroke();
    pen.restore();
  }

  draw(pen, look, turn, phase) {
    const { film } = this;
    const frame = film.frames[turn];
    const before = film.frames[turn - 1] ?? frame;
    const events = film.events(turn);
    this.drawFreeze(pen, look, frame);
    this.drawObjects(pen, look, phase < 0.6 && before !== frame ? turn - 1 : turn);
    this.drawTeleports(pen, look, events);
    const jumped = new Set(events.filter(([kind]) => kind === "teleport").map(([, piece]) => piece));
    const shown = phase < 0.5 ? before : frame;
    const spread = [this.spread(before), this.spread(frame)];
    for (const kind of [1, 0]) {
      film.players.forEach(({ letter: text }, colour) => {
        const named = kind ? text.toLowerCase() : text;
        const [from, to] = [before.p[colour][kind], frame.p[colour][kind]];
        const step = jumped.has(named) ? null : this.step(from, to);
        const [x, y] = this.middle(step ? from : phase < 0.5 ? from : to);
        const part = step ? phase : 0;
        const [offsets, later] = spread.map((all) => all[kind][colour]);
        const blend = (a, b) => a + (b - a) * phase;
        const place = [
          x + part * (step?.[0] ?? 0) + blend(offsets[0], later[0]),
          y + part * (step?.[1] ?? 0) + blend(offsets[1], later[1]),
        ];
        const [, , , , glutton, freeze, pass] = shown.p[colour];
        this.at(pen, place, () => {
          if (kind) {
            const held = (what) => events.some(([event, who]) => event === what && who === text);
            drawGhost(pen, look, { colour, text: named, frozen: held("frozen"), digesting: held("digest") });
            return;
          }
          const direction = this.direction(turn, ({ p }) => p[colour][0]);
          const open = step && from !== to ? Math.abs(Math.cos(phase * Math.PI)) : 0.75;
          if (freeze) ring(pen, look.freeze, glutton ? 0.69 : 0.57, 0.1, [0.14, 0.1]);
          drawPacman(pen, look, { colour, text, direction, open, glutton, pass });
        });
      });
    }
    if (phase >= 0.5) {
      for (const [kind, , , , cell] of events) {
        if (kind === "battle") this.at(pen, this.middle(cell), () => drawBattle(pen, look));
      }
    }
  }

  /** Where pieces on the same cell stand, so that all are seen: ghosts, pacmans by colour. */
  spread(frame) {
    const there = new Map();
    frame.p.forEach((player, colour) => {
      for (const kind of [0, 1]) {
        const pieces = there.get(player[kind]) ?? [];
        pieces.push([kind, colour]);
        there.set(player[kind], pieces);
      }
    });
    const offsets = [[], []];
    for (const pieces of there.values()) {
      pieces.forEach(([kind, colour], index) => {
        const angle = (index / pieces.length) * FULL + FULL / 2;
        const far = pieces.length > 1 ? 0.24 : 0;
        offsets[kind][colour] = [far * Math.cos(angle), far * Math.sin(angle)];
      });
    }
    return offsets;
  }

  /** The squares in which ghosts are frozen. */
  drawFreeze(pen, look, frame) {
    const { freezeRange, rows, cols } = this.film;
    if (freezeRange === undefined) return;
    const size = 2 * freezeRange + 1;
    for (const [pacman, , , , , freeze] of frame.p) {
      if (!freeze) continue;
      const [x, y] = this.middle(pacman);
      pen.fillStyle = pen.strokeStyle = look.freeze;
      pen.lineWidth = 0.06;
      pen.setLineDash([0.3, 0.2]);
      for (const left of [x - cols, x, x + cols]) {
        for (const top of [y - rows, y, y + rows]) {
          pen.globalAlpha = 0.13;
          pen.fillRect(left - size / 2, top - size / 2, size, size);
          pen.globalAlpha = 0.6;
          pen.strokeRect(left - size / 2, top - size / 2, size, size);
        }
      }
      pen.setLineDash([]);
      pen.globalAlpha = 1;
    }
  }

  drawTeleports(pen, look, events) {
    for (const [kind, , from, to] of events) {
      if (kind !== "teleport") continue;
      for (const [cell, dash] of [[from, [0.12, 0.12]], [to, []]]) {
        this.at(pen, this.middle(cell), () => ring(pen, look.teleporter, 0.66, 0.07, dash));
      }
    }
  }
}

class PyRatDrawing extends Drawing {
  constructor(film) {
    super(film);
    this.isCell = new Set(film.cells);
    this.turnsOf = new Map(film.links.map(([from, to, turns]) => [this.key(from, to), turns]));
  }

  key(from, to) {
    return from < to ? `${from} ${to}` : `${to} ${from}`;
  }

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
    const wall = (here, there, x, y, across, down) => {
      if (!this.isCell.has(here) && !this.isCell.has(there)) return;
      if (this.turnsOf.has(this.key(here, there))) return;
      pen.moveTo(x, y);
      pen.lineTo(x + across, y + down);
    };
    for (let row = 0; row <= rows; row += 1) {
      for (let col = 0; col <= cols; col += 1) {
        const index = (r, c) => (r < 0 || c < 0 || r >= rows || c >= cols ? -1 : r * cols + c);
        if (col < cols) wall(index(row - 1, col), index(row, col), col, row, 1, 0);
        if (row < rows) wall(index(row, col - 1), index(row, col), col, row, 0, 1);
      }
    }
    pen.stroke();
  }

  /** A puddle across the passage, with the turns that it takes. */
  drawMud(pen, look, from, to, turns) {
    const [across, down] = this.step(from, to);
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

  draw(pen, look, turn, phase) {
    const { film } = this;
    const frame = film.frames[turn];
    const before = film.frames[turn - 1] ?? frame;
    this.drawTraces(pen, turn);
    this.drawObjects(pen, look, phase < 0.6 && before !== frame ? turn - 1 : turn);
    const places = film.players.map((_, colour) => {
      const [from, to] = [this.place(before, colour), this.place(frame, colour)];
      return from.map((value, axis) => value + (to[axis] - value) * phase);
    });
    film.players.forEach(({ letter: text }, colour) => {
      const [x, y] = places[colour];
      const near = places.filter(([otherX, otherY]) => Math.hypot(x - otherX, y - otherY) < 0.3).length > 1;
      const angle = (colour / places.length) * FULL + FULL / 2;
      const far = near ? 0.2 : 0;
      const target = frame.p[colour][3];
      const cell = ({ p }) => p[colour][0];
      const direction = target === null ? this.direction(turn, cell) : quarters(this.step(cell(frame), target));
      pen.save();
      pen.translate(x + far * Math.cos(angle), y + far * Math.sin(angle));
      drawRat(pen, look, { colour, text, direction });
      pen.restore();
    });
  }

  /** Where a rat is: in the mud, on its way. */
  place(frame, colour) {
    const [cell, , left, target] = frame.p[colour];
    const [x, y] = this.middle(cell);
    if (target === null) return [x, y];
    const turns = this.turnsOf.get(this.key(cell, target)) ?? left;
    const part = 1 - left / turns;
    const [toX, toY] = this.middle(target);
    return [x + (toX - x) * part, y + (toY - y) * part];
  }

  drawTraces(pen, turn) {
    pen.lineWidth = 0.14;
    pen.lineCap = "round";
    this.film.players.forEach((_, colour) => {
      const shift = ((colour % 5) - 2) * 0.09;
      pen.strokeStyle = PLAYER_COLOURS[colour];
      for (let at = Math.max(1, turn - TRACE); at < turn; at += 1) {
        const [before, after] = [this.film.frames[at - 1], this.film.frames[at]];
        if (!before || !after) continue;
        const [from, to] = [before.p[colour][0], after.p[colour][0]];
        if (from === to || !this.step(from, to)) continue;
        pen.globalAlpha = 0.1 + 0.35 * (1 - (turn - at) / TRACE);
        pen.beginPath();
        for (const [x, y] of [this.middle(from), this.middle(to)]) pen.lineTo(x + shift, y + shift);
        pen.stroke();
      }
      pen.globalAlpha = 1;
    });
  }
}
