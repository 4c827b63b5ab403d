// Plays games with the module of a folder: `node games.js FOLDER`. Reads a line of JSON for each game, and prints a digest of
// all its states and one of its recording.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { load } = await import(pathToFileURL(`${process.argv[2]}/arene.js`).href);
const arena = await load(await readFile(`${process.argv[2]}/arene.wasm`));
for await (const line of createInterface({ input: process.stdin })) {
  const { kind, messages, ...terms } = JSON.parse(line);
  const game = kind === "pyrat" ? arena.pyrat(terms) : arena.game(terms);
  const states = createHash("sha256").update(game.state);
  while (!game.over) {
    game.step(messages);
    states.update(game.state);
  }
  console.log(states.digest("base64"), createHash("sha256").update(game.recording()).digest("base64"));
  game.free();
}
