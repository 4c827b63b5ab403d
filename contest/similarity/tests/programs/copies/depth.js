const prix = { "&": 30, $: 12, "@": 8, "!": 7, "~": 6, ".": 2 };

function aller(jeu, place, sens) {
  const delta = STEPS[sens];
  const l = (Math.floor(place / jeu.cols) + delta[0] + jeu.rows) % jeu.rows;
  const c = ((place % jeu.cols) + delta[1] + jeu.cols) % jeu.cols;
  return l * jeu.cols + c;
}

const valeur = (jeu, place) => prix[jeu.cells[place]] ?? 0;

function chercher(jeu, place, reste, pris, peur) {
  let max = -500;
  if (reste === 0) {
    return 0;
  }
  for (const sens of "NESO") {
    const suite = aller(jeu, place, sens);
    if (jeu.cells[suite] !== "#") {
      const nouveau = !pris.has(suite);
      const gain = nouveau ? valeur(jeu, suite) - (peur.has(suite) ? 15 : 0) : 0;
      pris.add(suite);
      max = Math.max(max, gain + 0.9 * chercher(jeu, suite, reste - 1, pris, peur));
      if (nouveau) {
        pris.delete(suite);
      }
    }
  }
  return max;
}

function orders(game) {
  const moi = game.players.find((joueur) => joueur.colour === game.me);
  const autres = game.players.filter((joueur) => joueur !== moi);
  const peur = new Set(autres.map((joueur) => joueur.ghost));
  let record = -Infinity;
  let reponse = "S";
  Object.keys(STEPS).forEach((sens) => {
    const suite = aller(game, moi.pacman, sens);
    if (game.cells[suite] === "#") return;
    const total = valeur(game, suite) + 0.9 * chercher(game, suite, 6, new Set([suite]), peur);
    if (total > record) {
      record = total;
      reponse = sens;
    }
  });
  autres.sort((a, b) => b.points - a.points);
  const proie = autres[0];
  return reponse + (proie ? firstStep(game, moi.ghost, (place) => place === proie.pacman) : "S");
}
