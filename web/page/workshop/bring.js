// Python for the workshop, in the file `python.js`: unpacks and compiles what a worker needs.

import { unpacked } from "../arene/packed.js";

/** @import { Parts } from "./python.js" */

/** @param {Record<keyof Parts, string>} packed @returns {Promise<Parts>} */
export async function bring(packed) {
  const text = async (/** @type {string} */ part) => new TextDecoder().decode(await unpacked(part));
  const [loader, runtime, engine, library, lock, kit, page] = await Promise.all([
    text(packed.loader),
    text(packed.runtime),
    unpacked(packed.engine).then((bytes) => WebAssembly.compile(bytes)),
    unpacked(packed.library),
    text(packed.lock),
    text(packed.kit),
    text(packed.page),
  ]);
  return { loader, runtime, engine, library, lock, kit, page };
}
