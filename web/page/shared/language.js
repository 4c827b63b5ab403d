// The language of the page, and how numbers and plurals are written in it.

/** The language that is spoken; `speak` changes it. @type {{ language: "en" | "fr" }} */
export const spoken = { language: "en" };

/** Speaks French if the wanted language is a French one, else English. @param {string} wanted */
export function speak(wanted) {
  spoken.language = wanted.toLowerCase().startsWith("fr") ? "fr" : "en";
}

// The language of the address, or of the page that this one is within, or else of the browser.
speak(new URLSearchParams(location.search).get("lang") ?? document.documentElement.dataset.lang ?? navigator.language ?? "en");

/**
 * Caches `make` by language: a function whose value is that of the language that is spoken.
 *
 * @template T
 * @param {(language: string) => T} make
 */
function bySpoken(make) {
  /** @type {Partial<Record<string, T>>} */
  const made = {};
  return () => (made[spoken.language] ??= make(spoken.language));
}

/** A function that writes numbers in the language that is spoken, with a minus instead of a hyphen. @param {Intl.NumberFormatOptions} options */
export function numbers(options) {
  const format = bySpoken((language) => new Intl.NumberFormat(language, options));
  return (/** @type {number} */ value) => format().format(value).replace("-", "−");
}

const plurals = bySpoken((language) => new Intl.PluralRules(language));

/** The form of a word that goes with a number of things. @param {number} count @param {string} one @param {string} many */
export function plural(count, one, many) {
  return plurals().select(count) === "one" ? one : many;
}

/** Puts words into all elements that name one: as their text, their title or their label. @param {Record<string, any>} say */
export function translate(say) {
  document.documentElement.lang = spoken.language;
  const named = (/** @type {string} */ name) => {
    /** @type {NodeListOf<HTMLElement>} */
    const places = document.querySelectorAll(`[data-${name}]`);
    return Array.from(places, (place) => /** @type {const} */ ([place, say[String(place.dataset[name])]]));
  };
  for (const [place, words] of named("text")) place.textContent = words;
  for (const [place, words] of named("title")) {
    place.title = words;
    if (place.tagName === "BUTTON" && !place.querySelector("[data-text]")) place.setAttribute("aria-label", words);
  }
  for (const [place, words] of named("label")) place.setAttribute("aria-label", words);
}
