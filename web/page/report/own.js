// The reader's own team, which this browser remembers.

const KEY = "equipe";

export class OwnTeam {
  constructor() {
    /** @type {string | null} */
    this.name = null;
    try {
      this.name = localStorage.getItem(KEY);
    } catch {
      // Some browsers store nothing for a page from a file.
    }
  }

  /** Chooses a team, or none if it was chosen already. @param {string} name */
  toggle(name) {
    this.name = this.name === name ? null : name;
    try {
      if (this.name === null) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, this.name);
    } catch {
      // The choice holds until the page is closed.
    }
  }

  /** Marks the rows and entries of the team. @param {HTMLElement} place */
  mark(place) {
    for (const name of place.querySelectorAll(".name")) name.closest("tr, .entry, li")?.classList.toggle("own", name.textContent === this.name);
  }
}
