// Python in the worker of a page: Pyodide, whose files the page has brought.

/** @import { Arena } from "../arene/arene.js" */
/** @import { Remote } from "./remote.js" */
/** @import { Seat } from "./seat.js" */

/**
 * The files of Pyodide, which are two modules, the compiled interpreter, the library and the list of its packages; the module
 * `pacman_iuto` in one file; and `page.py`.
 *
 * @typedef {{ loader: string, runtime: string, engine: WebAssembly.Module, library: Uint8Array, lock: string, kit: string, page: string }} Parts
 */

/** Milliseconds between two interrupts of a program that is late. */
const PAUSE = 500;

/** Starts the interpreter. @param {Parts} parts @param {Arena} arena @param {(text: string) => void} say tells what programs print, line by line */
export async function startPython({ loader, runtime, engine, library, lock, kit, page }, arena, say) {
  // Pyodide takes workers with this function for old ones, which cannot import.
  Object.assign(globalThis, { importScripts: undefined });
  // Pyodide fetches its files: it gets those that the page has brought.
  globalThis.fetch = async () => new Response(new Uint8Array(library));
  WebAssembly.instantiateStreaming = async (_, imports) => ({ instance: await WebAssembly.instantiate(engine, imports), module: engine });
  const { loadPyodide } = await load(loader);
  const { default: createPyodideModule } = await load(runtime);
  const pyodide = await loadPyodide({
    createPyodideModule,
    indexURL: "https://page.invalid/",
    lockFileContents: lock,
    convertNullToNone: true,
    stdout: say,
    stderr: say,
  });
  pyodide.FS.mkdirTree("/home/pyodide");
  pyodide.FS.writeFile("/home/pyodide/pacman_iuto.py", kit);
  const scope = pyodide.globals.get("dict")();
  pyodide.runPython(page, { globals: scope });
  scope.get("search_with")(arena.distances);
  const run = scope.get("run");
  /**
   * Runs a program to its end; what went wrong, if something did, and in which line. `argv` is what follows the file in the command.
   *
   * @param {string} text @param {string} name @param {string[]} argv @param {string} language @param {Seat | Remote} seat
   * @returns {Promise<{ text: string | null, line: number | null }>}
   */
  return async (text, name, argv, language, seat) => {
    // The interpreter looks here every few instructions: 2 is an interrupt. The next one leaves time for the program to end.
    let next = 0;
    pyodide.setInterruptBuffer({
      get 0() {
        const now = performance.now();
        if (seat.left > 0 || seat.ending !== null || now < next) return 0;
        next = now + PAUSE;
        return 2;
      },
      set 0(_) {},
    });
    const ends = { send: (/** @type {any} */ data) => seat.send(data.toJs()), receive: () => seat.receive() };
    // A program that waits for a server lets the worker go on meanwhile (JSPI), which not every browser can.
    const result = await (argv.length > 0 ? run.callPromising(text, name, argv, language, ends) : run(text, name, argv, language, ends));
    pyodide.setInterruptBuffer(undefined);
    const [said, line] = result.toJs();
    result.destroy();
    return { text: said ?? null, line: line ?? null };
  };
}

/** Loads a module from its text. @param {string} text */
async function load(text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    // eslint-disable-next-line no-restricted-syntax -- the module is in the page
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}
