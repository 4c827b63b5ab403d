// Seats of a game, and who is in them.

import { element, named } from "../shared/element.js";
import { LETTERS } from "../shared/letters.js";
import { number, say } from "./words.js";

/** @import { LiveSeat } from "./data.d.ts" */

/** A seat's letter on its colour. @param {number} seat */
export function seatChip(seat) {
  return element("span", { class: `chip seat${seat}` }, LETTERS[seat]);
}

/** The players of a game, by seat or by points. @param {LiveSeat[]} seats */
export function playerEntries(seats, byPoints = false) {
  const order = [...seats.keys()];
  if (byPoints) order.sort((a, b) => seats[b].points - seats[a].points || a - b);
  return order.map((seat) => {
    const { team, house, points } = seats[seat];
    const name = house ? `${team} (${say.house})` : team;
    return element("span", { class: "entry" }, seatChip(seat), named(name), element("b", {}, number(points)));
  });
}
