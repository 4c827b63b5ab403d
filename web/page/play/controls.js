// Moves by keys, swipes, buttons and gamepads.

/** A direction, as on the wire. @typedef {"N" | "E" | "S" | "O"} Direction */
/** @typedef {"pacman" | "ghost"} Piece */

/** @type {Record<string, Direction>} */
const ARROWS = { ArrowUp: "N", ArrowRight: "E", ArrowDown: "S", ArrowLeft: "O" };
/** By the place of the key: W A S D, and Z Q S D on a French keyboard. @type {Record<string, Direction>} */
const LEFT_HAND = { KeyW: "N", KeyD: "E", KeyS: "S", KeyA: "O" };
/** The buttons of a gamepad's cross, in the standard mapping. @type {Record<number, Direction>} */
const CROSS = { 12: "N", 15: "E", 13: "S", 14: "O" };
/** Pixels of a swipe, at least. */
const SWIPE = 24;

/** The direction of a vector that is long enough. @param {number} x @param {number} y @param {number} least @returns {Direction | null} */
export function towards(x, y, least) {
  if (Math.max(Math.abs(x), Math.abs(y)) < least) return null;
  if (Math.abs(x) > Math.abs(y)) return x > 0 ? "E" : "O";
  return y > 0 ? "S" : "N";
}

export class Controls {
  /**
   * `move` is told of each move while `isOn`; a key that it takes does nothing else.
   *
   * @param {HTMLElement} board @param {HTMLElement} pad
   * @param {(piece: Piece, direction: Direction) => void} move
   * @param {(piece: Piece) => boolean} isOn
   */
  constructor(board, pad, move, isOn) {
    this.move = move;
    this.isOn = isOn;
    /** The last direction of each stick and cross of a gamepad. @type {Map<string, Direction | null>} */
    this.held = new Map();
    // Before the keys of the time line.
    window.addEventListener("keydown", (event) => this.key(event), { capture: true });
    for (const button of pad.querySelectorAll("button")) {
      button.addEventListener("click", () => isOn("pacman") && move("pacman", /** @type {Direction} */ (button.dataset.go)));
    }
    /** @type {PointerEvent | null} */
    let from = null;
    board.addEventListener("pointerdown", (event) => (from = event));
    board.addEventListener("pointerup", (event) => {
      const direction = from && towards(event.clientX - from.clientX, event.clientY - from.clientY, SWIPE);
      from = null;
      if (direction && isOn("pacman")) move("pacman", direction);
    });
    window.addEventListener("gamepadconnected", () => this.poll());
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || (target instanceof HTMLElement && target.matches("input, select, textarea"))) return;
    const piece = event.code in LEFT_HAND ? "ghost" : "pacman";
    const direction = piece === "ghost" ? LEFT_HAND[event.code] : ARROWS[event.key];
    if (!direction || event.shiftKey || !this.isOn(piece)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) this.move(piece, direction);
  }

  poll() {
    const pads = navigator.getGamepads().filter((pad) => pad !== null);
    for (const { buttons, axes } of pads) {
      const pressed = Object.keys(CROSS).find((number) => buttons[Number(number)]?.pressed);
      this.hold("pacman", "cross", pressed === undefined ? null : CROSS[Number(pressed)]);
      this.hold("pacman", "left", towards(axes[0] ?? 0, axes[1] ?? 0, 0.5));
      this.hold("ghost", "right", towards(axes[2] ?? 0, axes[3] ?? 0, 0.5));
    }
    if (pads.length > 0) requestAnimationFrame(() => this.poll());
  }

  /** A stick that is held counts once. @param {Piece} piece @param {string} stick @param {Direction | null} direction */
  hold(piece, stick, direction) {
    if (this.held.get(stick) === direction) return;
    this.held.set(stick, direction);
    if (direction && this.isOn(piece)) this.move(piece, direction);
  }
}
