import assert from "node:assert/strict";
import test from "node:test";

import { Film } from "../replay/film.js";
import { pacman } from "./pacman.film.js";
import { pyrat } from "./pyrat.film.js";

/** Objects after a turn, from the changes of all turns before. @param {import("../replay/frames.d.ts").RecordedFilm} film @param {number} turn */
function objectsAfter(film, turn) {
  const [start] = film.frames;
  const objects = typeof start.o === "string" ? Array.from(start.o) : Array(film.rows * film.cols).fill(" ");
  if (Array.isArray(start.o)) for (const cell of start.o) objects[cell] = "C";
  for (const frame of film.frames.slice(1, turn + 1)) for (const [cell, letter] of frame.d ?? []) objects[cell] = letter;
  return objects;
}

/** A film that knows only the frames of these turns. @param {import("../replay/frames.d.ts").RecordedPacmanFilm} film @param {number[]} turns */
function partOf(film, turns) {
  const part = new Film({ ...film, frames: [] });
  for (const turn of turns) part.add({ ...film.frames[turn], ...(turn === 0 ? {} : { d: undefined, o: objectsAfter(film, turn).join("") }) });
  return part;
}

for (const recorded of [pacman, pyrat]) {
  test(`objects of ${recorded.game} are known after any turn, in any order`, () => {
    const film = new Film(recorded);
    const last = recorded.frames.length - 1;
    assert.equal(film.last, last);
    for (const turn of [last, 0, Math.floor(last / 2), 1, last - 1]) {
      assert.deepEqual(film.objects(turn), objectsAfter(recorded, turn));
    }
  });
}

test("points and pieces are those of the game", () => {
  const [first, second] = pacman.frames[60].p[0];
  assert.deepEqual(new Film(pacman).pieces(60, 0), [first, second]);
  assert.equal(new Film(pacman).points(60, 0), pacman.frames[60].p[0][2]);
  assert.deepEqual(new Film(pyrat).pieces(9, 1), [pyrat.frames[9].p[1][0]]);
  assert.equal(new Film(pyrat).points(9, 1), pyrat.frames[9].p[1][1]);
});

test("changes cannot be shown without the frame that they change", () => {
  const film = partOf(pacman, [0]);
  film.add({ ...pacman.frames[5] });
  assert.equal(film.last, 0);
  film.add({ ...pacman.frames[1] });
  assert.equal(film.last, 1);
});

test("a turn that was skipped is shown by the one before", () => {
  const film = partOf(pacman, [0, 3, 9]);
  assert.deepEqual([0, 1, 3, 8, 9, 50].map((turn) => film.known(turn)), [0, 0, 3, 3, 9, 9]);
  assert.equal(film.hasAll(0, 3), false);
  assert.equal(film.hasAll(3, 3), true);
});

test("a film is complemented by another one, and keeps what it knows better", () => {
  const film = partOf(pacman, [0, 3, 9, 10]);
  const other = new Film({ ...pacman, frames: pacman.frames.slice(0, 8) });
  assert.equal(film.isSame(other), true);
  assert.equal(film.isSame(new Film({ ...pacman, seed: "8" })), false);
  film.complement(other);
  assert.equal(film.hasAll(0, 7), true);
  assert.equal(film.frames[8], undefined);
  assert.deepEqual(film.objects(10), objectsAfter(pacman, 10));
});

test("faults are counted by kind, and times have a median", () => {
  const { tally } = new Film(pyrat).frames[8];
  // Malformed, missed four times, disconnected.
  assert.deepEqual(tally[0].faults, [1, 4, 1]);
  assert.equal(tally[0].count, 6);
  assert.deepEqual(tally[1].faults, [0, 0, 0]);
  assert.equal(tally[1].median, Math.fround(3.02));
});

test("each answer that was not as it should be is one fault", () => {
  const film = new Film(pacman);
  const faults = (/** @type {number} */ turn) => film.happenings(turn).map(({ event }) => event).filter(([kind, who]) => (kind === "absent" || kind === "sent") && who === "A");
  assert.deepEqual(faults(1), [["absent", "A", "missed", undefined]]);
  assert.deepEqual(faults(3), [["absent", "A", "missed", ["network", 210, 3, 2, 0]]]);
  assert.deepEqual(faults(5), [["sent", "A", ["malformed", "\"se\"", "capitals"]]]);
  assert.deepEqual(faults(7), [["absent", "A", "disconnected"]]);
  assert.deepEqual(faults(8), [["absent", "A", "back"]]);
});

test("episodes are as the last turn that is known leaves them", () => {
  const film = new Film({ ...pacman, frames: pacman.frames.slice(0, 30) });
  const all = new Film(pacman);
  assert.ok(all.episodes.length > film.episodes.length && film.episodes.length > 0);
  for (const { first, last, count } of all.episodes) assert.ok(first <= last && count >= 1 && last <= 60);
  const [fault] = all.episodes.filter(({ kind, player }) => kind === "missed" && player === "A");
  assert.deepEqual([fault.first, fault.last, fault.count], [1, 4, 4]);
  // Frames that come late change nothing that is newer.
  const late = partOf(pacman, [0, 40, 41]);
  late.complement(new Film({ ...pacman, frames: pacman.frames.slice(0, 42) }));
  assert.deepEqual(late.episodes, new Film({ ...pacman, frames: pacman.frames.slice(0, 42) }).episodes);
});

test("the lead changes when another player alone has most points", () => {
  const film = new Film(pacman);
  const leads = film.leads();
  assert.ok(leads.length > 0);
  let [leader, at] = ["", 0];
  for (let turn = 0; turn <= film.last; turn += 1) {
    const points = film.players.map((_, colour) => film.points(turn, colour));
    const first = film.players.filter((_, colour) => points[colour] === Math.max(...points));
    if (first.length > 1 || first[0].letter === leader) continue;
    leader = first[0].letter;
    assert.deepEqual(leads[at], { turn, letter: leader });
    at += 1;
  }
  assert.equal(leads.length, at);
});

test("faults of a player that nothing else divides are one line", () => {
  const film = new Film({ ...pacman, frames: pacman.frames.slice(0, 1) });
  /** @type {(kind: import("../replay/frames.d.ts").EpisodeKind, player: string, first: number, last: number, points?: number) => void} */
  const add = (kind, player, first, last, points = 0) => film.indexed.push({ kind, player, other: null, first, last, count: last - first + 1, points, otherPoints: 0 });
  for (let turn = 1; turn < 300; turn += 3) {
    add("missed", "A", turn, turn, -1);
    add("malformed", "B", turn, turn + 1);
  }
  add("meal", "A", 301, 301);
  add("missed", "A", 310, 312, -1);
  const lines = film.notable().map(({ kind, player, first, last, count, points }) => [kind, player, first, last, count, points]);
  assert.deepEqual(lines, [["missed", "A", 1, 298, 100, -100], ["malformed", "B", 1, 299, 200, 0], ["meal", "A", 301, 301, 1, 0], ["missed", "A", 310, 312, 3, -1]]);
  assert.equal(film.episodes.length, 202, "each has its place on the time line");
});

test("nobody takes the lead who plays alone", () => {
  const alone = (/** @type {number} */ count) => ({ ...pacman, players: pacman.players.slice(0, count), frames: pacman.frames.map((frame) => ({ ...frame, g: undefined, p: frame.p.slice(0, count) })) });
  assert.deepEqual(new Film(alone(1)).leads(), []);
  assert.notEqual(new Film(alone(2)).leads().length, 0);
});

test("a clip is of the episode that goes on, or of the turns around", () => {
  const film = new Film(pacman);
  film.indexed = [];
  assert.deepEqual([0, 30, film.last].map((turn) => film.clipAround(turn)), [[0, 10], [20, 40], [film.last - 10, film.last]]);
  const episode = { kind: /** @type {const} */ ("bite"), player: "A", other: "B", first: 20, last: 33, count: 3, points: 60, otherPoints: -60 };
  film.indexed = [episode, { ...episode, kind: "missed", other: null, first: 30, last: 31 }, { ...episode, first: 32, last: 32 }];
  assert.deepEqual([19, 20, 32, 34].map((turn) => film.clipAround(turn)), [[9, 29], [19, 33], [19, 33], [24, 44]]);
});
