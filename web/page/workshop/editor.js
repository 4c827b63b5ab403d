// The editor of the workshop: CodeMirror from a file beside the page, or a plain text field without that file.

import { element } from "../shared/element.js";

/** @typedef {"python" | "javascript"} Language */
/**
 * @typedef {object} Widget
 * @property {string} text
 * @property {(text: string, language: Language) => void} show Shows another text.
 * @property {(line: number | null) => void} mark Marks a line that went wrong, or none.
 */
/** The exports of `atelier.js`. @typedef {{ open: (place: HTMLElement, label: string, changed: () => void) => Widget, guard: (text: string) => { text: string } | { line: number } }} Atelier */

/** Loads a script from beside the page; what it defines under a name, null if it is not there. @param {string} file @param {string} name @returns {Promise<any>} */
export function beside(file, name) {
  return new Promise((resolve) => {
    const script = element("script", { src: file });
    script.addEventListener("load", () => resolve(/** @type {any} */ (globalThis)[name] ?? null));
    script.addEventListener("error", () => resolve(null));
    document.head.append(script);
  });
}

/** A plain text field. @param {HTMLElement} place @param {string} label @param {() => void} changed @returns {Widget} */
export function plain(place, label, changed) {
  const field = element("textarea", { "aria-label": label, spellcheck: "false", autocapitalize: "off", oninput: changed });
  place.append(field);
  return {
    get text() {
      return field.value;
    },
    show(text) {
      field.value = text;
    },
    mark(line) {
      if (line === null) return;
      const lines = field.value.split("\n");
      const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      field.setSelectionRange(from, from + lines[line - 1].length);
    },
  };
}
