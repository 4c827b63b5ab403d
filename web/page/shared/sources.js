// The words for where points come from, and for objects, by the keys of an analysis.

import { spoken } from "./language.js";

/** @type {Record<"en" | "fr", Record<string, string>>} */
const WORDS = {
  en: { ".": "vitamin", $: "glutton", "@": "freeze", "~": "wall-pass", "&": "cherry", "!": "teleporter", bite: "pacman bitten by the ghost", meal: "ghost eaten as a glutton", bitten: "bitten by a ghost", eaten: "ghost eaten by a glutton", malformed: "malformed order", pacman_blocked: "pacman into a wall", ghost_blocked: "ghost into a wall", cheese: "cheese" },
  fr: { ".": "vitamine", $: "glouton", "@": "immobilité", "~": "passe-muraille", "&": "cerise", "!": "téléporteur", bite: "pacman mordu par le fantôme", meal: "fantôme mangé en glouton", bitten: "mordu par un fantôme", eaten: "fantôme mangé par un glouton", malformed: "ordre mal formé", pacman_blocked: "pacman dans un mur", ghost_blocked: "fantôme dans un mur", cheese: "fromage" },
};

/** The words for a source of points. @param {string} key */
export function sourceWords(key) {
  return WORDS[spoken.language][key] ?? key;
}
