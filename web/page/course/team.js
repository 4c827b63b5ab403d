// The page of a team: it hands in, and sees its versions, verdicts and games.

import { element, find } from "../shared/element.js";
import { spoken } from "../shared/language.js";
import { renew } from "../shared/renew.js";
import { read, request } from "./ask.js";
import { gameTable } from "./games.js";
import { LossesCard } from "./losses.js";
import { table } from "./table.js";
import { moment, number, percent, say } from "./words.js";

/** @import { Game, Row, Team, Verdict, Version } from "./data.d.ts" */

/** Milliseconds between two questions for the verdict of a version. */
const AGAIN = 1000;

export class TeamPage {
  /** `changed` is told when the team has to be asked for again, and `failed` what has failed. @param {() => Promise<void>} changed @param {(error: unknown) => void} failed */
  constructor(changed, failed) {
    this.changed = changed;
    this.failed = failed;
    this.losses = new LossesCard(failed);
    /** Verdicts by language and version. @type {Map<string, Verdict>} */
    this.verdicts = new Map();
    /** The version whose verdict is open; the newest one at first. @type {number | null} */
    this.open = null;
    /** The games that are known, by key. @type {Map<string, Game>} */
    this.games = new Map();
    /** True after the end of the course, when the games of all may be seen. */
    this.isOver = false;
    /** The address of the next page of everybody's games. */
    this.nextOfAll = "api/parties";
    /** True if there are no older ones. */
    this.isWhole = false;
    /** The team's new link. */
    this.link = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** True if there is the page in which one writes a program. */
    this.hasWorkshop = false;
    /** The largest upload, in bytes. */
    this.limit = Infinity;
    this.status = "";
    this.showDrop();
  }

  /** @param {Team} team @param {Row[]} ladder */
  show(team, ladder) {
    this.team = team;
    find("team").hidden = false;
    this.showOwn(team);
    this.showNames(team);
    this.showDrop();
    this.showVersions(team);
    this.showGames(team);
    this.losses.show(team.plays !== null && team.games.length > 0);
    this.showPairs(team);
    this.showChallenge(team, ladder);
    const newest = team.versions[0];
    clearTimeout(this.timer);
    if (newest && ["received", "checking"].includes(newest.state)) this.timer = setTimeout(() => document.hidden || this.changed(), AGAIN);
    else if (newest && !this.verdicts.has(spokenOf(this.open ?? newest.id))) this.unfold(this.open ?? newest.id);
  }

  /** @param {Team} team */
  showOwn(team) {
    renew(find("own"), [team.name, team.group, team.members, team.disqualified, team.rating], () => {
      const { rating } = team;
      const facts = [team.group, team.members.join(", "), rating ? `${say.rating}${say.colon}${number(rating.rating)} [${number(rating.low)}, ${number(rating.high)}], ${say.gamesCount(rating.games)}` : ""];
      return [
        element("h2", {}, team.name),
        ...(team.disqualified === null ? [] : [element("p", { class: "bad" }, say.disqualified(team.disqualified))]),
        element("p", {}, facts.filter(Boolean).join(" · ")),
      ];
    });
  }

  /** Shows the pseudonym that others see, and the team's link. @param {Team} team */
  showNames(team) {
    renew(find("names"), [team.pseudonym, this.link], () => {
      const field = element("input", { name: "pseudonyme", value: team.pseudonym ?? "", maxlength: "64", autocomplete: "off" });
      const form = element(
        "form",
        { class: "line", onsubmit: (/** @type {Event} */ event) => this.rename(event, field) },
        element("label", {}, say.pseudonym, field),
        element("button", {}, say.save),
        element("span", { class: "soft" }, say.pseudonymHelp),
      );
      const button = element("button", { type: "button", onclick: () => this.renewLink().catch(this.failed) }, say.newLink);
      return [form, element("p", {}, button), ...(this.link ? [element("p", {}, say.joined), element("pre", {}, this.link)] : [])];
    });
  }

  async renewLink() {
    if (!window.confirm(say.confirmRenewOwn)) return;
    const { jeton } = await (await request("POST", "api/equipe/jeton")).json();
    this.link = `${location.origin}${location.pathname}#jeton=${jeton}`;
    await this.changed();
  }

  /** @param {Event} event @param {HTMLInputElement} field */
  rename(event, field) {
    event.preventDefault();
    request("POST", "api/equipe/pseudonyme", { pseudonyme: field.value }).then(() => this.changed()).catch(this.failed);
  }

  showDrop() {
    const kept = fromWorkshop();
    renew(find("drop"), [this.status, this.hasWorkshop, kept], () => {
      const field = element("input", { type: "file", "aria-label": say.dropHere, onchange: () => field.files && this.send(field.files) });
      const fromThere = kept.map(({ name, text }) => element("button", { type: "button", onclick: () => this.send([new File([text], name)]) }, say.handIn(name)));
      const workshop = [...(this.hasWorkshop ? [element("a", { href: "arene/" }, say.workshop)] : []), ...fromThere].flatMap((one) => [one, " "]);
      const zone = element("div", { class: "zone" }, element("p", {}, say.dropHere), field, element("p", {}, ...workshop), element("p", { role: "status" }, this.status));
      zone.addEventListener("dragover", (event) => {
        event.preventDefault();
        zone.classList.add("over");
      });
      zone.addEventListener("dragleave", () => zone.classList.remove("over"));
      zone.addEventListener("drop", (event) => {
        event.preventDefault();
        zone.classList.remove("over");
        if (event.dataTransfer) this.send(event.dataTransfer.files);
      });
      const at = (/** @type {string} */ path) => new URL(path, location.origin + location.pathname);
      const lines = [`curl -F jeton=${say.token} -F fichier=@bot.py ${at("deposer")}`, `python3 deposer.py bot.py ${say.handInFlags(`${at("")}`)}`];
      const script = element("a", { href: "deposer.py" }, "deposer.py");
      return [element("h2", {}, say.drop), zone, element("p", { class: "soft" }, say.curl, " ", script), element("pre", {}, lines.join("\n"))];
    });
  }

  /** @param {FileList | File[]} files */
  async send(files) {
    const [file] = files;
    if (!file) return;
    if (file.size > this.limit) {
      this.say(say.tooLarge(this.limit / 1e6));
      return;
    }
    this.say(say.dropping(file.name));
    const form = new FormData();
    form.append("fichier", file, file.name);
    try {
      const { version, leftOut } = await (await request("POST", "api/depot", form)).json();
      this.open = version;
      this.say([say.dropped(version), leftOut].filter(Boolean).join(" "));
      await this.changed();
    } catch (error) {
      this.say(String(error instanceof Error ? error.message : error));
    }
  }

  /** @param {string} status */
  say(status) {
    this.status = status;
    this.showDrop();
  }

  /** @param {Team} team */
  showVersions(team) {
    const shown = this.open === null ? null : this.verdicts.get(spokenOf(this.open));
    renew(find("versions"), [team.versions, team.plays, team.comparisons, this.open, shown], () => {
      if (!team.versions.length) return [];
      const rows = team.versions.map((version) => ({ cells: this.versionCells(version, team) }));
      const verdict = shown && this.open !== null ? [element("h2", {}, `${say.verdict}${say.colon}${say.own(String(this.open))}`), ...verdictOf(shown)] : [];
      return [element("h2", {}, say.versions), table([say.version, say.when, say.state, say.games, say.actions], rows), ...comparisons(team), ...verdict];
    });
  }

  /** @param {Version} version @param {Team} team */
  versionCells(version, team) {
    const { id, at, about, state, withdrawn, games } = version;
    const status = withdrawn ? say.withdrawn : team.plays === id ? `${say.states[state]}, ${say.plays}` : say.states[state];
    const told = `${about.upload} — ${about.command.join(" ")} (${say.because(about.because)})`;
    const hasVerdict = state === "passed" || state === "failed";
    return [
      hasVerdict ? element("button", { type: "button", "data-action": `v${id}`, "aria-expanded": String(this.open === id), onclick: () => this.unfold(id) }, String(id)) : String(id),
      moment(at),
      element("span", {}, element("span", { class: state === "failed" ? "bad" : state === "passed" ? "good" : "" }, status), " ", element("span", { class: "soft" }, told)),
      { number: number(games) },
      element("span", {}, ...this.versionButtons(version, team)),
    ];
  }

  /** @param {Version} version @param {Team} team */
  versionButtons({ id, state, withdrawn, hasFiles }, { plays }) {
    const compare = (/** @type {number} */ newer) => {
      request("POST", `api/versions/${newer}/comparer`, { avec: id }).then(() => this.changed()).catch(this.failed);
    };
    const canCompare = plays !== null && plays !== id && state === "passed" && hasFiles;
    return [
      ...(canCompare ? [element("button", { type: "button", onclick: () => compare(plays) }, say.compare(plays))] : []),
      ...(withdrawn ? [] : [" ", element("button", { type: "button", onclick: () => this.withdraw(id) }, say.withdraw)]),
    ];
  }

  /** @param {number} id */
  async unfold(id) {
    this.open = id;
    try {
      if (!this.verdicts.has(spokenOf(id))) {
        const { verdict } = await read(`api/versions/${id}`);
        if (verdict) this.verdicts.set(spokenOf(id), verdict);
      }
      if (this.team) this.showVersions(this.team);
    } catch (error) {
      this.failed(error);
    }
  }

  /** @param {number} id */
  withdraw(id) {
    if (!window.confirm(say.confirmWithdraw(id))) return;
    request("POST", `api/versions/${id}/retirer`).then(() => this.changed()).catch(this.failed);
  }

  /** @param {Team} team */
  showGames(team) {
    for (const game of team.games) this.games.set(game.key, game);
    const games = [...this.games.values()].sort((a, b) => b.at - a.at);
    renew(find("games"), [games, this.isWhole], () => {
      if (!games.length) return [element("h2", {}, say.games), element("p", { class: "soft" }, say.noGames)];
      // After the end, the games of all are read from the newest one on.
      const more = element("button", { type: "button", onclick: () => this.readOlder(games[games.length - 1].key) }, this.isOver ? say.olderOfAll : say.older);
      return [element("h2", {}, say.games), gameTable(games, true), ...(this.isWhole ? [] : [more])];
    });
  }

  /** @param {string} before */
  async readOlder(before) {
    try {
      const older = await read(this.isOver ? this.nextOfAll : `api/equipe/parties?avant=${before}`);
      if (older.length) this.nextOfAll = `api/parties?avant=${older[older.length - 1].key}`;
      this.isWhole = !older.length;
      for (const game of older) this.games.set(game.key, game);
      if (this.team) this.showGames(this.team);
    } catch (error) {
      this.failed(error);
    }
  }

  /** @param {Team} team @param {Row[]} ladder */
  showChallenge({ name, pseudonym, plays, challenges, pending }, ladder) {
    const others = ladder.map((row) => row.name).filter((other) => other !== (pseudonym ?? name)).sort();
    renew(find("challenge"), [others, plays, challenges, pending], () => {
      if (plays === null) return [];
      const boxes = others.map((other) => element("input", { type: "checkbox", value: other, name: "contre" }));
      const count = element("input", { type: "number", name: "parties", min: "1", max: String(Math.max(challenges, 1)), value: "1" });
      const ask = (/** @type {Event} */ event) => {
        event.preventDefault();
        const contre = boxes.filter(({ checked }) => checked).map(({ value }) => value);
        request("POST", "api/equipe/defi", { contre, parties: Number(count.value) }).then(() => this.changed()).catch(this.failed);
      };
      const labels = boxes.map((box) => element("label", { class: "box" }, box, element("span", {}, box.value)));
      return [
        element("h2", {}, say.challenge),
        element("p", { class: "soft" }, say.challengeHelp(challenges, pending)),
        element("form", { class: "line", onsubmit: ask }, ...labels, element("label", {}, say.gamesAsked, count), element("button", {}, say.challengeButton)),
      ];
    });
  }

  /** @param {Team} team */
  showPairs({ pairs }) {
    renew(find("pairs"), pairs, () => {
      if (!pairs.length) return [];
      const rows = pairs.map(({ name, games, wins, draws }) => ({ cells: [name, { number: number(games) }, { number: percent((wins + draws / 2) / Math.max(games, 1)) }] }));
      return [element("h2", {}, say.pairs), table([say.name, say.games, say.share], rows), element("p", { class: "soft" }, say.pairsHelp)];
    });
  }
}

/** A version in the language that is spoken. @param {number} version */
function spokenOf(version) {
  return `${spoken.language} ${version}`;
}

/** The programs that this browser keeps for the workshop, under the key of `workshop/bots.js`. @returns {{ name: string, text: string }[]} */
function fromWorkshop() {
  try {
    const all = JSON.parse(localStorage.getItem("pacman-iuto bots") ?? "[]");
    return all.filter((/** @type {any} */ bot) => typeof bot?.name === "string" && typeof bot?.text === "string");
  } catch {
    return [];
  }
}

/** The list of comparisons of versions, with their results. @param {Team} team */
function comparisons({ comparisons: all }) {
  if (!all.length) return [];
  const items = all.map(({ newer, older, result }) => {
    if (result === null) return element("li", {}, say.comparing(newer, older));
    const { verdict, pairs, won, low, high } = result;
    return element("li", {}, say.compared[verdict](newer, older), " ", element("span", { class: "soft" }, say.duels(percent(won), percent(low), percent(high), 2 * pairs)));
  });
  return [element("h2", {}, say.comparisons), element("ul", { class: "findings" }, ...items)];
}

/** @param {Verdict} verdict */
function verdictOf({ summary, checks }) {
  const lists = checks.map(({ title, verdict, findings }) => {
    const items = findings.map(({ seen, advice, output }) =>
      element("li", {}, seen, ...(advice ? [element("div", { class: "soft" }, advice)] : []), ...(output?.length ? [element("pre", {}, output.join("\n"))] : [])),
    );
    const name = verdict === "failed" ? "bad" : verdict === "passed" ? "good" : "";
    return element("li", {}, element("span", { class: name }, `${say.checks[verdict]} ${title}`), ...(items.length ? [element("ul", { class: "findings" }, ...items)] : []));
  });
  const details = element("ul", { class: "findings" }, ...lists);
  // The details are open if a check has failed or warns.
  const isCalm = checks.every(({ verdict }) => verdict === "passed");
  return isCalm ? [element("details", {}, element("summary", {}, summary), details)] : [element("p", {}, summary), details];
}
