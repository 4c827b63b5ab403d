// Games that are played in the page: by hand, and by bots of the house.

import { copy } from "../shared/copy.js";
import { find } from "../shared/element.js";
import { compressed, thoughtsIn } from "../arene/blocks.js";
import { Film } from "../replay/film.js";
import { signed } from "../replay/words.js";
import { PLAYER_COLOURS } from "../replay/shapes.js";
import { Controls } from "./controls.js";
import { comparePaths } from "./paths.js";
import { Setup } from "./setup.js";
import { words } from "./words.js";

/** @import { Arena, Game, Player } from "../arene/arene.js" */
/** @import { Page } from "../replay/page.js" */
/** @import { Direction, Piece } from "./controls.js" */
/** @import { Game as Listed, Id, Server } from "../replay/session.js" */

/** A game with its players and the letter of the one that is played by hand, if one is. @typedef {{ game: Game, players: Player[], own: string | null }} Played */

/** Most letters of a link to a game: longer ones are cut by programs that send messages. */
const LONGEST = 8000;

/** @type {Record<string, string>} */
const SIGNS = { N: "↑", E: "→", S: "↓", O: "←", X: "·" };

/** @implements {Server} */
export class Play {
  /** @param {Page} page @param {Arena} arena */
  constructor(page, arena) {
    this.page = page;
    this.arena = arena;
    /** @type {Listed[]} */
    this.games = [];
    /** @type {Map<Id, Played>} */
    this.played = new Map();
    /** The moves for the next turn. @type {{ pacman: Direction | null, ghost: Direction | null }} */
    this.wanted = { pacman: null, ghost: null };
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.clock = undefined;
    this.setup = new Setup(find("setup", HTMLFormElement), arena.catalogue, (kind, terms) => this.begin(kind === "pyrat" ? arena.pyrat(terms) : arena.game(terms), terms.players));
    new Controls(find("board"), find("bar"), (piece, direction) => this.move(piece, direction), (piece) => this.isOn(piece));
    this.listen();
  }

  listen() {
    const on = (/** @type {string} */ id, /** @type {() => void} */ act) => find(id).addEventListener("click", act);
    on("advice", () => this.advise());
    on("paths", () => this.togglePaths());
    on("undo", () => this.undo());
    on("branch", () => this.branch());
    on("save", () => this.save());
    on("link-game", () => this.link());
    on("renew", () => this.renew());
    const pace = find("pace", HTMLSelectElement);
    for (const [value, text] of Object.entries(words.paces)) pace.add(new Option(text, value));
    pace.addEventListener("change", () => this.run());
    const ghost = find("ghost", HTMLSelectElement);
    for (const { name } of this.arena.catalogue.bots) ghost.add(new Option(name, name, name === "dijkstra", name === "dijkstra"));
    ghost.add(new Option(words.free, ""));
    const heir = find("heir", HTMLSelectElement);
    heir.add(new Option(words.you, ""));
    for (const { name } of this.arena.catalogue.bots) heir.add(new Option(name, name));
    heir.addEventListener("change", () => this.told(heir.value ? words.heir(heir.value) : undefined));
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file) this.setup.attempt(() => this.read(file));
    });
  }

  /** The game that is shown. */
  get shown() {
    const { game } = this.page.session;
    return game === null ? undefined : this.played.get(game);
  }

  /** Tests if a piece is moved by hand now. @param {Piece} piece */
  isOn(piece) {
    const { shown, page } = this;
    if (!shown?.own || shown.game.over || !page.isFollowing || page.session.running !== page.session.game) return false;
    return piece === "pacman" || (this.ghostBot === "" && !this.isPyrat);
  }

  get ghostBot() {
    return find("ghost", HTMLSelectElement).value;
  }

  get isPyrat() {
    return this.page.film?.game === "pyrat";
  }

  /** Reads a map or a recording that was dropped. @param {File} file */
  async read(file) {
    if (file.size > 1 << 28) throw new Error(words.noRecording);
    if (/\.txt$/i.test(file.name)) return this.setup.useMap(file.name, await file.text());
    await this.open(new Uint8Array(await file.arrayBuffer()));
  }

  /** Opens the game of a link, which has it whole. @param {string} hash the end of the address */
  openLink(hash) {
    const text = new URLSearchParams(hash.slice(1)).get("partie");
    if (text !== null) this.setup.attempt(() => this.open(decoded(text)));
  }

  /** Shows a recorded game. @param {Uint8Array} recording */
  async open(recording) {
    const game = this.arena.open(recording);
    const film = new Film(game.film);
    film.recall(await thoughtsIn(recording));
    const id = this.add(game, film.players.map(() => null), null, film);
    this.page.session.show(id, film, 0);
    this.told();
  }

  /** Begins a game, in which the first player without a bot is played by hand. @param {Game} game @param {Player[]} players @param {string | null} [own] */
  begin(game, players, own = null) {
    const { session } = this.page;
    const film = new Film(game.film);
    const { letter = null } = film.players[players.indexOf(null)] ?? {};
    const id = this.add(game, players, own ?? letter, film);
    this.wanted = { pacman: null, ghost: null };
    session.begin(id, film);
    session.show(id, film, film.last);
    this.page.follow();
    this.told();
    this.run();
    if (this.shown) this.think(this.shown);
  }

  /** Shows a game that is played elsewhere, from its turn on; its number in the list. @param {Film} film */
  live(film) {
    const { session } = this.page;
    const id = this.list(film, true);
    clearInterval(this.clock);
    session.begin(id, film);
    session.show(id, film, film.last);
    this.page.follow();
    return id;
  }

  /** A game that was played elsewhere is over, or stops. @param {number} id @param {Played} played */
  arrived(id, played) {
    this.played.set(id, played);
    if (played.game.over) this.end(id);
    this.told();
  }

  /** Adds a game, and returns its number. @param {Game} game @param {Player[]} players @param {string | null} own @param {Film} film */
  add(game, players, own, film) {
    const id = this.list(film, !game.over);
    this.played.set(id, { game, players, own });
    return id;
  }

  /** Puts a game into the list, and makes room for it on the page. @param {Film} film @param {boolean} running */
  list(film, running) {
    const id = (this.games.at(-1)?.id ?? 0) + 1;
    this.games.push({ id, seed: film.seed, game: film.game, players: film.players.map(({ name }) => name), running, turn: film.last, points: film.players.map((_, colour) => film.points(film.last, colour)) });
    this.setup.hide();
    document.body.classList.add("plays");
    document.body.classList.toggle("is-pyrat", film.game === "pyrat");
    find("bar").hidden = false;
    return id;
  }

  /** The film of a game. @param {Id} id */
  async film(id) {
    const played = this.played.get(id);
    return played ? new Film(played.game.film) : null;
  }

  /** Moves on by itself at a pace, or when nobody plays by hand. */
  run() {
    clearInterval(this.clock);
    const pace = Number(find("pace", HTMLSelectElement).value) || (this.shown?.own === null ? 10 : 0);
    if (pace > 0) this.clock = setInterval(() => this.tick(), 1000 / pace);
  }

  tick() {
    const { shown, page } = this;
    if (!shown || shown.game.over || page.session.running !== page.session.game) return;
    // The game stops while the player looks at earlier turns.
    if (page.isFollowing) this.turn();
  }

  /** @param {Piece} piece @param {Direction} direction */
  move(piece, direction) {
    this.wanted[piece] = direction;
    if (Number(find("pace", HTMLSelectElement).value) > 0) return;
    const { pacman, ghost } = this.wanted;
    if (pacman && (ghost || !this.isOn("ghost"))) this.turn();
    else this.told(piece === "pacman" ? words.ghostNext : undefined);
  }

  /** Plays a turn with what is wanted; a ghost that is not moved by hand follows its bot. */
  turn() {
    const { shown, page: { session }, wanted: { pacman, ghost } } = this;
    if (!shown) return;
    const { game, own } = shown;
    /** @type {Record<string, string>} */
    const messages = {};
    if (own && this.isPyrat) messages[own] = pacman ?? "X";
    else if (own) {
      const second = this.isOn("ghost") ? (ghost ?? "X") : game.advise(own, this.ghostBot)[1];
      messages[own] = `${pacman ?? "X"}${second}`;
    }
    game.step(messages);
    const isSteady = Number(find("pace", HTMLSelectElement).value) > 0;
    if (!isSteady) this.wanted = { pacman: null, ghost: null };
    const id = Number(session.game);
    session.frame(id, game.frame);
    if (game.over) this.end(id);
    this.told();
    this.think(shown);
  }

  /** Lets the bots think while the player does, once the turn is on the screen. @param {Played} played */
  think({ game, own }) {
    if (own === null) return;
    const begin = () => {
      if (this.shown?.game !== game || game.over) return;
      game.think();
      if (this.ghostBot && !this.isPyrat) game.advise(own, this.ghostBot);
    };
    // The first frame draws the turn, and the second one begins when the screen has it.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(begin)));
  }

  /** @param {number} id */
  end(id) {
    const entry = this.games.find((game) => game.id === id);
    if (entry) entry.running = false;
    this.page.session.end(id);
  }

  /** Tells whose turn it is, or something else. @param {string} [text] */
  told(text) {
    const { shown } = this;
    if (!shown) return;
    const { game, own } = shown;
    const place = own && game.over ? game.ranking.find(({ letter }) => letter === own) : undefined;
    const usual = place ? words.over(place.name, place.rank) : own ? words.yourMove(own) : words.watching;
    find("told").textContent = text ?? this.showPaths() ?? (this.page.track.original ? `${usual} ${words.compared}` : usual);
    find("undo", HTMLButtonElement).disabled = game.turn === 0 || own === null;
    find("advice", HTMLButtonElement).disabled = game.over || own === null;
  }

  /** Tells what the champion would play, what it expects of each move, and where its pacman would go. */
  advise() {
    const { shown, page: { board, film } } = this;
    if (!shown?.own || !film) return;
    const { game, own } = shown;
    const bot = this.isPyrat ? "tournee" : "champion";
    const moves = Array.from(game.advise(own, bot), sign);
    if (this.isPyrat) return this.told(moves.join(""));
    const { pacman = [], ghost = [], line = [] } = game.evaluation(own, bot) ?? {};
    this.told(`${words.advised(`${moves[0]} (pacman), ${moves[1]} (${words.ghost})`)} ${words.expected(points(pacman), points(ghost))}`);
    const colour = film.colourOf.get(own) ?? 0;
    const cells = [film.cell(film.frames[game.turn], colour), ...line];
    board.paths = [{ turns: [game.turn, game.turn], cells, colour: PLAYER_COLOURS[colour], dash: [0.02, 0.24], shift: 0 }];
    this.page.redraw();
  }

  togglePaths() {
    const isOn = find("paths").getAttribute("aria-pressed") !== "true";
    find("paths").setAttribute("aria-pressed", String(isOn));
    this.page.board.paths = [];
    this.told();
    this.page.redraw();
  }

  /** Shows the paths of searches beside that of a rat, if they are wanted, and returns what there is to tell. */
  showPaths() {
    const { shown, page: { board, film } } = this;
    if (!shown || !film || !this.isPyrat || find("paths").getAttribute("aria-pressed") !== "true") return undefined;
    const colour = board.followed ?? film.colourOf.get(shown.own ?? "A") ?? 0;
    const { paths, turns: [own, bfs, dijkstra] } = comparePaths(shown.game, film, colour);
    board.paths = paths;
    return words.compare(film.players[colour].name, own, bfs, dijkstra);
  }

  /** Takes the last turn back, for all players. A game that was over stays in the list. */
  undo() {
    const { shown, page: { session } } = this;
    if (!shown || shown.game.turn === 0) return;
    const { game, players, own } = shown;
    const before = session.game;
    this.begin(game.branch(game.turn - 1, players), players, own);
    if (game.over || before === null) return;
    this.games = this.games.filter(({ id }) => id !== before);
    this.played.delete(before);
    game.free();
    session.view.changed();
  }

  /** A game of its own from the turn that is shown, in which one player is played by hand, or by a bot of the house. */
  branch() {
    const { shown, page } = this;
    if (!shown || !page.film) return;
    const letter = page.board.followed === null ? (shown.own ?? "A") : page.film.players[page.board.followed].letter;
    const bot = this.isPyrat ? "tournee" : "dijkstra";
    const heir = find("heir", HTMLSelectElement).value || null;
    const players = page.film.players.map((player, colour) => (player.letter === letter ? heir : (shown.players[colour] ?? bot)));
    const { film, playback: { turn } } = page;
    this.setup.attempt(() => {
      this.begin(shown.game.branch(turn, players), players, heir ? null : letter);
      page.film?.recall(film.thoughts(turn));
      page.track.compare(film, turn);
      this.told();
    });
  }

  /** The recording of the game that is shown, with its thoughts. @param {Played} shown */
  async recording({ game }) {
    const thoughts = await compressed(this.page.film?.thoughts() ?? [], game.recording().length);
    return new Uint8Array(game.recording(thoughts));
  }

  async save() {
    const { shown, page } = this;
    if (!shown) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([await this.recording(shown)], { type: "application/octet-stream" }));
    link.download = `partie-${page.film?.seed}.rejeu`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  /** Shows and copies a link to the game so far, if it is short. */
  async link() {
    const { shown } = this;
    if (!shown) return;
    const text = encoded(await this.recording(shown));
    const field = find("link-field", HTMLInputElement);
    field.hidden = text.length > LONGEST;
    if (field.hidden) return this.told(words.tooLong);
    field.value = `${location.href.split("#")[0]}#partie=${text}`;
    copy(field, find("told"), words.copied);
  }

  renew() {
    clearInterval(this.clock);
    this.setup.show();
  }
}

/** @param {string} letter */
function sign(letter) {
  return SIGNS[letter] ?? letter;
}

/** The points that are expected of moves, the best first. @param {[string, number][]} moves */
function points(moves) {
  const sorted = [...moves].sort(([, one], [, other]) => other - one);
  return sorted.map(([letter, points]) => `${sign(letter)} ${signed(Math.round(points))}`).join(", ");
}

/** Bytes in letters that addresses have (base64url, RFC 4648). @param {Uint8Array} bytes */
function encoded(bytes) {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {string} text */
function decoded(text) {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    throw new Error(words.brokenLink);
  }
}
