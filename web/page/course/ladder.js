// The ladder: ratings with their intervals.

import { element } from "../shared/element.js";
import { renew } from "../shared/renew.js";
import { table } from "./table.js";
import { number, say } from "./words.js";

/** @import { Course, Day, Row } from "./data.d.ts" */

/** Width of the picture of an interval, in its own units. */
const WIDTH = 200;

/** @param {HTMLElement} place @param {Course} course @param {Day[]} days @param {string | null} own the public name of the team that looks */
export function showLadder(place, course, days, own) {
  renew(place, [course.ladder, days, own], () => {
    const { ladder } = course;
    const ends = ladder.flatMap(({ low, high }) => [low, high]).filter(Number.isFinite);
    const [least, most] = [Math.min(...ends, 1400), Math.max(...ends, 1600)];
    const groups = new Set(ladder.map(({ group }) => group).filter(Boolean));
    const rows = ladder.map((row, index) => ({
      name: row.house ? "house" : row.name === own ? "own" : "",
      cells: [
        { number: String(index + 1) },
        row.house ? `${row.name} (${say.house})` : row.name,
        ...(groups.size ? [row.group] : []),
        { number: number(row.rating) },
        interval(row, least, most),
        curve(days.filter(({ name }) => !row.house && name === row.name)),
        { number: number(row.games) },
      ],
    }));
    return [
      element("h2", {}, say.ladder),
      table([say.rank, say.name, ...(groups.size ? [say.group] : []), say.rating, "95 %", say.days, say.games], rows),
      element("p", { class: "soft" }, say.ladderHelp),
    ];
  });
}

/** @param {Row} row @param {number} least @param {number} most */
function interval({ rating, low, high }, least, most) {
  const at = (/** @type {number} */ value) => Math.round(((value - least) / (most - least)) * (WIDTH - 10)) + 5;
  const [from, to] = [Number.isFinite(low) ? at(low) : 0, Number.isFinite(high) ? at(high) : WIDTH];
  return picture(`${number(low)} – ${number(high)}`, [
    ["line", { x1: from, x2: to, y1: 8, y2: 8 }],
    ["circle", { cx: at(rating), cy: 8, r: 4 }],
  ]);
}

/** The rating of a team day by day; nothing before the second day. @param {Day[]} days */
function curve(days) {
  if (days.length < 2) return "";
  const [first, last] = [days[0].day, days[days.length - 1].day];
  const ratings = days.map(({ rating }) => rating);
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const points = days.map(({ day, rating }) => `${(((day - first) / (last - first)) * (WIDTH - 10) + 5).toFixed(1)},${(14 - (12 * (rating - low)) / Math.max(high - low, 1)).toFixed(1)}`);
  return picture(ratings.map((rating) => number(rating)).join(", "), [["polyline", { points: points.join(" ") }]]);
}

/** @param {string} label @param {[string, Record<string, string | number>][]} shapes */
function picture(label, shapes) {
  const make = (/** @type {string} */ name, /** @type {Record<string, string | number>} */ attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    return made;
  };
  const svg = make("svg", { viewBox: `0 0 ${WIDTH} 16`, preserveAspectRatio: "none", role: "img", "aria-label": label });
  svg.append(...shapes.map(([name, attributes]) => make(name, attributes)));
  return element("div", { class: "interval" }, svg);
}
