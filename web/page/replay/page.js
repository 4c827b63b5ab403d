// The page: connects the panels, the time line and the user's actions.

import { RETRY } from "../shared/connection.js";
import { embedded, find } from "../shared/element.js";
import { spoken, translate } from "../shared/language.js";
import { Board } from "./board.js";
import { Film } from "./film.js";
import { showHelp } from "./help.js";
import { Live } from "./live.js";
import { AnalysisPanel, GameList, Lobby, Log, Scores, Winner, showFiles } from "./panels.js";
import { Playback, SPEEDS } from "./playback.js";
import { look } from "./theme.js";
import { Track } from "./track.js";
import { decimals, say } from "./words.js";

/** Milliseconds for which the end of a game stays, at least, before the next one of a series is shown. */
const REST = 6000;

/** Milliseconds between two updates of the figures of a live game, at least. */
const FIGURES = 250;

class Page {
  constructor() {
    this.film = null;
    /** The game that is shown, and the one that is being played. */
    this.game = null;
    this.running = null;
    /** When the end of the game that is followed was shown. */
    this.ended = -Infinity;
    this.films = new Map();
    this.fetching = new Set();
    /** The turn that the figures show, the last one of the chart, and when figures and log were drawn. */
    this.drawn = { turn: -1, last: -1, figures: 0, log: 0 };
    const seek = (turn) => this.seek(turn);
    this.board = new Board(find("board"));
    this.track = new Track(find("track"), find("tip"), seek);
    this.scores = new Scores(find("scores"), (colour) => this.followPlayer(colour));
    this.log = new Log(find("log"), seek);
    this.winner = new Winner(find("winner"));
    this.analysis = new AnalysisPanel(find("analysis"), seek);
    this.lobby = new Lobby(find("lobby"));
    this.list = new GameList(find("games"));
    this.playback = new Playback(() => this.changed());
    this.translate();
    this.listen();
    const film = embedded("film");
    if (film) this.show(null, new Film(film), this.wanted().turn ?? 0);
    else this.serve();
  }

  serve() {
    find("nothing").hidden = false;
    this.live = new Live({
      begin: (id, film) => this.begin(id, film),
      skipped: (id, frames) => frames.forEach((frame) => this.films.get(id)?.add(frame)),
      frame: (id, frame) => this.frame(id, frame),
      end: (id) => this.end(id),
      gathering: (gathering) => this.lobby.show(gathering),
      games: (games) => this.listGames(games),
      connected: (yes) => {
        find("connection").textContent = yes ? say.connected : say.disconnected;
        find("connection").className = yes ? "on" : "off";
        // A new server numbers its games from the start.
        if (!yes) this.films.clear();
        if (!yes) this.running = null;
        if (!yes) this.lobby.hide();
        this.changed();
      },
    });
  }

  // Games.

  /**
   * The game and the turn that the address asks for, if it does not ask for whatever is live. A game is a number of this
   * server, or a number and a seed when it was played on an earlier one; `begun` may not be listed yet.
   */
  wanted(begun = []) {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const matched = (key, form) => (wanted.has("live") ? null : form.exec(wanted.get(key) ?? ""));
    const [, turn] = matched("turn", /^(\d+)$/) ?? [];
    const [name, id, seed] = matched("game", /^(\d+)(?:-(\d+))?$/) ?? [];
    const isHere = () => [...begun, ...(this.live?.games ?? [])].some((game) => game.id === Number(id) && game.seed === seed);
    const number = (text) => (text === undefined ? null : Number(text));
    return { game: seed === undefined || isHere() ? number(id) : name, turn: number(turn) };
  }

  /** Name of the shown game in links, on later servers too. */
  get name() {
    return typeof this.game === "string" ? this.game : `${this.game}-${this.film.seed}`;
  }

  show(id, film, turn) {
    this.game = id;
    this.film = film;
    this.opening = null;
    this.waits = false;
    find("nothing").hidden = true;
    find("gone").hidden = true;
    find("unreachable").hidden = true;
    find("game").hidden = false;
    find("about").textContent = say.about(film);
    document.title = `${film.players.map(({ name }) => name).join(" · ")} – Pacman IUT'O`;
    this.scores.show(film);
    this.log.show(film);
    this.resize(() => this.board.show(film));
    this.track.show(film);
    this.analyse();
    this.drawn.turn = -1;
    this.playback.show(film, turn);
    if (this.live) this.list.show(this.live.games, id);
    if (this.live) showFiles(find("files"), this.name);
    this.draw();
  }

  /** Opens a game of the list; a running one is followed unless a turn is asked for. `follow` waits for later ones. */
  async open(id, turn, follow = false) {
    const running = id === this.running || this.live.games.some((game) => game.id === id && game.running);
    let film = this.films.get(id);
    if (!film?.frames.length || (!running && !film.complete)) {
      this.opening = id;
      const found = await this.live.film(id);
      if (this.opening !== id) return;
      film = found ?? film;
      if (!film) return found === null ? this.miss(id) : this.retry(id, turn, follow);
      this.films.set(id, film);
    }
    this.show(id, film, turn ?? 0);
    if (follow || (running && turn === null)) this.follow();
    this.complete();
  }

  /** The server is busy or cannot be reached: the game may still be there. */
  retry(...opened) {
    for (const other of ["nothing", "gone"]) find(other).hidden = true;
    find("unreachable").hidden = false;
    setTimeout(() => this.opening === opened[0] && this.open(...opened), RETRY[1]);
  }

  /** A link leads to a game that is neither here nor recorded. */
  miss(id) {
    this.opening = null;
    find("unreachable").hidden = true;
    if (typeof id !== "string") return;
    find("gone").hidden = false;
    history.replaceState(null, "", location.pathname + location.search);
  }

  begin(id, film) {
    this.lobby.hide();
    // After a lost connection, the shown game may still be the same.
    const shown = this.game === id && this.film.isSame(film) ? this.film : null;
    const known = shown ?? this.films.get(id);
    this.films.set(id, known?.isSame(film) ? known : film);
    this.running = this.latest = id;
    this.lastFrame = null;
    this.fresh = film;
    const { game, turn } = this.wanted([{ id, seed: film.seed }]);
    this.waits = this.film ? this.isFollowing : game === null || (game === id && turn === null);
    // This number now belongs to another game.
    if (!this.waits && this.game === id && !shown) this.game = this.name;
    this.changed();
  }

  frame(id, frame) {
    let film = this.films.get(id);
    if (!film) return;
    if (this.lastFrame === null && frame.t < film.last) {
      // A restarted server plays the same game again.
      film = this.fresh;
      this.films.set(id, film);
      this.waits = this.isFollowing;
      if (!this.waits && this.game === id) this.game = null;
    }
    film.add(frame);
    const now = performance.now();
    const interval = now - (this.lastFrame ?? now);
    this.lastFrame = now;
    if (this.waits) this.enter();
    else if (this.game === id && this.film === film) this.playback.extended(interval);
    if (!this.isLive && now - (this.listed ?? 0) > FIGURES) {
      this.listed = now;
      this.enlist(id, film, frame.t);
      if (this.film === film) this.redraw();
    }
  }

  /** Shows the game that is waited for, once the end of the one before has been seen. */
  enter() {
    // Somebody looks at earlier turns meanwhile.
    if (this.film && !this.isFollowing) this.waits = false;
    if (!this.waits) return;
    const rest = this.ended + REST - performance.now();
    if (rest > 0) {
      this.resting ??= setTimeout(() => {
        this.resting = null;
        this.enter();
      }, rest);
      return;
    }
    const film = this.films.get(this.latest);
    if (!film?.frames.length) return;
    this.show(this.latest, film, film.last);
    this.follow();
    if (this.running !== this.latest) this.ended = performance.now();
    // Fetches the turns played before the page was opened.
    if (film.last > 0) this.complete();
  }

  async end(id) {
    this.running = null;
    const film = this.films.get(id);
    if (film) this.enlist(id, film, film.last);
    this.redraw();
    if (this.game === id) {
      this.ended = performance.now();
      await this.complete();
      this.ended = performance.now();
    }
    this.redraw();
  }

  /** Tests if the newest turns of a game that goes on are shown. */
  get isLive() {
    return this.isFollowing && this.running !== null && this.running === this.game;
  }

  /** Tells in the list how far a game is. */
  enlist(id, film, turn) {
    const entry = this.live.games.find((game) => game.id === id);
    if (!entry) return;
    entry.turn = turn;
    entry.points = film.players.map((_, colour) => film.points(turn, colour));
    this.list.show(this.live.games, this.game);
  }

  listGames(games) {
    if (this.isLive && this.drawn.turn >= 0) this.enlist(this.game, this.film, this.drawn.turn);
    else this.list.show(games, this.game);
    if (this.film || this.waits || this.opening || !find("gone").hidden) return;
    const { game, turn } = this.wanted();
    if (typeof game === "string") this.open(game, turn);
    else if (games.length === 0) return;
    else if (games.some(({ id }) => id === game)) this.open(game, turn);
    else this.open(Math.max(...games.map(({ id }) => id)), null, true);
  }

  /** Fetches the turns that were skipped, and the analysis. */
  async complete() {
    const { game, film } = this;
    if (!this.live || game === null || this.fetching.has(game) || (film.complete && film.hasAll(0, film.last))) return;
    this.fetching.add(game);
    const whole = await this.live.film(game);
    this.fetching.delete(game);
    if (!whole || !whole.isSame(film)) return;
    film.complement(whole);
    if (this.film !== film) return;
    this.analyse();
    this.log.shown = null;
    this.redraw();
  }

  /** Shows what is only known of a whole game, or where its recording stops. */
  analyse() {
    const { film } = this;
    const goesOn = this.live && this.running === this.game;
    this.analysis.show(film, goesOn);
    find("cut").hidden = goesOn || film.complete !== false;
    find("cut").textContent = say.cut(film.last);
  }

  get isFollowing() {
    return this.playback.following;
  }

  follow() {
    this.drawn.turn = -1;
    this.playback.follow();
    this.address();
  }

  seek(turn) {
    const known = this.film?.frames[turn];
    this.playback.playing = false;
    this.playback.seek(turn);
    // Draws at once, without waiting for the next animation frame.
    cancelAnimationFrame(this.picture);
    this.picture = null;
    this.draw();
    // Fetches skipped turns from the server's film.
    if (!known || !this.film.hasAll(Math.max(0, turn - 10), turn)) this.complete();
  }

  // Drawing.

  changed() {
    this.picture ??= requestAnimationFrame(() => {
      this.picture = null;
      this.draw();
    });
  }

  draw() {
    if (!this.film) return;
    const { playback, film } = this;
    const { turn } = playback;
    const now = performance.now();
    this.board.draw(turn, playback.phase);
    const early = this.isLive && this.drawn.turn >= 0 ? this.drawn.figures + FIGURES - now : 0;
    if (early > 0) this.later ??= setTimeout(() => (this.later = null, this.changed()), early);
    else this.drawFigures(this.isLive ? film.last : turn, now);
    this.winner.draw(film, turn, this.live && this.running === this.game);
    const moving = playback.playing || (this.isFollowing && this.running !== null);
    // The log is for reading: ten updates per second are enough.
    if (!moving || now - this.drawn.log > 100) {
      this.log.draw(turn);
      this.drawn.log = now;
    }
    if (!moving) {
      const scores = film.players.map(({ name }, colour) => `${name}: ${decimals(film.points(turn, colour))}`);
      this.board.canvas.setAttribute("aria-label", say.board(turn, scores.join(", ")));
      this.address();
    }
    const play = find("play");
    play.classList.toggle("playing", playback.playing);
    play.title = playback.playing ? say.pause : say.play;
    play.setAttribute("aria-label", play.title);
    find("speed").textContent = `${decimals(SPEEDS[playback.speed])}×`;
    const live = find("live");
    live.hidden = this.running === null;
    live.setAttribute("aria-pressed", String(this.isFollowing && this.game === this.running));
  }

  /** Draws at once, the chart and the figures too. */
  redraw() {
    Object.assign(this.drawn, { turn: -1, last: -1 });
    this.draw();
  }

  /** Draws all that has numbers, so that all of it is of the same turn. */
  drawFigures(turn, now) {
    const { drawn, film } = this;
    if (drawn.last < 0 || (this.isLive && film.last !== drawn.last)) this.track.refresh();
    drawn.last = film.last;
    this.track.draw(turn);
    const line = find("line");
    line.max = this.track.turns;
    line.value = turn;
    if (turn === drawn.turn) return;
    this.scores.draw(turn);
    if (this.isLive) this.enlist(this.game, film, turn);
    const words = `${say.turn} ${turn} / ${this.track.turns}`;
    for (const place of ["turn", "caption"]) find(place).textContent = words;
    line.setAttribute("aria-valuetext", `${say.turn} ${turn}`);
    Object.assign(drawn, { turn, figures: now });
  }

  /** Keeps game and turn in the address, not more often than browsers like. */
  address() {
    // An embedded page may have no address of its own.
    if (location.protocol === "about:" || this.opening) return;
    const game = this.game === null ? [] : [`game=${this.name}`];
    const hash = `#${[...game, this.isFollowing ? "live" : `turn=${this.playback.turn}`].join("&")}`;
    if (hash === this.hash) return;
    this.hash = hash;
    clearTimeout(this.addressing);
    this.addressing = setTimeout(() => history.replaceState(null, "", hash), 300);
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
    location.search = search;
  }

  listen() {
    const { playback } = this;
    const on = (id, act) => find(id).addEventListener("click", act);
    on("first", () => this.seek(0));
    on("last", () => this.seek(this.film.last));
    on("back", () => this.step(-1));
    on("forward", () => this.step(1));
    on("play", () => this.toggle());
    on("slower", () => playback.faster(-1));
    on("faster", () => playback.faster(1));
    on("previous", () => this.toMark(false));
    on("next", () => this.toMark(true));
    on("live", () => this.toLive());
    on("help", () => showHelp(find("helper"), this.film));
    on("projector", () => this.project());
    on("language", () => this.switchLanguage());
    find("line").addEventListener("input", (event) => this.seek(Number(event.target.value)));
    document.addEventListener("keydown", (event) => this.key(event));
    // A clicked button loses the focus, so that the space bar plays; keyboard users keep the focus.
    document.addEventListener("click", ({ detail, target }) => detail > 0 && target.closest("button")?.blur());
    window.addEventListener("hashchange", () => {
      this.hash = location.hash;
      clearTimeout(this.addressing);
      this.goTo(this.wanted());
    });
    find("board").addEventListener("dblclick", () => this.project());
    find("board").addEventListener("click", (event) => {
      const colour = this.film && event.detail === 1 ? this.board.playerAt(event, this.playback.turn) : null;
      if (colour !== null) this.followPlayer(colour);
    });
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
    if (new URLSearchParams(location.search).has("projector")) this.project();
  }

  /** Zooming and moving to another screen change the pixels, but not the sizes. */
  watchPixels(refit) {
    const same = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    same.addEventListener("change", () => (refit(), this.watchPixels(refit)), { once: true });
  }

  goTo({ game, turn }) {
    if (this.live && game !== null && game !== this.game) this.open(game, turn);
    else if (turn !== null && turn !== this.playback.turn) this.seek(turn);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || find("helper").open) return;
    const presses = event.key === " " || event.key === "Enter";
    if (presses && document.activeElement.matches("button, a")) return;
    const many = event.shiftKey ? 10 : 1;
    const keys = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.step(-many),
      ArrowRight: () => this.step(many),
      Home: () => this.seek(0),
      End: () => this.seek(this.film.last),
      "+": () => this.playback.faster(1),
      "=": () => this.playback.faster(1),
      "-": () => this.playback.faster(-1),
      b: () => this.toMark(false),
      n: () => this.toMark(true),
      l: () => this.toLive(),
      p: () => this.project(),
      Escape: () => document.body.classList.contains("projector") && this.project(),
      "?": () => showHelp(find("helper"), this.film),
    };
    // A French keyboard types digits with Shift only.
    const [, digit] = /^([1-9])$/.exec(event.key) ?? /^(?:Digit|Numpad)([1-9])$/.exec(event.code) ?? [];
    const follow = digit && (() => this.followPlayer(Number(digit) - 1));
    const act = keys[event.key] ?? keys[event.key.toLowerCase()] ?? follow;
    if (!act || (!this.film && !["?", "p"].includes(event.key))) return;
    event.preventDefault();
    act();
  }

  /** Follows a player with the eyes, or no longer if it was the one. */
  followPlayer(colour) {
    if (!this.film?.players[colour]) return;
    const followed = this.board.followed === colour ? null : colour;
    this.board.followed = followed;
    this.scores.mark(followed);
    this.log.follow(followed);
    this.changed();
  }

  step(turns) {
    this.playback.step(turns);
    const { turn } = this.playback;
    if (!this.film.hasAll(Math.max(0, turn - 10), turn)) this.complete();
  }

  toggle() {
    this.playback.toggle();
    if (!this.film.hasAll(0, this.film.last)) this.complete();
  }

  toMark(forward) {
    const turn = this.track.beside(this.playback.turn, forward);
    if (turn !== undefined) this.seek(turn);
  }

  toLive() {
    if (this.running === null) return;
    if (this.game === this.running) this.follow();
    else this.open(this.running, null);
  }

  project() {
    const on = document.body.classList.toggle("projector");
    find("projector").setAttribute("aria-pressed", String(on));
    this.resize();
    this.redraw();
  }
}

new Page();
