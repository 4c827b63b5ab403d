// A bot for Pacman IUT'O: its pacman walks to the nearest object, its ghost to the nearest pacman.
const net = require("node:net");

const STEPS = { N: [-1, 0], E: [0, 1], S: [1, 0], O: [0, -1] };

/** The game that a state describes: our letter, the cells row by row, each player's pieces and points. */
function decode(message) {
  const header = message.indexOf("\n");
  const [turns, board, players] = message.slice(header + 1).split(`${"-".repeat(20)}\n`);
  const [played, total] = turns.split(";").map(Number);
  const [size, ...lines] = board.split("\n");
  const [rows, cols] = size.split(";").map(Number);
  const pieces = players.trimEnd().split("\n").map((line) => {
    const [colour, points, , row, col, ghostRow, ghostCol] = line.split(";");
    return { colour, points: Number(points), pacman: row * cols + Number(col), ghost: ghostRow * cols + Number(ghostCol) };
  });
  return { me: message[4], turnsLeft: total - played, rows, cols, cells: lines.slice(0, rows).join(""), players: pieces };
}

/** The first direction of a shortest path to a wanted cell, by breadth-first search on the torus; north if there is none. */
function firstStep({ rows, cols, cells }, start, isWanted) {
  const queue = [[start, ""]];
  const seen = new Set([start]);
  for (const [cell, first] of queue) {
    for (const [direction, [down, right]] of Object.entries(STEPS)) {
      const row = (Math.floor(cell / cols) + down + rows) % rows;
      const next = row * cols + ((cell % cols) + right + cols) % cols;
      if (cells[next] === "#" || seen.has(next)) continue;
      if (isWanted(next)) return first || direction;
      seen.add(next);
      queue.push([next, first || direction]);
    }
  }
  return "N";
}

/** Our thoughts of this turn, which spectators read beside the board, live and in recordings. */
const thoughts = [];
const item = (...words) => thoughts.push(words.join(" ").replaceAll(";", ",").trim());
const at = ({ cols }, cell) => `${Math.floor(cell / cols)},${cell % cols}`;
/** Says words, marks a cell, and draws a path of directions such as "NNE". */
const say = (...words) => item("text", ...words);
const mark = (game, cell, words = "") => item(typeof words === "number" ? "value" : "cell", at(game, cell), words);
const path = (game, from, steps, words = "") => item("path", at(game, from), steps, words);

/** The directions of our pacman and of our ghost, as two letters, and what we think. */
function orders(game) {
  const own = game.players.find(({ colour }) => colour === game.me);
  const others = game.players.filter((player) => player !== own).map(({ pacman }) => pacman);
  const pacman = firstStep(game, own.pacman, (cell) => game.cells[cell] !== " ");
  const ghost = firstStep(game, own.ghost, (cell) => others.includes(cell));
  say("the nearest object, the nearest pacman");
  path(game, own.pacman, pacman);
  others.forEach((cell) => mark(game, cell));
  return [pacman + ghost, ...thoughts.splice(0)].join(";");
}

/** Our rank and our points; equal points share a rank. */
function result({ me, players }) {
  const { points } = players.find(({ colour }) => colour === me);
  const rank = 1 + players.filter((player) => player.points > points).length;
  return `rank, rang: ${rank}/${players.length}, points: ${points}`;
}

const [name = "JavaScript", host = "127.0.0.1", port = "1111"] = process.argv.slice(2);
let tries = 0; // how often to look for a server that was there, a second apart

function connect() {
  const server = net.createConnection(Number(port), host, () => server.write(`joueur;${name}\0`));
  let received = "";
  let problem = "closed without a word, fermeture sans un mot";
  server.setEncoding("utf8");
  server.on("data", (data) => {
    const messages = (received + data).split("\0"); // each one ends in a NUL byte
    received = messages.pop();
    for (const message of messages) {
      if (!message.startsWith("jeu;")) {
        const isPyrat = message.startsWith("labyrinthe;");
        const reason = isPyrat ? "this server plays PyRat, ce serveur joue à PyRat: rat.py" : message.trim();
        if (message !== "quit\n") console.error(`${host}:${port}: ${reason}`);
        process.exit(message === "quit\n" ? 0 : 1);
      }
      const game = decode(message);
      tries = 60;
      server.write(`${orders(game)}\0`);
      if (game.turnsLeft === 0) console.log(result(game));
    }
  });
  server.on("error", (error) => (problem = error.message));
  server.on("close", () => {
    if (tries > 0) setTimeout(connect, 1000);
    else {
      console.error(`no server, pas de serveur: ${host}:${port} (${problem}); server --remplir prudent`);
      process.exit(1);
    }
    tries -= 1;
  });
}

connect();
