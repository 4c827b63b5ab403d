// Draws a game of Pacman on the board.

import { Drawing } from "./drawing.js";
import { FULL, disc, drawBattle, drawGhost, drawPacman, ring } from "./shapes.js";

/** @import { Step } from "./drawing.js" */
/** @import { Cell, Event, PacmanFrame } from "./frames.d.ts" */
/** @import { Look, Pen } from "./shapes.js" */

export class PacmanDrawing extends Drawing {
  /** Walls are outlines that follow the corridors, with round corners: quarter by quarter of each wall. @param {Pen} pen @param {Look} look */
  drawStill(pen, look) {
    const { rows, cols, walls } = this.film;
    const isWall = (/** @type {number} */ row, /** @type {number} */ col) => walls[((row + rows) % rows) * cols + ((col + cols) % cols)] === "#";
    const inset = 0.16;
    const reach = 0.5 - inset;
    // Quarters overlap where they meet inside a cell, so that no seam is visible.
    const lap = 0.06;
    /** @type {[number, number, number, number, string][]} */
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
    const each = (/** @type {(shape: string) => void} */ draw) => {
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
    // All lines are one path, so that no seam is visible.
    pen.beginPath();
    each((shape) => {
      if (shape === "flat") {
        pen.moveTo(-lap, reach);
        pen.lineTo(0.5, reach);
      }
      if (shape === "tall") {
        pen.moveTo(reach, -lap);
        pen.lineTo(reach, 0.5);
      }
      if (shape === "outer") pen.moveTo(reach, 0);
      if (shape === "inner") pen.moveTo(0.5, reach);
      if (shape === "outer") pen.arc(0, 0, reach, 0, FULL / 4);
      if (shape === "inner") pen.arc(0.5, 0.5, inset, -FULL / 4, -FULL / 2, true);
    });
    pen.strokeStyle = look.wall;
    pen.lineWidth = 0.09;
    pen.stroke();
    pen.restore();
  }

  /** @param {Pen} pen @param {Look} look @param {number} turn @param {number} phase @param {number | null} followed */
  draw(pen, look, turn, phase, followed) {
    const { film } = this;
    const frames = /** @type {PacmanFrame[]} */ (film.frames);
    const frame = frames[turn];
    const before = frames[turn - 1] ?? frame;
    const events = film.events(turn);
    this.drawFreeze(pen, look, frame);
    this.drawTeleports(pen, look, events);
    const jumped = new Set(events.filter(([kind]) => kind === "teleport").map(([, piece]) => piece));
    const shown = phase < 0.5 ? before : frame;
    const spread = [this.spread(before), this.spread(frame)];
    for (const kind of /** @type {const} */ ([1, 0])) {
      film.players.forEach(({ letter: text }, colour) => {
        const named = kind ? text.toLowerCase() : text;
        const [from, to] = [before.p[colour][kind], frame.p[colour][kind]];
        const step = jumped.has(named) ? null : this.step(from, to);
        const [x, y] = this.middle(step ? from : phase < 0.5 ? from : to);
        const part = step ? phase : 0;
        const [offsets, later] = spread.map((all) => all[kind][colour]);
        const blend = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * phase;
        /** @type {Step} */
        const place = [
          x + part * (step?.[0] ?? 0) + blend(offsets[0], later[0]),
          y + part * (step?.[1] ?? 0) + blend(offsets[1], later[1]),
        ];
        const [, , , , glutton, freeze, pass] = shown.p[colour];
        this.at(pen, place, () => {
          this.emphasise(pen, look, colour, followed);
          if (kind) {
            const held = (/** @type {string} */ what) => events.some(([event, who]) => event === what && who === text);
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
      for (const event of events) {
        if (event[0] === "battle") this.at(pen, this.middle(event[4]), () => drawBattle(pen, look));
      }
    }
  }

  /** Offsets of pieces on the same cell, so that all are seen: ghosts, pacmans by colour. @param {PacmanFrame} frame */
  spread(frame) {
    /** @type {Map<Cell, [number, number][]>} */
    const there = new Map();
    frame.p.forEach((player, colour) => {
      for (const kind of /** @type {const} */ ([0, 1])) {
        const pieces = there.get(player[kind]) ?? [];
        pieces.push([kind, colour]);
        there.set(player[kind], pieces);
      }
    });
    /** @type {Step[][]} */
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

  /** The squares in which ghosts are frozen. @param {Pen} pen @param {Look} look @param {PacmanFrame} frame */
  drawFreeze(pen, look, frame) {
    const { freezeRange, rows, cols } = this.film;
    if (freezeRange === undefined) return;
    const size = Math.min(2 * freezeRange + 1, 2 * Math.max(rows, cols));
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

  /** @param {Pen} pen @param {Look} look @param {Event[]} events */
  drawTeleports(pen, look, events) {
    for (const event of events) {
      if (event[0] !== "teleport") continue;
      const [, , from, to] = event;
      this.at(pen, this.middle(from), () => ring(pen, look.teleporter, 0.66, 0.07, [0.12, 0.12]));
      this.at(pen, this.middle(to), () => ring(pen, look.teleporter, 0.66, 0.07));
    }
  }
}
