// Thoughts in recordings: blocks that the page compresses and expands, because the module has no DEFLATE.

/** @import { Thought } from "../replay/frames.d.ts" */

/** Thoughts by their turns. @typedef {[turn: number, thought: Thought][]} Kept */

/** Bytes of a recording's head, before its records. */
const HEAD = 10;
/** The number of the records that are blocks. */
const BLOCK = 7;
/** Most bytes of thoughts in this number of turns. */
const [LARGEST, TURNS] = [10 * 1024, 100];
/** Most bytes of a block once it is expanded. */
const EXPANDED = 1 << 20;
/** A recording has at least this multiple of the bytes of its thoughts. */
const SHARE = 5;
/** Bytes that a block takes beside its compressed text, at most. */
const FRAME = 16;

/** The block of thoughts that fit into a recording of `bytes` bytes, and the number of thoughts that do not. @param {Kept} thoughts @param {number} bytes */
export async function compressed(thoughts, bytes) {
  const [last] = thoughts[thoughts.length - 1] ?? [0];
  for (let kept = thoughts; ; kept = kept.filter((_, index) => index % 4 !== 0)) {
    const text = kept.map(([turn, [letter, words]]) => `${turn}${letter}${words}\0`).join("");
    const plain = new TextEncoder().encode(text);
    const block = plain.length > 0 ? await through(new CompressionStream("deflate-raw"), plain) : plain;
    const fits = plain.length <= LARGEST * (1 + Math.floor(last / TURNS)) && block.length + FRAME <= bytes / (SHARE - 1);
    if (fits || plain.length === 0) return { block, dropped: thoughts.length - kept.length };
  }
}

/** The thoughts in a recording. What is damaged has none. @param {Uint8Array} recording @returns {Promise<Kept>} */
export async function thoughtsIn(recording) {
  /** @type {Kept} */
  const all = [];
  for (let at = HEAD; at < recording.length; ) {
    let [length, shift] = [0, 0];
    do {
      length |= (recording[at] & 0x7f) << shift;
      shift += 7;
      at += 1;
    } while (recording[at - 1] >= 0x80 && shift < 28);
    if (recording[at] === BLOCK) all.push(...(await read(recording.subarray(at + 1, at + length))));
    at += length + 2;
  }
  return all;
}

/** @param {Uint8Array} record @returns {Promise<Kept>} */
async function read(record) {
  // Two numbers precede the block: of the dropped thoughts, and of its bytes.
  const width = (/** @type {number} */ first) => ({ 251: 3, 252: 5 })[first] ?? 1;
  const dropped = width(record[0]);
  const text = new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), record.subarray(dropped + width(record[dropped]))).catch(() => new Uint8Array()));
  return text.split("\0").flatMap((entry) => {
    const [, turn, letter, words] = /^(\d+)([A-Z])(.*)$/s.exec(entry) ?? [];
    return turn ? [/** @type {Kept[number]} */ ([Number(turn), [letter, words]])] : [];
  });
}

/** @param {CompressionStream | DecompressionStream} stream @param {Uint8Array} bytes @returns {Promise<Uint8Array>} */
async function through(stream, bytes) {
  const reader = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(stream).getReader();
  /** @type {Uint8Array[]} */
  const pieces = [];
  for (let size = 0; size < EXPANDED; ) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    size += value.length;
  }
  reader.cancel().catch(() => {});
  return new Uint8Array(await new Blob(pieces.map((piece) => new Uint8Array(piece))).arrayBuffer());
}
