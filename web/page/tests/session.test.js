import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";

import { Film } from "../replay/film.js";
import { Session, wanted } from "../replay/session.js";
import { pacman } from "./pacman.film.js";

/** @import { Id } from "../replay/session.js" */

/** A film of a game, up to a turn. @param {string} seed @param {number} turns */
const filmOf = (seed, turns) => new Film({ ...pacman, seed, complete: turns === 60, frames: pacman.frames.slice(0, turns + 1) });
/** The film with which a game begins. @param {string} seed */
const beginningOf = (seed) => new Film({ ...pacman, seed, frames: [] });
/** The whole frame of a turn, as a server sends it. @param {number} turn */
const frameOf = (turn) => ({ ...pacman.frames[turn], o: pacman.frames[0].o });

/** What the view was asked to do. @type {string[]} */
let told;
/** @type {Session} */
let session;
/** What the server answers. @type {Map<Id, Film | null>} */
let films;
let now = 0;
const view = {
  hash: "",
  isFollowing: false,
  show: (/** @type {Film} */ film, /** @type {number} */ turn) => {
    view.isFollowing = false;
    told.push(`show ${film.seed} ${turn}`);
  },
  follow: () => {
    view.isFollowing = true;
    told.push("follow");
  },
  extended: () => told.push("extended"),
  completed: () => told.push("completed"),
  unreachable: () => told.push("unreachable"),
  missing: (/** @type {boolean} */ isLink) => told.push(`missing ${isLink}`),
  listed: () => {},
  changed: () => {},
  redraw: () => {},
};

/** The entry of a game in the server's list. @param {number} id @param {boolean} running */
const entry = (id, running) => ({ id, seed: String(id), game: /** @type {const} */ ("pacman"), players: [], running, turn: 0 });

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  told = [];
  films = new Map();
  now = 100000;
  Object.assign(view, { hash: "", isFollowing: false });
  session = new Session(view, () => now);
  session.server = { games: [], film: async (id) => films.get(id) };
});

/** Lets promises settle. */
const settled = () => new Promise((done) => setImmediate(done));

/** Lets time go by. @param {number} time */
function wait(time) {
  now += time;
  mock.timers.tick(time);
  return settled();
}

test("an address names a game of this server by its number, another one by number and seed", () => {
  const here = [{ id: 3, seed: "17" }];
  assert.deepEqual(wanted("", here), { game: null, turn: null });
  assert.deepEqual(wanted("#game=3&turn=12", here), { game: 3, turn: 12 });
  assert.deepEqual(wanted("#game=3-17", here), { game: 3, turn: null });
  assert.deepEqual(wanted("#game=3-18", here), { game: "3-18", turn: null });
  assert.deepEqual(wanted("#game=3&live", here), { game: null, turn: null });
  assert.deepEqual(wanted("#game=<b>&turn=-1", here), { game: null, turn: null });
});

test("a game that begins is shown with its first frame, and followed", () => {
  session.begin(1, beginningOf("1"));
  assert.deepEqual(told, []);
  session.frame(1, frameOf(0));
  session.frame(1, frameOf(1));
  assert.deepEqual(told, ["show 1 0", "follow", "extended"]);
  assert.equal(session.isLive, true);
});

test("turns before the page was opened are fetched", async () => {
  films.set(1, filmOf("1", 20));
  session.begin(1, beginningOf("1"));
  session.frame(1, frameOf(20));
  await settled();
  assert.deepEqual(told, ["show 1 20", "follow", "completed"]);
  assert.equal(session.film?.hasAll(0, 20), true);
});

test("the end of a game stays for a while before the next one is shown", async () => {
  films.set(1, filmOf("1", 60));
  session.begin(1, beginningOf("1"));
  session.frame(1, frameOf(0));
  await session.end(1);
  assert.equal(session.running, null);
  told = [];
  session.begin(2, beginningOf("2"));
  session.frame(2, frameOf(0));
  await wait(5999);
  session.frame(2, frameOf(1));
  assert.deepEqual(told, []);
  await wait(1);
  assert.deepEqual(told.slice(0, 2), ["show 2 1", "follow"]);
});

test("who looks at earlier turns stays there when the next game begins", async () => {
  films.set(1, filmOf("1", 60));
  session.begin(1, beginningOf("1"));
  session.frame(1, frameOf(0));
  await session.end(1);
  session.begin(2, beginningOf("2"));
  session.frame(2, frameOf(0));
  view.isFollowing = false;
  told = [];
  await wait(10000);
  assert.deepEqual(told, []);
  assert.equal(session.game, 1);
  assert.equal(session.isLive, false);
});

test("without an address, the newest game of the list is opened", async () => {
  films.set(4, filmOf("4", 60));
  session.server = { games: [entry(3, false), entry(4, false)], film: async (id) => films.get(id) };
  session.choose();
  await settled();
  assert.deepEqual(told, ["show 4 0", "follow"]);
  // It is opened once.
  session.choose();
  await settled();
  assert.equal(told.length, 2);
});

test("a turn of the address is shown without following", async () => {
  view.hash = "#game=3&turn=30";
  films.set(3, filmOf("3", 40));
  session.server = { games: [entry(3, true)], film: async (id) => films.get(id) };
  session.choose();
  await settled();
  assert.deepEqual(told[0], "show 3 30");
  assert.equal(view.isFollowing, false);
});

test("a busy server is asked again, until the game is there or another one is opened", async () => {
  view.hash = "#game=3-17";
  session.choose();
  await settled();
  assert.deepEqual(told, ["unreachable"]);
  await wait(4999);
  assert.deepEqual(told, ["unreachable"]);
  films.set("3-17", filmOf("17", 60));
  await wait(1);
  assert.deepEqual(told, ["unreachable", "show 17 0"]);
  assert.equal(session.name, "3-17");
});

test("a link to a game that nobody has is given up", async () => {
  view.hash = "#game=3-17";
  films.set("3-17", null);
  session.choose();
  await settled();
  session.server = { games: [entry(4, false)], film: async (id) => films.get(id) };
  session.choose();
  await settled();
  assert.deepEqual(told, ["missing true"]);
});

test("after a lost connection, the same game goes on", () => {
  session.begin(1, beginningOf("1"));
  session.frame(1, frameOf(0));
  const { film } = session;
  session.disconnected();
  assert.equal(session.isLive, false);
  session.begin(1, beginningOf("1"));
  session.frame(1, frameOf(1));
  assert.equal(session.film, film);
  assert.equal(session.isLive, true);
});

test("the number of a shown game may belong to another one on a new server", () => {
  session.begin(1, beginningOf("1"));
  session.frame(1, frameOf(0));
  session.disconnected();
  view.isFollowing = false;
  session.begin(1, beginningOf("2"));
  assert.equal(session.game, "1-1");
  assert.equal(session.running, 1);
  assert.equal(session.isLive, false);
});

test("a restarted server that plays the same game again begins with another film", () => {
  session.begin(1, beginningOf("1"));
  session.frame(1, frameOf(0));
  session.frame(1, frameOf(5));
  const { film } = session;
  session.disconnected();
  session.begin(1, beginningOf("1"));
  session.frame(1, frameOf(0));
  assert.notEqual(session.film, film);
  assert.equal(session.film?.last, 0);
});

test("a game that goes on has no winner yet", () => {
  session.begin(1, beginningOf("1"));
  session.frame(1, frameOf(0));
  assert.equal(session.goesOn, true);
  session.end(1);
  assert.equal(session.goesOn, false);
});
