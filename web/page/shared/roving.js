// One tab stop for a list of buttons: the arrow keys go from one to the next (roving tabindex).

/** @param {HTMLElement} list whose buttons are one tab stop */
export function rove(list) {
  const buttons = () => Array.from(list.querySelectorAll("button"));
  list.addEventListener("keydown", (event) => {
    const all = buttons();
    const at = all.findIndex((button) => button === document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    all[Math.max(0, Math.min(all.length - 1, next))].focus();
  });
  list.addEventListener("focusin", ({ target }) => {
    for (const button of buttons()) button.tabIndex = button === target ? 0 : -1;
  });
  // Buttons that are added are no tab stops, except one.
  new MutationObserver(() => {
    const all = buttons();
    const stop = all.find((button) => button.tabIndex === 0 && button === document.activeElement) ?? all.find((button) => button.classList.contains("stop")) ?? all[0];
    for (const button of all) button.tabIndex = button === stop ? 0 : -1;
  }).observe(list, { childList: true });
}
