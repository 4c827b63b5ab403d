import assert from "node:assert/strict";
import { test } from "node:test";

import { Bots, languageOf } from "../workshop/bots.js";
import { guard } from "../workshop/codemirror.js";
import { Seat } from "../workshop/seat.js";

/** A game of some turns, which keeps the orders it is given. @param {number} turns */
function gameOf(turns) {
  /** @type {any} */
  const game = {
    turn: 0,
    orders: [],
    frame: {},
    get over() {
      return game.turn === turns;
    },
    get state() {
      return `${game.turn};${turns}`;
    },
    step(/** @type {any} */ messages) {
      game.orders.push(messages.A ?? null);
      game.turn += 1;
    },
  };
  return game;
}

const terms = { past: [], until: Infinity, deadline: 1000 };

test("a program plays to the end and is told goodbye", () => {
  const game = gameOf(2);
  const seat = new Seat(game, "A", terms, () => {});
  seat.send("joueur;A");
  seat.send("da\0");
  assert.equal(seat.receive(), "jeu;A\n0;2\0");
  seat.send(new TextEncoder().encode("NE\0"));
  assert.equal(seat.receive(), "jeu;A\n1;2\0");
  // Without an order the turn is missed.
  assert.equal(seat.receive(), "jeu;A\n2;2\0");
  seat.send("SO\0");
  assert.equal(seat.receive(), "quit\n\0");
  assert.equal(seat.receive(), "");
  assert.deepEqual([seat.name, seat.ending, game.orders], ["Ada", "over", ["NE", null]]);
});

test("thoughts and what the program writes stand in the frame of their turn", () => {
  const game = gameOf(3);
  /** @type {any[]} */
  const frames = [];
  Object.defineProperty(game, "frame", { get: () => ({}) });
  const seat = new Seat(game, "A", terms, (frame) => frames.push(frame.w));
  seat.send("joueur;Ada\0");
  seat.receive();
  seat.written.push("a; b");
  seat.send("NE;to the cherry;cell 3,4\0");
  seat.receive();
  seat.send(`NE;${"x".repeat(2000)}\0`);
  seat.receive();
  seat.send("NE\0");
  seat.receive();
  assert.deepEqual(frames, [[["A", "to the cherry;cell 3,4;output a, b"]], [["A", "x".repeat(1000)]], undefined]);
});

test("a game stops after an event, and where the program asks for it", () => {
  for (const [order, event, turn] of /** @type {const} */ ([["NE;pause", "", 1], ["NE", "battle", 2], ["NE", "", 4]])) {
    const game = gameOf(4);
    Object.defineProperty(game, "frame", { get: () => ({ e: game.turn === 2 ? [["battle", "A", "b"]] : [["took", "A", ".", 3]] }) });
    const seat = new Seat(game, "A", { ...terms, event }, () => {});
    seat.send("joueur;Ada\0");
    while (seat.receive()?.startsWith("jeu;")) seat.send(`${order}\0`);
    assert.deepEqual([game.turn, seat.ending], [turn, turn === 4 ? "over" : "stopped"]);
  }
});

test("a program that goes on sees the turns before, and its answers to them count for nothing", () => {
  const game = gameOf(4);
  game.turn = 2;
  const seat = new Seat(game, "A", { ...terms, past: ["zero", "one"], until: 3 }, () => {});
  seat.send("joueur;Ada\0");
  const seen = [];
  for (let message = seat.receive(); message; message = seat.receive()) {
    seen.push(message);
    seat.send(`N${seen.length}\0`);
  }
  assert.deepEqual(seen, ["jeu;A\nzero\0", "jeu;A\none\0", "jeu;A\n2;4\0"]);
  assert.deepEqual([seat.ending, game.orders], ["stopped", ["N3"]]);
});

/** A game of PyRat with a state for each turn, which keeps what it is sent. @param {number[]} mud turns left in the mud, by turn */
function gameOfRats(mud) {
  const game = gameOf(mud.length);
  game.maze = "2;1\n2\n0;1:3\n1;0:3\n";
  Object.defineProperty(game, "state", { get: () => `${game.turn};9\n--\n1\n1\n--\nA;0;0;${mud[game.turn] ?? 0};;0;Ada\n` });
  return game;
}

test("a rat is told the maze, and need not answer in the mud", () => {
  const game = gameOfRats([0, 2, 1, 0]);
  const seat = new Seat(game, "A", terms, () => {});
  seat.send("joueur;Ada\0");
  assert.equal(seat.receive(), `labyrinthe;A\n${game.maze}\0`);
  assert.equal(seat.isAwaited, false);
  const awaited = [];
  for (let message = seat.receive(); message?.startsWith("jeu;"); message = seat.receive()) {
    awaited.push(seat.isAwaited);
    if (/^A;0;0;0/m.test(message)) seat.send("E\0");
  }
  // In its first mud it is waited for: it might answer there.
  assert.deepEqual(awaited, [true, true, false, true, true]);
  assert.deepEqual([seat.ending, game.orders], ["over", ["E", null, null, "E"]]);
});

test("a rat that answers in the mud is waited for there", () => {
  const game = gameOfRats([2, 1, 0]);
  const seat = new Seat(game, "A", terms, () => {});
  seat.send("joueur;Ada\0");
  seat.receive();
  for (let message = seat.receive(); message?.startsWith("jeu;"); message = seat.receive()) {
    assert.equal(seat.isAwaited, true);
    seat.send("X\0");
  }
  assert.deepEqual(game.orders, ["X", "X", "X"]);
});

test("a program registers first", () => {
  const seat = new Seat(gameOf(2), "A", terms, () => {});
  seat.send("NE\0");
  assert.equal(seat.receive(), null);
  assert.equal(seat.ending, "unregistered");
});

test("a late answer ends the run", () => {
  const game = gameOf(2);
  const seat = new Seat(game, "A", { ...terms, deadline: -1 }, () => {});
  seat.send("joueur;Ada\0");
  seat.receive();
  seat.send("NE\0");
  assert.equal(seat.receive(), null);
  assert.deepEqual([seat.ending, game.orders], ["late", []]);
});

test("loops tell their lines, and a program stays what it is", () => {
  const program = `let sum = 0;
for (let i = 0; i < 4; i++) sum += i;
for (const one of [1, 2]) { sum += one; }
while (sum < 20)
  if (sum % 2) sum += 3;
  else do sum += 1; while (sum % 5);
do { sum += 7; } while (sum < 30);
return sum;`;
  const guarded = guard(`(() => {${program}})()`);
  assert.ok("text" in guarded);
  assert.equal(guarded.text.split("\n").length, program.split("\n").length);
  /** @type {Set<number>} */
  const lines = new Set();
  const run = new Function("__loop", `return ${guarded.text}`);
  assert.equal(run((/** @type {number} */ line) => lines.add(line)), new Function(program)());
  assert.deepEqual([...lines], [2, 3, 4, 6, 7]);
  assert.deepEqual(guard("let a;\nwhile (true) {\n"), { line: 3 });
});

test("programs are kept, and broken ones are not believed", () => {
  /** @type {Map<string, string>} */
  const kept = new Map();
  const storage = /** @type {any} */ ({ getItem: (/** @type {string} */ key) => kept.get(key) ?? null, setItem: (/** @type {string} */ key, /** @type {string} */ text) => kept.set(key, text) });
  const examples = [{ name: "bot.py", text: "" }];
  const bots = new Bots(examples, storage);
  bots.all.push({ name: bots.free("bot.py"), text: "mine" });
  assert.equal(bots.all[1].name, "bot-2.py");
  assert.ok(bots.keep());
  assert.equal(new Bots(examples, storage).all[1].text, "mine");
  for (const key of kept.keys()) kept.set(key, '[{"name":"x.exe","text":1}]');
  assert.equal(new Bots(examples, storage).all, examples);
  assert.equal(new Bots(examples, null).keep(), false);
  assert.deepEqual(["a.py", "A.JS", "b.mjs", "c.txt"].map(languageOf), ["python", "javascript", "javascript", null]);
});
