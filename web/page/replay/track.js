// The curves of points over time, with a lane for each player's episodes below; a click jumps to the turn.

import { penOf } from "../shared/element.js";
import { HUES, PLAYER_COLOURS, disc, letter } from "./shapes.js";
import { episodeWords, leadWords } from "./telling.js";
import { look } from "./theme.js";
import { decimals, say } from "./words.js";

/** @import { Episode, Film, Lead } from "./film.js" */
/** @import { Look } from "./shapes.js" */

/** Heights of a lane, of the axis of turns and of the row of changes of the lead, in pixels; of many players lanes are lower. */
const [LANE, LOW_LANE] = [13, 5];
const TURNS = 20;
/** Width of the axis of points, and of the names at the ends of the curves: the least, and of letters alone where there is no room. */
const [AXIS, NAMES, LETTERS] = [46, 96, 24];
/** Width from which on the curves have names. */
const WIDE = 300;
/** Pixels of the font; the others here are those of a page with this font, and grow with it. */
const FONT = 11;

export class Track {
  /** `seek` is told the turns that are pointed at. @param {HTMLCanvasElement} canvas @param {HTMLElement} tip @param {(turn: number) => void} seek */
  constructor(canvas, tip, seek) {
    this.canvas = canvas;
    this.tip = tip;
    this.seek = seek;
    this.pen = penOf(canvas);
    this.picture = document.createElement("canvas");
    /** @type {Episode[]} */
    this.episodes = [];
    /** @type {Lead[]} */
    this.leads = [];
    /** @type {Look} */
    this.look = {};
    /** @type {Film | null} */
    this.film = null;
    /** The game from which the shown one is a branch, and the turn of the branch. @type {{ film: Film, turn: number } | null} */
    this.original = null;
    /** True if the curves show the gap to the leader instead of points. */
    this.isGap = false;
    /** Height of a lane and width of the names; pixels of the page and of the screen for one here; width and height of all, height of the chart alone. */
    this.lane = LANE;
    this.names = NAMES;
    this.unit = 1;
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
    this.original = null;
    this.lane = film.players.length > 8 ? LOW_LANE : LANE;
    this.canvas.style.setProperty("--lanes", `${(this.lane * film.players.length) / FONT}em`);
    this.hideTip();
    this.refresh();
  }

  /** Shows the curves of another game, too, from a turn on: of that from which this one is a branch. @param {Film} film @param {number} turn */
  compare(film, turn) {
    this.original = { film, turn };
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
    const { film } = this;
    if (!film || !this.canvas.clientWidth) return;
    this.unit = parseFloat(getComputedStyle(this.canvas).fontSize) / FONT;
    this.ratio = (window.devicePixelRatio || 1) * this.unit;
    this.width = this.canvas.clientWidth / this.unit;
    this.height = this.canvas.clientHeight / this.unit;
    this.chart = this.height - TURNS - this.lane * film.players.length;
    for (const canvas of [this.canvas, this.picture]) {
      canvas.width = Math.round(this.width * this.ratio);
      canvas.height = Math.round(this.height * this.ratio);
    }
    this.names = this.widthOfNames(film);
    this.canvas.parentElement?.style.setProperty("--names", `${this.names * this.unit}px`);
    this.look = look(this.canvas);
    this.episodes = film.episodes;
    this.leads = film.leads();
    const pen = penOf(this.picture);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    this.drawChart(pen, film);
    this.drawLanes(pen, film);
    Object.assign(this.canvas.dataset, { episodes: this.episodes.length, last: film.last });
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
      disc(pen, this.x(turn), this.y(this.value(turn, colour)), 3.5);
      pen.fill();
      pen.stroke();
    });
  }

  /** The value of a player's curve after a turn. @param {number} turn @param {number} colour */
  value(turn, colour, film = this.film) {
    if (!film) return 0;
    const points = film.points(turn, colour);
    return this.isGap ? points - Math.max(...film.players.map((_, other) => film.points(turn, other))) : points;
  }

  /** All names whole, if they take no more than a sixth. @param {Film} film */
  widthOfNames(film) {
    if (this.width < WIDE) return LETTERS;
    this.pen.font = `${FONT}px system-ui, sans-serif`;
    const longest = Math.max(...film.players.map(({ name }) => this.pen.measureText(name).width));
    return Math.max(NAMES, Math.min(Math.ceil(longest) + 26, this.width / 6));
  }

  /** @param {number} turn */
  x(turn) {
    return AXIS + (turn / this.turns) * (this.width - AXIS - this.names);
  }

  /** @param {number} points */
  y(points) {
    return this.chart - 5 - ((points - this.low) / (this.high - this.low)) * (this.chart - 14);
  }

  /** @param {CanvasRenderingContext2D} pen @param {Film} film */
  drawChart(pen, film) {
    const { look: { ink, inkSoft, line } } = this;
    this.low = 0;
    this.high = this.isGap ? 0 : 1;
    const { original } = this;
    const frames = (original ? [film, original.film] : [film]).flatMap((shown) => shown.frames.map((frame) => ({ frame, shown })));
    for (const { frame, shown } of frames) {
      if (!frame) continue;
      for (const colour of film.players.keys()) {
        const points = this.value(frame.t, colour, shown);
        this.low = Math.min(this.low, points);
        this.high = Math.max(this.high, points);
      }
    }
    if (this.low === this.high) this.low = -1;
    pen.font = `${FONT}px system-ui, sans-serif`;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    pen.lineWidth = 1;
    const end = this.width - this.names;
    const step = niceStep((this.high - this.low) / 4, 0.25);
    for (let row = Math.ceil(this.low / step); row * step <= this.high; row += 1) {
      const points = row * step || 0;
      const y = Math.round(this.y(points)) + 0.5;
      pen.strokeStyle = points === 0 ? inkSoft : line;
      pen.beginPath();
      pen.moveTo(AXIS, y);
      pen.lineTo(end, y);
      pen.stroke();
      pen.fillStyle = inkSoft;
      pen.fillText(decimals(points), AXIS - 6, y);
    }
    pen.textAlign = "center";
    const turns = niceStep(this.turns / Math.max(2, (end - AXIS) / 70), 1);
    for (let turn = turns; turn <= this.turns; turn += turns) {
      pen.fillStyle = line;
      pen.fillRect(this.x(turn), this.chart - 5, 1, 5);
      pen.fillStyle = inkSoft;
      pen.fillText(decimals(turn), this.x(turn), this.chart + TURNS - 7);
    }
    if (original) this.drawOriginal(pen, original);
    // One point per pixel is enough for a line.
    const skip = Math.max(1, Math.floor(film.last / (this.width * this.ratio)));
    film.players.forEach((_, colour) => {
      pen.beginPath();
      for (let turn = 0; turn <= film.last; turn += skip) {
        if (film.frames[turn]) pen.lineTo(this.x(turn), this.y(this.value(turn, colour)));
      }
      pen.lineTo(this.x(film.last), this.y(this.value(film.last, colour)));
      pen.lineJoin = "round";
      pen.setLineDash(colour < HUES.length ? [] : colour < 2 * HUES.length ? [5, 3] : [2, 3]);
      // The dark edge makes light colours visible on white.
      pen.strokeStyle = ink;
      pen.lineWidth = 3.5;
      pen.globalAlpha = 0.75;
      pen.stroke();
      pen.globalAlpha = 1;
      pen.strokeStyle = PLAYER_COLOURS[colour];
      pen.lineWidth = 2;
      pen.stroke();
    });
    pen.setLineDash([]);
    this.drawNames(pen, film);
  }

  /** @param {CanvasRenderingContext2D} pen @param {{ film: Film, turn: number }} original */
  drawOriginal(pen, { film, turn: first }) {
    pen.setLineDash([2, 3]);
    pen.lineWidth = 1.5;
    film.players.forEach((_, colour) => {
      pen.beginPath();
      for (let turn = first; turn <= Math.min(film.last, this.turns); turn += 1) {
        if (film.frames[turn]) pen.lineTo(this.x(turn), this.y(this.value(turn, colour, film)));
      }
      pen.strokeStyle = this.look.ink;
      pen.globalAlpha = 0.5;
      pen.stroke();
      pen.globalAlpha = 1;
      pen.strokeStyle = PLAYER_COLOURS[colour];
      pen.stroke();
    });
    pen.setLineDash([]);
  }

  /** The names at the ends of the curves, moved apart where curves end together; of many players the first ones. @param {CanvasRenderingContext2D} pen @param {Film} film */
  drawNames(pen, film) {
    const height = 12;
    const most = Math.max(1, Math.floor(this.chart / height));
    const ends = film.players.map(({ letter: text, name }, colour) => ({ text, name, colour, end: this.y(this.value(film.last, colour)) }));
    const shown = ends.sort((a, b) => a.end - b.end || a.colour - b.colour).slice(0, most);
    const places = movedApart(shown.map(({ end }) => end), height, this.chart);
    const x = this.width - this.names + 8;
    /** @type {string[]} */
    const written = [];
    for (const [index, { text, name, colour }] of shown.entries()) {
      const y = places[index];
      pen.fillStyle = PLAYER_COLOURS[colour];
      pen.fillRect(x, y - 5, 10, 10);
      letter(pen, text, x + 5, y, 9, "#16181d");
      pen.font = `${FONT}px system-ui, sans-serif`;
      pen.textAlign = "left";
      pen.textBaseline = "middle";
      pen.fillStyle = this.look.ink;
      if (this.width >= WIDE) written.push(shortened(pen, name, this.names - 24));
      pen.fillText(written[written.length - 1] ?? "", x + 14, y);
    }
    this.canvas.dataset.names = written.join("\n");
  }

  /** Each player's episodes as bars, and the changes of the lead above them. @param {CanvasRenderingContext2D} pen @param {Film} film */
  drawLanes(pen, film) {
    film.players.forEach(({ letter: text }, colour) => {
      const y = this.laneY(colour);
      pen.fillStyle = this.look.line;
      pen.fillRect(AXIS, y, this.width - AXIS - this.names, 1);
      pen.fillStyle = PLAYER_COLOURS[colour];
      pen.fillRect(AXIS - 16, y - this.lane / 2 + 1, this.lane - 2, this.lane - 2);
      if (this.lane === LANE) letter(pen, text, AXIS - 16 + (this.lane - 2) / 2, y, 9, "#16181d");
    });
    for (const { kind, player, first, last } of this.episodes) {
      const y = this.laneY(film.colourOf.get(player) ?? 0);
      const left = this.x(first) - 1.25;
      pen.fillStyle = this.look[LOOKS[kind] ?? "cherry"];
      const height = this.lane - (kind === "." ? 7 : 4);
      pen.fillRect(left, y - height / 2, Math.max(2.5, this.x(last) + 1.25 - left), height);
    }
    pen.fillStyle = this.look.ink;
    for (const { turn } of this.leads) {
      const [x, y] = [this.x(turn), 5];
      pen.beginPath();
      for (const [right, down] of [[0, -4], [4, 0], [0, 4], [-4, 0]]) pen.lineTo(x + right, y + down);
      pen.fill();
    }
  }

  /** The middle of a player's lane. @param {number} colour */
  laneY(colour) {
    return this.chart + TURNS + this.lane * (colour + 0.5);
  }

  /** The episode or change of the lead at hand, or the turn. @param {PointerEvent} event @param {boolean} pressed */
  point(event, pressed) {
    const { film } = this;
    if (!film) return;
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top].map((pixels) => pixels / this.unit);
    const far = (/** @type {Episode} */ { first, last }) => Math.max(this.x(first) - x, x - this.x(last), 0);
    const player = film.players[Math.floor((y - this.chart - TURNS) / this.lane)]?.letter;
    const near = this.episodes.filter((episode) => episode.player === player && far(episode) <= 5);
    const nearest = near.length ? near.reduce((one, other) => (far(other) < far(one) ? other : one)) : null;
    const lead = y < 11 ? this.leads.find(({ turn }) => Math.abs(this.x(turn) - x) <= 5) : undefined;
    const at = Math.round(((x - AXIS) / (this.width - AXIS - this.names)) * this.turns);
    const turn = Math.max(0, Math.min(film.last, nearest?.first ?? lead?.turn ?? at));
    const parts = nearest ? episodeWords(nearest) : lead ? leadWords(lead) : this.standing(film, turn);
    this.showTip(`${say.turn} ${turn}${say.colon} ${parts.map((part) => (typeof part === "string" ? part : part.letter)).join("")}`, x);
    this.canvas.style.cursor = nearest || lead ? "pointer" : "crosshair";
    if (pressed) this.seek(turn);
  }

  /** The points after a turn, the most first. @param {Film} film @param {number} turn @returns {string[]} */
  standing(film, turn) {
    const at = film.known(turn);
    const all = film.players.map(({ letter: text }, colour) => /** @type {const} */ ([text, film.points(at, colour)]));
    const shown = all.sort(([, one], [, other]) => other - one).slice(0, 6).map(([text, points]) => `${text} ${decimals(points)}`);
    return [shown.join(" · ")];
  }

  /** @param {string} words @param {number} x */
  showTip(words, x) {
    this.tip.textContent = words;
    this.tip.hidden = false;
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.max(half, Math.min(this.canvas.clientWidth - half, x * this.unit))}px`;
  }

  hideTip() {
    this.tip.hidden = true;
  }

  /** The turn in which the episode or the lead before or after a turn begins. @param {number} turn @param {boolean} forward */
  beside(turn, forward) {
    const { film } = this;
    if (!film) return undefined;
    const turns = [...film.notable().map(({ first }) => first), ...this.leads.map((lead) => lead.turn)].sort((a, b) => a - b);
    return forward ? turns.find((other) => other > turn) : turns.findLast((other) => other < turn);
  }
}

/** The looks of episodes by kind; those of faults are red. @type {Record<string, string>} */
const LOOKS = { ".": "vitamin", $: "glutton", "@": "freeze", "~": "pass", "&": "stem", "!": "teleporter", bite: "battle", meal: "glutton", cheese: "cheeseEdge" };

/** 1, 2 or 5 times a power of ten, neither below `least` nor below `smallest`. @param {number} least @param {number} smallest */
function niceStep(least, smallest) {
  const wanted = Math.max(least, smallest);
  const power = 10 ** Math.floor(Math.log10(wanted));
  return power * ([1, 2, 5].find((times) => times * power >= wanted) ?? 10);
}

/** Places in ascending order, moved so that lines of a height have room for each, between 0 and `room`. @param {number[]} places @param {number} height @param {number} room */
function movedApart(places, height, room) {
  const moved = [...places];
  let least = height / 2;
  for (const [index, place] of moved.entries()) {
    moved[index] = Math.max(place, least);
    least = moved[index] + height;
  }
  let most = room - height / 2;
  for (let index = moved.length - 1; index >= 0; index -= 1) {
    moved[index] = Math.min(moved[index], most);
    most = moved[index] - height;
  }
  return moved;
}

/** A name that is not wider than some pixels, cut at a word with an ellipsis if need be, or else within the first one. @param {CanvasRenderingContext2D} pen @param {string} name @param {number} width */
function shortened(pen, name, width) {
  const isWide = (/** @type {string} */ text) => pen.measureText(text).width > width;
  if (!isWide(name)) return name;
  const words = name.split(/\s+/);
  while (words.length > 1 && isWide(`${words.join(" ")}…`)) words.pop();
  const letters = Array.from(words.join(" "));
  while (letters.length && isWide(`${letters.join("")}…`)) letters.pop();
  return `${letters.join("")}…`;
}
