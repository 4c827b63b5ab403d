// The workshop: programs are written, played, stopped, changed and played on.

import { element, find } from "../shared/element.js";
import { spoken } from "../shared/language.js";
import { Film } from "../replay/film.js";
import { Bots, languageOf } from "./bots.js";
import { Coach } from "./coach.js";
import { Crew } from "./crew.js";
import { beside, plain } from "./editor.js";
import { JAVASCRIPT, PYTHON, RAT } from "./files.js";
import { remarks, texts } from "./words.js";

/** @import { Arena, Player } from "../arene/arene.js" */
/** @import { Play } from "../play/play.js" */
/** @import { Atelier, Widget } from "./editor.js" */
/** @import { Kept } from "./bots.js" */
/** @import { Program, Task, Told } from "./worker.js" */

/** Milliseconds after the last change until a program is kept. */
const PAUSE = 400;
const GAMES = 20;
/** The address at which a server that shows the page lets players in. */
const SERVER = "../ws";
/** The recorded game that a program can go on with. @typedef {{ id: number, recording: Uint8Array, players: Player[], letter: string }} Last */

export class Workshop {
  /** @param {Play} play @param {Arena} arena @param {WebAssembly.Module} wasm */
  constructor(play, arena, wasm) {
    this.play = play;
    this.arena = arena;
    this.crew = new Crew(find("worker", HTMLScriptElement).text, wasm, spoken.language);
    this.bots = new Bots([{ name: "bot.py", text: PYTHON }, { name: "bot.js", text: JAVASCRIPT }, { name: "rat.py", text: RAT }], storage());
    this.chosen = this.bots.all[0];
    /** @type {Widget | null} */
    this.editor = null;
    /** @type {Atelier | null} */
    this.atelier = null;
    /** Settled once Python is there, or cannot be had. */
    this.python = Promise.resolve();
    /** How often a run was asked for or given up: of those that wait for Python, only the last one may still begin. */
    this.asked = 0;
    /** @type {Last | null} */
    this.last = null;
    /** The lines that were printed, with their turns. @type {{ turn: number, item: HTMLElement }[]} */
    this.lines = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.keeping = undefined;
    this.coach = new Coach(play, this.crew);
    this.listen();
  }

  listen() {
    const on = (/** @type {string} */ id, /** @type {() => unknown} */ act) => find(id).addEventListener("click", act);
    on("atelier", () => this.toggle());
    on("run", () => this.begin());
    on("step", () => this.goOn(1));
    on("go-on", () => this.goOn(Infinity));
    on("halt", () => this.crew.stop?.(texts.halted));
    on("trial", () => this.trial());
    on("ask", () => this.ask());
    on("enter", () => this.enter());
    on("bot-python", () => this.add(this.play.setup.kind === "pyrat" ? { name: "rat.py", text: RAT } : { name: "bot.py", text: PYTHON }));
    on("bot-javascript", () => this.add({ name: "bot.js", text: JAVASCRIPT }));
    on("bot-save", () => save(this.chosen.name, this.chosen.text));
    on("bot-kit", () => save("pacman_iuto.py", this.crew.parts?.kit ?? ""));
    on("bot-delete", () => this.remove());
    find("bot").addEventListener("change", () => this.choose(this.bots.all[find("bot", HTMLSelectElement).selectedIndex]));
    find("bot-name").addEventListener("change", () => this.rename(find("bot-name", HTMLInputElement).value.trim()));
    const deadline = find("deadline", HTMLSelectElement);
    for (const [value, text] of Object.entries(texts.deadlines)) deadline.add(new Option(text, value));
    for (const [value, text] of Object.entries(texts.untilEvents)) find("until-event", HTMLSelectElement).add(new Option(text, value));
    this.play.page.watch = (turn) => this.shown(turn);
    window.addEventListener("pagehide", () => this.keep());
    if (new URLSearchParams(location.search).has("atelier")) this.toggle();
  }

  /** Opens or closes the workshop. */
  async toggle() {
    const isOpen = document.body.classList.toggle("workshop");
    find("atelier").setAttribute("aria-pressed", String(isOpen));
    find("workshop").hidden = !isOpen;
    this.play.setup.program = isOpen ? () => this.begin() : null;
    this.play.page.resize();
    if (!isOpen) this.asked += 1;
    if (!isOpen || this.editor) return;
    // While this waits, nothing opens a second editor.
    this.editor = plain(element("div"), "", () => {});
    this.python = this.bringPython();
    this.atelier = await beside("atelier.js", "atelier");
    this.editor = (this.atelier?.open ?? plain)(find("editor"), texts.program, () => this.changed());
    this.choose(this.chosen);
    await Promise.all([this.python, this.findServer()]);
  }

  async bringPython() {
    const told = find("python");
    told.textContent = texts.loadingPython;
    try {
      const bring = await beside("python.js", "bringPython");
      if (!bring) throw new Error(texts.noPython);
      await this.crew.bring(await bring());
      told.textContent = texts.pythonReady;
      find("bot-kit").hidden = false;
    } catch (error) {
      told.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  /** Offers to play on the server that the page comes from, if it lets browsers in. */
  async findServer() {
    if (!location.protocol.startsWith("http")) return;
    try {
      const { status } = await fetch(SERVER);
      find("enter").hidden = status !== 426;
    } catch {
      // There is none.
    }
  }

  // Programs.

  list() {
    const { all } = this.bots;
    find("bot").replaceChildren(...all.map((bot) => new Option(bot.name, bot.name, bot === this.chosen, bot === this.chosen)));
    find("bot-name", HTMLInputElement).value = this.chosen.name;
    find("bot-delete", HTMLButtonElement).disabled = all.length === 1;
  }

  /** @param {Kept} bot */
  choose(bot) {
    this.chosen = bot;
    this.editor?.show(bot.text, languageOf(bot.name) ?? "python");
    this.list();
  }

  /** @param {Kept} bot */
  add(bot) {
    const added = { ...bot, name: this.bots.free(bot.name) };
    this.bots.all.push(added);
    this.keep();
    this.choose(added);
  }

  remove() {
    if (!confirm(texts.sure(this.chosen.name))) return;
    this.bots.all = this.bots.all.filter((bot) => bot !== this.chosen);
    this.keep();
    this.choose(this.bots.all[0]);
  }

  /** @param {string} name */
  rename(name) {
    const isTaken = this.bots.all.some((bot) => bot !== this.chosen && bot.name === name);
    if (isTaken || languageOf(name) === null || /[/\\]/.test(name)) this.told(texts.renamed);
    else {
      this.chosen.name = name;
      this.keep();
      this.choose(this.chosen);
    }
    this.list();
  }

  changed() {
    this.chosen.text = this.editor?.text ?? this.chosen.text;
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keep(), PAUSE);
  }

  keep() {
    if (!this.bots.keep()) this.told(texts.notKept);
  }

  /** The program as it is to run, once its language is loaded; null if it cannot run, which is told. @returns {Promise<Program | null>} */
  async program() {
    const asked = ++this.asked;
    if (languageOf(this.chosen.name) !== "javascript" && !this.crew.parts) {
      this.told(texts.loadingPython);
      await this.python;
      if (this.asked !== asked) return null;
    }
    const { name, text } = this.chosen;
    const language = languageOf(name) ?? "python";
    if (language === "python" && !this.crew.parts) {
      this.told(texts.noPython);
      return null;
    }
    const guarded = language === "javascript" ? this.atelier?.guard(text) : undefined;
    if (guarded && "line" in guarded) {
      this.told(texts.noJavaScript(guarded.line));
      this.editor?.mark(guarded.line);
      return null;
    }
    return { name, language, text: guarded?.text ?? text };
  }

  // Runs.

  get deadline() {
    return Number(find("deadline", HTMLSelectElement).value);
  }

  /** The event after which a game stops; empty for none. */
  get event() {
    return find("until-event", HTMLSelectElement).value;
  }

  get until() {
    return Number(find("until", HTMLInputElement).value) || Infinity;
  }

  /** The terms in the form, with the seat of the program; null, with a message, if they cannot be played. */
  terms() {
    const { setup } = this.play;
    if (!setup.form.reportValidity()) return null;
    const { terms, kind } = setup;
    const seat = terms.players.indexOf(null);
    if (seat < 0) {
      this.told(texts.noSeat);
      return null;
    }
    const names = terms.names?.map((name, colour) => (colour === seat ? this.chosen.name : name));
    return { terms: { ...terms, names, isPyrat: kind === "pyrat" }, letter: String.fromCharCode("A".charCodeAt(0) + seat) };
  }

  /** Plays a game from its start. */
  async begin() {
    const program = await this.program();
    const found = program && this.terms();
    if (!found) return;
    const { terms, letter } = found;
    this.run({ kind: "play", program, letter, terms, deadline: this.deadline, until: this.until, event: this.event }, terms.players);
  }

  /** Plays on from the turn that is shown. @param {number} turns at most */
  async goOn(turns) {
    const program = await this.program();
    const { last, play: { page } } = this;
    if (!program || !last) return;
    const turn = Math.min(page.playback.turn, page.film?.last ?? 0);
    const until = turns === 1 ? turn + 1 : this.until > turn ? this.until : Infinity;
    const { recording, players, letter } = last;
    this.run({ kind: "goOn", program, letter, recording, turn, players, deadline: this.deadline, until, event: this.event }, players);
  }

  /** @param {Task} task @param {Player[]} players */
  async run(task, players) {
    const { play, play: { page } } = this;
    this.prepare();
    let id = this.last?.id ?? 0;
    if (task.kind === "goOn") {
      const shown = page.film;
      // Another future is another game.
      if (page.session.game !== id || shown?.last !== task.turn) {
        const film = new Film(this.arena.open(task.recording).branch(task.turn, players.map(() => null)).film);
        film.recall(shown?.thoughts(task.turn) ?? []);
        id = play.live(film);
      }
      else page.follow();
    }
    const reason = await this.crew.run(task, (told) => {
      if (told.kind === "begun") id = play.live(new Film(told.film));
      else if (told.kind === "turn") page.session.frame(id, told.frame);
      else if (told.kind === "ended") {
        const { recording, ending, turn } = told;
        const game = this.arena.open(recording);
        this.last = { id, recording, players, letter: task.letter };
        play.arrived(id, { game, players, own: null });
        const { rank = 0, points = 0 } = game.ranking.find(({ letter }) => letter === task.letter) ?? {};
        const isPyrat = game.maze !== undefined;
        const how = ending === "over" ? texts.ended.over(rank, points) : texts.ended[ending](turn);
        const more = turn > 0 ? remarks(game.check(task.letter), isPyrat) : isPyrat && ending === "left" ? [texts.ratsBegin] : [];
        this.told([how, ...more].join(" "));
      } else this.hear(told);
    });
    this.finish(reason);
  }

  async trial() {
    const program = await this.program();
    const found = program && this.terms();
    if (!found) return;
    this.prepare();
    let [games, firsts, points] = [0, 0, 0];
    const reason = await this.crew.run({ kind: "trial", program, ...found, deadline: this.deadline, games: GAMES }, (told) => {
      if (told.kind === "result") {
        games += 1;
        firsts += told.rank === 1 ? 1 / told.sharing : 0;
        points += told.points;
        const share = this.arena.share(firsts, games);
        if (share) this.told(texts.results(games, share, points / games));
      } else if (told.kind === "ended" && told.ending !== "over") this.told(texts.ended[told.ending](told.turn));
      else this.hear(told);
    });
    this.finish(reason);
  }

  /** Asks the program what it would order in the game that is shown, in the place of the player that is followed. */
  async ask() {
    const program = await this.program();
    const { shown, page } = this.play;
    if (!program) return;
    if (!shown || !page.film || shown.game.turn === 0) return this.told(texts.askNothing);
    const { letter, name } = page.film.players[page.board.followed ?? 0];
    this.prepare();
    let [asked, others] = [0, 0];
    const task = /** @type {const} */ ({ kind: "ask", recording: shown.game.recording(), program, letter, deadline: this.deadline });
    const reason = await this.crew.run(task, (told) => {
      if (told.kind === "asked") {
        asked += 1;
        if (told.order === told.played) return;
        others += 1;
        this.print(told.turn, [texts.asked(told.order ?? "—", told.played ?? "—"), told.words].filter(Boolean).join(" "), "");
      } else if (told.kind === "ended") this.told(told.ending === "over" ? texts.askedAll(name, others, asked) : texts.ended[told.ending](told.turn));
      else this.hear(told);
    });
    this.finish(reason);
  }

  /** Plays on the server that the page comes from. */
  async enter() {
    const program = await this.program();
    if (!program) return;
    const team = program.name.replace(/\.\w+$/, "");
    const address = new URL(SERVER, location.href).href.replace(/^http/, "ws");
    this.prepare();
    this.told(texts.entered(team));
    const reason = await this.crew.run({ kind: "enter", program, address, team, letter: "", deadline: this.deadline }, (told) => {
      if (told.kind === "at") this.told(texts.playing(team, told.turn, told.turns));
      else if (told.kind === "closed") this.told(texts.closed(told.reason));
      else this.hear(told);
    });
    this.finish(reason);
  }

  prepare() {
    this.crew.stop?.(texts.halted);
    this.keep();
    this.lines = [];
    find("console").replaceChildren();
    this.editor?.mark(null);
    this.told(texts.running);
    this.buttons(true);
  }

  /** @param {string | null} reason */
  finish(reason) {
    if (reason !== null) this.told(reason);
    this.buttons(false);
  }

  /** @param {boolean} runs */
  buttons(runs) {
    find("halt", HTMLButtonElement).disabled = !runs;
    for (const id of ["run", "trial", "ask", "enter"]) find(id, HTMLButtonElement).disabled = runs;
    for (const id of ["step", "go-on"]) find(id, HTMLButtonElement).disabled = runs || this.last === null;
  }

  /** @param {Told} told */
  hear(told) {
    if (told.kind === "said") this.print(told.turn, told.text, "");
    else if (told.kind === "failed") {
      const { turn, text, line, isLate } = told;
      this.print(turn, text ?? texts.isLate(line), "failed");
      if (text !== null && isLate) this.print(turn, texts.isLate(line), "failed");
      this.editor?.mark(line);
    }
  }

  /** @param {number} turn @param {string} text @param {string} kind */
  print(turn, text, kind) {
    const seek = element("button", { type: "button", title: `${turn}`, onclick: () => this.play.page.seek(turn) }, String(turn));
    const item = element("li", { class: kind }, seek, element("span", {}, text));
    this.lines.push({ turn, item });
    find("console").append(item);
    this.shown(this.play.page.playback.turn);
  }

  /** Marks what was printed at the turn that is shown. @param {number} turn */
  shown(turn) {
    let first = null;
    for (const { turn: said, item } of this.lines) {
      const isNow = said === turn;
      item.classList.toggle("now", isNow);
      if (isNow) first ??= item;
    }
    const place = find("console");
    if (first) place.scrollTop = first.offsetTop - place.offsetTop;
  }

  /** @param {string} text */
  told(text) {
    find("run-told").textContent = text;
  }
}

/** Saves a text as a file. @param {string} name @param {string} text */
function save(name, text) {
  const link = element("a", { download: name, href: URL.createObjectURL(new Blob([text], { type: "text/plain" })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The storage of this browser; null if it keeps nothing for this page. */
function storage() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
