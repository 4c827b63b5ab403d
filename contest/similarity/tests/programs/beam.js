// beam search over plans of 12 steps
var WIDTH = 30;
var STEPS_AHEAD = 12;

function torusNeighbours(game) {
  var all = [];
  for (var cell = 0; cell < game.rows * game.cols; cell++) {
    var list = [];
    for (var name in STEPS) {
      var r = (Math.floor(cell / game.cols) + STEPS[name][0] + game.rows) % game.rows;
      var c = (cell % game.cols + STEPS[name][1] + game.cols) % game.cols;
      if (game.cells.charAt(r * game.cols + c) != "#") {
        list.push({ name: name, cell: r * game.cols + c });
      }
    }
    all.push(list);
  }
  return all;
}

function extendPlan(plan, exit, game, t) {
  var value = plan.value;
  var eaten = plan.eaten;
  if (game.cells.charAt(exit.cell) != " " && eaten.indexOf(exit.cell) < 0) {
    value += Math.pow(0.95, t);
    eaten = eaten.concat([exit.cell]);
  }
  return { value: value, eaten: eaten, cell: exit.cell, first: plan.first || exit.name };
}

function search(game, neighbours, from) {
  var beam = [{ value: 0, eaten: [], cell: from, first: "" }];
  for (var t = 0; t < STEPS_AHEAD; t++) {
    var next = [];
    beam.forEach(function (plan) {
      neighbours[plan.cell].forEach(function (exit) {
        next.push(extendPlan(plan, exit, game, t));
      });
    });
    next.sort(function (a, b) { return b.value - a.value; });
    beam = next.slice(0, WIDTH);
  }
  return beam.length > 0 && beam[0].value > 0 ? beam[0].first : null;
}

function orders(game) {
  var mine = null;
  var rivals = [];
  for (var i = 0; i < game.players.length; i++) {
    if (game.players[i].colour == game.me) mine = game.players[i];
    else rivals.push(game.players[i].pacman);
  }
  var pacman = search(game, torusNeighbours(game), mine.pacman);
  if (pacman === null) pacman = firstStep(game, mine.pacman, function (cell) { return game.cells[cell] != " "; });
  return pacman + firstStep(game, mine.ghost, function (cell) { return rivals.indexOf(cell) >= 0; });
}
