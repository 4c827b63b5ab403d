// The chart of points over time, with marks of events below; a click jumps to the turn.

import { penOf } from "../shared/element.js";
import { HUES, OBJECTS, PLAYER_COLOURS, disc, drawBattle, letter } from "./shapes.js";
import { changedPoints, tell } from "./telling.js";
import { look } from "./theme.js";
import { decimals, say } from "./words.js";

/** @import { Film, Happening, Lane } from "./film.js" */
/** @import { Draw, Look } from "./shapes.js" */

/** A mark on the time line. @typedef {Happening & { turn: number, lane: Lane }} Mark */

const LANE = 14;
const AXIS = 46;

export class Track {
  /** `seek` is told the turns that are pointed at. @param {HTMLCanvasElement} canvas @param {HTMLElement} tip @param {(turn: number) => void} seek */
  constructor(canvas, tip, seek) {
    this.canvas = canvas;
    this.tip = tip;
    this.seek = seek;
    this.pen = penOf(canvas);
    this.picture = document.createElement("canvas");
    /** @type {Mark[]} */
    this.marks = [];
    /** @type {Lane[]} */
    this.lanes = [];
    /** @type {Look} */
    this.look = {};
    /** @type {Film | null} */
    this.film = null;
    /** Pixels of the screen for one of the page; width and height in those of the page, also of the chart alone. */
    this.ratio = 1;
    this.width = 0;
    this.height = 0;
    this.chart = 0;
    /** The fewest and the most points. */
    this.low = 0;
    this.high = 1;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.point(event, true);
    });
    canvas.addEventListener("pointermove", (event) => this.point(event, event.buttons === 1));
    canvas.addEventListener("pointerleave", () => this.hideTip());
  }

  /** @param {Film} film */
  show(film) {
    this.film = film;
    this.lanes = film.game === "pyrat" ? ["cheese", "fault"] : ["battle", "power", "teleport", "fault"];
    this.hideTip();
    this.refresh();
  }

  /** Turns along the axis: of a game that is not over all that there will be, as far as that is known. */
  get turns() {
    if (!this.film) return 1;
    const { complete, last, game, turns } = this.film;
    if (complete) return Math.max(1, last);
    return game === "pacman" ? turns : Math.min(turns, 50 * Math.ceil((last + 1) / 50));
  }

  /** Draws what does not depend on the turn: after resizing, and when a live game has gone on. */
  refresh() {
    if (!this.film || !this.canvas.clientWidth) return;
    this.ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.chart = this.height - 4 - LANE * this.lanes.length;
    for (const canvas of [this.canvas, this.picture]) {
      canvas.width = Math.round(this.width * this.ratio);
      canvas.height = Math.round(this.height * this.ratio);
    }
    this.look = look(this.canvas);
    this.marks = [...this.film.marks()];
    const pen = penOf(this.picture);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    this.drawChart(pen, this.film);
    this.drawLanes(pen);
    Object.assign(this.canvas.dataset, { marks: this.marks.length, last: this.film.last });
  }

  /** @param {number} turn */
  draw(turn) {
    const { pen, film } = this;
    if (!film || !this.width) return;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.picture, 0, 0);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.fillStyle = this.look.ink;
    pen.fillRect(this.x(turn) - 0.75, 0, 1.5, this.height);
    film.players.forEach((_, colour) => {
      pen.fillStyle = PLAYER_COLOURS[colour];
      pen.strokeStyle = this.look.ink;
      pen.lineWidth = 1;
      disc(pen, this.x(turn), this.y(film.points(turn, colour)), 3.5);
      pen.fill();
      pen.stroke();
    });
  }

  /** @param {number} turn */
  x(turn) {
    return AXIS + (turn / this.turns) * (this.width - AXIS - 12);
  }

  /** @param {number} points */
  y(points) {
    return this.chart - 5 - ((points - this.low) / (this.high - this.low)) * (this.chart - 14);
  }

  /** @param {CanvasRenderingContext2D} pen @param {Film} film */
  drawChart(pen, film) {
    const { look: { ink, inkSoft, line } } = this;
    this.low = 0;
    this.high = 1;
    for (const frame of film.frames) {
      if (!frame) continue;
      for (const colour of film.players.keys()) {
        const points = film.points(frame.t, colour);
        this.low = Math.min(this.low, points);
        this.high = Math.max(this.high, points);
      }
    }
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    pen.lineWidth = 1;
    const step = niceStep((this.high - this.low) / 4);
    for (let row = Math.ceil(this.low / step); row * step <= this.high; row += 1) {
      const points = row * step || 0;
      const y = Math.round(this.y(points)) + 0.5;
      pen.strokeStyle = points === 0 ? inkSoft : line;
      pen.beginPath();
      pen.moveTo(AXIS, y);
      pen.lineTo(this.width - 12, y);
      pen.stroke();
      pen.fillStyle = inkSoft;
      pen.fillText(decimals(points), AXIS - 6, y);
    }
    // One point per pixel is enough for a line.
    const skip = Math.max(1, Math.floor(film.last / (this.width * this.ratio)));
    film.players.forEach((_, colour) => {
      pen.beginPath();
      for (let turn = 0; turn <= film.last; turn += skip) {
        if (film.frames[turn]) pen.lineTo(this.x(turn), this.y(film.points(turn, colour)));
      }
      pen.lineTo(this.x(film.last), this.y(film.points(film.last, colour)));
      pen.lineJoin = "round";
      pen.setLineDash(colour < HUES.length ? [] : colour < 2 * HUES.length ? [5, 3] : [2, 3]);
      pen.strokeStyle = ink;
      pen.lineWidth = 3;
      pen.globalAlpha = 0.35;
      pen.stroke();
      pen.globalAlpha = 1;
      pen.strokeStyle = PLAYER_COLOURS[colour];
      pen.lineWidth = 2;
      pen.stroke();
    });
    pen.setLineDash([]);
  }

  /** @param {CanvasRenderingContext2D} pen */
  drawLanes(pen) {
    this.lanes.forEach((lane, row) => {
      const y = this.laneY(row);
      pen.fillStyle = this.look.line;
      pen.fillRect(AXIS, y, this.width - AXIS - 12, 1);
      pen.save();
      pen.translate(AXIS - 14, y);
      pen.scale(13, 13);
      LANE_SIGNS[lane](pen, this.look);
      pen.restore();
    });
    for (const { turn, lane } of this.marks) {
      pen.fillStyle = this.look[LANE_LOOKS[lane]];
      pen.fillRect(this.x(turn) - 1.25, this.laneY(this.lanes.indexOf(lane)) - 4.5, 2.5, 9);
    }
  }

  /** @param {number} row */
  laneY(row) {
    return this.chart + 4 + LANE * (row + 0.5);
  }

  /** The mark at hand, or the turn. @param {PointerEvent} event @param {boolean} pressed */
  point(event, pressed) {
    if (!this.film) return;
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const far = (/** @type {Mark} */ mark) => Math.abs(this.x(mark.turn) - x);
    const row = Math.floor((y - this.chart - 4) / LANE);
    const near = this.marks.filter((mark) => mark.lane === this.lanes[row] && far(mark) <= 6);
    const nearest = near.length ? near.reduce((one, other) => (far(other) < far(one) ? other : one)) : null;
    const at = Math.round(((x - AXIS) / (this.width - AXIS - 12)) * this.turns);
    const turn = Math.max(0, Math.min(this.film.last, nearest?.turn ?? at));
    this.showTip(this.film, turn, nearest, x, this.lanes[row]);
    if (pressed) this.seek(turn);
  }

  /** @param {Film} film @param {number} turn @param {Mark | null} mark @param {number} x @param {Lane | undefined} lane */
  showTip(film, turn, mark, x, lane) {
    const words = mark && tell(mark.event, film, mark.turn);
    const points = mark ? changedPoints(mark.changes) : [];
    const what = words ? ` · ${[...words, ...points].map((part) => (typeof part === "string" ? part : part.letter)).join("")}` : x < AXIS && lane ? ` · ${say.lanes[lane]}` : "";
    this.tip.textContent = `${say.turn} ${turn}${what}`;
    this.tip.hidden = false;
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.max(half, Math.min(this.width - half, x))}px`;
    this.canvas.style.cursor = mark ? "pointer" : "crosshair";
  }

  hideTip() {
    this.tip.hidden = true;
  }

  /** The turn of the mark before or after a turn. @param {number} turn @param {boolean} forward */
  beside(turn, forward) {
    const turns = this.marks.map((mark) => mark.turn);
    return forward ? turns.find((other) => other > turn) : turns.findLast((other) => other < turn);
  }
}

/** The look of the lanes' marks. @type {Record<Lane, string>} */
const LANE_LOOKS = { battle: "battle", power: "glutton", teleport: "teleporter", fault: "cherry", cheese: "cheeseEdge" };

/** @type {Record<Lane, Draw>} */
const LANE_SIGNS = {
  battle: (pen, look) => {
    pen.scale(0.62, 0.62);
    drawBattle(pen, look, 0.3);
  },
  power: OBJECTS.$,
  teleport: OBJECTS["!"],
  cheese: OBJECTS.C,
  fault: (pen, look) => {
    pen.fillStyle = look.cherry;
    pen.beginPath();
    pen.moveTo(0, -0.4);
    pen.lineTo(0.42, 0.34);
    pen.lineTo(-0.42, 0.34);
    pen.fill();
    letter(pen, "!", 0, 0.1, 0.5, look.panel);
  },
};

/** 1, 2 or 5 times a power of ten, not below `least`. @param {number} least */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 0.25)));
  return power * ([1, 2, 5].find((times) => times * power >= least) ?? 10);
}
