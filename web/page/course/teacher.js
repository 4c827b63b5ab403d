// The page of the teacher.

import { element, find } from "../shared/element.js";
import { renew } from "../shared/renew.js";
import { request, save } from "./ask.js";
import { gameTable } from "./games.js";
import { reviewParts } from "./review.js";
import { table } from "./table.js";
import { moment, number, say } from "./words.js";

/** @import { Overview, TeacherTeam } from "./data.d.ts" */

export class TeacherPage {
  /** `changed` is told when the course has to be asked for again, and `failed` what has failed. @param {() => Promise<void>} changed @param {(error: unknown) => void} failed */
  constructor(changed, failed) {
    this.changed = changed;
    this.failed = failed;
    /** The link of the last invitation. */
    this.link = "";
    this.parts = ["doing", "list", "add", "review", "recent", "audit"].map((id) => element("section", { class: "card", id }));
    find("teacher").replaceChildren(...this.parts);
  }

  /** @param {Overview} overview */
  show(overview) {
    find("teacher").hidden = false;
    const [doing, list, add, review, recent, audit] = this.parts;
    const { teams, playing, paused, troubles, checking, machines } = overview;
    renew(doing, [playing, paused, troubles, checking, machines], () => [
      element("h2", {}, say.teacher),
      ...troubles.map((trouble) => element("p", { class: "bad" }, `${say.trouble} ${trouble}`)),
      element("p", {}, [paused ? say.paused : say.playing(playing), checking === null ? "" : `${say.own(String(checking))} ${say.states.checking}`].filter(Boolean).join(" · ")),
      ...(machines.length ? [element("p", {}, say.machines(machines))] : []),
      element("p", {}, this.button(paused ? say.resume : say.pause, () => request("POST", `api/enseignant/echelle/${paused ? "reprendre" : "pause"}`)), " ", this.button(say.end, () => this.end())),
    ]);
    renew(list, teams, () => [
      element("h2", {}, say.teams),
      table(
        [say.name, say.group, say.members, say.mail, say.last, say.rating, say.actions],
        teams.map((team) => ({ cells: this.cells(team) })),
      ),
    ]);
    renew(add, this.link, () => this.forms());
    renew(review, overview.review, () => reviewParts(overview.review, this.button(say.reviewButton, () => request("POST", "api/enseignant/equite"))));
    renew(recent, overview.games, () => (overview.games.length ? [element("h2", {}, say.games), gameTable(overview.games, false)] : []));
    renew(audit, overview.audit, () => [
      element("h2", {}, say.audit),
      table(
        [say.when, say.who, say.deed],
        overview.audit.map(({ at, team, deed }) => ({ cells: [moment(at), team ?? say.teacher, deed] })),
      ),
    ]);
  }

  /** A button that does something, after which the course is asked for again. @param {string} text @param {() => Promise<unknown>} act */
  button(text, act) {
    return element("button", { type: "button", onclick: () => this.act(act()) }, text);
  }

  /** @param {Promise<unknown>} acting */
  act(acting) {
    acting.then(() => this.changed()).catch(this.failed);
  }

  async end() {
    if (window.confirm(say.confirmEnd)) await request("POST", "api/enseignant/fin");
  }

  /** @param {TeacherTeam} team */
  cells(team) {
    const { last, rating } = team;
    const playing = team.plays === null ? [] : [`${say.own(String(team.plays))} ${say.plays}`];
    const state = last === null ? say.none : [`${last.id}${say.colon}${last.withdrawn ? say.withdrawn : say.states[last.state]}`, ...playing].join(", ");
    const name = team.pseudonym === null ? team.name : `${team.name} (${team.pseudonym})`;
    return [
      element("span", {}, name, ...(team.disqualified === null ? [] : [element("div", { class: "bad" }, say.disqualified(team.disqualified))])),
      team.group,
      team.members.join(", "),
      team.mail ?? "",
      element("span", { class: last?.state === "failed" ? "bad" : "" }, state),
      { number: rating ? `${number(rating.rating)} [${number(rating.low)}, ${number(rating.high)}]` : say.none },
      element("span", {}, this.button(say.newLink, () => this.renew(team)), " ", this.button(say.disqualify, () => this.disqualify(team))),
    ];
  }

  /** @param {TeacherTeam} team */
  async renew({ id, name }) {
    if (window.confirm(`${name}${say.colon}${say.confirmRenew}`)) await save(await request("POST", `api/enseignant/equipes/${id}/jeton`), `${name}.csv`);
  }

  /** @param {TeacherTeam} team */
  async disqualify({ id, name, disqualified }) {
    const raison = window.prompt(`${name}${say.colon}${say.confirmDisqualify}`, disqualified ?? "");
    if (raison !== null) await request("POST", `api/enseignant/equipes/${id}/disqualifier`, { raison });
  }

  forms() {
    const file = element("input", { type: "file", accept: ".csv,text/csv", "aria-label": say.addTeams, onchange: () => this.act(this.add(file)) });
    const group = element("input", { name: "groupe", maxlength: "64", autocomplete: "off" });
    const uses = element("input", { name: "equipes", type: "number", min: "1", max: "1000", value: "10" });
    const invite = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.act(this.invite(group.value, Number(uses.value)));
    };
    return [
      element("h2", {}, say.addTeams),
      element("p", { class: "soft" }, say.addTeamsHelp),
      file,
      element("h2", {}, say.invitation),
      element("p", { class: "soft" }, say.inviteHelp),
      element("form", { class: "line", onsubmit: invite }, element("label", {}, say.group, group), element("label", {}, say.uses, uses), element("button", {}, say.invite)),
      ...(this.link ? [element("pre", {}, this.link)] : []),
    ];
  }

  /** @param {HTMLInputElement} field */
  async add(field) {
    const [file] = field.files ?? [];
    if (file) await save(await request("POST", "api/enseignant/equipes", file), "jetons.csv");
    field.value = "";
  }

  /** @param {string} groupe @param {number} equipes */
  async invite(groupe, equipes) {
    this.link = (await (await request("POST", "api/enseignant/invitation", { groupe, equipes })).json()).link;
  }
}
