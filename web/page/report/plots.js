// Plots as SVG with coordinates in percent, so that they fill the available width, on paper too.

import { element } from "../shared/element.js";
import { number, rating, say } from "./words.js";

/** @import { RatingPoint, Spread } from "./data.d.ts" */

const SVG = "http://www.w3.org/2000/svg";

/** The key, the present order and the action by which a column sorts its table. @typedef {{ key: string, state: string | null, act: () => void }} Sorting */
/** The title of a column, its class, a longer title, and how it sorts. @typedef {[title: string | Node, kind: string, long?: string, sorting?: Sorting]} Column */

/** An element of SVG, as `element` makes those of HTML. @param {string} name @param {Record<string, string | number>} attributes @param {...(Node | string)} children */
function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** A range of numbers along a line, with round numbers to mark it by. */
export class Scale {
  /** @param {number[]} numbers */
  constructor(numbers, marks = 5) {
    const finite = numbers.filter(Number.isFinite);
    const [low, high] = finite.length ? [Math.min(...finite), Math.max(...finite)] : [0, 1];
    const span = high - low || Math.abs(high) || 1;
    const rough = span / marks;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((times) => times * power).find((width) => width >= rough) ?? 10 * power;
    this.low = low - 0.04 * span;
    this.high = high + 0.04 * span;
    /** @type {number[]} */
    this.marks = [];
    // Adding 0 makes a negative zero plain.
    for (let mark = Math.ceil(this.low / step); mark * step <= this.high; mark += 1) this.marks.push(mark * step + 0);
  }

  /** @param {number} value */
  at(value) {
    return `${Math.max(0, Math.min(100, (100 * (value - this.low)) / (this.high - this.low)))}%`;
  }

  /** The marks as lines. */
  lines() {
    return this.marks.map((mark) => drawn("line", { class: mark === 0 ? "mark zero" : "mark", x1: this.at(mark), x2: this.at(mark), y1: 0, y2: "100%" }));
  }

  /** Axis above the plots of a column, with marks shown as the values are. @param {(value: number) => string} show */
  axis(show = number) {
    // Texts near the ends stay within the plot.
    const anchor = (/** @type {number} */ far) => (far < 8 ? "start" : far > 92 ? "end" : "middle");
    const texts = this.marks.map((mark) => drawn("text", { x: this.at(mark), y: 12, "text-anchor": anchor(parseFloat(this.at(mark))) }, show(mark)));
    return drawn("svg", { class: "plot axis", "aria-hidden": "true" }, ...texts);
  }
}

/** A number on its scale, with the interval that it lies in, if that is known. @param {Scale} scale @param {number} value @param {[number, number] | null} interval @param {string} title */
export function intervalPlot(scale, value, interval, title) {
  const whisker = interval ? [drawn("line", { class: "whisker", x1: scale.at(interval[0]), x2: scale.at(interval[1]), y1: "50%", y2: "50%" })] : [];
  const dot = drawn("circle", { class: "dot", cx: scale.at(value), cy: "50%", r: 5 });
  return drawn("svg", { class: "plot", role: "img", "aria-label": title }, drawn("title", {}, title), ...scale.lines(), ...whisker, dot);
}

/** Box plot of points. @param {Scale} scale @param {Spread} spread */
export function boxPlot(scale, spread) {
  if (!spread.games) return drawn("svg", { class: "plot", "aria-hidden": "true" }, ...scale.lines());
  const { min, low, median, high, max, mean } = spread;
  const width = `${parseFloat(scale.at(high)) - parseFloat(scale.at(low))}%`;
  return drawn("svg", { class: "plot", "aria-hidden": "true" },
    ...scale.lines(),
    drawn("line", { class: "range", x1: scale.at(min), x2: scale.at(max), y1: "50%", y2: "50%" }),
    drawn("rect", { class: "box", x: scale.at(low), width, y: "22%", height: "56%" }),
    drawn("line", { class: "median", x1: scale.at(median), x2: scale.at(median), y1: "18%", y2: "82%" }),
    drawn("circle", { class: "dot", cx: scale.at(mean), cy: "50%", r: 3.5 }));
}

/** A rating by round, as a line in the band of its intervals. @param {RatingPoint[]} points */
export function ratingCurve(points) {
  const [rounds, ratings] = [new Scale(points.map(([round]) => round)), new Scale(points.flatMap(([, ...values]) => values), 4)];
  const up = (/** @type {number} */ value) => 100 - parseFloat(ratings.at(value));
  const words = points.map(([round, value, ...ends]) => `${say.round} ${round}${say.colon}${rating(value)} (${ends.map(rating).join(" – ")})`);
  // The band and the line are stretched to the room that there is; texts and dots are not.
  const path = (/** @type {[number, number][]} */ places) => `M${places.map(([round, value]) => `${parseFloat(rounds.at(round))} ${up(value)}`).join("L")}`;
  const [low, high] = [points.map(([round, , end]) => /** @type {[number, number]} */ ([round, end])), points.map(([round, , , end]) => /** @type {[number, number]} */ ([round, end]))];
  const shapes = drawn("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", width: "100%", height: "100%" },
    drawn("path", { class: "band", d: `${path([...low, ...high.reverse()])}Z` }),
    drawn("path", { class: "line", "vector-effect": "non-scaling-stroke", d: path(points.map(([round, value]) => [round, value])) }));
  const marks = ratings.marks.flatMap((mark) => {
    const y = `${up(mark)}%`;
    return [drawn("line", { class: "mark", x1: 0, x2: "100%", y1: y, y2: y }), drawn("text", { x: 0, y, dx: -6, dy: 4, "text-anchor": "end" }, rating(mark))];
  });
  const dots = points.map(([round, value], index) => drawn("circle", { class: "dot", cx: rounds.at(round), cy: `${up(value)}%`, r: 3.5 }, drawn("title", {}, words[index])));
  const ends = [points[0], points[points.length - 1]].map(([round], index) => drawn("text", { x: rounds.at(round), y: "100%", dy: 14, "text-anchor": index ? "end" : "start" }, `${say.round} ${round}`));
  return drawn("svg", { class: "plot curve", role: "img", "aria-label": words.join(", ") }, shapes, ...marks, ...dots, ...ends);
}

/** A share as a bar. @param {number} share */
export function bar(share) {
  return drawn("svg", { class: "bar", "aria-hidden": "true" }, drawn("rect", { class: "whole", width: "100%", height: "100%" }), drawn("rect", { class: "part", width: `${Math.max(0, Math.min(100, 100 * share))}%`, height: "100%" }));
}

/** A table: its columns as [title, class, long title], its rows as lists of cells. A title without words is read as the long one. @param {Column[]} columns @param {Node[]} rows @param {Record<string, string>} attributes */
export function table(columns, rows, attributes = {}) {
  const words = (/** @type {string | Node} */ title, long = "") => (title && typeof title === "string" ? [title] : [element("span", { class: "unseen" }, long), title ?? ""]);
  const head = columns.map(([title, kind, long, sorting]) => {
    const button = sorting && element("button", { type: "button", "data-sort": sorting.key, "aria-label": title === "#" ? long : null, onclick: sorting.act }, title);
    return element("th", { scope: "col", class: kind, title: long, "aria-sort": sorting?.state }, ...(button ? [button] : words(title, long)));
  });
  return element("table", attributes, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
}

/** A cell of a column. @param {Column} column @param {...(Node | string)} children */
export function cell([, kind], ...children) {
  return element("td", { class: kind }, ...children);
}

/** Container that scrolls if its content is too wide. @param {...Node} children */
export function wide(...children) {
  return element("div", { class: "wide" }, ...children);
}
