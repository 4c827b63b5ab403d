// Tabs: one of several panels is shown, chosen by buttons or with the arrow keys.

export class Tabs {
  /** @param {HTMLElement[]} tabs buttons that name their panel in `aria-controls` */
  constructor(tabs) {
    this.tabs = tabs;
    tabs.forEach((tab, index) => {
      tab.addEventListener("click", () => this.select(index));
      tab.addEventListener("keydown", (event) => {
        const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
        if (next === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        this.select((next + tabs.length) % tabs.length);
        this.tabs[(next + tabs.length) % tabs.length].focus();
      });
    });
  }

  /** @param {number} index */
  select(index) {
    this.tabs.forEach((tab, at) => {
      tab.setAttribute("aria-selected", String(at === index));
      tab.tabIndex = at === index ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (panel) panel.hidden = at !== index;
    });
  }
}
