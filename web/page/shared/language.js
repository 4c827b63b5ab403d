// The language of the page, and how numbers and plurals are written in it.

/** The language that is spoken; `speak` changes it. */
export const spoken = { language: "en" };

/** Speaks French if the wanted language is a French one, else English. */
export function speak(wanted) {
  spoken.language = wanted.toLowerCase().startsWith("fr") ? "fr" : "en";
}

// The language of the address, or of the page that this one is within, or else of the browser.
speak(new URLSearchParams(location.search).get("lang") ?? document.documentElement.dataset.lang ?? navigator.language ?? "en");

/** What `make` makes for the language that is spoken, made anew after that has changed. */
function bySpoken(make) {
  const made = {};
  return () => (made[spoken.language] ??= make(spoken.language));
}

/** A function that writes numbers in the language that is spoken. */
export function numbers(options) {
  const format = bySpoken((language) => new Intl.NumberFormat(language, options));
  return (value) => format().format(value);
}

const plurals = bySpoken((language) => new Intl.PluralRules(language));

/** The form of a word that goes with a number of things. */
export function plural(count, one, many) {
  return plurals().select(count) === "one" ? one : many;
}

/** Puts words into all elements that name one: as their text, their title or their label. */
export function translate(say) {
  document.documentElement.lang = spoken.language;
  for (const place of document.querySelectorAll("[data-text]")) place.textContent = say[place.dataset.text];
  for (const place of document.querySelectorAll("[data-title]")) {
    place.title = say[place.dataset.title];
    if (place.tagName === "BUTTON" && !place.querySelector("[data-text]")) place.setAttribute("aria-label", place.title);
  }
  for (const place of document.querySelectorAll("[data-label]")) place.setAttribute("aria-label", say[place.dataset.label]);
}
