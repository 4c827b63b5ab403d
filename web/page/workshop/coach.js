// The coach: which decisions of a player cost most, what would have been better, and how the game would have gone on.

import { element, find } from "../shared/element.js";
import { Film } from "../replay/film.js";
import { turnButton } from "../replay/pieces.js";
import { decimals, signed } from "../replay/words.js";
import { texts } from "./words.js";

/** @import { Advice } from "../arene/arene.js" */
/** @import { Play } from "../play/play.js" */
/** @import { Crew } from "./crew.js" */

/** The bot that plays on for everybody. */
const MODEL = "glouton";

export class Coach {
  /** @param {Play} play @param {Crew} crew */
  constructor(play, crew) {
    this.play = play;
    this.crew = crew;
    find("coach-ask").addEventListener("click", () => this.ask());
    // The players are those of the game that is shown when the list is opened.
    find("tell-coach").addEventListener("click", () => this.list());
  }

  list() {
    const { film, board } = this.play.page;
    const of = find("coach-of", HTMLSelectElement);
    const chosen = board.followed === null ? of.value : film?.players[board.followed].letter;
    of.replaceChildren(...(film?.players ?? []).map(({ letter, name }) => new Option(`${letter} ${name}`, letter, letter === chosen, letter === chosen)));
  }

  /** Asks the coach about the game that is shown. */
  async ask() {
    const { play: { shown, page }, crew } = this;
    const letter = find("coach-of", HTMLSelectElement).value;
    if (!shown || !letter) return this.told(texts.coachNothing);
    if (page.film?.game === "pyrat") return this.told(texts.coachPacman);
    find("advices").replaceChildren();
    this.told(texts.coachThinks);
    const button = find("coach-ask", HTMLButtonElement);
    button.disabled = true;
    const { game } = shown;
    const reason = await crew.run({ kind: "coach", recording: game.recording(), letter }, (told) => {
      if (told.kind !== "advised") return;
      this.told(told.advices.length > 0 ? texts.coachTold : texts.coachNone);
      find("advices").replaceChildren(...told.advices.map((advice) => this.line(game, letter, advice)));
    });
    button.disabled = false;
    if (reason !== null) this.told(reason);
  }

  /** @param {import("../arene/arene.js").Game} game @param {string} letter @param {Advice} advice */
  line(game, letter, advice) {
    const [turn, played, advised, gain, margin] = advice;
    const words = texts.coachLine(played, advised, signed(Math.round(gain)), decimals(Math.round(gain - margin)), decimals(Math.round(gain + margin)));
    const look = element("button", { type: "button", onclick: () => this.branch(game, letter, turn, advised) }, texts.coachBranch);
    return element("li", {}, turnButton(turn, () => this.play.page.seek(turn - 1), element("span", { class: "at" }, String(turn)), element("span", {}, words)), look);
  }

  /** Shows how the game would have gone on. @param {import("../arene/arene.js").Game} game @param {string} letter @param {number} turn @param {string} advised */
  branch(game, letter, turn, advised) {
    const { play, play: { page } } = this;
    const letters = page.film?.players.map((player) => player.letter) ?? [];
    const before = page.film;
    const nobody = letters.map(() => null);
    const other = game.branch(turn - 1, nobody);
    const messages = letters.map((one) => [one, one === letter ? advised : game.orders(one)[turn - 1]]);
    other.step(Object.fromEntries(messages.filter(([, order]) => order !== null)));
    const rest = other.branch(turn, letters.map(() => MODEL));
    other.free();
    while (!rest.over) rest.step();
    const film = new Film(rest.film);
    const id = play.add(rest, nobody, null, film);
    page.session.show(id, film, turn);
    if (before) page.track.compare(before, turn - 1);
    page.redraw();
    play.told();
  }

  /** @param {string} text */
  told(text) {
    find("coach-told").textContent = text;
  }
}
