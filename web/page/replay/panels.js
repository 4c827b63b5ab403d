// The panels beside the board: scores, the log, the analysis, the list of games. Names come from clients, and are
// never parsed as HTML.

import { element, part, penOf } from "../shared/element.js";
import { LETTERS } from "../shared/letters.js";
import { renew } from "../shared/renew.js";
import { INKS, OBJECTS, PLAYER_COLOURS } from "./shapes.js";
import { changedPoints, remarkWords, tell } from "./telling.js";
import { look } from "./theme.js";
import { decimals, milliseconds, say, signed } from "./words.js";

/** @import { Film } from "./film.js" */
/** @import { PacmanPlayer, PlayerAnalysis, PyratPlayer } from "./frames.d.ts" */
/** @import { Gathering } from "./live.js" */
/** @import { Game, Id } from "./session.js" */
/** @import { Draw, Look } from "./shapes.js" */

/** Lines that the log shows, and turns that it looks back for them. */
const LOG_LINES = 60;
const LOG_TURNS = 600;

/** A player's letter on its colour. @param {{ colourOf: Map<string, number> }} film @param {string} text */
function chip(film, text) {
  const colour = film.colourOf.get(text) ?? 0;
  const made = element("span", { class: "chip" }, text);
  made.style.backgroundColor = PLAYER_COLOURS[colour];
  made.style.color = INKS[colour];
  return made;
}

/** @param {number} turn @param {(turn: number) => void} seek @param {...(Node | string)} children */
function turnButton(turn, seek, ...children) {
  return element("button", { type: "button", "data-turn": turn, onclick: () => seek(turn) }, ...children);
}

/** A small picture, `size` times as high as the text beside it. @param {Draw} draw @param {Look} theme @param {number} size */
export function picture(draw, theme, size) {
  const canvas = element("canvas", { "aria-hidden": "true", class: "picture" });
  canvas.width = canvas.height = 80;
  canvas.style.width = canvas.style.height = `${size}em`;
  const pen = penOf(canvas);
  pen.setTransform(canvas.width / 1.15, 0, 0, canvas.width / 1.15, canvas.width / 2, canvas.width / 2);
  draw(pen, theme);
  return canvas;
}

export class Scores {
  /** @param {HTMLElement} table @param {(colour: number) => void} follow */
  constructor(table, follow) {
    this.table = table;
    this.follow = follow;
    this.body = part(table, "tbody");
    /** Of each player. @type {{ row: HTMLElement, cells: HTMLElement[], powers: HTMLElement, button: HTMLElement }[]} */
    this.rows = [];
    /** The colours in the order of the rows. */
    this.order = "";
    /** @type {Film | null} */
    this.film = null;
    /** @type {Look} */
    this.theme = {};
  }

  /** @param {Film} film */
  show(film) {
    this.film = film;
    this.rows = film.players.map(({ letter: text, name }, colour) => {
      const powers = element("span", { class: "powers" });
      const cells = Array.from({ length: 4 }, () => element("td"));
      cells[0].className = "points";
      const texts = element("span", { class: "texts" }, element("span", { class: "name", title: name }, name), powers);
      const button = element("button", { type: "button", class: "who", "aria-pressed": "false", onclick: () => this.follow(colour) }, chip(film, text), texts);
      const row = element("tr", {}, element("th", { scope: "row" }, button), ...cells);
      return { row, cells, powers, button };
    });
    this.order = "";
    this.table.classList.toggle("many", film.players.length > 8);
    this.table.classList.toggle("powerful", film.game === "pacman");
    this.theme = look(this.table);
  }

  /** Shows which player is followed, if one is. @param {number | null} followed */
  mark(followed) {
    this.rows.forEach(({ button, row }, colour) => {
      button.setAttribute("aria-pressed", String(colour === followed));
      row.classList.toggle("followed", colour === followed);
    });
  }

  /** @param {number} turn */
  draw(turn) {
    const { film } = this;
    if (!film) return;
    const frame = film.frames[turn];
    const order = [...film.players.keys()].sort((a, b) => film.points(turn, b) - film.points(turn, a) || a - b);
    if (order.join() !== this.order) {
      this.order = order.join();
      this.body.replaceChildren(...order.map((colour) => this.rows[colour].row));
    }
    this.rows.forEach(({ cells, powers }, colour) => {
      const tally = frame.tally[colour];
      const [malformed, missed, disconnected] = tally.faults;
      const given = frame.g?.[colour];
      const texts = [
        decimals(film.points(turn, colour)),
        given && given[1] < 2 ? milliseconds(given[0]) : "–",
        tally.median === null ? "–" : milliseconds(tally.median),
        String(tally.count),
      ];
      texts.forEach((text, index) => {
        if (cells[index].textContent !== text) cells[index].textContent = text;
      });
      cells[3].title = `${malformed} ${say.malformedTurns(malformed)}, ${missed} ${say.missedTurns}, ${disconnected} ${say.disconnectedTurns}`;
      cells[3].className = tally.count ? "faulty" : "";
      this.drawPowers(powers, frame.p[colour]);
    });
  }

  /** @param {HTMLElement} place @param {PacmanPlayer | PyratPlayer} player */
  drawPowers(place, player) {
    // Those of PyRat have none.
    const [, , , , glutton = 0, freeze = 0, pass = 0] = this.film?.game === "pacman" ? /** @type {PacmanPlayer} */ (player) : [];
    const powers = /** @type {const} */ ([["$", glutton], ["@", freeze], ["~", pass]]);
    const left = powers.filter(([, turns]) => turns > 0);
    const shown = left.flat().join(" ");
    if (place.dataset.shown === shown) return;
    place.dataset.shown = shown;
    place.replaceChildren(...left.map(([object, turns]) =>
      element("span", { class: "power", title: `${say.sources[object]}: ${turns}` }, picture(OBJECTS[object], this.theme, 1.25), String(turns))));
  }
}

export class Log {
  /** @param {HTMLElement} list @param {(turn: number) => void} seek */
  constructor(list, seek) {
    this.list = list;
    this.seek = seek;
    /** @type {Film | null} */
    this.film = null;
    /** What is shown. @type {string | null} */
    this.shown = null;
    /** @type {number | null} */
    this.followed = null;
  }

  /** @param {Film} film */
  show(film) {
    this.film = film;
    this.shown = null;
    this.followed = null;
  }

  /** Only what concerns this player is shown, or everything for null. @param {number | null} followed */
  follow(followed) {
    this.followed = followed;
    this.shown = null;
  }

  /** The events up to a turn, newest first. @param {number} turn */
  /** @param {number} turn */
  draw(turn) {
    const { film, followed } = this;
    if (!film) return;
    const key = `${turn} ${film.frames.length}`;
    if (this.shown === key) return;
    this.shown = key;
    /** @type {Node[]} */
    const lines = [];
    for (let at = turn; at > Math.max(0, turn - LOG_TURNS) && lines.length < LOG_LINES; at -= 1) {
      for (const { event, changes } of film.happenings(at).reverse()) {
        const words = tell(event, film, at);
        const isShown = followed === null || words?.some((one) => typeof one !== "string" && film.colourOf.get(one.letter) === followed);
        if (!words || !isShown || lines.length === LOG_LINES) continue;
        const parts = [...words, ...changedPoints(changes)].map((one) => (typeof one === "string" ? one : chip(film, one.letter)));
        const button = turnButton(at, this.seek, element("span", { class: "at" }, String(at)), element("span", {}, ...parts));
        lines.push(element("li", { class: at === turn ? "now" : null }, button));
      }
    }
    this.list.replaceChildren(...lines);
  }
}

/** The winner, once the end of a game is shown. */
export class Winner {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    /** The film whose winner is shown. @type {Film | null} */
    this.film = null;
  }

  /** @param {Film} film @param {number} turn @param {boolean} goesOn */
  draw(film, turn, goesOn) {
    this.place.hidden = goesOn || !film.complete || film.last === 0 || turn !== film.last;
    if (this.place.hidden || this.film === film) return;
    this.film = film;
    const points = film.players.map((_, colour) => film.points(turn, colour));
    const most = Math.max(...points);
    const first = film.players.filter((_, colour) => points[colour] === most);
    const names = first.map(({ letter, name }) => element("span", { class: "who" }, chip(film, letter), element("span", { class: "name" }, name)));
    this.place.replaceChildren(...names, `${say.wins(first.length)}${say.colon} ${decimals(most)}`);
  }
}

/** Lobby before a game: the players that are there, the number of missing ones, and how to join. */
export class Lobby {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section;
    this.count = /** @type {HTMLElement} */ (section.querySelector(".count"));
    this.come = /** @type {HTMLElement} */ (section.querySelector(".come"));
  }

  /** @param {Gathering} gathering */
  show({ names, seats, port }) {
    const film = { colourOf: new Map(names.map((_, colour) => [LETTERS[colour], colour])) };
    this.section.hidden = false;
    this.count.textContent = say.missing(names.length, seats);
    part(this.section, "ul").replaceChildren(...names.map((name, colour) => element("li", { class: "who" }, chip(film, LETTERS[colour]), element("span", { class: "name" }, name))));
    const command = element("code", {}, `client --equipe ${say.name} --serveur ${location.hostname}:${port}`);
    this.come.replaceChildren(...(port === null ? [] : [`${say.toCome}${say.colon} `, command]));
  }

  hide() {
    this.section.hidden = true;
  }
}

/** Links to what can be taken along of a game. @param {HTMLElement} place @param {string} id */
export function showFiles(place, id) {
  place.hidden = false;
  const links = Object.entries(say.files).map(([suffix, name]) => element("a", { href: `api/games/${id}/file/${suffix}`, download: `partie-${id}.${suffix}` }, name));
  place.replaceChildren(`${say.takeAlong}${say.colon} `, ...links.flatMap((made, index) => (index ? [" · ", made] : [made])));
}

export class AnalysisPanel {
  /** @param {HTMLElement} section @param {(turn: number) => void} seek */
  constructor(section, seek) {
    this.section = section;
    this.seek = seek;
    this.cards = /** @type {HTMLElement} */ (section.querySelector(".cards"));
  }

  /** Nothing is told of a game that goes on. @param {Film} film @param {boolean} goesOn */
  show(film, goesOn) {
    this.section.hidden = goesOn || !film.analysis || film.last === 0;
    this.cards.replaceChildren();
    if (this.section.hidden || !film.analysis) return;
    const players = film.analysis.map((player, colour) => ({ ...player, letter: film.players[colour].letter }));
    players.sort((a, b) => a.rank - b.rank || a.letter.localeCompare(b.letter));
    const most = Math.max(1, ...players.flatMap(({ sources }) => sources.map(([, , points]) => Math.abs(points))));
    const answering = players.map(({ thinking_s: times }) => times).filter((times) => times[4] > 0);
    const range = [Math.min(...answering.map((times) => times[0])), Math.max(...answering.map((times) => times[4]))];
    this.cards.append(...players.map((player) => this.card(film, player, most, range.map((seconds) => Math.max(seconds, 1e-6)))));
  }

  /** @param {Film} film @param {PlayerAnalysis & { letter: string }} player @param {number} most @param {number[]} range */
  card(film, player, most, range) {
    const title = element("h3", {}, element("span", { class: "rank" }, `${player.rank}.`), chip(film, player.letter), element("span", { class: "name", title: player.name }, player.name), element("span", { class: "sum" }, decimals(player.points)));
    const sources = player.sources.map(([key, count, points]) => {
      const bar = element("i", { class: points < 0 ? "bar loss" : "bar" });
      bar.style.width = `${Math.max(1, (Math.abs(points) / most) * 100)}%`;
      return element("tr", {}, element("th", { scope: "row" }, `${count} × ${/** @type {Record<string, string>} */ (say.sources)[key] ?? key}`), element("td", { class: "number" }, signed(points)), element("td", { class: "room" }, bar));
    });
    /** @type {Record<string, number>} */
    const counts = player.causes;
    const causes = Object.entries(say.countedCauses).filter(([cause]) => counts[cause] > 0).map(([cause, word]) => `${counts[cause]} ${word}`);
    const missed = `${say.missedTurns}${say.colon} ${causes.join(", ")}`;
    /** @type {[number, string][]} */
    const facts = [[player.idle, say.idleTurns], [player.held, say.heldTurns], [player.missed, missed], [player.malformed, say.malformedTurns(player.malformed)], [player.late, say.lateTurns], [player.disconnected, say.disconnectedTurns]];
    const shown = facts.filter(([count], index) => index < 2 || count > 0);
    const turns = (/** @type {string} */ name, /** @type {[number, number][]} */ list) => (list.length
      ? [element("h4", {}, name), element("p", { class: "turns" }, ...list.map(([turn, points]) => turnButton(turn, this.seek, `${turn} `, element("b", {}, signed(points)))))]
      : []);
    const lost = player.rank > 1 ? [element("h4", { class: "lost" }, say.whyLost)] : [];
    return element("article", { class: "card" }, title, ...lost,
      element("table", { class: "sources" }, element("tbody", {}, ...sources)),
      element("ul", { class: "facts" }, ...shown.map(([count, what]) => element("li", {}, element("b", {}, String(count)), ` ${say.of} ${film.last} ${say.turns(film.last)} ${what}`))),
      element("h4", {}, say.thinking), ...this.thinking(player.thinking_s, range),
      ...turns(say.best, player.best), ...turns(say.worst, player.worst), ...this.remarks(player.remarks, film.game));
  }

  /** The first answers that went wrong; what was sent is only ever text. @param {PlayerAnalysis["remarks"]} remarks @param {"pacman" | "pyrat"} game */
  remarks(remarks, game) {
    if (!remarks.length) return [];
    const line = (/** @type {PlayerAnalysis["remarks"][number]} */ [turn, ...flaws]) => element("li", {}, turnButton(turn, this.seek, element("b", {}, `${turn}${say.colon}`), ` ${remarkWords(flaws, game)}`));
    return [element("h4", {}, say.remarks), element("ul", { class: "remarks" }, ...remarks.map(line))];
  }

  /** Thinking times on a logarithmic scale: a box up to nine in ten, with the median, and how far the others go. @param {number[]} times @param {number[]} range */
  thinking(times, [shortest, longest]) {
    if (times[4] === 0) return [element("p", {}, say.noAnswer)];
    const far = (/** @type {number} */ seconds) => Math.max(0, (Math.log(seconds / shortest) / Math.log(Math.max(longest / shortest, 1.01))) * 99);
    const piece = (/** @type {string} */ name, /** @type {number} */ from, /** @type {number} */ to) => {
      const made = element("i", { class: name });
      made.style.left = `${from}%`;
      made.style.width = `${to - from}%`;
      return made;
    };
    const [least, median, mostly, nearly, most] = times.map(far);
    const box = element("div", { class: "times", "aria-hidden": "true" }, piece("whisker", least, most), piece("box", least, mostly), piece("tick", median, median), piece("tick end", nearly, nearly), piece("tick end", most, most));
    const words = times.map((seconds, index) => element("span", {}, element("small", {}, say.thinkingScale[index]), ` ${milliseconds(seconds * 1000)} ms`));
    return [box, element("p", { class: "scale" }, ...words)];
  }
}

export class GameList {
  /** @param {HTMLElement} nav */
  constructor(nav) {
    this.nav = nav;
    this.list = part(nav, "ul");
  }

  /** @param {Game[]} games @param {Id | null} selected */
  show(games, selected) {
    this.nav.hidden = games.length === 0;
    const newest = [...games].sort((a, b) => b.id - a.id);
    renew(this.list, [newest, selected], () => newest.map((game) => this.entry(game, game.id === selected)));
  }

  /** @param {Game} game @param {boolean} isSelected */
  entry(game, isSelected) {
    const film = { colourOf: new Map(Array.from(LETTERS, (text, colour) => [text, colour])) };
    const order = game.players.map((name, colour) => /** @type {const} */ ([colour, name, game.points?.[colour] ?? 0])).sort((a, b) => b[2] - a[2]);
    const players = order.slice(0, 4).map(([colour, name, points]) => element("span", { class: "entry" }, chip(film, LETTERS[colour]), element("span", { class: "name" }, name), element("b", {}, decimals(points))));
    if (order.length > 4) players.push(element("span", { class: "soft" }, `+ ${order.length - 4}`));
    const state = game.running ? `${say.playing} · ${say.turn} ${game.turn}` : `${say.finished} · ${game.turn} ${say.turns(game.turn)}`;
    return element("li", {}, element("a", { href: `#game=${game.id}`, "aria-current": isSelected ? "true" : null },
      element("span", { class: "head" }, element("b", {}, `${game.id} · ${game.game === "pyrat" ? "PyRat" : "Pacman"}`), element("span", { class: game.running ? "state on" : "state" }, state)), ...players));
  }
}
