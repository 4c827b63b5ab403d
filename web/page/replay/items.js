// The items of thoughts, in the format that `PROTOCOL.md` defines.

/** @import { Film } from "./film.js" */
/** @import { Cell, Thought } from "./frames.d.ts" */

/** A part of a thought. @typedef {{ kind: "text", words: string } | { kind: "output", words: string } | { kind: "cell", cell: Cell, words: string } | { kind: "path", cell: Cell, steps: string, words: string } | { kind: "value", cell: Cell, value: number } | { kind: "public" }} Item */

/** Directions as rows down and columns to the right. @type {Record<string, [number, number]>} */
const STEPS = { N: [-1, 0], E: [0, 1], S: [1, 0], O: [0, -1] };

/** The parts of a thought, in order; what is not as it should be is words. @param {string} text @param {Pick<Film, "rows" | "cols">} board @returns {Item[]} */
export function items(text, board) {
  return text.split(";").map((item) => item.trim()).filter(Boolean).map((item) => read(item, board) ?? { kind: "text", words: item });
}

/** @param {string} item @param {Pick<Film, "rows" | "cols">} board @returns {Item | null} */
function read(item, { rows, cols }) {
  const [, kind, rest] = /^(\S+) ?(.*)$/s.exec(item) ?? [];
  if (kind === "text") return { kind, words: rest };
  if (kind === "output") return { kind, words: rest };
  if (item === "public") return { kind: "public" };
  const [, row, col, more] = /^(\d+),(\d+)(?: (.*))?$/s.exec(rest) ?? [];
  if (row === undefined || Number(row) >= rows || Number(col) >= cols) return null;
  const [cell, words] = [Number(row) * cols + Number(col), (more ?? "").trim()];
  if (kind === "cell") return { kind, cell, words };
  if (kind === "value" && words !== "" && Number.isFinite(Number(words))) return { kind, cell, value: Number(words) };
  const [, steps, label] = /^([NESO]+)(?: (.*))?$/s.exec(words) ?? [];
  return kind === "path" && steps ? { kind, cell, steps, words: label ?? "" } : null;
}

/** The thoughts of players about the state that is shown: those of their next orders, or of the last ones while these are awaited. @param {Film} film @param {number} turn @returns {{ turn: number, thoughts: Thought[] }} */
export function thoughtsAt(film, turn) {
  const isAwaited = turn === film.last && !film.complete;
  const frame = film.frames[turn + 1] ?? (isAwaited ? film.frames[turn] : undefined);
  return { turn: frame?.t ?? turn, thoughts: frame?.w ?? [] };
}

/** The cells of a path, on the torus. @param {Film} film @param {Cell} from @param {string} steps */
export function cellsOf({ rows, cols }, from, steps) {
  let [row, col] = [Math.floor(from / cols), from % cols];
  return [from, ...Array.from(steps, (step) => {
    const [down, right] = STEPS[step];
    [row, col] = [(row + down + rows) % rows, (col + right + cols) % cols];
    return row * cols + col;
  })];
}
