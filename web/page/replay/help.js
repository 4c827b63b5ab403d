// The help: the keys, and the legend of the board.

import { element } from "../shared/element.js";
import { Film } from "./film.js";
import { picture } from "./pieces.js";
import { PyRatDrawing } from "./pyrat.js";
import { OBJECTS, drawGhost, drawPacman, drawRat, ring } from "./shapes.js";
import { look } from "./theme.js";
import { say } from "./words.js";

/** @import { Draw, Look, Pen } from "./shapes.js" */

/** @param {HTMLDialogElement} dialog @param {Film | null} film */
export function showHelp(dialog, film) {
  const keys = say.keyList.flatMap(([names, what]) => [
    element("dt", {}, ...names.split(" ").map((name) => element("kbd", {}, name))),
    element("dd", {}, what),
  ]);
  dialog.querySelector(".keys")?.replaceChildren(...keys);
  const theme = look(dialog);
  const drawn = film?.game === "pyrat" ? pyratLegend(theme) : pacmanLegend(theme);
  const items = drawn.map(([draw, what]) => element("li", {}, picture(draw, theme, 2.1), what));
  dialog.querySelector(".legend")?.replaceChildren(...items);
  dialog.showModal();
}

/** @param {Look} theme @returns {[Draw, string][]} */
function pacmanLegend(theme) {
  const pacman = (/** @type {{ glutton?: number, pass?: number }} */ more) => (/** @type {Pen} */ pen) => drawPacman(pen, theme, { colour: 0, text: "A", direction: 0, open: 0.75, ...more });
  const smaller = (/** @type {Draw} */ draw) => (/** @type {Pen} */ pen) => {
    pen.scale(0.7, 0.7);
    draw(pen, theme);
  };
  const frost = (/** @type {Pen} */ pen) => {
    ring(pen, theme.freeze, 0.57, 0.1, [0.14, 0.1]);
    pacman({})(pen);
  };
  const [walker, ghost, glutton, freeze, pass] = say.pieces;
  const objects = Object.entries(say.objects).filter(([key]) => key !== "C");
  return [
    [smaller(pacman({})), walker],
    [smaller((pen) => drawGhost(pen, theme, { colour: 0, text: "a" })), ghost],
    ...objects.map(([key, what]) => /** @type {[Draw, string]} */ ([smaller(OBJECTS[key]), what])),
    [smaller(pacman({ glutton: 1 })), glutton],
    [smaller(frost), freeze],
    [smaller(pacman({ pass: 1 })), pass],
  ];
}

/** @param {Look} theme @returns {[Draw, string][]} */
function pyratLegend(theme) {
  const [rat, hole, mud] = say.rats;
  const puddle = new PyRatDrawing(new Film({ game: "pyrat", cols: 3, rows: 3, seed: "", turns: 0, players: [], cells: [], links: [] }));
  return [
    [(pen) => drawRat(pen, theme, { colour: 0, text: "A", direction: 0 }), rat],
    [OBJECTS.C, say.objects.C],
    [
      (pen) => {
        pen.fillStyle = theme.hole;
        pen.fillRect(-0.5, -0.5, 1, 1);
      },
      hole,
    ],
    [
      (pen) => {
        pen.translate(-1, -0.5);
        puddle.drawMud(pen, theme, 0, 1, 5);
      },
      mud,
    ],
  ];
}
