// The page in which one plays without a server.

import { load } from "../arene/arene.js";
import { unpacked } from "../arene/packed.js";
import { find } from "../shared/element.js";
import { spoken, translate } from "../shared/language.js";
import { Page } from "../replay/page.js";
import { say } from "../replay/words.js";
import { Play } from "./play.js";
import { Workshop } from "../workshop/workshop.js";
import { texts } from "../workshop/words.js";
import { words } from "./words.js";

async function begin() {
  const wasm = await WebAssembly.compile(await unpacked(find("wasm", HTMLScriptElement).text));
  const arena = await load(wasm);
  arena.language = spoken.language;
  const { hash } = location;
  /** @type {Play | undefined} */
  let play;
  new Page((page) => (play = new Play(page, arena)));
  translate({ ...say, ...words, ...texts });
  if (!play) return;
  new Workshop(play, arena, wasm);
  play.openLink(hash);
}

begin();
