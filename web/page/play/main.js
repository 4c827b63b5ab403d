// The page in which one plays without a server.

import { load } from "../arene/arene.js";
import { find } from "../shared/element.js";
import { spoken, translate } from "../shared/language.js";
import { Page } from "../replay/page.js";
import { say } from "../replay/words.js";
import { Play } from "./play.js";
import { words } from "./words.js";

/** The compiled arena, which the page has in it: gzip in base64. */
async function embeddedArena() {
  const bytes = Uint8Array.from(atob(find("wasm", HTMLScriptElement).text), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

async function begin() {
  const arena = await load(await embeddedArena());
  arena.language = spoken.language;
  const { hash } = location;
  /** @type {Play | undefined} */
  let play;
  new Page((page) => (play = new Play(page, arena)));
  translate({ ...say, ...words });
  play?.openLink(hash);
}

begin();
