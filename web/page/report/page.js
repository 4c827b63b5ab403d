// The page: connects the data, the address and the user's actions.

import { element, embedded, find } from "../shared/element.js";
import { spoken, translate } from "../shared/language.js";
import { renew } from "../shared/renew.js";
import { duelsSection } from "./duels.js";
import { Live } from "./live.js";
import { addressesSection, clusterSection, faultsSection, nextSection, presenceSection, progressParts, resultsSection, runningSection, voidsSection } from "./now.js";
import { Organiser } from "./organiser.js";
import { OwnTeam } from "./own.js";
import { Projection } from "./projection.js";
import { RankingTable, conditionsSection, notesSection } from "./ranking.js";
import { Replay } from "./replay.js";
import { Screen } from "./screen.js";
import { TeamPage } from "./team.js";
import { number, say, switchTo } from "./words.js";

/** @import { About, Data, Now, Ranking } from "./data.d.ts" */

/** Number of teams whose table needs no filter. */
const FILTERED = 5;

class Page {
  constructor() {
    /** All games, as far as they are known. @type {Data | null} */
    this.data = embedded("data");
    const isServed = this.data === null;
    /** @type {Ranking | null} */
    this.ranking = this.data?.ranking ?? null;
    /** Games that are played now, if there are any. @type {Now | null} */
    this.now = null;
    /** True if one can play in the browser. */
    this.hasArena = false;
    /** @type {Live | null} */
    this.live = null;
    /** @type {boolean | undefined} */
    this.isConnected = undefined;
    /** The view that is shown. @type {string | undefined} */
    this.place = undefined;
    this.reports = 0;
    this.overviewAt = 0;
    this.projecting = new URLSearchParams(location.search).has("projector");
    this.own = new OwnTeam();
    this.table = new RankingTable(() => this.draw());
    this.projection = new Projection(find("projection"));
    this.board = new Screen(find("board"));
    this.replay = new Replay(find("replay", HTMLDialogElement), this.data?.films ?? {}, isServed, () => this.closed());
    this.organiser = new Organiser(find("organiser"), () => this.draw());
    /** @type {[string, HTMLElement][]} */
    this.parts = ["running", "cluster", "presence", "addresses", "next", "results", "faults", "voids"].map((name) => [name, element("section", { class: "card" })]);
    const [running, cluster, presence, ...others] = this.parts.map(([, part]) => part);
    find("now").append(running, cluster, presence, element("div", { class: "columns" }, ...others));
    /** The buttons that switch the language. @type {NodeListOf<HTMLElement>} */
    this.languages = document.querySelectorAll("[data-language]");
    this.listen();
    this.translate();
    if (isServed) this.serve();
    this.route();
  }

  serve() {
    find("nothing").hidden = false;
    this.live = new Live({
      told: (message) => {
        Object.assign(this, message.type === "now" ? { now: message.now, hasArena: message.arena } : { ranking: message.ranking });
        this.draw();
      },
      reported: (report) => {
        this.data = report ?? this.data;
        if (report) this.reports += 1;
        this.draw();
      },
      connected: (yes) => {
        this.isConnected = yes;
        this.draw();
      },
    });
    this.organiser.enter();
  }

  // Navigation.

  /** View that the address asks for. */
  get wanted() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    return { team: wanted.get("equipe") ?? wanted.get("team"), all: wanted.has("equipes") || wanted.has("teams"), replay: wanted.get("rejeu") ?? wanted.get("replay") };
  }

  route() {
    const place = JSON.stringify([this.wanted.team, this.wanted.all]);
    const wasOverview = this.place === undefined || this.place === JSON.stringify([null, false]);
    if (wasOverview && this.place !== place) this.overviewAt = this.place === undefined ? 0 : window.scrollY;
    const moved = this.place !== undefined && this.place !== place;
    this.place = place;
    this.draw();
    if (moved) window.scrollTo(0, this.wanted.team === null && !this.wanted.all ? this.overviewAt : 0);
  }

  /** Opens a game; the address says so, and going back closes it. @param {string} key */
  open(key) {
    const { team } = this.wanted;
    location.hash = [...(team === null ? [] : [`equipe=${encodeURIComponent(team)}`]), `rejeu=${key}`].join("&");
  }

  closed() {
    const { team, replay } = this.wanted;
    if (replay !== null) location.hash = team === null ? "" : `equipe=${encodeURIComponent(team)}`;
  }

  // Drawing.

  draw() {
    const { now, data, ranking } = this;
    const about = now?.about ?? data?.about;
    const connection = find("connection");
    const isLive = this.isConnected !== undefined && now?.phase !== "over";
    connection.textContent = !isLive ? "" : this.isConnected ? say.connected : say.disconnected;
    connection.className = this.isConnected ? "on" : "off";
    if (now) this.organiser.learn(now.refusals);
    this.organiser.show(now?.phase);
    if (!about || !ranking) return;
    find("nothing").hidden = true;
    find("name").textContent = about.name;
    const { team, all, replay } = this.wanted;
    document.title = [...(team === null ? [] : [team]), about.name, "Pacman IUT'O"].join(" – ");
    renew(find("about"), [about, ranking.games], () => [`${say.gamesPlayed(ranking.games)} · ${about.maps.join(", ")}`]);
    renew(find("message"), now?.message ?? null, () => (now?.message ? [element("span", {}, now.message[spoken.language])] : []));
    this.drawLinks(ranking);
    document.body.classList.toggle("projecting", this.projecting);
    find("projector").setAttribute("aria-pressed", String(this.projecting));
    find("projection").hidden = !this.projecting;
    const isOver = now ? now.phase === "over" : this.data?.over === true;
    if (this.projecting) this.projection.show(about, ranking, now, isOver);
    else this.projection.hide();
    const isOverview = team === null && !all;
    // Until there are results, the game is what there is to see.
    const isWatched = isOverview && !this.projecting && now !== null && !ranking.games && now.running.some(({ featured }) => featured);
    this.board.show(isWatched);
    find("overview").hidden = !isOverview;
    if (isOverview) this.drawOverview(about, ranking, isOver);
    this.drawTeams(team, all);
    this.own.mark(find("overview"));
    this.replay.show(replay !== null && /^[0-9a-f]{32}$/.test(replay) && this.replay.has(replay) ? replay : null, this.titleOf(replay));
  }

  /** @param {Ranking} ranking */
  drawLinks(ranking) {
    /** @type {string[][]} */
    const links = [];
    if (this.now) {
      if (this.now.phase !== "over") links.push([`direct/?lang=${spoken.language}`, ...say.direct]);
      if (ranking.games) links.push(["rapport.html", ...say.report], [`rapport.csv?lang=${spoken.language}`, ...say.csv]);
    }
    if (this.hasArena) links.push(["arene/", say.arena, say.arenaTitle]);
    if (ranking.rows.length) links.push(["#equipes", ...say.allTeams]);
    const own = ranking.rows.find(({ name }) => name === this.own.name);
    if (own) links.push([`#equipe=${encodeURIComponent(own.name)}`, `★ ${own.name}`, say.ownTeam]);
    renew(find("links"), links, () => links.map(([href, text, title]) => element("a", { href, title }, text)));
  }

  /** @param {About} about @param {Ranking} ranking @param {boolean} isOver */
  drawOverview(about, ranking, isOver) {
    const { now } = this;
    find("overview").classList.toggle("lobby", now?.phase === "lobby");
    find("now").hidden = now === null;
    renew(find("progress"), now && [now.phase, now.round, now.played, now.total], () => (now ? progressParts(now) : []));
    if (now) {
      const open = (/** @type {string} */ key) => this.open(key);
      /** @type {Record<string, [unknown, () => (Node | string)[]]>} */
      const build = {
        running: [[now.running, this.organiser.isKnown, now.cluster !== null], () => runningSection(now, this.organiser)],
        cluster: [now.cluster, () => clusterSection(now)],
        presence: [now.teams, () => presenceSection(now)],
        addresses: [[now.phase, now.game_addresses, now.page_addresses], () => (now.phase === "over" ? [] : addressesSection(now))],
        next: [now.next, () => nextSection(now)],
        results: [now.results, () => resultsSection(now, open)],
        faults: [now.faults, () => faultsSection(now)],
        voids: [now.voids, () => voidsSection(now)],
      };
      for (const [name, part] of this.parts) renew(part, ...build[name]);
    }
    const waits = now && !ranking.rows.length;
    renew(find("standing"), [ranking, isOver, this.table.choice], () => (waits ? [] : this.table.build(ranking, isOver)));
    find("ranking").hidden = find("standing").hidden;
    find("finder").hidden = ranking.rows.filter(({ rank }) => rank !== null).length <= FILTERED;
    renew(find("duels"), ranking, () => duelsSection(ranking));
    renew(find("notes"), [this.data?.voids, this.data?.lots], () => (this.data ? notesSection(this.data) : []));
    renew(find("conditions"), [about, ranking.games], () => conditionsSection(about, ranking.games));
  }

  /** @param {string | null} team @param {boolean} all */
  drawTeams(team, all) {
    const place = find("teams");
    if (team === null && !all) return renew(place, null, () => []);
    this.live?.wantReport(this.now?.played ?? 0);
    const { data } = this;
    if (!data) return renew(place, "waiting", () => [element("p", { class: "nothing" }, say.waiting)]);
    const rows = data.ranking.rows.map(({ name }, index) => /** @type {const} */ ([name, index])).filter(([name]) => all || name === team);
    renew(place, [team, all, this.reports, this.own.name], () => {
      if (!rows.length) return [element("p", { class: "nothing" }, say.notFound, " ", element("a", { href: "#" }, say.back))];
      return rows.map(([, index]) => new TeamPage(data, index, this.own, (key) => this.open(key), (key) => this.replay.has(key), () => this.draw()).build());
    });
  }

  /** Players of a game, best first. @param {string | null} key */
  titleOf(key) {
    const game = this.data?.games.find(([other]) => other === key);
    const last = this.now?.results.find((result) => result.key === key);
    const rows = this.data?.ranking.rows ?? [];
    /** @type {[string, number][]} */
    const names = game
      ? game[4].map(([who, points]) => [typeof who === "number" ? rows[who].name : who, points])
      : (last?.seats ?? []).map(({ team, points }) => [team, points]);
    const map = game ? this.data?.about.maps[game[2] ?? -1] : last?.map;
    const sorted = [...names].sort((a, b) => b[1] - a[1]).map(([name, points]) => `${name} ${number(points)}`);
    return [map ?? say.replay, ...sorted].join(" · ");
  }

  // User actions.

  translate() {
    translate(say);
    for (const button of this.languages) button.setAttribute("aria-pressed", String(button.dataset.language === spoken.language));
  }

  listen() {
    for (const button of this.languages) {
      button.addEventListener("click", () => {
        switchTo(String(button.dataset.language));
        this.translate();
        this.draw();
      });
    }
    find("projector").addEventListener("click", () => this.project());
    const filter = find("filter", HTMLInputElement);
    filter.addEventListener("input", () => this.table.filter(filter.value));
    window.addEventListener("hashchange", () => {
      if (this.live && /[#&](jeton|token)=/.test(location.hash)) this.organiser.enter();
      this.route();
    });
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || find("replay", HTMLDialogElement).open || event.target instanceof HTMLInputElement) return;
      if (event.key.toLowerCase() === "p" || (event.key === "Escape" && this.projecting)) this.project();
    });
  }

  project() {
    this.projecting = !this.projecting;
    this.draw();
  }
}

new Page();
