// The review of the class: sources that look alike, and teams that spare each other.

import { element } from "../shared/element.js";
import { table } from "./table.js";
import { moment, number, percent, say } from "./words.js";

/** @import { Review, ReviewResult } from "./data.d.ts" */

/**
 * Shows a review, and the button that begins one.
 *
 * @param {Review} review
 * @param {HTMLButtonElement} button
 */
export function reviewParts({ progress, trouble, last }, button) {
  button.disabled = progress !== null;
  const state = progress ? say.reviewing[progress.part](progress.done) : last ? say.reviewed(moment(last.at)) : "";
  return [
    element("h2", {}, say.review),
    element("p", { class: "soft" }, say.reviewHelp),
    element("p", {}, button, state && ` ${state}`),
    ...(trouble ? [element("p", { class: "bad" }, `${say.trouble} ${trouble}`)] : []),
    ...(last ? [...alike(last), ...spared(last)] : []),
  ];
}

/** @param {ReviewResult} last */
function alike({ programs, alike: pairs, cut, common, unread, cutShort }) {
  const rows = pairs.map(({ teams, versions, ofSmaller, ofBoth }) => ({
    cells: [
      teams.join(say.and),
      { number: percent(ofSmaller) },
      { number: percent(ofBoth) },
      element("a", { href: `enseignant/ressemblance/${versions.join("/")}`, target: "_blank", rel: "noopener" }, say.sideBySide),
    ],
  }));
  return [
    element("h3", {}, say.alike),
    element("p", {}, say.alikeCount(programs, pairs.length)),
    ...(cutShort ? [element("p", { class: "bad" }, say.cutShort)] : []),
    ...(cut.length ? [element("p", {}, `${say.cut} ${cut.join(", ")}`)] : []),
    ...(common.length ? [element("p", {}, `${say.common} ${common.join(", ")}`)] : []),
    ...unread.map(({ team, why }) => element("p", { class: "bad" }, `${say.unread(team)} ${why}`)),
    ...(rows.length ? [table([say.teams, say.ofSmaller, say.ofBoth, say.parts], rows)] : []),
  ];
}

/** @param {ReviewResult} last */
function spared({ games, tested, spared: pairs }) {
  const rows = pairs.map(({ teams, games: common, bites, chance, examples }) => ({
    cells: [
      teams.join(say.and),
      element("span", {}, ...bites.map(({ seen, expected }, index) => element("div", {}, say.bites(teams[index], teams[1 - index], seen, expected)))),
      say.byChance(chance),
      { number: number(common) },
      element("span", {}, ...examples.flatMap((key, index) => [index ? ", " : "", element("a", { href: `parties/${key}`, target: "_blank", rel: "noopener" }, number(index + 1))])),
    ],
  }));
  return [
    element("h3", {}, say.spared),
    element("p", {}, say.sparedCount(games, tested, pairs.length)),
    ...(rows.length ? [table([say.teams, say.bitesOf, say.inHonest, say.commonGames, say.fewestBites], rows)] : []),
  ];
}
