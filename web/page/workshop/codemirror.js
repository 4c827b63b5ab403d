// The editor of the workshop, and what it knows of JavaScript. `scripts/page.sh` bundles it with CodeMirror as `atelier.js`, which the
// page loads when its workshop is opened; without that file it has a plain text field, as `editor.js` tells.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, LRLanguage, bracketMatching, indentService, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { styleTags, tags } from "@lezer/highlight";
import { parser as javascript } from "@lezer/javascript";
import { parser as python } from "@lezer/python";

/** @import { Language, Widget } from "./editor.js" */

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: "var(--pass)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--stem)" },
  { tag: [tags.number, tags.bool, tags.null, tags.self], color: "var(--battle)" },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--ink-soft)", fontStyle: "italic" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], color: "var(--accent)" },
]);

/** Each language with what its files have before a deeper line, at its end. */
const LANGUAGES = {
  python: { language: LRLanguage.define({ parser: python.configure({ props: [styleTags({ "def class": tags.definitionKeyword })] }), languageData: { commentTokens: { line: "#" } } }), unit: "    ", opens: /:\s*(#.*)?$|[([{]\s*$/ },
  javascript: { language: LRLanguage.define({ parser: javascript, languageData: { commentTokens: { line: "//" } } }), unit: "  ", opens: /[([{]\s*$|=>\s*$/ },
};

/** The indentation of a line: that of the one before, deeper if that one opens something. @param {Language} name */
function indentation(name) {
  const { unit, opens } = LANGUAGES[name];
  return indentService.of((context, position) => {
    const { state } = context;
    let { number } = state.doc.lineAt(position);
    while (number > 1 && state.doc.line(number - 1).text.trim() === "") number -= 1;
    const before = number > 1 ? context.lineAt(state.doc.line(number - 1).from, -1).text : "";
    const depth = (/^\s*/.exec(before)?.[0] ?? "").length + (opens.test(before) ? unit.length : 0);
    const closes = /^\s*[)\]}]/.test(context.textAfterPos(position, 1));
    return Math.max(0, depth - (closes ? unit.length : 0));
  });
}

/** @param {Language} name */
const settings = (name) => [LANGUAGES[name].language, indentUnit.of(LANGUAGES[name].unit), indentation(name), EditorState.tabSize.of(LANGUAGES[name].unit.length)];

/** The line that went wrong. @type {import("@codemirror/state").StateEffectType<number | null>} */
const marked = StateEffect.define();
const mark = StateField.define({
  create: () => Decoration.none,
  update(shown, change) {
    for (const effect of change.effects) {
      if (!effect.is(marked)) continue;
      const { doc } = change.state;
      if (effect.value === null || effect.value > doc.lines) return Decoration.none;
      return Decoration.set([Decoration.line({ class: "wrong" }).range(doc.line(effect.value).from)]);
    }
    return shown.map(change.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * Opens an editor in a place.
 *
 * @param {HTMLElement} place @param {string} label @param {() => void} changed
 * @returns {Widget}
 */
export function open(place, label, changed) {
  const chosen = new Compartment();
  /** @type {Language} */
  let language = "python";
  const make = (/** @type {string} */ text) =>
    EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightActiveLine(),
        history(),
        bracketMatching(),
        syntaxHighlighting(colours),
        // Escape, then Tab, leaves the editor.
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        chosen.of(settings(language)),
        mark,
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
        EditorView.updateListener.of((update) => update.docChanged && changed()),
      ],
    });
  const view = new EditorView({ parent: place, state: make("") });
  return {
    get text() {
      return view.state.doc.toString();
    },
    show(text, name) {
      language = name;
      view.setState(make(text));
    },
    mark(line) {
      const place = line !== null && line <= view.state.doc.lines ? [EditorView.scrollIntoView(view.state.doc.line(line).from, { y: "center" })] : [];
      view.dispatch({ effects: [marked.of(line), ...place] });
    },
  };
}

/**
 * A program in JavaScript whose loops tell their line now and then, in a text with the same lines; or where it is no JavaScript.
 *
 * @param {string} text
 * @returns {{ text: string } | { line: number }}
 */
export function guard(text) {
  /** @type {[number, string][]} */
  const added = [];
  const lineOf = (/** @type {number} */ position) => text.slice(0, position).split("\n").length;
  /** @type {number | null} */
  let wrong = null;
  javascript.parse(text).iterate({
    enter({ type, node, from }) {
      if (type.isError) wrong ??= lineOf(from);
      if (!["ForStatement", "WhileStatement", "DoStatement"].includes(type.name)) return;
      const call = `__loop(${lineOf(from)});`;
      // The body of a loop is its last child, but for `do`, whose condition is.
      const body = type.name === "DoStatement" ? node.firstChild?.nextSibling : node.lastChild;
      if (!body) return;
      if (body.name === "Block") added.push([body.from + 1, call]);
      else added.push([body.from, `{${call}`], [body.to, "}"]);
    },
  });
  if (wrong !== null) return { line: wrong };
  // Of two at one place, the outer one comes first, and ends last.
  added.sort(([one], [other]) => one - other);
  let [made, done] = ["", 0];
  for (const [place, more] of added) {
    made += text.slice(done, place) + more;
    done = place;
  }
  return { text: made + text.slice(done) };
}
