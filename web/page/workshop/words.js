// The texts of the workshop, in English and French.

import { decimals } from "../replay/words.js";
import { spoken } from "../shared/language.js";

/** @import { Check } from "../arene/arene.js" */

const percent = (/** @type {number} */ share) => `${Math.round(100 * share)}`;

const en = {
  closed: (/** @type {string} */ reason) => `The server has closed the connection${reason ? `: ${reason}` : ""}.`,
  deadline: "an answer may take",
  deadlines: { 1000: "1 s, as on a server", 5000: "5 s", 30000: "30 s" },
  download: "Download",
  downloadKit: "Download pacman_iuto.py",
  ended: {
    late: (/** @type {number} */ turn) => `Stopped at turn ${turn}: the answer took too long.`,
    left: (/** @type {number} */ turn) => `The program ended at turn ${turn}, before the game did.`,
    over: (/** @type {number} */ rank, /** @type {number} */ points) => `The game is over: rank ${rank}, points: ${decimals(points)}.`,
    stopped: (/** @type {number} */ turn) => `Stopped at turn ${turn}. Change the program if you like, and go on.`,
    unregistered: () => "The program did not register: its first message is to be joueur;NAME and a NUL byte.",
  },
  enter: "Enter here",
  enterTitle: "Plays in the game or the tournament of the server that this page comes from, under the name of the file",
  entered: (/** @type {string} */ team) => `${team} is with the server, and waits for a game…`,
  goOn: "Go on",
  goOnTitle: "Plays on from the turn that is shown, with the program as it is now",
  halt: "Stop",
  halted: "Stopped.",
  isLate: (/** @type {number | null} */ line) => `The answer took too long${line === null ? "" : `: the program was in line ${line}`}.`,
  killed: "The program did not react, and was ended; its line is not known.",
  loadingPython: "Python is being loaded…",
  newJavaScript: "New in JavaScript",
  newPython: "New in Python",
  noJavaScript: (/** @type {number} */ line) => `This is no JavaScript: see line ${line}.`,
  noSeat: "The program takes the seat of a player without a bot: choose one in the form.",
  noPython: "No Python here: it needs the file python.js beside this page, as in the archive of a release or on a server of the arena. JavaScript works.",
  notKept: "This browser keeps no files for this page: download the program.",
  only: (/** @type {string} */ order) => `All orders are ${order}.`,
  malformed: (/** @type {boolean} */ isPyrat, /** @type {number} */ count, /** @type {number} */ turn, /** @type {string} */ text) => `${count} malformed orders: expected ${isPyrat ? "a letter of N, E, S, O, X" : "two letters of N, E, S, O"}; the first, at turn ${turn}: ${text}.`,
  missed: (/** @type {number} */ count) => `${count} turns without an order.`,
  output: "What the program prints, by turn",
  program: "program",
  programs: "Programs",
  playing: (/** @type {string} */ team, /** @type {number} */ turn, /** @type {number} */ turns) => `${team} plays on the server: turn ${turn} of ${turns}.`,
  pythonReady: "Python is ready",
  ratsBegin: "In PyRat the maze comes before the first state: rat.py, a new program in Python, shows how.",
  remove: "Delete",
  rename: "name",
  renamed: "Expected a name that ends in .py or .js, and that no other program has.",
  results: (/** @type {number} */ games, /** @type {{ share: number, low: number, high: number }} */ { share, low, high }, /** @type {number} */ points) =>
    `${games} games: first in ${percent(share)} % (${percent(low)} to ${percent(high)} % with 95 % confidence), points on average: ${decimals(points)}.`,
  runs: "Runs",
  running: "The program plays…",
  sure: (/** @type {string} */ name) => `Delete ${name}?`,
  stepOn: "Step",
  stepTitle: "Plays one turn from the turn that is shown, with the program as it is now",
  trial: "20 games",
  trialTitle: "Plays 20 games with other seeds, from each seat in turn",
  until: "stop at turn",
  wallsOfRat: (/** @type {number} */ rat) => `Orders into walls: ${rat} %.`,
  walls: (/** @type {number} */ pacman, /** @type {number} */ ghost) => `Orders into walls: ${pacman} % of the pacman's, ${ghost} % of the ghost's.`,
  workshop: "Workshop",
  workshopTitle: "Write a program, and let it play here",
};

/** @type {typeof en} */
const fr = {
  closed: (reason) => `Le serveur a fermé la connexion${reason ? ` : ${reason}` : ""}.`,
  deadline: "une réponse peut prendre",
  deadlines: { 1000: "1 s, comme sur un serveur", 5000: "5 s", 30000: "30 s" },
  download: "Télécharger",
  downloadKit: "Télécharger pacman_iuto.py",
  ended: {
    late: (turn) => `Arrêté au tour ${turn} : la réponse prenait trop de temps.`,
    left: (turn) => `Le programme s'est terminé au tour ${turn}, avant la partie.`,
    over: (rank, points) => `La partie est finie : ${rank === 1 ? "1er" : `${rank}e`}, points : ${decimals(points)}.`,
    stopped: (turn) => `Arrêté au tour ${turn}. Changez le programme si vous voulez, puis continuez.`,
    unregistered: () => "Le programme ne s'est pas inscrit : son premier message doit être joueur;NOM et un octet nul.",
  },
  enter: "Entrer ici",
  enterTitle: "Joue dans la partie ou le tournoi du serveur d'où vient cette page, sous le nom du fichier",
  entered: (team) => `${team} est chez le serveur, et attend une partie…`,
  goOn: "Continuer",
  goOnTitle: "Reprend la partie au tour affiché, avec le programme tel qu'il est",
  halt: "Arrêter",
  halted: "Arrêté.",
  isLate: (line) => `La réponse prenait trop de temps${line === null ? "" : ` : le programme était à la ligne ${line}`}.`,
  killed: "Le programme ne réagissait plus, il a été interrompu ; sa ligne n'est pas connue.",
  loadingPython: "Chargement de Python…",
  newJavaScript: "Nouveau en JavaScript",
  newPython: "Nouveau en Python",
  noJavaScript: (line) => `Ce n'est pas du JavaScript : voyez la ligne ${line}.`,
  noSeat: "Le programme prend la place d'un joueur sans bot : choisissez-en un dans le formulaire.",
  noPython: "Pas de Python ici : il faut le fichier python.js à côté de cette page, comme dans l'archive d'une version ou sur un serveur de l'arène. JavaScript fonctionne.",
  notKept: "Ce navigateur ne garde pas de fichiers pour cette page : téléchargez le programme.",
  only: (order) => `Tous les ordres sont ${order}.`,
  malformed: (isPyrat, count, turn, text) => `${count} ordres mal formés : ${isPyrat ? "une lettre parmi N, E, S, O, X est attendue" : "deux lettres parmi N, E, S, O sont attendues"} ; le premier, au tour ${turn} : ${text}.`,
  missed: (count) => `${count} tours sans ordre.`,
  output: "Ce que le programme affiche, par tour",
  program: "programme",
  programs: "Programmes",
  playing: (team, turn, turns) => `${team} joue chez le serveur : tour ${turn} sur ${turns}.`,
  pythonReady: "Python est prêt",
  ratsBegin: "À PyRat, le labyrinthe vient avant le premier état : rat.py, un nouveau programme en Python, montre comment.",
  remove: "Supprimer",
  rename: "nom",
  renamed: "Un nom en .py ou .js qu'aucun autre programme ne porte est attendu.",
  results: (games, { share, low, high }, points) =>
    `${games} parties : premier dans ${percent(share)} % (entre ${percent(low)} et ${percent(high)} %, à 95 % de confiance), points en moyenne : ${decimals(points)}.`,
  runs: "Exécutions",
  running: "Le programme joue…",
  sure: (name) => `Supprimer ${name} ?`,
  stepOn: "Un tour",
  stepTitle: "Joue un tour à partir de celui qui est affiché, avec le programme tel qu'il est",
  trial: "20 parties",
  trialTitle: "Joue 20 parties avec d'autres graines, de chaque place à son tour",
  until: "arrêt au tour",
  wallsOfRat: (rat) => `Ordres vers un mur : ${rat} %.`,
  walls: (pacman, ghost) => `Ordres vers un mur : ${pacman} % de ceux du pacman, ${ghost} % de ceux du fantôme.`,
  workshop: "Atelier",
  workshopTitle: "Écrire un programme, et le faire jouer ici",
};

export const texts = spoken.language === "fr" ? fr : en;

/** The faults in a program's orders, a sentence each. @param {Check} check @param {boolean} isPyrat */
export function remarks({ turns, missed, malformed, first, walls, only }, isPyrat) {
  const [pacman, ghost] = walls.map((count) => Math.round((100 * count) / Math.max(1, turns)));
  return [
    ...(missed > 0 ? [texts.missed(missed)] : []),
    ...(first ? [texts.malformed(isPyrat, malformed, ...first)] : []),
    ...(only ? [texts.only(only)] : []),
    ...(Math.max(pacman, ghost) > 30 ? [isPyrat ? texts.wallsOfRat(pacman) : texts.walls(pacman, ghost)] : []),
  ];
}
