import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

import { Film } from "../replay/film.js";
import { Playback, SPEEDS } from "../replay/playback.js";
import { pacman } from "./pacman.film.js";

/** What waits for the next picture. @type {((now: number) => void)[]} */
let waiting = [];
/** @type {number} */
let start;
let isStill = false;

Object.assign(globalThis, {
  window: { matchMedia: () => ({ matches: isStill }) },
  requestAnimationFrame: (/** @type {(now: number) => void} */ tick) => waiting.push(tick),
});

beforeEach(() => {
  waiting = [];
  isStill = false;
});

/** Shows a picture, some milliseconds after the movement began. @param {number} passed */
function picture(passed) {
  const [tick] = waiting.splice(0);
  tick(start + passed);
}

function shown(turn = 0) {
  const playback = new Playback(() => {});
  playback.show(new Film(pacman), turn);
  // The time at which a movement begins is that of its call.
  performance.now = () => start;
  start = 1000;
  return playback;
}

test("it plays to the end and stops there", () => {
  const playback = shown();
  playback.toggle();
  assert.equal(playback.playing, true);
  // Four turns in a second.
  picture(1000);
  assert.equal(playback.turn, 4);
  picture(1125);
  assert.equal(playback.turn, 5);
  assert.equal(playback.phase, 0.5);
  picture(60000);
  assert.equal(playback.turn, 60);
  assert.equal(playback.playing, false);
  assert.deepEqual(waiting, []);
  // Once more from the start.
  playback.toggle();
  assert.equal(playback.turn, 0);
});

test("the speed has limits", () => {
  const playback = shown();
  playback.faster(100);
  assert.equal(SPEEDS[playback.speed], 64);
  playback.faster(-100);
  assert.equal(SPEEDS[playback.speed], 0.25);
});

test("a step forward is seen to happen, a step back is not", () => {
  const playback = shown(10);
  playback.step(1);
  picture(80);
  assert.equal(playback.turn, 11);
  assert.equal(playback.phase, 0.5);
  picture(160);
  assert.equal(playback.phase, 1);
  playback.step(-1);
  assert.equal(playback.position, 10);
  assert.deepEqual(waiting, []);
});

test("a jump stays within the game", () => {
  const playback = shown();
  playback.seek(1000);
  assert.equal(playback.turn, 60);
  playback.seek(-5);
  assert.equal(playback.turn, 0);
});

test("a live game is followed until somebody goes elsewhere", () => {
  const playback = shown();
  const film = new Film({ ...pacman, frames: pacman.frames.slice(0, 21) });
  playback.show(film, 0);
  playback.follow();
  assert.equal(playback.turn, 20);
  film.add({ ...pacman.frames[21] });
  playback.extended(100);
  picture(50);
  assert.equal(playback.phase, 0.5);
  picture(100);
  assert.equal(playback.position, 21);
  // Turns that come together are all seen, unless there are too many.
  for (const turn of [22, 23]) film.add({ ...pacman.frames[turn] });
  playback.extended(40);
  picture(120);
  assert.equal(playback.turn, 22);
  picture(140);
  assert.equal(playback.turn, 23);
  for (let turn = 24; turn <= 30; turn += 1) film.add({ ...pacman.frames[turn] });
  playback.extended(40);
  assert.equal(playback.turn, 26);
  playback.seek(3);
  film.add({ ...pacman.frames[31] });
  playback.extended(100);
  assert.equal(playback.turn, 3);
});

test("nothing moves for people who prefer that", () => {
  isStill = true;
  const playback = shown(10);
  playback.step(1);
  picture(80);
  assert.equal(playback.phase, 1);
});
