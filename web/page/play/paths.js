// The paths of searches in a maze, beside the one that a player took.

import { PLAYER_COLOURS } from "../replay/shapes.js";

/** @import { Game } from "../arene/arene.js" */
/** @import { Path } from "../replay/board.js" */
/** @import { Film } from "../replay/film.js" */
/** @import { Cell, PyratFrame } from "../replay/frames.d.ts" */

/** The searches whose paths are shown, with the colour, the dashes and the shift of their lines. @type {[bot: string, colour: string, dash: number[], shift: number][]} */
const SEARCHES = [["bfs", "#d9480f", [0.02, 0.24], -0.16], ["dijkstra", "#0b7285", [0.3, 0.24], 0.16]];

/**
 * The paths from where a player began to look for the cheese, at the start or where the last piece was eaten: those that searches
 * find, and the player's own. Each comes with the turns that it takes.
 *
 * @param {Game} game @param {Film} film @param {number} colour
 * @returns {{ paths: Path[], turns: number[] }}
 */
export function comparePaths(game, film, colour) {
  const eaten = (/** @type {number} */ turn) => film.players.reduce((sum, _, player) => sum + film.points(turn, player), 0);
  const all = eaten(film.last);
  // The end of the game is where the last path leads.
  const goal = film.complete ? all - 1 : all;
  let start = 0;
  while (start < film.last && eaten(start) < goal) start += 1;
  const frames = /** @type {PyratFrame[]} */ (film.frames);
  const walked = frames.slice(start, film.last + 1).map((frame) => film.cell(frame, colour));
  const from = walked[0];
  const then = game.branch(start, film.players.map(() => null));
  const found = SEARCHES.map(([bot]) => [from, ...(then.evaluation(film.players[colour].letter, bot)?.line ?? [])]);
  then.free();
  /** @type {[number, number]} */
  const turns = [start, Infinity];
  const paths = SEARCHES.map(([, stroke, dash, shift], index) => ({ turns, cells: found[index], colour: stroke, dash, shift }));
  return {
    paths: [{ turns, cells: walked, colour: PLAYER_COLOURS[colour], dash: [], shift: 0 }, ...paths],
    turns: [walked.length - 1, ...found.map((cells) => length(film, cells))],
  };
}

/** Turns that a path takes. @param {Film} film @param {Cell[]} cells */
function length(film, cells) {
  return cells.slice(1).reduce((sum, to, at) => sum + (film.links.find(([one, other]) => (one === cells[at] && other === to) || (one === to && other === cells[at]))?.[2] ?? 0), 0);
}
