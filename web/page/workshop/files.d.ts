// Files that `tools/page` puts into the page.

/** `exemples/bot.py`. */
export const PYTHON: string;
/** `exemples/bot.js`. */
export const JAVASCRIPT: string;
/** `exemples/rat.py`. */
export const RAT: string;
