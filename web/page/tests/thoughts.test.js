import assert from "node:assert/strict";
import test from "node:test";

import { compressed, thoughtsIn } from "../arene/blocks.js";
import { Film } from "../replay/film.js";
import { items, thoughtsAt } from "../replay/items.js";
import { pacman } from "./pacman.film.js";

const board = { rows: 4, cols: 13 };

test("items are read as the protocol has them, and anything else is words", () => {
  assert.deepEqual(items("hello, world;cell 3,4; cell 3,4 a cherry;path 0,12 NNE home;value 1,2 -3.5;public;output a line;text cell 3,4", board), [
    { kind: "text", words: "hello, world" },
    { kind: "cell", cell: 43, words: "" },
    { kind: "cell", cell: 43, words: "a cherry" },
    { kind: "path", cell: 12, steps: "NNE", words: "home" },
    { kind: "value", cell: 15, value: -3.5 },
    { kind: "public" },
    { kind: "output", words: "a line" },
    { kind: "text", words: "cell 3,4" },
  ]);
  for (const wrong of ["cell 4,0", "cell 0,13", "cell 3", "path 0,12 X", "path 0,12", "value 1,2", "value 1,2 high", "public opinion"]) {
    assert.deepEqual(items(wrong, board), [{ kind: "text", words: wrong }]);
  }
  assert.deepEqual(items(" ;; ", board), []);
});

test("what is thought of a state comes with the next orders", () => {
  const film = new Film(structuredClone(pacman));
  film.recall([[2, ["A", "two"]], [film.last, ["B", "last"]], [9999, ["A", "no turn"]], [3, ["Z", "nobody"]]]);
  assert.deepEqual(thoughtsAt(film, 1), { turn: 2, thoughts: [["A", "two"]] });
  assert.deepEqual(thoughtsAt(film, 2).thoughts, []);
  film.complete = true;
  assert.deepEqual(thoughtsAt(film, film.last).thoughts, [], "a game that is over has no next orders");
  film.complete = false;
  assert.deepEqual(thoughtsAt(film, film.last).thoughts, [["B", "last"]]);
  assert.deepEqual(film.thoughts(2), [[2, ["A", "two"]]]);
});

test("what was thought stays when the whole film is fetched", () => {
  const [live, whole] = [new Film(structuredClone(pacman)), new Film(structuredClone(pacman))];
  live.recall([[2, ["A", "two"]], [3, ["A", "three"]]]);
  whole.recall([[3, ["A", "three"]]]);
  live.complement(whole);
  assert.deepEqual(live.thoughts(), [[2, ["A", "two"]], [3, ["A", "three"]]]);
});

/** The number as bincode writes it. @param {number} number */
function varint(number) {
  return number < 251 ? [number] : [251, number & 255, number >> 8];
}

/** A recording of a head and one record of thoughts. @param {Uint8Array} block @param {number} dropped */
function recordingOf(block, dropped) {
  const record = [7, ...varint(dropped), ...varint(block.length), ...block];
  const length = record.length < 128 ? [record.length] : [(record.length & 127) | 128, record.length >> 7];
  return new Uint8Array([...Array(10).fill(0), 3, 1, 1, 1, 0, 0, ...length, ...record, 0, 0, 2, 4, 4, 0, 0]);
}

test("thoughts are found again in a recording, as many as there is room for", async () => {
  const all = Array.from({ length: 200 }, (_, index) => /** @type {[number, [string, string]]} */ ([index + 1, ["A", `cherry ${(index * 7919) % 1000} é`]]));
  for (const bytes of [1 << 20, 4000]) {
    const { block, dropped } = await compressed(all, bytes);
    assert.ok(block.length + 16 <= bytes / 4);
    const found = await thoughtsIn(recordingOf(block, dropped));
    assert.equal(found.length + dropped, all.length);
    assert.ok(found.length > 50, String(found.length));
    assert.deepEqual(found, all.filter((one) => found.some(([turn]) => turn === one[0])));
  }
  assert.deepEqual(await thoughtsIn(recordingOf(new Uint8Array([1, 2, 3]), 0)), []);
  assert.deepEqual(await thoughtsIn(new Uint8Array([1, 2, 3])), []);
  assert.deepEqual(await compressed([], 4000), { block: new Uint8Array(), dropped: 0 });
});
