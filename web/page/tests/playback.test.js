import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

import { Film } from "../replay/film.js";
import { Playback, SPEEDS } from "../replay/playback.js";
import { pacman } from "./pacman.film.js";

/** The time between two pictures of most screens, which the first one of a movement has moved on by. */
const PICTURE = 1000 / 60;

let isStill = false;

Object.assign(globalThis, { window: { matchMedia: () => ({ matches: isStill }) } });

beforeEach(() => {
  isStill = false;
});

/** Shows pictures until a movement has lasted some milliseconds. @param {Playback} playback @param {number} passed */
function pictures(playback, passed) {
  if (playback.pictured === null) playback.picture(PICTURE);
  playback.picture(passed);
}

function shown(turn = 0) {
  const playback = new Playback(() => {});
  playback.show(new Film(pacman), turn);
  return playback;
}

test("it plays to the end and stops there", () => {
  const playback = shown();
  playback.toggle();
  assert.equal(playback.playing, true);
  // Four turns in a second.
  pictures(playback, 1000);
  assert.equal(playback.turn, 4);
  pictures(playback, 1125);
  assert.equal(playback.turn, 5);
  assert.equal(playback.phase, 0.5);
  pictures(playback, 60000);
  assert.equal(playback.turn, 60);
  assert.equal(playback.playing, false);
  assert.equal(playback.moves, false);
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
  pictures(playback, 80);
  assert.equal(playback.turn, 11);
  assert.equal(playback.phase, 0.5);
  pictures(playback, 160);
  assert.equal(playback.phase, 1);
  playback.step(-1);
  assert.equal(playback.position, 10);
  assert.equal(playback.moves, false);
});

test("the first picture shows a movement, whenever its frame began", () => {
  const playback = shown(10);
  playback.step(1);
  playback.picture(-1000);
  assert.equal(playback.turn, 11);
  assert.ok(playback.phase > 0);
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
  pictures(playback, 50);
  assert.equal(playback.phase, 0.5);
  pictures(playback, 100);
  assert.equal(playback.position, 21);
  // Turns that come together are all seen, unless there are too many.
  for (const turn of [22, 23]) film.add({ ...pacman.frames[turn] });
  playback.extended(40);
  pictures(playback, 20);
  assert.equal(playback.turn, 22);
  pictures(playback, 40);
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
  pictures(playback, 80);
  assert.equal(playback.phase, 1);
});
