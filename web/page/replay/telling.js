// What happened, in words.

import { say, signed } from "./words.js";

/** An event in words: texts and letters of players in turn, or null when it is not worth a word. */
export function tell(event, film, turn) {
  const [kind, who, what] = event;
  const piece = who === String(who).toUpperCase() ? "pacman" : "ghost";
  const before = () => film.events(turn - 1).some(([other, same]) => other === kind && same === who);
  switch (kind) {
    case "took": return what === "." ? null : fill(say.took, [who], what);
    case "battle": return fill(say.battle[event[3]], [who, what.toUpperCase()]);
    case "teleport": return fill(say.teleport[piece], [who.toUpperCase()]);
    case "false": return fill(say.blocked[piece], [who.toUpperCase()]);
    case "frozen": return before() ? null : fill(say.frozen, [who]);
    case "digest": return before() ? null : fill(say.digest, [who]);
    case "appear": return fill(say.appear, [], who);
    case "ate": return fill(who.length > 1 ? say.ateShared : say.ateAlone, [who]);
    case "absent": return [...fill(say.absent[what], [who]), event[3] ? ` (${causeWords(event[3])})` : ""];
    case "sent": return [{ letter: who }, `${say.colon} ${excerptWords(what, film.game)}`];
    default: return null;
  }
}

/** Points that changed, in words: what one player wins, another one loses, so that one number is enough. */
export function changedPoints(changes) {
  const points = Object.values(changes);
  return points.length ? [` ${signed(Math.max(...points))}`] : [];
}

/** A cause as films have it: what it is called and its evidence. */
function causeWords([cause, ...evidence]) {
  return say.causes[cause](...evidence);
}

/** A message that was malformed or late, as films have it; its text is in quotes and escaped. */
function excerptWords([flaw, text, hint], game) {
  if (flaw === "late") return `${say.late} ${text}`;
  const letters = game === "pyrat" ? "N E S O X" : "N E S O";
  return `${say.malformedSent[game]} ${text}${hint ? `${say.colon} ${say.hints[hint]} ${letters}` : ""}`;
}

/** Fault of an answer, in the words of an analysis. */
export function remarkWords([fault, cause, excerpt], game) {
  const parts = [];
  if (fault === 2) parts.push(cause ? `${say.nothingCame} (${causeWords(cause)})` : say.nothingCame);
  if (excerpt) parts.push(excerptWords(excerpt, game));
  else if (fault === 1) parts.push(say.malformedSent[game]);
  return parts.join(", ");
}

/** Puts letters in for $0 and $1, which may be several, and an object's name for $o. */
function fill(text, letters, object) {
  return text.split(/(\$[01o])/).flatMap((part) => {
    if (part === "$o") return [say.objects[object] ?? object];
    if (part === "$0" || part === "$1") return [letters[Number(part[1])]].flat().map((letter) => ({ letter }));
    return part ? [part] : [];
  });
}
