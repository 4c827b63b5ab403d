"""Bots for Pacman IUT'O in one file that needs nothing but Python 3.9 or later.

Copy this file beside your bot under the name ``pacman_iuto.py``, where the package of that name cannot be
installed; ``from pacman_iuto import Bot, run`` then works as with the package, only slower. (``play_local``
and the environments need the package.)

Ce fichier suffit pour un bot : le copier à côté du bot sous le nom ``pacman_iuto.py``.
"""
from __future__ import annotations

import argparse
import random
import socket
import sys
import time
import traceback
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Type, Union

__all__ = ["Bot", "DistanceTable", "Distances", "Player", "View", "play_local", "run"]

Place = Tuple[int, int]
STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "O": (0, -1)}
BACK = {"N": "S", "E": "O", "S": "N", "O": "E"}
MALFORMED = "XX"
DASHES = "-" * 20 + "\n"


class Bot:
    """A player's mind: derive from it, and write :meth:`play`.

    >>> class Ada(Bot):
    ...     def play(self, view):
    ...         return view.directions_possibles(view.player.pacman)[0] + "N"
    """

    #: The name of the team; that of the class when missing.
    name: Optional[str] = None
    #: Draws of the bot's own, which ``--graine`` or ``seed`` make repeatable.
    random: random.Random = random.Random()

    def new_game(self, view: Any) -> None:
        """A game starts, or a running one is joined: what was remembered of another game is of no use."""

    def play(self, view: Any) -> str:
        """Orders for this turn, as ``"NE"``: the direction of the pacman, then of the ghost.

        Directions are ``N``, ``E``, ``S`` and ``O`` (west). Anything else is a malformed order, which costs
        a point a piece.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method play(self, view)")


AnyBot = Union[Bot, Type[Bot]]


class Seat:
    """A bot in a game: it always answers, and its mistakes are shown once."""

    def __init__(self, bot: AnyBot, seed: Optional[int] = None) -> None:
        self.bot = bot() if isinstance(bot, type) else bot
        if seed is not None or "random" not in vars(self.bot):
            self.bot.random = random.Random(seed)
        #: How often the bot failed to answer.
        self.failures = 0

    @property
    def name(self) -> str:
        return self.bot.name or type(self.bot).__name__

    def new_game(self, view: Any) -> None:
        try:
            self.bot.new_game(view)
        except Exception:
            self.failed()

    def play(self, view: Any) -> str:
        try:
            orders = self.bot.play(view)
            if isinstance(orders, str) and "\0" not in orders:
                return orders
            raise TypeError(f"play() returned {orders!r}, expected a text as 'NE'")
        except Exception:
            self.failed()
            return MALFORMED

    def failed(self) -> None:
        if not self.failures:
            traceback.print_exc()
            print(f"{self.name}: shown once; until this is mended such orders are malformed", file=sys.stderr)
        self.failures += 1


class Player:
    """A player and its two pieces."""

    def __init__(self, line: str) -> None:
        fields = line.split(";", 10)
        numbers = [int(field) for field in fields[1:10]]
        #: Its letter, ``"A"`` to ``"Z"``.
        self.colour: str = fields[0]
        #: The name of its team.
        self.name: str = fields[10]
        #: Points, possibly negative.
        self.points: int = numbers[0]
        #: The counter of false moves, as the rules have it.
        self.false_moves: int = numbers[1]
        #: Where its pacman stands, as (row, column); on a wall perhaps, thanks to the wall-pass.
        self.pacman: Place = (numbers[2], numbers[3])
        #: Where its ghost stands, as (row, column).
        self.ghost: Place = (numbers[4], numbers[5])
        #: Turns left in which its pacman eats ghosts (*glouton*).
        self.glutton: int = numbers[6]
        #: Turns left in which ghosts near its pacman cannot move (*immobilité*).
        self.freeze: int = numbers[7]
        #: Turns left in which walls do not stop its pacman (*passe-muraille*).
        self.wall_pass: int = numbers[8]

    def __repr__(self) -> str:
        name = self.name.replace('"', '\\"')
        return f'Player({self.colour} "{name}", {self.points} points, pacman {self.pacman}, ghost {self.ghost})'


class Distances:
    """Distances in steps from one cell to all the others, on the torus.

    ``distances[row, col]`` is the number of steps, or ``None`` where no path leads.
    """

    def __init__(self, view: View, start: Place, wall_pass: int) -> None:
        self._view, self._wall_pass = view, wall_pass
        self._steps: Dict[Place, int] = {start: 0}
        self._order = [start]
        for cell in self._order:
            steps = self._steps[cell] + 1
            exits = STEPS if steps <= wall_pass else view.directions_possibles(cell)
            for direction in exits:
                beside = view._beside(cell, direction)
                if beside not in self._steps:
                    self._steps[beside] = steps
                    self._order.append(beside)

    def __getitem__(self, place: Place) -> Optional[int]:
        return self._steps.get(self._view._checked(place))

    def path(self, to: Place) -> Optional[str]:
        """The directions of a shortest path to a cell, as ``"NNE"``; ``""`` to the start itself, and
        ``None`` where no path leads."""
        cell = self._view._checked(to)
        if cell not in self._steps:
            return None
        path = ""
        while self._steps[cell]:
            steps = self._steps[cell]
            for back in STEPS:
                before = self._view._beside(cell, back)
                passes = steps <= self._wall_pass or BACK[back] in self._view.directions_possibles(before)
                if self._steps.get(before) == steps - 1 and passes:
                    cell, path = before, BACK[back] + path
                    break
        return path

    def first_step(self, to: Place) -> Optional[str]:
        """The first direction of a shortest path to a cell, as ``"N"``; ``None`` to the start itself and
        where no path leads."""
        return (self.path(to) or "")[:1] or None

    def reached(self) -> List[Place]:
        """The cells that can be reached, nearest first, the start included."""
        return list(self._order)


class DistanceTable:
    """Distances in steps between any two cells, worked out when they are first asked for.

    ``table[(row, col), (row, col)]`` is the number of steps, or ``None`` where no path leads.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._known: Dict[Place, Distances] = {}

    def __getitem__(self, pair: Tuple[Place, Place]) -> Optional[int]:
        start, goal = pair
        if start not in self._known:
            self._known[start] = self._view.distances(start)
        return self._known[start][goal]


class View:
    """What all players see of a game at the beginning of a turn, and whose view it is.

    Cells are pairs ``(row, column)`` from 0 at the top left; opposite edges of the board are joined.
    """

    def __init__(self, message: str) -> None:
        header, state = message.split("\n", 1)
        turns, board, players = state.split(DASHES)
        size, *lines = board.split("\n")
        #: Rows and columns of the board.
        self.rows, self.cols = (int(number) for number in size.split(";"))
        #: Turns played, from 0, and turns of the whole game.
        self.turn, self.turns = (int(number) for number in turns.split(";"))
        #: A text a row and a letter a cell: ``#`` a wall, a space for an empty corridor, or an object's letter.
        self.board: List[str] = lines[: self.rows]
        #: The players by letter, in order.
        self.players: Dict[str, Player] = {line[0]: Player(line) for line in players.split("\n") if line}
        me = header[len("jeu;"):]
        #: The letter of the player whose view it is; ``None`` for a view of nobody.
        self.me: Optional[str] = me if me in self.players else None
        self._text = state

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"View(turn {self.turn} of {self.turns}, of {self.me or 'nobody'})"

    @property
    def player(self) -> Optional[Player]:
        """The player whose view it is; ``None`` for a view of nobody."""
        return self.players.get(self.me or "")

    @property
    def objects(self) -> Dict[Place, str]:
        """The objects by cell, row by row, as ``{(row, column): letter}``."""
        cells = ((row, col) for row in range(self.rows) for col in range(self.cols))
        return {(row, col): self.board[row][col] for row, col in cells if self.board[row][col] not in "# "}

    def _checked(self, pos: Place) -> Place:
        row, col = pos
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise ValueError(
                f"({row}, {col}) is not on the board: expected a row from 0 to {self.rows - 1}, "
                f"a column from 0 to {self.cols - 1}"
            )
        return row, col

    def _beside(self, pos: Place, direction: str) -> Place:
        down, right = STEPS[direction]
        return (pos[0] + down) % self.rows, (pos[1] + right) % self.cols

    def cell(self, pos: Place) -> str:
        """What a cell holds: ``#``, a space, or the letter of an object."""
        row, col = self._checked(pos)
        return self.board[row][col]

    def is_wall(self, pos: Place) -> bool:
        """Whether a cell is a wall."""
        return self.cell(pos) == "#"

    def directions_possibles(self, pos: Place, passe_muraille: bool = False) -> str:
        """The directions that lead on from a cell, clockwise from north, as ``"NS"``: those of corridors,
        and with the wall-pass all four."""
        pos = self._checked(pos)
        around = ((direction, self._beside(pos, direction)) for direction in STEPS)
        return "".join(d for d, (row, col) in around if passe_muraille or self.board[row][col] != "#")

    def analyse_plateau(
        self, pos: Place, direction: str, distance_max: int
    ) -> Optional[Dict[str, List[Tuple[int, str]]]]:
        """Everything within ``distance_max`` steps when the first step goes in this direction, nearest
        first: ``{"objets": [(distance, letter)], "pacmans": [(distance, "A")], "fantomes": [(distance, "a")]}``.
        ``None`` when a wall stops the first step."""
        first = self._first(pos, direction)
        if first is None:
            return None
        found: Dict[str, List[Tuple[int, str]]] = {"objets": [], "pacmans": [], "fantomes": []}
        distances = Distances(self, first, 0)
        for cell in distances.reached():
            distance = distances._steps[cell] + 1
            if distance > distance_max:
                break
            if self.cell(cell) not in "# ":
                found["objets"].append((distance, self.cell(cell)))
            for player in self.players.values():
                if player.pacman == cell:
                    found["pacmans"].append((distance, player.colour))
                if player.ghost == cell:
                    found["fantomes"].append((distance, player.colour.lower()))
        return found

    def prochaine_intersection(self, pos: Place, direction: str) -> int:
        """How many cells one walks after the first one until a cell with more than two exits, 0 if the
        first one is such a cell; -1 when there is none that way."""
        cell, heading = self._first(pos, direction), direction
        for walked in range(self.rows * self.cols if cell else 0):
            assert cell is not None
            exits = self.directions_possibles(cell)
            if len(exits) > 2:
                return walked
            onwards = exits.replace(BACK[heading], "")
            if not onwards:
                break
            heading = onwards[0]
            cell = self._beside(cell, heading)
        return -1

    def _first(self, pos: Place, direction: str) -> Optional[Place]:
        if direction not in STEPS:
            raise ValueError(f"{direction!r} is no direction, expected one of: {list(STEPS)}")
        return self._beside(pos, direction) if direction in self.directions_possibles(pos) else None

    def pos_nord(self, pos: Place) -> Place:
        """The cell to the north, across the edge of the board if need be."""
        return self._beside(self._checked(pos), "N")

    def pos_sud(self, pos: Place) -> Place:
        """The cell to the south, across the edge of the board if need be."""
        return self._beside(self._checked(pos), "S")

    def pos_est(self, pos: Place) -> Place:
        """The cell to the east, across the edge of the board if need be."""
        return self._beside(self._checked(pos), "E")

    def pos_ouest(self, pos: Place) -> Place:
        """The cell to the west, across the edge of the board if need be."""
        return self._beside(self._checked(pos), "O")

    def distances(self, start: Place, wall_pass: int = 0) -> Distances:
        """Distances in steps from a cell to all the others; walls do not stop the first ``wall_pass`` steps."""
        return Distances(self, self._checked(start), wall_pass)

    def nearest(self, start: Place, targets: Iterable[Place]) -> Optional[Tuple[Place, int]]:
        """The nearest of several cells and its distance in steps: of those at the same distance, the first
        one row by row. ``None`` when none can be reached."""
        distances = self.distances(start)
        found = [(distances[target], target) for target in targets]
        reached = [(steps, target) for steps, target in found if steps is not None]
        if not reached:
            return None
        steps, nearest = min(reached)
        return nearest, steps

    def path(self, start: Place, goal: Place, wall_pass: int = 0) -> Optional[str]:
        """The directions of a shortest path, as ``"NNE"``: ``""`` from a cell to itself, and ``None`` where
        no path leads. Walls do not stop the first ``wall_pass`` steps."""
        return self.distances(start, wall_pass).path(goal)

    def all_pairs(self) -> DistanceTable:
        """Distances in steps between any two cells, worked out when they are first asked for."""
        return DistanceTable(self)


class StateReader:
    """Reads the messages of a server."""

    def read(self, message: bytes) -> Optional[View]:
        """The view in a message ``jeu;…``; ``None`` for another message."""
        return View(message.decode()) if message.startswith(b"jeu;") else None


def registration(name: str, secret: Optional[str] = None) -> bytes:
    """The message that registers a player: its bytes, without the final NUL byte."""
    is_secret = secret is None or (secret.isascii() and secret.isalnum() and 8 <= len(secret) <= 64)
    if not is_secret:
        raise ValueError("a secret is 8 to 64 letters and digits, without accents")
    clean = "".join("_" if letter in ";\0\n\r" else letter for letter in name)
    return f"joueur;{clean}{'#' + secret if secret else ''}".encode()


def run(bot: AnyBot, argv: Optional[Sequence[str]] = None) -> None:
    """Plays on a server: ``run(Ada)`` at the end of a bot's file makes a program of it.

    The command line (``argv``, that of the program when missing) is ``[NAME] --equipe NAME --serveur
    HOST[:PORT] --port N --graine N --secret SECRET --insister SECONDS``. The program ends with 0 when the
    server says that the games are over, with 1 when it refuses or is gone, with 2 when the command is wrong
    or there is no server, with 130 on Ctrl-C.
    """
    sys.exit(play_remotely(bot, argv, StateReader, registration))


def play_remotely(
    bot: AnyBot,
    argv: Optional[Sequence[str]],
    make_reader: Callable[[], Any],
    register: Callable[[str, Optional[str]], bytes],
) -> int:
    """Plays on a server with this way to read states, and returns the exit code."""
    options = arguments(argv)
    seat = Seat(bot, options.graine)
    name = options.equipe or options.nom or seat.name
    try:
        hello = register(name, options.secret)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    host, _, port = options.serveur.rpartition(":") if options.serveur.count(":") == 1 else (options.serveur, "", "")
    address = (host, options.port or int(port or 1111))
    shown = f"{address[0]}:{address[1]}"
    is_known, lost = False, time.monotonic()
    try:
        while True:
            try:
                connection = socket.create_connection(address, timeout=max(options.insister, 1.0))
            except OSError as error:
                if time.monotonic() - lost >= options.insister:
                    print(f"error: {shown}: {error}", file=sys.stderr)
                    return 1 if is_known else 2
                time.sleep(0.2)
                continue
            with connection:
                is_known = True
                code = converse(connection, hello, seat, make_reader(), shown)
            if code is not None:
                return code
            lost = time.monotonic()
    except KeyboardInterrupt:
        return 130


def converse(
    connection: socket.socket, hello: bytes, seat: Seat, reader: Any, shown: str
) -> Optional[int]:
    """Answers states until the server says goodbye; ``None`` when the line drops."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.settimeout(None)
    # Between two states of a quick game there is time for some lines of Python only.
    receive, send, read, play = connection.recv, connection.sendall, reader.read, seat.play
    rest, last_turn = b"", None
    try:
        send(hello + b"\0")
        while True:
            data = receive(1 << 16)
            if not data:
                return None
            *messages, rest = (rest + data).split(b"\0")
            for message in messages:
                view = read(message)
                if view is None:
                    return farewell(message, shown)
                turn = view.turn
                if last_turn is None or turn < last_turn:
                    seat.new_game(view)
                last_turn = turn
                send(f"{play(view)}\0".encode())
    except ConnectionError:
        return None


def farewell(message: bytes, shown: str) -> int:
    """The exit code after the last message of a server."""
    word = message.strip()
    if word == b"refused":
        print(f"error: {shown} refuses the registration", file=sys.stderr)
    return 0 if word == b"quit" else 1


def arguments(argv: Optional[Sequence[str]]) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="Plays Pacman IUT'O on a server")
    parser.add_argument("nom", nargs="?", metavar="NAME", help="the same as --equipe")
    parser.add_argument("--equipe", "--team", metavar="NAME", help="name of the team; that of the bot when missing")
    parser.add_argument(
        "--serveur", "--host", metavar="HOST[:PORT]", default="127.0.0.1", help="where the server is"
    )
    parser.add_argument("--port", type=int, metavar="N", help="port of the server [default: 1111]")
    parser.add_argument("--graine", "--seed", type=int, metavar="N", help="seed of the bot's own draws")
    parser.add_argument("--secret", metavar="SECRET", help="protect the seat: 8 to 64 letters and digits")
    parser.add_argument(
        "--insister", "--patience", type=float, default=10.0, metavar="SECONDS",
        help="how long to look for a server that is not there",
    )
    options = parser.parse_args(argv)
    port = options.serveur.rpartition(":")[2]
    if options.serveur.count(":") == 1 and not port.isdigit():
        parser.error(f"--serveur: expected a port after the colon, got {port!r}")
    return options


def play_local(*bots: Any, **options: Any) -> Any:
    """Needs the package: ``pip install pacman-iuto``."""
    raise ImportError("play_local needs the package pacman-iuto, whose rules are compiled: pip install pacman-iuto")


if __name__ == "__main__":
    print("This file is for bots to import: from pacman_iuto import Bot, run", file=sys.stderr)
    sys.exit(2)
