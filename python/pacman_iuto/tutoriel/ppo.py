"""Proximal policy optimisation in one file: a bot of Pacman learns by playing against itself, with numpy for the mathematics.

The games come from :class:`pacman_iuto.BatchEnv`, which needs ``pip install "pacman-iuto[rl]"``::

    python -m pacman_iuto.tutoriel.ppo train ada.npz --minutes 60
    python -m pacman_iuto.tutoriel.ppo evaluate ada.npz --opponents glouton glouton glouton
    python -m pacman_iuto.tutoriel.ppo play ada.npz --equipe Ada --serveur localhost

The file reads from top to bottom: what the bot sees (:class:`Maze`, :func:`features`), what it decides with (:class:`Network`,
:class:`Policy`), how it learns (:func:`train`), how good it is (:func:`evaluate`), and the bot that plays with what was learned.

The algorithm is PPO with clipped ratios (Schulman et al., *Proximal Policy Optimization Algorithms*, 2017) and generalised
advantages (Schulman et al., *High-Dimensional Continuous Control Using Generalized Advantage Estimation*, 2016).
"""
from __future__ import annotations

import argparse
import itertools
import os
import sys
import time
import zipfile
from typing import Iterator, List, NamedTuple, Optional, Sequence, Tuple, cast

# Matrices are small: several threads would wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy
from numpy.typing import NDArray

from pacman_iuto import BOTS, Bot, View, run
from pacman_iuto.env import ACTIONS, BatchEnv
from pacman_iuto.env.spaces import Observation
from pacman_iuto.seul import Parser, choose_language, number as whole_number, said

Floats = NDArray[numpy.float32]
Integers = NDArray[numpy.int64]
#: Names of maps or files; ``None`` is plan1.
Maps = Sequence[Optional[str]]

#: A distance that stands for "no path leads there".
FAR = 250
#: How much an object, a ghost, a prey and a bite count at each distance.
OBJECT, GHOST, PREY, BITE = (numpy.power(decay, numpy.arange(256)).astype(numpy.float32) for decay in (0.85, 0.6, 0.8, 0.4))
#: Points of a vitamin, glutton, freeze, wall-pass, cherry, teleporter.
POINTS = numpy.array([3, 50, 50, 50, 100, 50], numpy.float32)
#: The objects as the server writes them, in the order of the planes.
OBJECTS = ".$@~&!"


class Maze:
    """A map of corridors and walls, with all distances in it. A cell is ``row * columns + column``."""

    def __init__(self, walls: NDArray[numpy.bool_]) -> None:
        rows, columns = walls.shape
        cell = numpy.arange(rows * columns).reshape(rows, columns)
        #: The cell that a step to the north, east, south, west leads to, of shape (cells, 4): the map is a torus.
        self.steps = numpy.stack([numpy.roll(cell, shift, axis).ravel() for shift, axis in ((1, 0), (-1, 1), (-1, 0), (1, 1))], 1)
        self.walls = walls.ravel()
        row, column = numpy.divmod(cell.ravel(), columns)
        down, right = abs(row[:, None] - row), abs(column[:, None] - column)
        across = numpy.minimum(down, rows - down) + numpy.minimum(right, columns - right)
        #: Steps between two cells, of shape (2, cells, cells): around walls, and through them.
        self.distances = numpy.stack([self._around(), numpy.minimum(across, FAR)]).astype(numpy.uint8)

    def _around(self) -> Integers:
        """Distances by a breadth-first search from all cells at a time."""
        corridor = ~self.walls
        reached = numpy.diag(corridor)
        distances = numpy.where(reached, 0, FAR)
        for step in range(1, FAR):
            # A cell is reached after its neighbours.
            reached = reached[:, self.steps].any(2) & corridor & (distances == FAR)
            if not reached.any():
                break
            distances[reached] = step
        return distances


class Features(NamedTuple):
    """The inputs of the networks: for each seat and each of the four directions of a piece, some numbers between -1 and 1."""

    #: Shape (seats, 4, numbers).
    pacman: Floats
    ghost: Floats


def features(maze: Maze, planes: NDArray[numpy.uint8], vector: NDArray[numpy.int32]) -> Features:
    """The features of observations of four players, as :mod:`pacman_iuto.env` describes them."""
    seats = len(planes)
    cells = planes.reshape(seats, 15, -1)
    pieces = cells[:, 7:].argmax(2)
    pacmans, ghosts = pieces[:, :4], pieces[:, 4:]
    players = vector[:, 1:].reshape(seats, 4, 6)
    points, glutton, freeze = players[:, :, 0], players[:, :, 2] > 0, players[:, :, 3] > 0
    flies = (players[:, :, 4] > 0).astype(int)
    ahead = (points[:, 0] - points[:, 1:].max(1)) / 300
    common = numpy.stack([
        vector[:, 0] / 200, players[:, 0, 2] / 20, players[:, 0, 3] / 10, players[:, 0, 4] / 20, players[:, 0, 1] / 4,
        freeze[:, 1:].any(1), glutton[:, 1:].any(1), numpy.clip(ahead, -1, 1),
    ], 1)
    everywhere = numpy.repeat(common[:, None], 4, 1)

    ways = maze.steps[pacmans[:, 0]]
    blocked = maze.walls[ways] & (flies[:, :1] == 0)
    hunters = GHOST[maze.distances[0][ghosts[:, 1:, None], ways[:, None]]]
    hunters = numpy.sort(hunters, 1).transpose(0, 2, 1)
    eaten = hunters[:, :, 2:] * glutton[:, :1, None]
    pacman = [_objects(maze, cells[:, 1:7], pacmans, ways, flies), hunters, eaten, blocked[:, :, None]]

    ways = maze.steps[ghosts[:, 0]]
    distances = maze.distances[0][pacmans[:, 1:, None], ways[:, None]]
    nearest = distances.min(2).argsort(1)[:, :, None]
    distances = numpy.take_along_axis(distances, nearest, 1).transpose(0, 2, 1)
    prey, bite = PREY[distances], BITE[distances]
    bites_back = numpy.take_along_axis(glutton[:, 1:, None], nearest, 1).transpose(0, 2, 1)
    ghost = [prey, bite, prey * bites_back, maze.walls[ways][:, :, None]]
    return Features(*(numpy.concatenate([*parts, everywhere], 2).astype(numpy.float32) for parts in (pacman, ghost)))


def _objects(maze: Maze, objects: NDArray[numpy.uint8], pacmans: Integers, ways: Integers, flies: Integers) -> Floats:
    """The nearness of objects in each direction: the nearest of each kind, the nearest that we reach first, and sums of points."""
    seats = len(objects)
    seat, kind, cell = objects.nonzero()
    distance = maze.distances[flies[seat, :1], ways[seat], cell[:, None]]
    rivals = maze.distances[flies[seat, 1:], pacmans[seat, 1:], cell[:, None]].min(1)
    near = OBJECT[distance]
    near = numpy.concatenate([near, near * (distance < rivals[:, None])], 1)
    nearest: Floats = numpy.zeros((seats * 6, 8), numpy.float32)
    sums: Floats = numpy.zeros((seats, 8), numpy.float32)
    # Objects come in the order of their seats and kinds.
    group = seat * 6 + kind
    starts = numpy.flatnonzero(numpy.diff(group, prepend=-1))
    if len(starts):
        nearest[group[starts]] = numpy.maximum.reduceat(near, starts)
        starts = numpy.flatnonzero(numpy.diff(seat, prepend=-1))
        sums[seat[starts]] = numpy.add.reduceat(near * POINTS[kind, None], starts) / 300
    nearest = nearest.reshape(seats, 6, 2, 4).transpose(0, 3, 1, 2).reshape(seats, 4, 12)
    whole: Floats = numpy.concatenate([nearest, sums.reshape(seats, 2, 4).transpose(0, 2, 1)], 2)
    return whole


class Network:
    """A perceptron with two hidden layers of rectified linear units, from rows of numbers to one number each, with its gradient."""

    def __init__(self, width: int, hidden: int, random: numpy.random.Generator) -> None:
        def layer(ins: int, outs: int, gain: float) -> Floats:
            weights: Floats = (random.standard_normal((ins, outs)) * gain / ins ** 0.5).astype(numpy.float32)
            return weights

        self.weights = [layer(width, hidden, 1.5), layer(hidden, hidden, 1.5), layer(hidden, 1, 0.1)]
        self.biases = [numpy.zeros(outs, numpy.float32) for outs in (hidden, hidden, 1)]

    def parameters(self) -> List[Floats]:
        """All that is learned; the arrays may be changed in place."""
        return [*self.weights, *self.biases]

    def forward(self, rows: Floats) -> Tuple[Floats, List[Floats]]:
        """The number of each row, and what :meth:`backward` needs."""
        layers = [rows]
        for weights, biases in zip(self.weights[:-1], self.biases):
            layers.append(numpy.maximum(layers[-1] @ weights + biases, 0))
        return (layers[-1] @ self.weights[-1] + self.biases[-1])[:, 0], layers

    def backward(self, layers: List[Floats], slopes: Floats) -> List[Floats]:
        """The gradient by the parameters, from the slope of the loss by each number."""
        weights: List[Floats] = []
        biases: List[Floats] = []
        slope = slopes[:, None]
        for depth in (2, 1, 0):
            weights.insert(0, layers[depth].T @ slope)
            biases.insert(0, slope.sum(0))
            if depth:
                slope = (slope @ self.weights[depth].T) * (layers[depth] > 0)
        return [*weights, *biases]


class Policy:
    """Three networks: the merit of each direction for the pacman and for the ghost, and the value of a position.

    One network judges all four directions of a piece, so that what it learns of one holds for the others.
    """

    def __init__(self, seen: Features, random: numpy.random.Generator, hidden: int = 64) -> None:
        widths = (seen.pacman.shape[2], seen.ghost.shape[2], self._whole(seen).shape[1])
        self.networks = [Network(width, hidden, random) for width in widths]

    @staticmethod
    def _whole(seen: Features) -> Floats:
        return numpy.concatenate([seen.pacman.max(1), seen.pacman.mean(1), seen.ghost.max(1)], 1)

    def parameters(self) -> List[Floats]:
        """All that is learned; the arrays may be changed in place."""
        return [parameter for network in self.networks for parameter in network.parameters()]

    def forward(self, seen: Features) -> Tuple[List[Floats], Floats, List[List[Floats]]]:
        """The probabilities of the directions of both pieces, of shape (seats, 4), the values, and what the gradient needs."""
        probabilities, kept = [], []
        for network, piece in zip(self.networks, seen):
            merits, layers = network.forward(piece.reshape(-1, piece.shape[2]))
            merits = merits.reshape(-1, 4)
            # A piece that runs against a wall pays for it, and learns nothing.
            merits = numpy.where(self._is_blocked(piece), -30, merits)
            likely = numpy.exp(merits - merits.max(1, keepdims=True))
            probabilities.append(likely / likely.sum(1, keepdims=True))
            kept.append(layers)
        values, layers = self.networks[2].forward(self._whole(seen))
        return probabilities, values, [*kept, layers]

    @staticmethod
    def _is_blocked(piece: Floats) -> NDArray[numpy.bool_]:
        blocked: NDArray[numpy.bool_] = piece[:, :, -9] > 0
        return blocked & ~blocked.all(1, keepdims=True)

    def choose(self, seen: Features, random: numpy.random.Generator) -> Tuple[Integers, Floats, Floats]:
        """A direction for both pieces, of shape (seats, 2), drawn; the logarithm of its probability; the values."""
        probabilities, values, _ = self.forward(seen)
        sums = numpy.cumsum(probabilities, 2)
        directions = (sums < random.random((2, len(values), 1))).sum(2).clip(0, 3)
        return directions.T, _log_likelihood(probabilities, directions.T), values

    def save(self, path: str) -> None:
        """Writes what was learned into a file."""
        with open(path, "wb") as file:
            numpy.savez(file, *self.parameters())

    def load(self, path: str) -> None:
        """Reads what was learned from a file."""
        try:
            with numpy.load(path) as file:
                arrays = [file[name] for name in file.files]
        except (ValueError, zipfile.BadZipFile):
            arrays = []
        if [array.shape for array in arrays] != [parameter.shape for parameter in self.parameters()]:
            raise ValueError(said(
                f"{path} is not of a policy of this program", f"{path} ne contient pas une politique de ce programme"
            ))
        for parameter, array in zip(self.parameters(), arrays):
            parameter[...] = array


def _log_likelihood(probabilities: Sequence[Floats], directions: Integers) -> Floats:
    rows = numpy.arange(len(directions))
    chosen = [likely[rows, directions[:, piece]] for piece, likely in enumerate(probabilities)]
    sums: Floats = numpy.log(numpy.maximum(chosen, 1e-8)).sum(0).astype(numpy.float32)
    return sums


class Adam:
    """Adam (Kingma and Ba, 2015), with gradients whose norm is at most ``limit``."""

    def __init__(self, parameters: List[Floats], limit: float = 0.5) -> None:
        self.parameters, self.limit, self.count = parameters, limit, 0
        self.means = [numpy.zeros_like(parameter) for parameter in parameters]
        self.squares = [numpy.zeros_like(parameter) for parameter in parameters]

    def step(self, gradients: List[Floats], rate: float) -> None:
        """Changes the parameters in place."""
        self.count += 1
        norm = sum(float((gradient ** 2).sum()) for gradient in gradients) ** 0.5
        scale = min(1.0, self.limit / (norm + 1e-8))
        rate *= (1 - 0.999 ** self.count) ** 0.5 / (1 - 0.9 ** self.count)
        for parameter, gradient, mean, square in zip(self.parameters, gradients, self.means, self.squares):
            mean += 0.1 * (scale * gradient - mean)
            square += 0.001 * ((scale * gradient) ** 2 - square)
            parameter -= rate * mean / (numpy.sqrt(square) + 1e-8)


class Batch(NamedTuple):
    """Turns that were played, in rows."""

    pacman: Floats
    ghost: Floats
    directions: Integers
    likelihoods: Floats
    advantages: Floats
    returns: Floats


def play(
    envs: BatchEnv, maze: Maze, policy: Policy, seen: Features, turns: int, random: numpy.random.Generator,
    discount: float = 0.98, trace: float = 0.95,
) -> Tuple[Batch, Features]:
    """Plays some turns of all games, and tells how much better each choice was than expected; then what is seen at the end."""
    played = []
    for _ in range(turns):
        directions, likelihoods, values = policy.choose(seen, random)
        observations, rewards, _, ended, _ = envs.step(directions @ (4, 1))
        # The aim is to have more points than the others at the table.
        table = numpy.asarray(rewards, numpy.float32).reshape(-1, 4)
        gains = (table - (table.sum(1, keepdims=True) - table) / 3).ravel() / 50
        played.append((seen, directions, likelihoods, values, gains, ended))
        seen = features(maze, observations["planes"], observations["vector"])
    _, next_values, _ = policy.forward(seen)
    advantage = numpy.zeros_like(next_values)
    advantages: List[Floats] = []
    for _, _, _, values, gains, ended in reversed(played):
        goes_on = 1 - numpy.asarray(ended, numpy.float32)
        advantage = gains + discount * goes_on * next_values - values + discount * trace * goes_on * advantage
        advantages.insert(0, advantage)
        next_values = values
    whole = numpy.concatenate
    returns = whole(advantages) + whole([turn[3] for turn in played])
    return Batch(
        whole([turn[0].pacman for turn in played]), whole([turn[0].ghost for turn in played]), whole([turn[1] for turn in played]),
        whole([turn[2] for turn in played]), whole(advantages), returns,
    ), seen


def gradient(policy: Policy, batch: Batch, clip: float = 0.2, entropy: float = 0.01) -> List[Floats]:
    """The gradient of PPO's loss: clipped ratios, squared errors of values, less some entropy."""
    count = len(batch.returns)
    probabilities, values, kept = policy.forward(Features(batch.pacman, batch.ghost))
    ratio = numpy.exp(_log_likelihood(probabilities, batch.directions) - batch.likelihoods)
    better = batch.advantages > 0
    counts = numpy.where(better, ratio < 1 + clip, ratio > 1 - clip)
    push = -batch.advantages * ratio * counts / count
    gradients: List[Floats] = []
    for piece, likely in enumerate(probabilities):
        chosen = numpy.eye(4, dtype=numpy.float32)[batch.directions[:, piece]]
        surprise = numpy.log(numpy.maximum(likely, 1e-8))
        mean = (likely * surprise).sum(1, keepdims=True)
        slopes = push[:, None] * (chosen - likely) + entropy / count * likely * (surprise - mean)
        gradients += policy.networks[piece].backward(kept[piece], slopes.ravel().astype(numpy.float32))
    slopes = (values - batch.returns) / count
    return gradients + policy.networks[2].backward(kept[2], slopes.astype(numpy.float32))


def learn(policy: Policy, adam: Adam, batch: Batch, rate: float, random: numpy.random.Generator, passes: int = 3) -> None:
    """Improves the policy by turns that it has played."""
    spread = batch.advantages.std() + 1e-6
    batch = batch._replace(advantages=(batch.advantages - batch.advantages.mean()) / spread)
    for _ in range(passes):
        for part in minibatches(batch, 4096, random):
            adam.step(gradient(policy, part), rate)


def minibatches(batch: Batch, size: int, random: numpy.random.Generator) -> Iterator[Batch]:
    """All rows once, in drawn order."""
    order = random.permutation(len(batch.returns))
    for start in range(0, len(order), size):
        part = order[start:start + size]
        yield Batch(
            batch.pacman[part], batch.ghost[part], batch.directions[part], batch.likelihoods[part], batch.advantages[part],
            batch.returns[part],
        )


def start(envs: BatchEnv, seed: int) -> Tuple[Maze, Features]:
    """Restarts the games, which have one map."""
    observations, _ = envs.reset(seed=seed)
    maze = Maze(observations["planes"][0, 0] > 0)
    return maze, features(maze, observations["planes"], observations["vector"])


def train(
    path: str, minutes: float = 60.0, maps: Maps = (None,), games: int = 64, seed: int = 1, every: float = 5.0,
    opponents: Sequence[str] = ("glouton",) * 3, turns: Optional[int] = None,
) -> Policy:
    """Learns by games of the policy against itself on all maps, saves it in ``path``, and prints its curve.

    It learns for some minutes, or for a number of turns, with which the same seed leads to the same policy on the same machine.
    """
    random = numpy.random.default_rng(seed)
    tables = [BatchEnv(4 * (games // len(maps)), opponents=[], learners=4, map=map, copy=False) for map in maps]
    begun = [start(table, seed + number) for number, table in enumerate(tables)]
    mazes, seen = [maze for maze, _ in begun], [looked for _, looked in begun]
    policy = Policy(seen[0], random)
    adam = Adam(policy.parameters())
    # A file that cannot be written is told now.
    policy.save(path)
    begin, played, told = time.monotonic(), 0, 0.0
    print(said("minutes  turns     first  points", "minutes  tours  premières  points"), flush=True)
    while True:
        passed = (time.monotonic() - begin) / 60
        done = passed / minutes if turns is None else played / turns
        if done >= 1:
            break
        batches: List[Batch] = []
        for number, (table, maze) in enumerate(zip(tables, mazes)):
            part, seen[number] = play(table, maze, policy, seen[number], 64, random)
            batches.append(part)
        batch = Batch(*(numpy.concatenate(rows) for rows in zip(*batches)))
        played += len(batch.returns)
        learn(policy, adam, batch, 1e-3 * (1 - 0.9 * done), random)
        if passed - told >= every:
            told = passed
            tell(passed, played, evaluate(policy, opponents, 40, maps))
            policy.save(path)
    policy.save(path)
    tell(passed, played, evaluate(policy, opponents, 200, maps))
    return policy


def tell(minutes: float, turns: int, result: Tuple[float, float]) -> None:
    """Prints a line of the curve."""
    print(f"{minutes:7.1f}  {turns:8}  {result[0]:5.1%}  {result[1]:6.0f}", flush=True)


def evaluate(
    policy: Policy, opponents: Sequence[str], games: int, maps: Maps = (None,), seed: int = 1_000_000,
) -> Tuple[float, float]:
    """The share of first places in this number of games on each map, a shared place counting its part, and the mean points."""
    random = numpy.random.default_rng(seed)
    firsts: List[float] = []
    points: List[float] = []
    for seat, map in itertools.product(range(4), maps):
        envs = BatchEnv(games // 4, opponents=list(opponents), seat=seat, map=map)
        maze, seen = start(envs, seed + seat * games)
        while True:
            directions, _, _ = policy.choose(seen, random)
            observations, _, _, _, infos = envs.step(directions @ (4, 1))
            if "final_obs" in infos:
                break
            seen = features(maze, observations["planes"], observations["vector"])
        for last in cast(Sequence[Observation], infos["final_obs"]):
            total = last["vector"][1::6]
            best = total == total.max()
            firsts.append(float(best[0]) / best.sum())
            points.append(float(total[0]))
        envs.close()
    return sum(firsts) / len(firsts), sum(points) / len(points)


def observation(view: View) -> Observation:
    """The view of a bot on a server, as an observation of the environments."""
    colours = sorted(view.players)
    if len(colours) != 4:
        raise ValueError(said(
            f"this bot has learned games of 4 players, and this one has {len(colours)}",
            f"ce bot a appris des parties à 4 joueurs, et celle-ci en a {len(colours)}",
        ))
    own = colours.index(view.player.colour)
    players = [view.players[colour] for colour in colours[own:] + colours[:own]]
    planes = numpy.zeros((7 + 2 * len(players), view.rows, view.cols), numpy.uint8)
    planes[0] = [[view.is_wall((row, column)) for column in range(view.cols)] for row in range(view.rows)]
    for place, kind in view.objects.items():
        planes[1 + OBJECTS.index(kind)][place] = 1
    vector = [view.turns - view.turn]
    for number, player in enumerate(players):
        planes[7 + number][player.pacman] = 1
        planes[7 + len(players) + number][player.ghost] = 1
        vector += [player.points, player.false_moves, player.glutton, player.freeze, player.wall_pass, 0]
    return {"planes": planes, "vector": numpy.array(vector, numpy.int32)}


class Learned(Bot):
    """The bot that plays with what was learned."""

    def __init__(self, file: str) -> None:
        self.file, self.draws = file, numpy.random.default_rng()
        self.maze: Optional[Maze] = None
        self.policy: Optional[Policy] = None

    def new_game(self, view: View) -> None:
        self.maze = None

    def play(self, view: View) -> str:
        seen = observation(view)
        if self.maze is None:
            self.maze = Maze(seen["planes"][0] > 0)
        looked = features(self.maze, seen["planes"][None], seen["vector"][None])
        if self.policy is None:
            self.policy = Policy(looked, self.draws)
            self.policy.load(self.file)
        directions, _, _ = self.policy.choose(looked, self.draws)
        return ACTIONS[int(directions[0] @ (4, 1))]


def minutes(text: str) -> float:
    """Reads a positive number of minutes."""
    try:
        duration = float(text)
    except ValueError:
        duration = 0.0
    if not 0.0 < duration < float("inf"):
        raise argparse.ArgumentTypeError(said(
            f"expected a number of minutes, as 60, got {text!r}", f"un nombre de minutes est attendu, comme 60, et non {text!r}"
        ))
    return duration


def games(text: str) -> int:
    """Reads a number of games, the same for each of the four seats."""
    if not text.isdecimal() or int(text) == 0 or int(text) % 4:
        raise argparse.ArgumentTypeError(said(
            f"expected a positive multiple of 4, got {text!r}", f"un multiple de 4, au moins 4, est attendu, et non {text!r}"
        ))
    return int(text)


def asked(argv: Sequence[str]) -> Tuple[argparse.Namespace, List[str]]:
    """The command and its options, and the arguments of a bot that follow them. Flags have French names as well."""
    words = choose_language(argv)
    program = "python -m pacman_iuto.tutoriel.ppo"
    commands = {
        "train": said("learn, and save what was learned", "apprendre, et enregistrer le résultat"),
        "evaluate": said("play against three bots of the house", "jouer contre trois bots de la maison"),
        "play": said(
            "play on a server; further arguments are those of a bot",
            "jouer sur un serveur ; les autres options sont celles d'un bot",
        ),
    }
    parser = Parser(prog=program, description=said(
        "Proximal policy optimisation: a bot of Pacman learns by playing against itself",
        "Proximal policy optimisation : un bot de Pacman apprend en jouant contre lui-même",
    ))
    parser.option("command", choices=commands, metavar=said("COMMAND", "COMMANDE"), help=said(
        "; ".join(f"{name}: {does}" for name, does in commands.items()),
        " ; ".join(f"{name} : {does}" for name, does in commands.items()),
    ))
    command = parser.parse_args(words[:1]).command
    parser = Parser(prog=f"{program} {command}", description=commands[command].capitalize())
    if command == "train":
        parser.option("--minutes", type=minutes, default=60.0, metavar="N", help=said(
            "how long to learn [default: 60]", "combien de temps apprendre [défaut : 60]"
        ))
        parser.option("--turns", "--tours", type=whole_number(1, 10**12), metavar="N", help=said(
            "a number of turns instead of minutes: the same seed gives the same policy",
            "un nombre de tours au lieu de minutes : la même graine donne la même politique",
        ))
        parser.option("--seed", "--graine", type=whole_number(0, 2**32 - 1), default=1, metavar="N", help=said(
            "seed of all draws [default: 1]", "graine de tous les tirages [défaut : 1]"
        ))
    if command == "evaluate":
        parser.option("--games", "--parties", type=games, default=400, metavar="N", help=said(
            "a multiple of 4 [default: 400]", "un multiple de 4 [défaut : 400]"
        ))
    if command != "play":
        parser.option("--map", "--carte", dest="maps", action="append", metavar=said("MAP", "CARTE"), help=said(
            "a map of pacman_iuto.MAPS, or a file (plan1 when missing); once for each map",
            "une carte de pacman_iuto.MAPS, ou un fichier (sinon plan1) ; une fois par carte",
        ))
        parser.option("--opponents", "--adversaires", nargs=3, choices=BOTS, default=["glouton"] * 3, metavar="BOT", help=said(
            f"three bots of the house: {', '.join(BOTS)} [default: glouton three times]",
            f"trois bots de la maison : {', '.join(BOTS)} [défaut : trois fois glouton]",
        ))
    parser.option("file", metavar=said("FILE", "FICHIER"), help=said("what was learned (.npz)", "ce qui a été appris (.npz)"))
    if command == "play":
        return parser.parse_known_args(words[1:], argparse.Namespace(command=command))
    return parser.parse_args(words[1:], argparse.Namespace(command=command)), []


def main(argv: Sequence[str]) -> None:
    """The command line."""
    options, further = asked(argv)
    if options.command == "play":
        return run(Learned(options.file), further)
    maps = options.maps or [None]
    if options.command == "train":
        train(options.file, options.minutes, maps, seed=options.seed, opponents=options.opponents, turns=options.turns)
    else:
        envs = BatchEnv(1, map=maps[0])
        policy = Policy(start(envs, 0)[1], numpy.random.default_rng(0))
        policy.load(options.file)
        first, points = evaluate(policy, options.opponents, options.games, maps)
        print(said(
            f"first in {first:.1%} of {options.games} games, {points:.0f} points a game",
            f"{first:.1%} de premières places en {options.games} parties, {points:.0f} points par partie",
        ))
    return None


def program() -> None:
    """Runs the command line of this program, and says what is wrong."""
    try:
        main(sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit(f"ppo: {error}")
    except KeyboardInterrupt:
        # The policy of the last line of the curve is saved.
        sys.exit(130)


if __name__ == "__main__":
    program()
