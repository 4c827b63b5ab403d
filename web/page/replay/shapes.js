// The shapes on the board, each centred on (0, 0), in units of a cell.

/** @typedef {CanvasRenderingContext2D} Pen */
/** The colours of the theme, by name. @typedef {Record<string, string>} Look */
/** A shape, drawn. @typedef {(pen: Pen, look: Look) => void} Draw */

/** Okabe and Ito's colours, which colour-blind people tell apart; later players have them paler, then darker. */
export const HUES = ["#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#f0e442", "#d55e00", "#0072b2", "#999999"];

export const PLAYER_COLOURS = Array.from({ length: 26 }, (_, colour) => {
  const towards = [0, 255, 0, 255][Math.floor(colour / HUES.length)];
  const share = [0, 0.55, 0.45, 0.8][Math.floor(colour / HUES.length)];
  const parts = (HUES[colour % HUES.length].match(/\w\w/g) ?? []).map((part) => parseInt(part, 16));
  return `rgb(${parts.map((part) => Math.round(part + (towards - part) * share)).join(" ")})`;
});

/** Black or white, whichever is read better on a player's colour. */
export const INKS = PLAYER_COLOURS.map((colour) => {
  const linear = (/** @type {number} */ part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const [red, green, blue] = (colour.match(/\d+/g) ?? []).map((part) => linear(Number(part) / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000" : "#fff";
});

export const FULL = 2 * Math.PI;

/** @param {Pen} pen @param {number} x @param {number} y @param {number} radius */
export function disc(pen, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, FULL);
}

/** @param {Pen} pen @param {string} text @param {number} x @param {number} y @param {number} size @param {string} ink */
export function letter(pen, text, x, y, size, ink) {
  pen.fillStyle = ink;
  pen.font = `700 ${size}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  pen.fillText(text, x, y + size * 0.36);
}

/** Objects by letter. @type {Record<string, Draw>} */
export const OBJECTS = {
  ".": (pen, look) => {
    pen.fillStyle = look.vitamin;
    disc(pen, 0, 0, 0.09);
    pen.fill();
  },
  // A star.
  $: (pen, look) => {
    pen.fillStyle = look.glutton;
    pen.beginPath();
    for (let point = 0; point < 10; point += 1) {
      const radius = point % 2 ? 0.16 : 0.38;
      const angle = (point / 10) * FULL - FULL / 4;
      pen.lineTo(radius * Math.cos(angle), radius * Math.sin(angle));
    }
    pen.closePath();
    pen.fill();
  },
  // A snowflake.
  "@": (pen, look) => {
    pen.strokeStyle = look.freeze;
    pen.lineWidth = 0.08;
    pen.lineCap = "round";
    for (let arm = 0; arm < 6; arm += 1) {
      pen.save();
      pen.rotate((arm / 6) * FULL);
      pen.beginPath();
      pen.moveTo(0, 0);
      pen.lineTo(0, -0.36);
      pen.moveTo(-0.1, -0.32);
      pen.lineTo(0, -0.2);
      pen.lineTo(0.1, -0.32);
      pen.stroke();
      pen.restore();
    }
  },
  // A wall with an arrow through it.
  "~": (pen, look) => {
    pen.strokeStyle = pen.fillStyle = look.pass;
    pen.lineWidth = 0.08;
    pen.lineCap = "butt";
    pen.strokeRect(-0.12, -0.34, 0.24, 0.16);
    pen.strokeRect(-0.12, 0.18, 0.24, 0.16);
    pen.beginPath();
    pen.moveTo(-0.36, 0);
    pen.lineTo(0.16, 0);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(0.38, 0);
    pen.lineTo(0.12, -0.14);
    pen.lineTo(0.12, 0.14);
    pen.fill();
  },
  // Two cherries.
  "&": (pen, look) => {
    pen.strokeStyle = look.stem;
    pen.lineWidth = 0.07;
    pen.lineCap = "round";
    pen.beginPath();
    pen.moveTo(-0.16, 0.08);
    pen.quadraticCurveTo(-0.08, -0.22, 0.2, -0.34);
    pen.quadraticCurveTo(0.1, -0.1, 0.18, 0.12);
    pen.stroke();
    pen.fillStyle = look.cherry;
    disc(pen, -0.17, 0.17, 0.17);
    pen.fill();
    disc(pen, 0.19, 0.2, 0.17);
    pen.fill();
    pen.fillStyle = "#fff9";
    disc(pen, -0.23, 0.11, 0.045);
    pen.fill();
    disc(pen, 0.13, 0.14, 0.045);
    pen.fill();
  },
  // A spiral.
  "!": (pen, look) => {
    pen.strokeStyle = look.teleporter;
    pen.lineWidth = 0.09;
    pen.lineCap = "round";
    pen.beginPath();
    for (let step = 0; step <= 40; step += 1) {
      const angle = (step / 40) * 2.25 * FULL;
      pen.lineTo((0.02 + step * 0.0085) * Math.cos(angle), (0.02 + step * 0.0085) * Math.sin(angle));
    }
    pen.stroke();
  },
  // A wedge of cheese.
  C: (pen, look) => {
    pen.fillStyle = look.cheese;
    pen.strokeStyle = look.cheeseEdge;
    pen.lineWidth = 0.045;
    pen.lineJoin = "round";
    pen.beginPath();
    pen.moveTo(-0.32, 0.02);
    pen.lineTo(0.28, -0.24);
    pen.lineTo(0.32, 0.02);
    pen.lineTo(0.32, 0.26);
    pen.lineTo(-0.32, 0.26);
    pen.closePath();
    pen.fill();
    pen.stroke();
    pen.beginPath();
    pen.moveTo(-0.32, 0.02);
    pen.lineTo(0.32, 0.02);
    pen.stroke();
    pen.fillStyle = look.cheeseEdge;
    for (const [x, y, radius] of [[-0.12, 0.15, 0.05], [0.12, 0.12, 0.06]]) {
      disc(pen, x, y, radius);
      pen.fill();
    }
  },
};

/** Directions are in quarters of a turn, from the right clockwise; `open` is the mouth, from 0 to 1. @param {Pen} pen @param {Look} look @param {{ colour: number, text: string, direction: number, open: number, glutton?: number, pass?: number }} what */
export function drawPacman(pen, look, { colour, text, direction, open, glutton, pass }) {
  pen.save();
  const mouth = (0.06 + 0.24 * open) * Math.PI;
  const towards = (direction * Math.PI) / 2;
  pen.beginPath();
  pen.moveTo(0.06 * Math.cos(towards), 0.06 * Math.sin(towards));
  pen.arc(0, 0, 0.46, towards + mouth, towards - mouth + FULL);
  pen.closePath();
  pen.fillStyle = PLAYER_COLOURS[colour];
  const alpha = pen.globalAlpha;
  pen.globalAlpha = pass ? 0.35 * alpha : alpha;
  pen.fill();
  pen.globalAlpha = alpha;
  pen.strokeStyle = pass ? PLAYER_COLOURS[colour] : look.edge;
  pen.lineWidth = 0.06;
  pen.lineJoin = "round";
  pen.stroke();
  pen.restore();
  letter(pen, text, -0.13 * Math.cos(towards), -0.13 * Math.sin(towards), 0.5, pass ? look.ink : INKS[colour]);
  if (glutton) ring(pen, look.glutton, 0.57, 0.1);
}

/** @param {Pen} pen @param {string} colour @param {number} radius @param {number} width @param {number[]} dash */
export function ring(pen, colour, radius, width, dash = []) {
  pen.save();
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  disc(pen, 0, 0, radius);
  pen.stroke();
  pen.restore();
}

/** @param {Pen} pen @param {Look} look @param {{ colour: number, text: string, frozen?: boolean, digesting?: boolean }} what */
export function drawGhost(pen, look, { colour, text, frozen, digesting }) {
  pen.beginPath();
  pen.arc(0, -0.06, 0.37, Math.PI, 0);
  pen.lineTo(0.37, 0.4);
  for (let wave = 0; wave < 3; wave += 1) {
    const x = 0.37 - (wave * 0.74) / 3;
    pen.quadraticCurveTo(x - 0.06, 0.24, x - 0.74 / 6, 0.28);
    pen.quadraticCurveTo(x - 0.18, 0.34, x - 0.74 / 3, 0.4);
  }
  pen.closePath();
  pen.fillStyle = PLAYER_COLOURS[colour];
  pen.fill();
  pen.strokeStyle = look.edge;
  pen.lineWidth = 0.06;
  pen.lineJoin = "round";
  pen.stroke();
  for (const x of [-0.15, 0.15]) {
    pen.fillStyle = "#fff";
    disc(pen, x, -0.2, 0.1);
    pen.fill();
    pen.fillStyle = "#111";
    disc(pen, x, -0.18, 0.05);
    pen.fill();
  }
  letter(pen, text, 0, 0.1, 0.42, INKS[colour]);
  if (frozen || digesting) {
    pen.save();
    pen.strokeStyle = frozen ? look.freeze : look.stem;
    pen.lineWidth = 0.07;
    pen.setLineDash(frozen ? [] : [0.12, 0.08]);
    pen.beginPath();
    pen.roundRect(-0.47, -0.5, 0.94, 1, 0.14);
    pen.stroke();
    pen.restore();
  }
}

/** @param {Pen} pen @param {Look} look @param {{ colour: number, text: string, direction: number }} what */
export function drawRat(pen, look, { colour, text, direction }) {
  const towards = (direction * Math.PI) / 2;
  pen.save();
  pen.rotate(towards);
  pen.fillStyle = pen.strokeStyle = PLAYER_COLOURS[colour];
  pen.lineJoin = pen.lineCap = "round";
  // The tail.
  pen.lineWidth = 0.09;
  pen.beginPath();
  pen.moveTo(-0.3, 0);
  pen.bezierCurveTo(-0.5, 0, -0.38, 0.24, -0.56, 0.2);
  pen.stroke();
  pen.strokeStyle = look.edge;
  pen.lineWidth = 0.05;
  // The body, with its nose to the right.
  pen.beginPath();
  pen.moveTo(0.54, 0);
  pen.bezierCurveTo(0.4, -0.16, 0.22, -0.33, -0.06, -0.33);
  pen.bezierCurveTo(-0.47, -0.33, -0.47, 0.33, -0.06, 0.33);
  pen.bezierCurveTo(0.22, 0.33, 0.4, 0.16, 0.54, 0);
  pen.fill();
  pen.stroke();
  for (const side of [-1, 1]) {
    pen.fillStyle = PLAYER_COLOURS[colour];
    disc(pen, 0.2, side * 0.29, 0.14);
    pen.fill();
    pen.stroke();
    pen.fillStyle = "#fff9";
    disc(pen, 0.2, side * 0.29, 0.07);
    pen.fill();
    pen.fillStyle = "#111";
    disc(pen, 0.36, side * 0.08, 0.035);
    pen.fill();
  }
  disc(pen, 0.53, 0, 0.055);
  pen.fill();
  pen.restore();
  letter(pen, text, -0.1 * Math.cos(towards), -0.1 * Math.sin(towards), 0.42, INKS[colour]);
}

/** A battle; its rays begin at `inner`. @param {Pen} pen @param {Look} look */
export function drawBattle(pen, look, inner = 0.62) {
  pen.strokeStyle = look.battle;
  pen.lineWidth = 0.09;
  pen.lineCap = "round";
  pen.beginPath();
  for (let ray = 0; ray < 8; ray += 1) {
    const [x, y] = [Math.cos(((ray + 0.5) / 8) * FULL), Math.sin(((ray + 0.5) / 8) * FULL)];
    pen.moveTo(inner * x, inner * y);
    pen.lineTo(0.88 * x, 0.88 * y);
  }
  pen.stroke();
}
