// The board on its canvas: the background is drawn once per size, objects as they come and go, the rest for every picture.

import { part, penOf } from "../shared/element.js";
import { Layers } from "./layers.js";
import { PacmanDrawing } from "./pacman.js";
import { PyRatDrawing } from "./pyrat.js";
import { look } from "./theme.js";
import { drawThoughts } from "./thoughts.js";

/** @import { Film } from "./film.js" */
/** @import { Cell } from "./frames.d.ts" */
/** @import { Layer } from "./layers.js" */

/** A path that is drawn under the pieces, after these turns. @typedef {{ turns: [first: number, last: number], cells: Cell[], colour: string, dash: number[], shift: number }} Path */

/** Pixels of a cell, at least, when a player is followed. */
const CLOSE = 26;

export class Board {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.canvas = part(place, "canvas");
    this.pen = penOf(this.canvas);
    this.still = document.createElement("canvas");
    /** The background with objects on it, and the objects by cell. */
    this.ground = document.createElement("canvas");
    /** @type {string[]} */
    this.laid = [];
    /** The colour of the player that is followed, if one is. @type {number | null} */
    this.followed = null;
    /** @type {Film | null} */
    this.film = null;
    /** @type {PacmanDrawing | PyRatDrawing | null} */
    this.drawing = null;
    /** @type {Layers | null} */
    this.layers = null;
    /** The layers that are drawn. @type {Set<Layer>} */
    this.shown = new Set(["thoughts"]);
    /** @type {Path[]} */
    this.paths = [];
    /** @type {Record<string, string>} */
    this.look = {};
    /** Pixels of a cell and around the board. */
    this.cell = 4;
    this.margin = 0;
  }

  /** @param {Film} film */
  show(film) {
    this.film = film;
    this.followed = null;
    this.paths = [];
    this.drawing = film.game === "pyrat" ? new PyRatDrawing(film) : new PacmanDrawing(film);
    this.layers = new Layers(film, this.drawing);
    this.resize();
  }

  /** Takes the largest size that fits: a cell is a whole number of the screen's pixels, so that lines are sharp. */
  resize() {
    if (!this.film || !this.drawing) return;
    const { rows, cols } = this.film;
    const ratio = window.devicePixelRatio || 1;
    const margin = 0.5;
    const [width, height] = [this.place.clientWidth, this.place.clientHeight];
    const cell = Math.min((width * ratio) / (cols + margin), (height * ratio) / (rows + margin));
    this.cell = Math.max(4, Math.floor(cell));
    this.margin = Math.ceil((this.cell * margin) / 2);
    for (const canvas of [this.canvas, this.still, this.ground]) {
      canvas.width = cols * this.cell + 2 * this.margin;
      canvas.height = rows * this.cell + 2 * this.margin;
    }
    this.canvas.style.width = `${this.canvas.width / ratio}px`;
    this.canvas.style.height = `${this.canvas.height / ratio}px`;
    this.look = look(this.place);
    const pen = penOf(this.still);
    pen.fillStyle = this.look.floor;
    pen.fillRect(0, 0, this.still.width, this.still.height);
    this.scale(pen);
    this.drawing.drawStill(pen, this.look);
    penOf(this.ground).setTransform(1, 0, 0, 1, 0, 0);
    penOf(this.ground).drawImage(this.still, 0, 0);
    this.laid = [];
  }

  /** The way to a turn, of which `phase` is done, from 0 to 1. @param {number} turn @param {number} phase */
  draw(turn, phase) {
    const { pen, film, drawing, layers, shown, canvas } = this;
    if (!film || !drawing || !layers) return;
    if (canvas.dataset.turn !== String(turn)) canvas.dataset.turn = String(turn);
    const [zoom, left, top] = this.camera(turn, phase);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    const place = () => pen.setTransform(this.cell * zoom, 0, 0, this.cell * zoom, (this.margin - left) * zoom, (this.margin - top) * zoom);
    // Objects go before the pieces have arrived.
    const seen = phase < 0.6 && film.frames[turn - 1] ? turn - 1 : turn;
    const isPlain = zoom === 1 && shown.size === (shown.has("thoughts") ? 1 : 0);
    if (isPlain) pen.drawImage(this.lay(film, drawing, seen), 0, 0);
    else if (zoom === 1) pen.drawImage(this.still, 0, 0);
    else {
      // An enlarged picture would be blurred.
      pen.fillStyle = this.look.floor;
      pen.fillRect(0, 0, this.still.width, this.still.height);
      place();
      drawing.drawStill(pen, this.look);
    }
    place();
    pen.beginPath();
    pen.rect(-0.25, -0.25, film.cols + 0.5, film.rows + 0.5);
    pen.save();
    pen.clip();
    if (!isPlain) {
      layers.draw(pen, this.look, shown, turn, this.followed);
      film.objects(seen).forEach((object, cell) => drawing.drawObject(pen, this.look, object, cell));
    }
    for (const path of this.paths) if (path.turns[0] <= turn && turn <= path.turns[1]) this.drawPath(drawing, path);
    if (shown.has("thoughts")) drawThoughts(pen, this.look, film, drawing, turn, this.followed);
    drawing.draw(pen, this.look, turn, phase, this.followed);
    pen.restore();
  }

  /** @param {PacmanDrawing | PyRatDrawing} drawing @param {Path} path */
  drawPath(drawing, { cells, colour, dash, shift }) {
    const { pen } = this;
    pen.save();
    pen.strokeStyle = colour;
    pen.lineWidth = 0.12;
    pen.lineCap = pen.lineJoin = "round";
    pen.setLineDash(dash);
    pen.beginPath();
    for (let at = 1; at < cells.length; at += 1) drawing.link(pen, cells[at - 1], cells[at], shift);
    pen.stroke();
    pen.restore();
  }

  /** The background with the objects after a turn: only cells that have changed are drawn. @param {Film} film @param {PacmanDrawing | PyRatDrawing} drawing @param {number} turn */
  lay(film, drawing, turn) {
    const { cell: size, margin, ground, laid } = this;
    const pen = penOf(ground);
    film.objects(turn).forEach((object, cell) => {
      if (object === (laid[cell] ?? " ")) return;
      laid[cell] = object;
      const [left, top] = [margin + (cell % film.cols) * size, margin + Math.floor(cell / film.cols) * size];
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.drawImage(this.still, left, top, size, size, left, top, size, size);
      this.scale(pen);
      drawing.drawObject(pen, this.look, object, cell);
    });
    return ground;
  }

  /** Enlargement, and the left and top pixel that are shown: small cells are enlarged around a player that is followed. @param {number} turn @param {number} phase */
  camera(turn, phase) {
    const zoom = Math.max(1, (CLOSE * (window.devicePixelRatio || 1)) / this.cell);
    if (this.followed === null || zoom === 1 || !this.drawing) return [1, 0, 0];
    const { width, height } = this.still;
    const [x, y] = this.drawing.place(turn, phase, this.followed);
    const start = (/** @type {number} */ at, /** @type {number} */ size) => Math.max(0, Math.min(size - size / zoom, this.margin + at * this.cell - size / zoom / 2));
    return [zoom, start(x, width), start(y, height)];
  }

  /** The column and row, with their parts, at a point of the window. @param {MouseEvent} point @param {number} turn */
  at({ clientX, clientY }, turn) {
    const box = this.canvas.getBoundingClientRect();
    const [zoom, left, top] = this.camera(turn, 1);
    const scale = this.canvas.width / box.width / zoom;
    return [((clientX - box.left) * scale + left - this.margin) / this.cell, ((clientY - box.top) * scale + top - this.margin) / this.cell];
  }

  /** The cell at a point of the window, or null. @param {MouseEvent} point @param {number} turn @returns {Cell | null} */
  cellAt(point, turn) {
    if (!this.film) return null;
    const { rows, cols } = this.film;
    const [col, row] = this.at(point, turn).map(Math.floor);
    return col >= 0 && row >= 0 && col < cols && row < rows ? row * cols + col : null;
  }

  /** The player whose piece is at a point of the window, or null. @param {MouseEvent} point @param {number} turn */
  playerAt(point, turn) {
    const { film, drawing } = this;
    if (!film || !drawing) return null;
    const place = this.at(point, turn);
    const far = (/** @type {number} */ cell) => Math.hypot(...drawing.middle(cell).map((middle, axis) => middle - place[axis]));
    const pieces = film.players.flatMap((_, colour) => film.pieces(turn, colour).map((cell) => [far(Number(cell)), colour]));
    const [distance, colour] = pieces.sort(([a], [b]) => a - b)[0];
    return distance < 0.8 ? colour : null;
  }

  /** @param {CanvasRenderingContext2D} pen */
  scale(pen) {
    pen.setTransform(this.cell, 0, 0, this.cell, this.margin, this.margin);
  }
}
