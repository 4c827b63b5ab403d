/* Monte Carlo : on simule des promenades au hasard, et on garde le meilleur premier pas. */
class Simulation {
  constructor(jeu, hasard) {
    this.jeu = jeu;
    this.hasard = hasard;
    this.voisins = new Map();
  }

  sorties(position) {
    if (!this.voisins.has(position)) {
      const { rows, cols, cells } = this.jeu;
      const y = Math.trunc(position / cols);
      const x = position - y * cols;
      const liste = [];
      if (cells[((y + rows - 1) % rows) * cols + x] !== "#") liste.push(["N", ((y + rows - 1) % rows) * cols + x]);
      if (cells[((y + 1) % rows) * cols + x] !== "#") liste.push(["S", ((y + 1) % rows) * cols + x]);
      if (cells[y * cols + ((x + 1) % cols)] !== "#") liste.push(["E", y * cols + ((x + 1) % cols)]);
      if (cells[y * cols + ((x + cols - 1) % cols)] !== "#") liste.push(["O", y * cols + ((x + cols - 1) % cols)]);
      this.voisins.set(position, liste);
    }
    return this.voisins.get(position);
  }

  promenade(position, longueur, fantomes) {
    const ramasses = new Set();
    let total = 0;
    let precedent = -1;
    for (let t = 0; t < longueur; t++) {
      const choix = this.sorties(position).filter(([, p]) => p !== precedent);
      if (choix.length === 0) break;
      precedent = position;
      position = choix[Math.floor(this.hasard() * choix.length)][1];
      if (fantomes.includes(position)) return total - 30;
      if (this.jeu.cells[position] !== " " && !ramasses.has(position)) {
        ramasses.add(position);
        total += 10 / (t + 1);
      }
    }
    return total;
  }
}

const orders = (game) => {
  const simulation = new Simulation(game, Math.random);
  const moi = game.players.filter(({ colour }) => colour === game.me)[0];
  const fantomes = [];
  game.players.forEach((joueur) => {
    if (joueur !== moi) fantomes.push(joueur.ghost);
  });
  const moyennes = simulation.sorties(moi.pacman).map(([lettre, position]) => {
    let somme = game.cells[position] === " " ? 0 : 200;
    for (let i = 0; i < 200; i++) somme += simulation.promenade(position, 15, fantomes);
    return { lettre, somme };
  });
  moyennes.sort((a, b) => b.somme - a.somme);
  const fuite = simulation.sorties(moi.ghost);
  const autre = fuite[Math.floor(Math.random() * fuite.length)];
  return `${moyennes.length ? moyennes[0].lettre : "N"}${autre ? autre[0] : "N"}`;
};
