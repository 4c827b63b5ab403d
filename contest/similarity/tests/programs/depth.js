// Depth-first look-ahead: the best sum of discounted values over all walks of some steps.
const VALUES = { ".": 1, $: 10, "@": 7, "~": 5, "&": 40, "!": 6 };
const DEPTH = 7;

function step(game, cell, letter) {
  const [down, right] = STEPS[letter];
  const row = (Math.floor(cell / game.cols) + down + game.rows) % game.rows;
  const col = ((cell % game.cols) + right + game.cols) % game.cols;
  return row * game.cols + col;
}

function walk(game, cell, depth, taken, danger) {
  if (depth === 0) return 0;
  let best = -1000;
  for (const letter of "NESO") {
    const next = step(game, cell, letter);
    if (game.cells[next] === "#") continue;
    let gain = 0;
    if (!taken.has(next)) gain = (VALUES[game.cells[next]] ?? 0) - (danger.has(next) ? 20 : 0);
    const isNew = !taken.has(next);
    taken.add(next);
    best = Math.max(best, gain + 0.85 * walk(game, next, depth - 1, taken, danger));
    if (isNew) taken.delete(next);
  }
  return best;
}

function orders(game) {
  const self = game.players.find((p) => p.colour === game.me);
  const danger = new Set(game.players.filter((p) => p !== self).map((p) => p.ghost));
  let answer = "N";
  let highest = -Infinity;
  for (const letter of Object.keys(STEPS)) {
    const next = step(game, self.pacman, letter);
    if (game.cells[next] === "#") continue;
    const value = (VALUES[game.cells[next]] ?? 0) + 0.85 * walk(game, next, DEPTH, new Set([next]), danger);
    if (value > highest) {
      highest = value;
      answer = letter;
    }
  }
  const prey = game.players.filter((p) => p !== self).sort((a, b) => b.points - a.points)[0];
  const ghost = prey ? firstStep(game, self.ghost, (cell) => cell === prey.pacman) : "N";
  return answer + ghost;
}
