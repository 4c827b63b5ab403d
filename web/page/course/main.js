// The page of a course: the ladder for everybody, a team's own page, and the teacher's.

import { element, find, part } from "../shared/element.js";
import { spoken, translate } from "../shared/language.js";
import { renew } from "../shared/renew.js";
import { Refused, read, request } from "./ask.js";
import { showLadder } from "./ladder.js";
import { TeacherPage } from "./teacher.js";
import { TeamPage } from "./team.js";
import { say, switchTo } from "./words.js";

/** @import { Course, Day, Overview, Team } from "./data.d.ts" */

/** Milliseconds between two looks at the course. */
const PAUSE = 5000;
/** Milliseconds between two questions for the ratings of the days. */
const DAYS = 600_000;

class Page {
  constructor() {
    /** @type {Course | null} */
    this.course = null;
    /** @type {Team | null} */
    this.own = null;
    /** @type {Overview | null} */
    this.overview = null;
    /** The code of an invitation. */
    this.code = "";
    /** The link of a team that has just joined. */
    this.link = "";
    /** True as long as what has failed is shown. */
    this.hasFailed = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.forgotten = undefined;
    /** The ratings of the days, and when they are asked for again. @type {Day[]} */
    this.days = [];
    this.nextDays = 0;
    const changed = () => this.look();
    const failed = (/** @type {unknown} */ error) => this.fail(error);
    this.team = new TeamPage(changed, failed);
    this.teacher = new TeacherPage(changed, failed);
  }

  async start() {
    document.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button[data-language]") : null;
      if (button instanceof HTMLElement) this.speak(String(button.dataset.language));
    });
    const dialog = find("replay", HTMLDialogElement);
    part(dialog, "button").addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.querySelector("iframe")?.remove());
    find("leave").addEventListener("click", () => this.leave().catch((error) => this.fail(error)));
    translate(say);
    const enter = async () => {
      await this.enter().catch((error) => this.fail(error));
      await this.look();
    };
    addEventListener("hashchange", enter);
    await enter();
    setInterval(() => document.hidden || this.look(), PAUSE);
  }

  /** Takes the token or the code out of the address, where nobody shall read it any longer. */
  async enter() {
    const told = new URLSearchParams(location.hash.slice(1));
    const token = told.get("jeton") ?? told.get("token");
    this.code = told.get("code") ?? "";
    if (token === null && !this.code) return;
    history.replaceState(null, "", location.pathname + location.search);
    if (token !== null) await request("POST", "api/session", { jeton: token });
  }

  async leave() {
    await request("DELETE", "api/session");
    location.reload();
  }

  /** @param {string} language */
  speak(language) {
    switchTo(language);
    translate(say);
    this.show();
  }

  /** Asks what there is, and shows it. */
  async look() {
    try {
      this.course = await read("api/cours");
      this.team.limit = this.course?.uploadLimit ?? Infinity;
      this.team.hasWorkshop = this.course?.arena ?? false;
      this.team.isOver = (this.course?.ended ?? null) !== null;
      if (Date.now() > this.nextDays) {
        this.nextDays = Date.now() + DAYS;
        this.days = await read("api/jours");
      }
      if (this.course?.you === "team") this.own = await read("api/equipe");
      if (this.course?.you === "teacher") this.overview = await read("api/enseignant");
      if (!this.hasFailed) this.tell("");
    } catch (error) {
      this.fail(error);
      // A cookie that is not valid any more keeps nobody from the ladder.
      if (error instanceof Refused && error.error === "token") request("DELETE", "api/session").catch(() => undefined);
    }
    this.show();
  }

  /** Shows what has failed, until something is done. @param {unknown} error */
  fail(error) {
    this.tell(error instanceof Refused ? error.message : String(error));
    this.hasFailed = true;
    clearTimeout(this.forgotten);
    this.forgotten = setTimeout(() => (this.hasFailed = false), 4 * PAUSE);
  }

  /** @param {string} message */
  tell(message) {
    const place = find("message");
    place.textContent = message;
    place.hidden = !message;
  }

  show() {
    const { course, own, overview } = this;
    if (!course) return;
    find("name").textContent = document.title = course.name;
    find("status").textContent = course.ended !== null ? say.ended : course.paused ? say.paused : say.playing(course.playing);
    find("leave").hidden = course.you === null;
    this.showJoin();
    if (own) this.team.show(own, course.ladder);
    if (overview) this.teacher.show(overview);
    showLadder(find("ladder"), course, this.days, own ? (own.pseudonym ?? own.name) : null);
  }

  showJoin() {
    renew(find("join"), [this.code, this.link], () => {
      if (this.link) return [element("h2", {}, say.join), element("p", {}, say.joined), element("pre", {}, this.link)];
      if (!this.code) return [];
      const name = element("input", { name: "nom", required: "", maxlength: "64", autocomplete: "off" });
      const members = element("input", { name: "membres", maxlength: "500", autocomplete: "off" });
      const join = async (/** @type {Event} */ event) => {
        event.preventDefault();
        try {
          const membres = members.value.split(",").map((member) => member.trim()).filter(Boolean);
          const { jeton } = await (await request("POST", "api/rejoindre", { code: this.code, nom: name.value, membres })).json();
          this.link = `${location.origin}${location.pathname}#jeton=${jeton}`;
          await this.look();
        } catch (error) {
          this.fail(error);
        }
      };
      return [
        element("h2", {}, say.join),
        element("form", { class: "line", onsubmit: join }, element("label", {}, say.name, name), element("label", {}, say.members, members), element("button", {}, say.joinButton)),
      ];
    });
  }
}

document.documentElement.lang = spoken.language;
new Page().start();
