// Lists of games, and the recorded game in its frame.

import { element, find, part } from "../shared/element.js";
import { table } from "./table.js";
import { moment, number, say } from "./words.js";

/** @import { Game } from "./data.d.ts" */

/** @param {Game[]} games @param {boolean} isTeam whether outputs of the own program are offered */
export function gameTable(games, isTeam) {
  const rows = games.map((game) => {
    const own = game.seats.find(({ kind }) => kind === "own");
    return {
      cells: [
        element("button", { type: "button", onclick: () => watch(game) }, moment(game.at)),
        game.map,
        element("span", {}, ...players(game)),
        ...(isTeam ? [{ number: own ? number(own.place) : say.none }, own?.fault ? fault(own.fault) : "", links(game, own !== undefined)] : [element("span", {}, ...faults(game))]),
      ],
    };
  });
  return table([say.when, say.map, say.players, ...(isTeam ? [say.place, say.fault, say.files] : [say.fault])], rows);
}

/** The players in the order of their places. @param {Game} game */
function players({ seats }) {
  const sorted = [...seats].sort((a, b) => a.place - b.place);
  return sorted.flatMap(({ kind, name, points }, index) => [
    index ? ", " : "",
    element("span", { class: kind === "house" ? "house" : kind === "own" ? "good" : "" }, kind === "own" ? say.own(name) : name),
    ` ${number(points)}`,
  ]);
}

/** @param {Game} game */
function faults({ seats }) {
  return seats.filter((seat) => seat.fault !== null).map(({ name, fault: kind }) => element("span", {}, `${name}${say.colon}`, fault(String(kind)), " "));
}

/** @param {string} kind */
function fault(kind) {
  return element("span", { class: "bad" }, say.faults[/** @type {keyof typeof say.faults} */ (kind)] ?? kind);
}

/** @param {Game} game @param {boolean} isOwn */
function links({ key }, isOwn) {
  const recording = element("a", { href: `api/parties/${key}/enregistrement` }, say.recording);
  return element("span", {}, recording, ...(isOwn ? [" · ", element("a", { href: `api/parties/${key}/sortie` }, say.output)] : []));
}

/** Shows a recorded game. @param {Game} game */
function watch({ key, at, map }) {
  const dialog = find("replay", HTMLDialogElement);
  dialog.querySelector("iframe")?.remove();
  part(dialog, "h2").textContent = `${map}, ${moment(at)}`;
  part(dialog, "a").href = `parties/${key}`;
  dialog.append(element("iframe", { src: `parties/${key}`, title: say.replay }));
  dialog.showModal();
}
