// The texts of the page, in English and French.

const WORDS = {
  en: {
    about: (film) => `${film.map ? `map ${film.map}` : `${film.rows} × ${film.cols}`} · seed ${film.seed}${film.turns < 2 ** 31 ? ` · ${film.turns} ${say.turns(film.turns)}${film.game === "pyrat" ? " at most" : ""}` : ""}`,
    absent: { disconnected: "$0 is disconnected", back: "$0 is back", missed: "$0 does not answer in time", malformed: "$0 sends a malformed answer" },
    appear: "$o appears",
    ateAlone: "$0 eats a cheese",
    ateShared: "$0 share a cheese",
    back: "One turn back (←)",
    battle: { true: "$1's ghost bites $0", false: "$0 eats $1's ghost" },
    best: "Best turns",
    blocked: { pacman: "$0 runs into a wall", ghost: "$0's ghost runs into a wall" },
    board: (turn, players) => `Board after turn ${turn}. ${players}`,
    causes: {
      bot: () => "bot",
      network: (rtt, unacknowledged, retransmits, queued) => `network: rtt ${rtt} ms, ${unacknowledged} unacknowledged, ${retransmits} ${some(retransmits, "retransmit", "retransmits")}, ${queued} ${some(queued, "byte", "bytes")} queued`,
      host: (stalled) => `host: stalled for ${stalled} ms`,
    },
    close: "Close",
    colon: ":",
    countedCauses: { bot: "bot", network: "network", host: "host", unknown: "unknown cause" },
    connected: "connected",
    control: "Time line",
    cut: (turn) => `The recording that is shown stops at turn ${turn}.`,
    digest: "$0's ghost digests",
    disconnected: "no server, trying again…",
    faster: "Faster (+)",
    faults: "faults",
    faultsTitle: "Malformed, missed and disconnected turns up to this turn",
    files: { rejeu: "recording", html: "page", gif: "animation (GIF)" },
    finished: "finished",
    first: "To the start (Home)",
    forward: "One turn forward (→)",
    frozen: "$0's ghost is frozen",
    games: "Games",
    gone: "The game of this link is gone: this server has neither played nor recorded it.",
    heldTurns: "held (frozen, digesting, in the mud)",
    help: "Help",
    hints: { capitals: "capitals", two: "two letters, the pacman's and the ghost's, of", one: "one letter of", letters: "expected" },
    idleTurns: "without a step",
    keys: "Keys",
    keyList: [["Space", "play, pause"], ["← →", "one turn back, forward; with Shift, ten"], ["Home End", "to the start, to the end"], ["+ −", "faster, slower"], ["B N", "to the mark before, after"], ["L", "back to the live game"], ["1–9", "follow a player, as does a click on it or its name"], ["P", "projector, as does a double click on the board"], ["?", "this help"]],
    lanes: { battle: "battles", power: "powers", teleport: "teleports", fault: "faults", cheese: "cheese" },
    last: "To the end (End)",
    legend: "What is on the board",
    live: "Back to the live game (L)",
    liveShort: "Live",
    late: "late answer",
    lateTurns: "with a late answer",
    lobby: "The next game",
    log: "What happened",
    malformedSent: { pacman: "malformed order", pyrat: "malformed answer" },
    malformedTurns: () => "malformed",
    median: "median",
    medianTitle: "Median thinking time up to this turn, in milliseconds",
    missedTurns: "without an answer in time",
    disconnectedTurns: "without a connection",
    missing: (there, seats) => (there < seats ? `${there} of ${seats} players are there: ${seats - there} ${some(seats - there, "is", "are")} missing` : `all ${seats} players are there`),
    name: "NAME",
    next: "To the next mark (N)",
    noAnswer: "no answer",
    nothingCame: "nothing came in time",
    of: "of",
    objects: { ".": "a vitamin", $: "a glutton", "@": "a freeze", "~": "a wall-pass", "&": "a cherry", "!": "a teleporter", C: "a cheese" },
    otherLanguage: "Français",
    pause: "Pause (space)",
    pieces: ["pacman", "ghost (lower case letter)", "glutton: eats ghosts", "freeze: ghosts in the square stand still", "wall-pass"],
    rats: ["rat", "hole", "mud, and the turns it takes"],
    play: "Play (space)",
    player: "player",
    playing: "playing",
    points: "points",
    previous: "To the mark before (B)",
    projector: "Projector",
    remarks: "Malformed, late and missing answers",
    scores: "Scores",
    slower: "Slower (−)",
    sources: { ".": "vitamin", $: "glutton", "@": "freeze", "~": "wall-pass", "&": "cherry", "!": "teleporter", bite: "pacman bitten by the ghost", meal: "ghost eaten as a glutton", bitten: "bitten by a ghost", eaten: "ghost eaten by a glutton", malformed: "malformed order", pacman_blocked: "pacman into a wall", ghost_blocked: "ghost into a wall", cheese: "cheese" },
    takeAlong: "Take this game along",
    toCome: "To play",
    teleport: { pacman: "$0 is teleported", ghost: "$0's ghost is teleported" },
    thinking: "Thinking time",
    thinkingScale: ["min", "median", "90 %", "99 %", "max"],
    time: "ms",
    timeTitle: "Thinking time of this turn, in milliseconds",
    took: "$0 takes $o",
    turn: "turn",
    turns: (count) => some(count, "turn", "turns"),
    unreachable: "The server is busy or cannot be reached: trying again…",
    waiting: "Waiting for a game…",
    why: "How it came about",
    whyLost: "Why did I lose?",
    wins: (count) => (count === 1 ? "wins" : "share the first place"),
    worst: "Worst turns",
  },
  fr: {
    about: (film) => `${film.map ? `carte ${film.map}` : `${film.rows} × ${film.cols}`} · graine ${film.seed}${film.turns < 2 ** 31 ? ` · ${film.turns} ${say.turns(film.turns)}${film.game === "pyrat" ? " au plus" : ""}` : ""}`,
    absent: { disconnected: "$0 est déconnecté", back: "$0 est de retour", missed: "$0 ne répond pas à temps", malformed: "$0 envoie une réponse mal formée" },
    appear: "$o apparaît",
    ateAlone: "$0 mange un fromage",
    ateShared: "$0 partagent un fromage",
    back: "Un tour en arrière (←)",
    battle: { true: "le fantôme de $1 mord $0", false: "$0 mange le fantôme de $1" },
    best: "Meilleurs tours",
    blocked: { pacman: "$0 fonce dans un mur", ghost: "le fantôme de $0 fonce dans un mur" },
    board: (turn, players) => `Plateau après le tour ${turn}. ${players}`,
    causes: {
      bot: () => "bot",
      network: (rtt, unacknowledged, retransmits, queued) => `réseau : rtt ${rtt} ms, ${unacknowledged} sans accusé, ${retransmits} ${some(retransmits, "retransmission", "retransmissions")}, ${queued} ${some(queued, "octet", "octets")} en attente`,
      host: (stalled) => `hôte : arrêté ${stalled} ms`,
    },
    close: "Fermer",
    colon: " :",
    countedCauses: { bot: "bot", network: "réseau", host: "hôte", unknown: "cause inconnue" },
    connected: "connecté",
    control: "Ligne de temps",
    cut: (turn) => `L'enregistrement montré s'arrête au tour ${turn}.`,
    digest: "le fantôme de $0 digère",
    disconnected: "pas de serveur, nouvel essai…",
    faster: "Plus vite (+)",
    faults: "fautes",
    faultsTitle: "Tours mal formés, manqués ou déconnectés jusqu'à ce tour",
    files: { rejeu: "enregistrement", html: "page", gif: "animation (GIF)" },
    finished: "terminée",
    first: "Au début (Début)",
    forward: "Un tour en avant (→)",
    frozen: "le fantôme de $0 est gelé",
    games: "Parties",
    gone: "La partie de ce lien n'est plus là : ce serveur ne l'a ni jouée ni enregistrée.",
    heldTurns: "retenu (gelé, digestion, boue)",
    help: "Aide",
    hints: { capitals: "majuscules", two: "deux lettres, pacman puis fantôme, parmi", one: "une seule lettre parmi", letters: "attendu" },
    idleTurns: "sans avancer",
    keys: "Touches",
    keyList: [["Espace", "lecture, pause"], ["← →", "un tour en arrière, en avant ; avec Maj, dix"], ["Début Fin", "au début, à la fin"], ["+ −", "plus vite, moins vite"], ["B N", "à la marque précédente, suivante"], ["L", "retour au direct"], ["1–9", "suivre un joueur, tout comme un clic sur lui ou son nom"], ["P", "projecteur, tout comme un double clic sur le plateau"], ["?", "cette aide"]],
    lanes: { battle: "combats", power: "pouvoirs", teleport: "téléports", fault: "fautes", cheese: "fromages" },
    last: "À la fin (Fin)",
    legend: "Ce qu'on voit sur le plateau",
    live: "Retour au direct (L)",
    liveShort: "Direct",
    late: "réponse en retard",
    lateTurns: "avec une réponse en retard",
    lobby: "La prochaine partie",
    log: "Ce qui s'est passé",
    malformedSent: { pacman: "ordre mal formé", pyrat: "réponse mal formée" },
    malformedTurns: (count) => some(count, "mal formé", "mal formés"),
    median: "médiane",
    medianTitle: "Temps de réflexion médian jusqu'à ce tour, en millisecondes",
    missedTurns: "sans réponse à temps",
    disconnectedTurns: "sans connexion",
    missing: (there, seats) => (there < seats ? `${there} ${some(there, "joueur", "joueurs")} sur ${seats} : il en manque ${seats - there}` : `les ${seats} joueurs sont là`),
    name: "NOM",
    next: "À la marque suivante (N)",
    noAnswer: "pas de réponse",
    nothingCame: "rien n'est arrivé à temps",
    of: "sur",
    objects: { ".": "une vitamine", $: "un glouton", "@": "une immobilité", "~": "un passe-muraille", "&": "une cerise", "!": "un téléporteur", C: "un fromage" },
    otherLanguage: "English",
    pause: "Pause (espace)",
    pieces: ["pacman", "fantôme (lettre minuscule)", "glouton : mange les fantômes", "immobilité : les fantômes du carré ne bougent pas", "passe-muraille"],
    rats: ["rat", "trou", "boue, et les tours qu'elle coûte"],
    play: "Lecture (espace)",
    player: "joueur",
    playing: "en cours",
    points: "points",
    previous: "À la marque précédente (B)",
    projector: "Projecteur",
    remarks: "Réponses mal formées, en retard et manquantes",
    scores: "Scores",
    slower: "Moins vite (−)",
    sources: { ".": "vitamine", $: "glouton", "@": "immobilité", "~": "passe-muraille", "&": "cerise", "!": "téléporteur", bite: "pacman mordu par le fantôme", meal: "fantôme mangé en glouton", bitten: "mordu par un fantôme", eaten: "fantôme mangé par un glouton", malformed: "ordre mal formé", pacman_blocked: "pacman dans un mur", ghost_blocked: "fantôme dans un mur", cheese: "fromage" },
    takeAlong: "Emporter cette partie",
    toCome: "Pour jouer",
    teleport: { pacman: "$0 est téléporté", ghost: "le fantôme de $0 est téléporté" },
    thinking: "Temps de réflexion",
    thinkingScale: ["min", "médiane", "90 %", "99 %", "max"],
    time: "ms",
    timeTitle: "Temps de réflexion de ce tour, en millisecondes",
    took: "$0 prend $o",
    turn: "tour",
    turns: (count) => some(count, "tour", "tours"),
    unreachable: "Le serveur est occupé ou injoignable : nouvel essai…",
    waiting: "En attente d'une partie…",
    why: "Comment on en est arrivé là",
    whyLost: "Pourquoi ai-je perdu ?",
    wins: (count) => (count === 1 ? "gagne" : "se partagent la première place"),
    worst: "Pires tours",
  },
};

/** Language of the address, or of the page that this one is within, or else of the browser. */
const asked = new URLSearchParams(location.search).get("lang") ?? document.documentElement.dataset.lang;
const wanted = asked ?? navigator.language ?? "en";
const LANGUAGE = wanted.toLowerCase().startsWith("fr") ? "fr" : "en";
const say = WORDS[LANGUAGE];
const decimals = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 2 });
const signed = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 2, signDisplay: "exceptZero" });

const plurals = new Intl.PluralRules(LANGUAGE);

/** The form of a word that goes with a number of things. */
function some(count, one, many) {
  return plurals.select(count) === "one" ? one : many;
}

const rounded = [0, 1, 2].map((digits) => new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: digits }));

/** Milliseconds, to about three digits. */
function milliseconds(time) {
  return rounded[time >= 100 ? 0 : time >= 1 ? 1 : 2].format(time);
}

/** An event in words: texts and letters of players in turn, or null when it is not worth a word. */
function tell(event, film, turn) {
  const [kind, who, what] = event;
  const piece = who === String(who).toUpperCase() ? "pacman" : "ghost";
  const before = () => film.events(turn - 1).some(([other, same]) => other === kind && same === who);
  switch (kind) {
    case "took": return what === "." ? null : fill(say.took, [who], what);
    case "battle": return fill(say.battle[event[3]], [who, what.toUpperCase()]);
    case "teleport": return fill(say.teleport[piece], [who.toUpperCase()]);
    case "false": return fill(say.blocked[piece], [who.toUpperCase()]);
    case "frozen": return before() ? null : fill(say.frozen, [who]);
    case "digest": return before() ? null : fill(say.digest, [who]);
    case "appear": return fill(say.appear, [], who);
    case "ate": return fill(who.length > 1 ? say.ateShared : say.ateAlone, [who]);
    case "absent": return [...fill(say.absent[what], [who]), event[3] ? ` (${causeWords(event[3])})` : ""];
    case "sent": return [{ letter: who }, `${say.colon} ${excerptWords(what, film.game)}`];
    default: return null;
  }
}

/** Points that changed, in words: what one player wins, another one loses, so that one number is enough. */
function changedPoints(changes) {
  const points = Object.values(changes);
  return points.length ? [` ${signed.format(Math.max(...points))}`] : [];
}

/** A cause as films have it: what it is called and its evidence. */
function causeWords([cause, ...evidence]) {
  return say.causes[cause](...evidence);
}

/** A message that was malformed or late, as films have it; its text is in quotes and escaped. */
function excerptWords([flaw, text, hint], game) {
  if (flaw === "late") return `${say.late} ${text}`;
  const letters = game === "pyrat" ? "N E S O X" : "N E S O";
  return `${say.malformedSent[game]} ${text}${hint ? `${say.colon} ${say.hints[hint]} ${letters}` : ""}`;
}

/** Fault of an answer, in the words of an analysis. */
function remarkWords([fault, cause, excerpt], game) {
  const parts = [];
  if (fault === 2) parts.push(cause ? `${say.nothingCame} (${causeWords(cause)})` : say.nothingCame);
  if (excerpt) parts.push(excerptWords(excerpt, game));
  else if (fault === 1) parts.push(say.malformedSent[game]);
  return parts.join(", ");
}

/** Puts letters in for $0 and $1, which may be several, and an object's name for $o. */
function fill(text, letters, object) {
  return text.split(/(\$[01o])/).flatMap((part) => {
    if (part === "$o") return [say.objects[object] ?? object];
    if (part === "$0" || part === "$1") return [letters[Number(part[1])]].flat().map((letter) => ({ letter }));
    return part ? [part] : [];
  });
}
