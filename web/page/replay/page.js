// The page: connects the panels, the time line and the user's actions.

import { embedded, find } from "../shared/element.js";
import { spoken, translate } from "../shared/language.js";
import { Board } from "./board.js";
import { Film } from "./film.js";
import { showHelp } from "./help.js";
import { Lobby } from "./lobby.js";
import { GameList, Log, Winner } from "./panels.js";
import { Playback, SPEEDS } from "./playback.js";
import { arrivals } from "./reach.js";
import { Scores } from "./scores.js";
import { FIGURES, Session } from "./session.js";
import { Share } from "./share.js";
import { Story } from "./story.js";
import { Tabs } from "./tabs.js";
import { look } from "./theme.js";
import { Thinking } from "./thoughts.js";
import { Track } from "./track.js";
import { Why } from "./why.js";
import { decimals, say } from "./words.js";

/** @import { Layer } from "./layers.js" */
/** @import { Id, Server, View } from "./session.js" */

/** The keys of one letter, which can be turned off: they would get in the way of speech input (WCAG 2.1.4). */
const LETTER_KEYS = "pacman-iuto letter keys";
/** @type {Record<string, Layer>} */
const LAYER_KEYS = { t: "trails", h: "heat", r: "reach", i: "thoughts" };

/** @implements {View} */
export class Page {
  /** `serve` makes what tells of games, unless the page has a game in it. @param {(page: Page) => Server} serve */
  constructor(serve) {
    this.session = new Session(this);
    /** Is told of the turn that is shown, when it changes. @type {((turn: number) => void) | null} */
    this.watch = null;
    /** True in a frame of another page, where there is only the game. */
    this.isEmbedded = new URLSearchParams(location.search).has("embed");
    /** The turn that the figures show, the last one of the chart, when figures and log were drawn, and the state of the buttons. */
    this.drawn = { turn: -1, last: -1, figures: 0, log: 0, buttons: "" };
    /** The next picture, and the next figures, if they are due. @type {number | null} */
    this.picture = null;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.later = null;
    /** The address that is written next, or was written last. */
    this.written = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.writing = undefined;
    const seek = (/** @type {number} */ turn) => this.seek(turn);
    this.board = new Board(find("board"));
    this.track = new Track(find("track", HTMLCanvasElement), find("tip"), seek);
    this.scores = new Scores(find("scores"), (colour) => this.followPlayer(colour));
    this.story = new Story(find("episodes"), seek);
    this.log = new Log(find("log"), seek);
    this.winner = new Winner(find("winner"));
    this.why = new Why(find("why"), seek);
    this.share = new Share(() => ({ film: this.film, turn: this.playback.turn, hash: this.hashOf(false), game: this.session.server?.hasFiles ? this.session.name : null, isEmbeddable: this.session.server ? (this.session.server.isEmbeddable ?? false) : !("unframed" in document.documentElement.dataset) }));
    this.thinking = new Thinking(find("thoughts"));
    // The page for browsers has further tabs.
    this.tabs = new Tabs(Array.from(document.querySelectorAll('[role="tab"]')).filter((tab) => tab instanceof HTMLElement));
    this.useLetters = !remembers(LETTER_KEYS);
    this.lobby = new Lobby();
    this.list = new GameList(find("games"));
    this.playback = new Playback(() => this.changed());
    this.translate();
    this.listen();
    const film = embedded("film");
    if (film) this.session.show(null, new Film(film), this.session.wanted().turn ?? 0);
    else {
      find("nothing").hidden = false;
      this.session.server = serve(this);
    }
  }

  // The members that the session uses.

  get hash() {
    return location.hash;
  }

  get film() {
    return this.session.film;
  }

  get isFollowing() {
    return this.playback.following;
  }

  /** @param {Film} film @param {number} turn */
  show(film, turn) {
    const { session } = this;
    for (const other of ["nothing", "gone", "unreachable"]) find(other).hidden = true;
    find("game").hidden = false;
    find("about").textContent = say.about(film);
    this.title(film.game, film.players.map(({ name }) => name));
    this.scores.show(film);
    this.story.show(film);
    this.log.show(film);
    this.resize(() => this.board.show(film));
    this.track.show(film);
    this.analyse();
    this.drawn.turn = -1;
    this.playback.show(film, turn);
    if (session.server) {
      this.listed();
      if (session.server.hasFiles) this.share.showFiles(session.name);
    }
    const [, letter] = /[#&]player=([A-Z])/.exec(this.hash) ?? [];
    const colour = film.colourOf.get(letter ?? "");
    if (colour !== undefined) this.followPlayer(colour);
    const [, tab] = /[#&]tab=(why|think)(?:&|$)/.exec(this.hash) ?? [];
    if (tab) this.tabs.select(tab === "why" ? 1 : 2);
    this.draw();
  }

  /** Names the game, and its players if they are known. @param {"pacman" | "pyrat"} game @param {string[]} players */
  title(game, players) {
    find("name").textContent = say.gameNames[game];
    document.title = [...(players.length ? [players.join(" · ")] : []), say.gameNames[game]].join(" – ");
  }

  follow() {
    this.drawn.turn = -1;
    this.playback.follow();
    this.address();
  }

  /** @param {number} interval */
  extended(interval) {
    this.playback.extended(interval);
  }

  unreachable() {
    for (const other of ["nothing", "gone"]) find(other).hidden = true;
    find("unreachable").hidden = false;
  }

  /** @param {boolean} isLink */
  missing(isLink) {
    find("unreachable").hidden = true;
    if (!isLink) return;
    find("gone").hidden = false;
    history.replaceState(null, "", location.pathname + location.search);
  }

  completed() {
    this.analyse();
    this.log.shown = null;
    this.redraw();
  }

  listed() {
    this.list.show(this.session.games, this.session.game);
  }

  /** Shows a new list of games; that of a live game is of the turn that is drawn. */
  listGames() {
    const { session, drawn } = this;
    if (session.isLive && session.game !== null && session.film && drawn.turn >= 0) session.enlist(session.game, session.film, drawn.turn);
    else this.listed();
  }

  /** Shows what is only known of a whole game, or where its recording stops. */
  analyse() {
    const { film, session: { goesOn } } = this;
    if (!film) return;
    this.why.show(film, goesOn);
    this.why.follow(film, this.board.followed);
    find("cut").hidden = goesOn || film.complete !== false;
    find("cut").textContent = say.cut(film.last);
  }

  /** @param {number} turn */
  seek(turn) {
    const known = this.film?.frames[turn];
    this.playback.seek(turn);
    // Draws at once, without waiting for the next animation frame.
    if (this.picture !== null) cancelAnimationFrame(this.picture);
    this.picture = null;
    this.draw();
    // Fetches skipped turns from the server's film.
    if (known) this.session.completeAt(turn);
    else this.session.complete();
  }

  // Drawing.

  changed() {
    this.picture ??= requestAnimationFrame((now) => {
      this.picture = null;
      const moves = this.playback.picture(now);
      this.draw();
      if (moves) this.changed();
    });
  }

  draw() {
    const { playback, film, session } = this;
    if (!film) return;
    const { turn } = playback;
    const now = performance.now();
    this.board.draw(turn, playback.phase);
    const early = session.isLive && this.drawn.turn >= 0 ? this.drawn.figures + FIGURES - now : 0;
    if (early > 0) this.later ??= setTimeout(() => (this.later = null, this.changed()), early);
    else this.drawFigures(session.isLive ? film.last : turn, now);
    this.winner.draw(film, turn, session.goesOn);
    const moving = playback.playing || (this.isFollowing && session.running !== null);
    // The log is for reading: ten updates per second are enough.
    if (!moving || now - this.drawn.log > 100) {
      this.story.draw(turn);
      this.thinking.draw(film, turn, this.board.followed);
      if (find("turns", HTMLDetailsElement).open) this.log.draw(turn);
      this.drawn.log = now;
    }
    if (!moving) {
      const scores = film.players.map(({ name }, colour) => `${name}: ${decimals(film.points(turn, colour))}`);
      this.board.canvas.setAttribute("aria-label", say.board(turn, scores.join(", ")));
      this.address();
    }
    this.drawButtons();
  }

  /** Draws the buttons if they have changed: each change of an element costs a layout. */
  drawButtons() {
    const { playback: { playing, speed }, session } = this;
    const isWatched = this.isFollowing && session.game === session.running;
    const state = [playing, speed, session.running, isWatched].join();
    if (state === this.drawn.buttons) return;
    this.drawn.buttons = state;
    const play = find("play");
    play.classList.toggle("playing", playing);
    play.title = playing ? say.pause : say.play;
    play.setAttribute("aria-label", play.title);
    find("speed").textContent = `${decimals(SPEEDS[speed])}×`;
    const live = find("live");
    live.hidden = session.running === null;
    live.setAttribute("aria-pressed", String(isWatched));
  }

  /** Draws at once, the chart and the figures too. */
  redraw() {
    Object.assign(this.drawn, { turn: -1, last: -1 });
    this.draw();
  }

  /** Draws all that has numbers, so that all of it is of the same turn. @param {number} turn @param {number} now */
  drawFigures(turn, now) {
    const { drawn, film, session } = this;
    if (!film) return;
    const isLonger = drawn.last < 0 || (session.isLive && film.last !== drawn.last);
    if (turn === drawn.turn && !isLonger) return;
    if (isLonger) this.track.refresh();
    drawn.last = film.last;
    this.track.draw(turn);
    const line = find("line", HTMLInputElement);
    line.max = String(this.track.turns);
    line.value = String(turn);
    this.scores.draw(turn);
    if (session.isLive && session.game !== null) session.enlist(session.game, film, turn);
    const words = `${say.turn} ${turn} / ${this.track.turns}`;
    for (const place of ["turn", "caption"]) find(place).textContent = words;
    line.setAttribute("aria-valuetext", `${say.turn} ${turn}`);
    Object.assign(drawn, { turn, figures: now });
    this.watch?.(turn);
  }

  /** Keeps game and turn in the address, not more often than browsers like. */
  address() {
    // An embedded page may have no address of its own.
    if (location.protocol === "about:" || this.session.opening !== null) return;
    const hash = this.hashOf(this.isFollowing);
    if (hash === this.written) return;
    this.written = hash;
    find("full", HTMLAnchorElement).href = this.fullAddress();
    clearTimeout(this.writing);
    this.writing = setTimeout(() => history.replaceState(null, "", hash), 300);
  }

  /** The end of an address that shows what is shown now. @param {boolean} isLive */
  hashOf(isLive) {
    const { session, board, film } = this;
    const game = session.game === null ? [] : [`game=${session.name}`];
    const player = board.followed === null ? [] : [`player=${film?.players[board.followed].letter}`];
    return `#${[...game, isLive ? "live" : `turn=${this.playback.turn}`, ...player].join("&")}`;
  }

  /** The address of what a frame shows, outside of it. */
  fullAddress() {
    const search = new URLSearchParams(location.search);
    search.delete("embed");
    return `?${search}${this.hashOf(this.isFollowing)}`;
  }

  resize(change = () => this.board.resize()) {
    if (!this.film) return;
    const { rows, cols } = this.film;
    find("board").style.setProperty("--shape", String((cols + 0.5) / (rows + 0.5)));
    change();
    this.changed();
  }

  // User actions.

  translate() {
    translate(say);
    find("language").hidden = location.protocol === "about:";
  }

  /** The address has the language; a page within another one follows that one. */
  switchLanguage() {
    const search = new URLSearchParams(location.search);
    search.set("lang", spoken.language === "fr" ? "en" : "fr");
    location.search = String(search);
  }

  listen() {
    const { playback } = this;
    const on = (/** @type {string} */ id, /** @type {() => void} */ act) => find(id).addEventListener("click", act);
    on("first", () => this.seek(0));
    on("last", () => this.seek(this.film?.last ?? 0));
    on("back", () => this.step(-1));
    on("forward", () => this.step(1));
    on("play", () => this.toggle());
    on("slower", () => playback.faster(-1));
    on("faster", () => playback.faster(1));
    on("previous", () => this.toMark(false));
    on("next", () => this.toMark(true));
    on("live", () => this.toLive());
    on("help", () => showHelp(find("helper", HTMLDialogElement), this.film));
    on("projector", () => this.project());
    on("language", () => this.switchLanguage());
    on("gap", () => this.showGap());
    find("turns").addEventListener("toggle", () => this.changed());
    find("view").addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement) this.option(target.name, target.checked);
    });
    find("view", HTMLElement).querySelectorAll("input").forEach((box) => (box.checked = box.name === "letters" ? this.useLetters : [...this.board.shown].some((layer) => layer === box.name)));
    // A menu closes when something else is used.
    document.addEventListener("pointerdown", ({ target }) => {
      for (const menu of document.querySelectorAll("details.menu")) {
        if (menu instanceof HTMLDetailsElement && !(target instanceof Node && menu.contains(target))) menu.open = false;
      }
    });
    const line = find("line", HTMLInputElement);
    line.addEventListener("input", () => this.seek(Number(line.value)));
    document.addEventListener("keydown", (event) => this.key(event));
    // A clicked button loses the focus, so that the space bar plays; keyboard users keep the focus.
    document.addEventListener("click", ({ detail, target }) => detail > 0 && target instanceof Element && target.closest("button")?.blur());
    window.addEventListener("hashchange", () => {
      this.written = location.hash;
      clearTimeout(this.writing);
      this.goTo(this.session.wanted());
    });
    find("board").addEventListener("dblclick", () => this.project());
    find("board").addEventListener("click", (event) => {
      const colour = this.film && event.detail === 1 ? this.board.playerAt(event, this.playback.turn) : null;
      if (colour !== null) this.followPlayer(colour);
    });
    find("board").addEventListener("pointermove", (event) => this.tellCell(event));
    find("board").addEventListener("pointerleave", () => (find("cell").hidden = true));
    const refit = () => {
      this.resize();
      this.redraw();
    };
    const sizes = new ResizeObserver(refit);
    sizes.observe(find("board"));
    sizes.observe(find("track"));
    this.watchPixels(refit);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.scores.theme = look(find("scores"));
      refit();
    });
    document.body.classList.toggle("embed", this.isEmbedded);
    const full = find("full", HTMLAnchorElement);
    full.hidden = !this.isEmbedded;
    full.addEventListener("click", () => (full.href = this.fullAddress()));
    if (new URLSearchParams(location.search).has("projector")) this.project();
  }

  /** Zooming and moving to another screen change the pixels, but not the sizes. @param {() => void} refit */
  watchPixels(refit) {
    const same = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    same.addEventListener("change", () => (refit(), this.watchPixels(refit)), { once: true });
  }

  /** @param {{ game: Id | null, turn: number | null }} wanted */
  goTo({ game, turn }) {
    const { session } = this;
    if (session.server && game !== null && game !== session.game) session.open(game, turn);
    else if (turn !== null && turn !== this.playback.turn) this.seek(turn);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || find("helper", HTMLDialogElement).open) return;
    const presses = event.key === " " || event.key === "Enter";
    if (presses && document.activeElement?.matches("button, a, summary, input")) return;
    if (event.key === "Escape") for (const menu of document.querySelectorAll("details.menu")) menu.removeAttribute("open");
    const many = event.shiftKey ? 10 : 1;
    /** @type {Record<string, (() => void) | undefined>} */
    const keys = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.step(-many),
      ArrowRight: () => this.step(many),
      Home: () => this.seek(0),
      End: () => this.seek(this.film?.last ?? 0),
      "+": () => this.playback.faster(1),
      "=": () => this.playback.faster(1),
      "-": () => this.playback.faster(-1),
      g: () => this.showGap(),
      b: () => this.toMark(false),
      n: () => this.toMark(true),
      l: () => this.toLive(),
      p: () => this.project(),
      Escape: () => document.body.classList.contains("projector") && this.project(),
      "?": () => showHelp(find("helper", HTMLDialogElement), this.film),
    };
    // A French keyboard types digits with Shift only.
    const [, digit] = /^([1-9])$/.exec(event.key) ?? /^(?:Digit|Numpad)([1-9])$/.exec(event.code) ?? [];
    const follow = digit ? () => this.followPlayer(Number(digit) - 1) : undefined;
    const name = event.key.toLowerCase();
    const layer = LAYER_KEYS[name];
    const act = keys[event.key] ?? keys[name] ?? (layer ? () => this.option(layer, !this.board.shown.has(layer)) : follow);
    if (!this.useLetters && /^[\p{L}\d]$/u.test(event.key)) return;
    if (!act || (!this.film && !["?", "p"].includes(event.key))) return;
    event.preventDefault();
    act();
  }

  /** Follows a player with the eyes, or no longer if it was the one. @param {number} colour */
  followPlayer(colour) {
    if (!this.film?.players[colour]) return;
    const followed = this.board.followed === colour ? null : colour;
    this.board.followed = followed;
    this.scores.mark(followed);
    this.story.follow(followed);
    this.log.follow(followed);
    this.why.follow(this.film, followed);
    this.changed();
  }

  /** Draws a layer or no longer, or uses the keys of one letter or no longer. @param {string} name @param {boolean} on */
  option(name, on) {
    if (name === "letters") {
      this.useLetters = on;
      remember(LETTER_KEYS, !on);
      return;
    }
    const layer = /** @type {Layer} */ (name);
    if (on) this.board.shown.add(layer);
    else this.board.shown.delete(layer);
    const box = find("view").querySelector(`[name=${name}]`);
    if (box instanceof HTMLInputElement) box.checked = on;
    this.changed();
  }

  showGap() {
    this.track.isGap = !this.track.isGap;
    find("gap").setAttribute("aria-pressed", String(this.track.isGap));
    this.redraw();
  }

  /** Tells what is on the cell at hand, and who is there first. @param {PointerEvent} event */
  tellCell(event) {
    const { film, board, playback: { turn } } = this;
    const place = find("cell");
    const cell = film?.frames[turn] && board.layers ? board.cellAt(event, turn) : null;
    place.hidden = cell === null || film === null || event.pointerType === "touch";
    if (place.hidden || cell === null || !film || !board.layers) return;
    const [row, col] = [Math.floor(cell / film.cols), cell % film.cols];
    const first = arrivals(board.layers.turns(turn), cell).slice(0, 4).map(([colour, turns]) => `${film.players[colour].letter} ${turns}`);
    /** @type {Record<string, string>} */
    const names = say.objects;
    const parts = [say.cell(row, col), names[film.objects(turn)[cell]], first.length ? say.arrive(first.join(", ")) : ""];
    place.textContent = parts.filter(Boolean).join(" · ");
  }

  /** @param {number} turns */
  step(turns) {
    this.playback.step(turns);
    this.session.completeAt(this.playback.turn);
  }

  toggle() {
    this.playback.toggle();
    const { film } = this;
    if (film && !film.hasAll(0, film.last)) this.session.complete();
  }

  /** @param {boolean} forward */
  toMark(forward) {
    const turn = this.track.beside(this.playback.turn, forward);
    if (turn !== undefined) this.seek(turn);
  }

  toLive() {
    const { session } = this;
    if (session.running === null) return;
    if (session.game === session.running) this.follow();
    else session.open(session.running, null);
  }

  project() {
    if (this.isEmbedded) return;
    const on = document.body.classList.toggle("projector");
    find("projector").setAttribute("aria-pressed", String(on));
    this.resize();
    this.redraw();
  }
}

/** Tests if this browser remembers a choice; some remember nothing for a page from a file. @param {string} name */
function remembers(name) {
  try {
    return localStorage.getItem(name) !== null;
  } catch {
    return false;
  }
}

/** @param {string} name @param {boolean} yes */
function remember(name, yes) {
  try {
    if (yes) localStorage.setItem(name, "yes");
    else localStorage.removeItem(name);
  } catch {
    // The choice holds until the page is closed.
  }
}
