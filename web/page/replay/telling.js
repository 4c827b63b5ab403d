// The events, the changes of points and the flawed answers of a film in words.

import { sourceWords } from "../shared/sources.js";
import { say, signed } from "./words.js";

/** @import { Episode, Film, Lead, Told } from "./film.js" */
/** @import { Cause, Changes, Event, Excerpt, Fault } from "./frames.d.ts" */

/** A text, or the letter of a player. @typedef {string | { letter: string }} Part */

/**
 * An event in words: texts and letters of players in turn, or null when it is not worth a word.
 *
 * @param {Event | Told} event
 * @param {Film} film
 * @param {number} turn
 * @returns {Part[] | null}
 */
export function tell(event, film, turn) {
  const before = () => film.events(turn - 1).some(([kind, who]) => kind === event[0] && who === event[1]);
  const piece = (/** @type {string} */ letter) => (letter === letter.toUpperCase() ? "pacman" : "ghost");
  switch (event[0]) {
    case "took": return event[2] === "." ? null : fill(say.took, [event[1]], event[2]);
    case "battle": return fill(event[3] ? say.battle.true : say.battle.false, [event[1], event[2].toUpperCase()]);
    case "teleport": return fill(say.teleport[piece(event[1])], [event[1].toUpperCase()]);
    case "false": return fill(say.blocked[piece(event[1])], [event[1].toUpperCase()]);
    case "frozen": return before() ? null : fill(say.frozen, [event[1]]);
    case "digest": return before() ? null : fill(say.digest, [event[1]]);
    case "appear": return fill(say.appear, [], event[1]);
    case "ate": return fill(event[1].length > 1 ? say.ateShared : say.ateAlone, [event[1]]);
    case "absent": return [...fill(say.absent[event[2]], [event[1]]), event[3] ? ` (${causeWords(event[3])})` : ""];
    case "sent": return [{ letter: event[1] }, `${say.colon} ${excerptWords(event[2], film.game)}`];
    default: return null;
  }
}

/** An episode in words. @param {Episode} episode @returns {Part[]} */
export function episodeWords({ kind, player, other, count, points, otherPoints }) {
  const what = kind.length === 1 ? fill(say.took, [player], kind) : fill(/** @type {Record<string, string>} */ (say.episodes)[kind], [player, other ?? ""]);
  const changed = other === null ? points : otherPoints;
  return [...what, ...(count > 1 ? [` × ${count}`] : []), ...(changed ? [` ${signed(changed)}`] : [])];
}

/** @param {Lead} lead @returns {Part[]} */
export function leadWords({ letter }) {
  return ["◇ ", ...fill(say.leads, [letter])];
}

/** The episode that cost a player most, or of a winner that brought most, in a sentence; null if there is none. @param {string} letter @param {Episode[]} episodes @param {boolean} hasWon @returns {Part[] | null} */
export function causeOfDefeat(letter, episodes, hasWon) {
  const changed = (/** @type {Episode} */ { player, points, other, otherPoints }) => (player === letter ? points : other === letter ? otherPoints : 0) * (hasWon ? 1 : -1);
  const worst = episodes.reduce((/** @type {Episode | null} */ most, episode) => (changed(episode) > (most ? changed(most) : 0) ? episode : most), null);
  if (!worst) return null;
  const { kind, player, other, first, last, count } = worst;
  /** @type {Record<string, (count: number) => string>} */
  const own = say.most;
  const words = player !== letter ? (kind === "bite" ? say.most.bitten(count) : say.most.eaten(count)) : own[kind]?.(count) ?? `${sourceWords(kind)} × ${count}`;
  return [...fill(words, [player === letter ? other ?? "" : player]), `, ${say.inTurns(first, last)}${say.colon} ${signed(changed(worst) * (hasWon ? 1 : -1))}`];
}

/** Points that changed, in words: what one player wins, another one loses, so that one number is enough. @param {Changes} changes */
export function changedPoints(changes) {
  const points = Object.values(changes);
  return points.length ? [` ${signed(Math.max(...points))}`] : [];
}

/** A cause as films have it: what it is called and its evidence. @param {Cause} cause */
function causeWords(cause) {
  if (cause[0] === "network") return say.causes.network(cause[1], cause[2], cause[3], cause[4]);
  return cause[0] === "host" ? say.causes.host(cause[1]) : say.causes.bot();
}

/** A message that was malformed or late, as films have it; its text is in quotes and escaped. @param {Excerpt} excerpt @param {"pacman" | "pyrat"} game */
function excerptWords([flaw, text, hint], game) {
  if (flaw === "late") return `${say.late} ${text}`;
  const letters = game === "pyrat" ? "N E S O X" : "N E S O";
  return `${say.malformedSent[game]} ${text}${hint ? `${say.colon} ${say.hints[hint]} ${letters}` : ""}`;
}

/** Fault of an answer, in the words of an analysis. @param {[Fault, Cause | null, Excerpt | null]} flaws @param {"pacman" | "pyrat"} game */
export function remarkWords([fault, cause, excerpt], game) {
  const parts = [];
  if (fault === 2) parts.push(cause ? `${say.nothingCame} (${causeWords(cause)})` : say.nothingCame);
  if (excerpt) parts.push(excerptWords(excerpt, game));
  else if (fault === 1) parts.push(say.malformedSent[game]);
  return parts.join(", ");
}

/** Puts letters in for $0 and $1, which may be several, and an object's name for $o. @param {string} text @param {(string | string[])[]} letters @param {string} object @returns {Part[]} */
function fill(text, letters, object = "") {
  /** @type {Record<string, string>} */
  const objects = say.objects;
  /** @type {(part: string) => Part[]} */
  const filled = (part) => {
    if (part === "$o") return [objects[object] ?? object];
    if (part === "$0" || part === "$1") return [letters[Number(part[1])]].flat().map((letter) => ({ letter }));
    return part ? [part] : [];
  };
  return text.split(/(\$[01o])/).flatMap(filled);
}
