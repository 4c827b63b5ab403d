// The current state: progress, attendance and running games.

import { copy } from "../shared/copy.js";
import { element, named } from "../shared/element.js";
import { spoken } from "../shared/language.js";
import { bar, cell, table, wide } from "./plots.js";
import { faultName } from "./ranking.js";
import { playerEntries } from "./seats.js";
import { number, percent, say } from "./words.js";

/** @import { Now } from "./data.d.ts" */
/** @import { Organiser } from "./organiser.js" */
/** @import { Column } from "./plots.js" */

/** Progress of the tournament. @param {Now} now */
export function progressParts(now) {
  const { phase, round, played, total, about } = now;
  const state = [say.phases[phase]];
  if (round && phase !== "over") state.push(say.roundOf(round, about.rounds));
  const texts = [element("b", { class: `phase ${phase}` }, state.join(" · ")), ...(phase === "lobby" ? [] : [element("span", {}, say.done(played, total))])];
  return [element("p", { class: "progress" }, ...texts), ...(total ? [bar(played / total)] : [])];
}

/** @param {Now} now @param {Organiser} organiser */
export function runningSection(now, organiser) {
  const item = (/** @type {Now["running"][number]} */ game) => {
    const show = organiser.isKnown && !game.featured ? [organiser.button("feature", game.key)] : [];
    const watch = game.featured ? [element("a", { class: "button small", href: `direct/?lang=${spoken.language}` }, `▸ ${say.watch}`)] : [];
    // The turns of games on workers are unknown.
    const turn = now.cluster ? [] : [element("span", { class: "soft" }, `${say.turn} ${game.turn} / ${game.turns}`)];
    const progress = now.cluster ? [] : [bar(game.turn / game.turns)];
    return element("li", { class: game.featured ? "game featured" : "game" },
      element("p", { class: "head" }, element("span", {}, game.map), ...turn, ...show, ...watch),
      ...progress, ...playerEntries(game.seats));
  };
  return listSection(say.inGame, now.running.map(item), "running");
}

/** @param {Now} now */
export function nextSection(now) {
  return listSection(say.next, now.next.map(({ map, teams }) => element("li", {}, element("span", { class: "soft" }, `${map}${say.colon}`), teams.join(" · "))), "next");
}

/** @param {Now} now @param {(key: string) => void} open */
export function resultsSection(now, open) {
  const item = (/** @type {Now["results"][number]} */ game) => element("li", { class: "game" },
    element("p", { class: "head" }, element("span", {}, game.map), element("span", { class: "soft" }, `${say.round} ${game.round}`),
      element("button", { type: "button", class: "small", "data-replay": game.key, onclick: () => open(game.key) }, `▸ ${say.replay}`)),
    ...playerEntries(game.seats, true));
  return listSection(say.newest, now.results.map(item), "results");
}

/** @param {Now} now */
export function faultsSection(now) {
  const item = (/** @type {Now["faults"][number]} */ fault) => {
    const where = [`${say.round} ${fault.round}`, fault.map, ...(fault.turn === null ? [] : [`${say.turn} ${fault.turn}`])].join(" · ");
    return element("li", {}, element("b", {}, fault.team), ` ${faultName(fault.kind)} `, element("span", { class: "soft" }, where), element("pre", {}, fault.detail[spoken.language]));
  };
  return listSection(say.faults, now.faults.map(item), "faults");
}

/** @param {Now} now */
export function voidsSection(now) {
  const item = (/** @type {Now["voids"][number]} */ { game, reason, again }) => element("li", { class: "game" },
    element("p", { class: "head" }, element("span", {}, game.map), element("span", { class: "soft" }, `${say.round} ${game.round}`), element("span", { class: "soft" }, say.voidedAgain(again))),
    element("p", {}, element("b", {}, reason)), ...playerEntries(game.seats, true));
  return listSection(say.voided, now.voids.map(item), "voids");
}

/** @param {string} title @param {Node[]} items @param {string} kind */
export function listSection(title, items, kind) {
  return items.length ? [element("h2", {}, title), element("ul", { class: kind, tabindex: 0, "aria-label": title }, ...items)] : [];
}

/** @param {Now} now */
export function presenceSection(now) {
  const { teams } = now;
  if (!teams.length) return [];
  const here = teams.filter(({ presence }) => presence !== "absent").length;
  return [element("h2", {}, say.teams), element("p", {}, say.there(here, teams.length)), presenceList(teams)];
}

/** The machines that play. @param {Now} now */
export function clusterSection({ cluster }) {
  if (!cluster) return [];
  const { is_connected, meetings, leases, rate, workers } = cluster;
  const states = [say.workersOf(workers.filter(({ activity }) => activity === "playing").length, workers.length), say.leasesOf(leases, meetings), say.gamesPerMinute(rate)];
  const away = is_connected ? [] : [element("p", { class: "error" }, say.brokerAway)];
  /** @type {Column[]} */
  const columns = [
    [say.worker, "team"],
    [say.workerState, ""],
    [say.leases, "figure", say.clusterTitles.leases],
    [say.workerRate, "figure"],
    [say.games, "figure minor"],
    [say.faults, "figure", say.clusterTitles.faults],
    [say.load, "figure minor", say.clusterTitles.load],
    [say.speed, "figure minor", say.clusterTitles.speed],
  ];
  const row = (/** @type {NonNullable<Now["cluster"]>["workers"][number]} */ worker) => {
    const failed = worker.faults + worker.rejected;
    const contents = [
      element("span", { class: "name", title: worker.name }, worker.name),
      element("span", { class: worker.activity }, /** @type {Record<string, string>} */ (say.activities)[worker.activity] ?? worker.activity),
      `${worker.leases} / ${worker.places}`,
      number(worker.rate),
      number(worker.games),
      element("span", { class: failed ? "faulty" : null, title: say.workerFaults(worker.faults, worker.rejected) }, number(failed)),
      worker.load === null ? "–" : percent(worker.load / 100),
      number(worker.speed),
    ];
    return element("tr", {}, ...contents.map((content, index) => cell(columns[index], content)));
  };
  return [element("h2", {}, say.workers), ...away, element("p", {}, states.join(" · ")), ...(workers.length ? [wide(table(columns, workers.map(row), { class: "figures workers" }))] : [])];
}

/** The teams, each with a mark that is not only a colour. @param {Now["teams"]} teams */
function presenceList(teams) {
  const marks = { absent: "○", present: "●", playing: "▶" };
  const words = { absent: say.absent, present: say.present, playing: say.playing };
  const item = (/** @type {Now["teams"][number]} */ { name, presence }) => element("li", { class: presence }, element("span", { "aria-hidden": "true" }, marks[presence] ?? "?"), named(name), element("small", {}, words[presence] ?? presence));
  return element("ul", { class: "presence" }, ...teams.map(item));
}

/** @param {Now} now */
export function addressesSection(now) {
  const some = (/** @type {string} */ title, /** @type {string[]} */ addresses) => (addresses.length ? [element("dt", {}, title), ...addresses.map((address) => element("dd", {}, element("code", {}, address)))] : []);
  const list = [...some(say.addressGame, now.game_addresses), ...some(say.addressPage, now.page_addresses)];
  return list.length ? [element("h2", {}, say.addresses), element("div", { class: "connect" }, element("div", {}, element("dl", { class: "addresses" }, ...list), ...commandParts(now)), ...scanParts(now))] : [];
}

/** The command that joins, until the tournament begins. @param {Now} now */
function commandParts({ phase, game_addresses: [address] }) {
  if (phase !== "lobby" || !address) return [];
  const command = element("input", { readonly: "", value: `client ${say.joinFlags(address)}` });
  const status = element("p", { role: "status" });
  const button = element("button", { type: "button", onclick: () => copy(command, status, say.copied) }, say.copyCommand);
  return [element("label", { class: "command" }, say.command, " ", command), button, status];
}

/** The QR code of the page, if other machines reach it. @param {Now} now */
export function scanParts({ page_addresses: [address] }) {
  if (!address || /^http:\/\/(127\.|\[::1\])/.test(address)) return [];
  return [element("img", { class: "scan", src: "qr.svg", alt: say.qrCode(address) })];
}
