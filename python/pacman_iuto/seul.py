"""Bots for Pacman IUT'O in one file that needs nothing but Python 3.9 or later.

Copy this file beside your bot under the name ``pacman_iuto.py``, where the package of that name cannot be
installed; ``from pacman_iuto import Bot, run, play_local`` then works as with the package, only slower. Bots of the
house, files of recordings and the environments need the package. Where it is installed, it goes before this file.

Ce fichier suffit pour un bot : le copier à côté du bot sous le nom ``pacman_iuto.py``.
"""
from __future__ import annotations

import argparse
import contextlib
import errno
import functools
import importlib.machinery
import importlib.util
import inspect
import itertools
import os
import pathlib
import random
import re
import socket
import sys
import threading
import time
import traceback
import types
from dataclasses import dataclass
from typing import (
    Callable, Dict, Generic, Iterable, Iterator, List, Mapping, NamedTuple, NoReturn, Optional, Protocol, Sequence, Set,
    Tuple, Type, TypeVar, Union, cast,
)

__all__ = [
    "Bot", "DistanceTable", "Distances", "Player", "PlayerResult", "Recording", "Result", "View", "play_local", "run",
]

Place = Tuple[int, int]
STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "O": (0, -1)}
BACK = {"N": "S", "E": "O", "S": "N", "O": "E"}
MALFORMED = "XX"
ORDERS = frozenset(pacman + ghost for pacman in STEPS for ghost in STEPS)
DASHES = "-" * 20 + "\n"
#: Bytes of a message of a server, at most.
LONGEST = 1 << 20
#: Bytes of what a bot thinks in a turn, at most.
LONGEST_THOUGHT = 1000
#: Seconds after which a bot that still thinks is shown where it is.
PATIENCE = 3


class HasPoints(Protocol):
    """A player of any kind of view."""

    @property
    def points(self) -> int:
        """Points, possibly negative."""


class AnyView(Protocol):
    """The part of a view that playing on a server needs: the views of this file and of the package have it."""

    @property
    def turn(self) -> int:
        """Turns played, from 0."""

    @property
    def turns(self) -> int:
        """Turns of the whole game."""

    @property
    def player(self) -> HasPoints:
        """The player whose view it is."""

    @property
    def players(self) -> Mapping[str, HasPoints]:
        """The players by letter."""


FunctionT = TypeVar("FunctionT", bound=Callable[..., object])
ViewT = TypeVar("ViewT", bound=AnyView)
ViewT_co = TypeVar("ViewT_co", bound=AnyView, covariant=True)


class BaseBot(Generic[ViewT]):
    """A bot for any kind of view; :class:`Bot` is the class to derive from."""

    name: Optional[str] = None
    """The name of the team; that of the class when missing."""
    random: random.Random = random.Random()
    """Draws of the bot's own, which ``--graine`` or ``seed`` make repeatable."""

    def new_game(self, view: ViewT) -> None:
        """A game starts, or a running one is joined: what was remembered of another game is of no use."""

    def play(self, view: ViewT) -> str:
        """Orders for this turn, as ``"NE"``: the direction of the pacman, then of the ghost.

        Directions are ``N``, ``E``, ``S`` and ``O`` (west). Anything else is a malformed order, which costs
        a point a piece.
        """
        raise NotImplementedError

    def say(self, *words: object) -> None:
        """Tells people what the bot thinks in this turn: the words stand beside the board, live and in recordings.

        The other bots never see thoughts, nor do other teams during a tournament. A turn keeps 1000 bytes of them.
        """
        self._think(" ".join(["text", *map(str, words)]))

    def mark(self, place: Place, what: object = "") -> None:
        """Marks a cell, as (row, column), with words beside it, or with a number in it."""
        is_number = isinstance(what, (int, float)) and not isinstance(what, bool)
        self._think(f"{'value' if is_number else 'cell'} {place[0]},{place[1]} {what}")

    def path(self, start: Place, steps: str, words: object = "") -> None:
        """Draws a way from a cell, as ``"NNE"``, with words beside it."""
        if steps:
            self._think(f"path {start[0]},{start[1]} {steps} {words}")

    def publish(self) -> None:
        """Lets other teams read the thoughts of this game once the tournament is over."""
        self._think("public")

    def pause(self) -> None:
        """Stops a practice game before this turn is played: ``server --exercice``, or the workshop of the page."""
        self._think("pause")

    def _think(self, item: str) -> None:
        # Bots that override __init__ need not call this one.
        vars(self).setdefault("_thoughts", []).append(item.replace(";", ",").replace("\0", " ").strip())


def is_bot(value: object) -> bool:
    """Tests if a value is a bot or a class of bots."""
    return isinstance(value, BaseBot) or (isinstance(value, type) and issubclass(value, BaseBot))


def check(bot: object) -> None:
    """Raises ``TypeError`` if this cannot be asked for orders."""
    if not is_bot(bot):
        raise TypeError(said(
            f"expected a bot, as class Ada(Bot), got {bot!r}", f"un bot est attendu, comme class Ada(Bot), et non {bot!r}"
        ))
    name, play = type(bot).__name__, inspect.getattr_static(bot, "play")
    if play is BaseBot.play:
        raise TypeError(said(f"{name} has no method play(self, view)", f"{name} n'a pas de méthode play(self, view)"))
    try:
        inspect.signature(cast(BaseBot[AnyView], bot).play).bind(None)
    except TypeError:
        raise TypeError(said(
            f"{name}.play: expected the parameters (self, view) {place_of(play)}",
            f"{name}.play : les paramètres (self, view) sont attendus {place_of(play)}",
        )) from None


def place_of(function: object) -> str:
    """The file and the line where a function is defined."""
    code = getattr(function, "__code__", None)
    file, line = getattr(code, "co_filename", "?"), getattr(code, "co_firstlineno", "?")
    return said(f"(file {file}, line {line})", f"(fichier {file}, ligne {line})")


class Seat(Generic[ViewT]):
    """A bot in a game: it always answers, and its mistakes are shown once."""

    def __init__(self, bot: Union[BaseBot[ViewT], Type[BaseBot[ViewT]]], seed: Optional[int] = None) -> None:
        self.bot = bot() if isinstance(bot, type) else bot
        check(self.bot)
        if seed is not None or "random" not in vars(self.bot):
            self.bot.random = random.Random(seed)
        #: How often the bot failed to answer.
        self.failures = 0
        self.has_shown_malformed = self.has_shown_exception = False
        #: The view for which the bot is being asked.
        self.asked: Optional[ViewT] = None

    @property
    def name(self) -> str:
        return self.bot.name or type(self.bot).__name__

    def new_game(self, view: ViewT) -> None:
        try:
            self.bot.new_game(view)
        except Exception as error:
            self.failed(error)

    def play(self, view: ViewT) -> str:
        self.asked = view
        orders = self.orders(view)
        self.asked = None
        thoughts = vars(self.bot).pop("_thoughts", None)
        if thoughts is None:
            return orders
        text = ";".join([orders, *thoughts])
        return text.encode("utf-8", "replace")[:len(orders.encode()) + 1 + LONGEST_THOUGHT].decode("utf-8", "ignore")

    def orders(self, view: ViewT) -> str:
        try:
            orders = self.bot.play(view)
            if isinstance(orders, str) and "\0" not in orders:
                if not orders.isascii():
                    orders.encode()
                if orders[:2] not in ORDERS:
                    self.malformed(orders)
                return orders
        except Exception as error:
            self.failed(error)
            return MALFORMED
        self.malformed(orders)
        self.failures += 1
        return MALFORMED

    def malformed(self, orders: object) -> None:
        if not self.has_shown_malformed:
            place = place_of(inspect.getattr_static(self.bot, "play"))
            print(said(
                f"{self.name}: play() returned {orders!r}, expected a text of two capitals of N, E, S, O (west), as 'NE' {place}; "
                "this is shown once",
                f"{self.name} : play() a renvoyé {orders!r}, un texte de deux majuscules parmi N, E, S, O est attendu, comme 'NE' "
                f"{place} ; ceci n'est montré qu'une fois",
            ), file=sys.stderr)
        self.has_shown_malformed = True

    def failed(self, error: Exception) -> None:
        if not self.has_shown_exception:
            # The interpreter's own way to show an exception proposes names that are nearly right. The first frame is this file's.
            trace = error.__traceback__ and error.__traceback__.tb_next
            sys.__excepthook__(type(error), error.with_traceback(trace), trace)
            print(said(
                f"{self.name}: an exception costs the turn, as a malformed order does; only the first one is shown",
                f"{self.name} : une exception coûte le tour, comme un ordre mal formé ; seule la première est montrée",
            ), file=sys.stderr)
        self.has_shown_exception = True
        self.failures += 1

    def watch(self, thread: int) -> None:
        """Shows once where a bot, which is asked in this thread, has been for more than :data:`PATIENCE` seconds."""
        asking: List[int] = []
        # It may have answered just now.
        while not asking:
            asked = self.asked
            time.sleep(PATIENCE)
            if asked is None or asked is not self.asked:
                continue
            turn, frames = asked.turn + 1, traceback.extract_stack(sys._current_frames()[thread])
            asking = [at for at, frame in enumerate(frames) if (frame.filename, frame.name) == (__file__, "orders")]
        print("".join(traceback.format_list(frames[asking[0] + 1:])) + said(
            f"{self.name}: play() has not returned for more than {PATIENCE} seconds in turn {turn}; this is where it is",
            f"{self.name} : play() n'a rien renvoyé depuis plus de {PATIENCE} secondes au tour {turn} ; il en est là",
        ), file=sys.stderr, flush=True)


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


def search(view: View, start: Place, wall_pass: int) -> Dict[Place, int]:
    """The steps from a cell to all that can be reached, nearest first."""
    steps = {start: 0}
    order = [start]
    for cell in order:
        next_step = steps[cell] + 1
        exits = STEPS if next_step <= wall_pass else view.directions_possibles(cell)
        for direction in exits:
            beside = view._beside(cell, direction)
            if beside not in steps:
                steps[beside] = next_step
                order.append(beside)
    return steps


class Distances:
    """Distances in steps from one cell to all the others, on the torus.

    ``distances[row, col]`` is the number of steps, or ``None`` where no path leads.
    """

    def __init__(self, view: View, start: Place, wall_pass: int) -> None:
        self._view, self._wall_pass = view, wall_pass
        self._steps = search(view, start, wall_pass)

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
        return list(self._steps)


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
    """The state of a game at the beginning of a turn, which all players see, and the player whose view it is.

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
        #: The players by letter, in order; read-only.
        self.players: Mapping[str, Player] = types.MappingProxyType(
            {line[0]: Player(line) for line in players.split("\n") if line}
        )
        me = header[len("jeu;"):]
        #: The letter of the player whose view it is; ``None`` for a view of nobody.
        self.me: Optional[str] = me if me in self.players else None
        self._text = state

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"View(turn {self.turn} of {self.turns}, of {self.me or 'nobody'})"

    @property
    def player(self) -> Player:
        """The player whose view it is. A view of nobody, which bots never have, raises ``ValueError``."""
        if self.me is None:
            raise ValueError(said("a view of nobody has no player", "cette vue n'est celle d'aucun joueur"))
        return self.players[self.me]

    @functools.cached_property
    def objects(self) -> Mapping[Place, str]:
        """The objects by cell, row by row, as ``{(row, column): letter}``. Read-only: ``dict(view.objects)`` is a copy to
        change."""
        cells = ((row, col) for row in range(self.rows) for col in range(self.cols))
        return types.MappingProxyType(
            {(row, col): self.board[row][col] for row, col in cells if self.board[row][col] not in "# "}
        )

    def _checked(self, pos: Place) -> Place:
        row, col = pos
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise ValueError(said(
                f"({row}, {col}) is not on the board: expected a row from 0 to {self.rows - 1}, "
                f"a column from 0 to {self.cols - 1}",
                f"({row}, {col}) n'est pas sur le plateau : une ligne de 0 à {self.rows - 1} "
                f"et une colonne de 0 à {self.cols - 1} sont attendues",
            ))
        return row, col

    def _beside(self, pos: Place, direction: str) -> Place:
        down, right = STEPS[direction]
        return (pos[0] + down) % self.rows, (pos[1] + right) % self.cols

    def cell(self, pos: Place) -> str:
        """The content of a cell: ``#``, a space, or the letter of an object."""
        row, col = self._checked(pos)
        return self.board[row][col]

    def is_wall(self, pos: Place) -> bool:
        """True if the cell is a wall."""
        return self.cell(pos) == "#"

    def possible_directions(self, pos: Place, wall_pass: bool = False) -> str:
        """The directions that lead on from a cell, clockwise from north, as ``"NS"``: those of corridors,
        and with the wall-pass all four."""
        pos = self._checked(pos)
        around = ((direction, self._beside(pos, direction)) for direction in STEPS)
        return "".join(d for d, (row, col) in around if wall_pass or self.board[row][col] != "#")

    def directions_possibles(self, pos: Place, passe_muraille: bool = False) -> str:
        """The course's name of :meth:`possible_directions`."""
        return self.possible_directions(pos, passe_muraille)

    def analyse_board(
        self, pos: Place, direction: str, max_distance: int
    ) -> Optional[Dict[str, List[Tuple[int, str]]]]:
        """Everything within ``max_distance`` steps when the first step goes in this direction, nearest
        first: ``{"objects": [(distance, letter)], "pacmans": [(distance, "A")], "ghosts": [(distance, "a")]}``.
        ``None`` when a wall stops the first step."""
        first = self._first(pos, direction)
        if first is None:
            return None
        found: Dict[str, List[Tuple[int, str]]] = {"objects": [], "pacmans": [], "ghosts": []}
        distances = Distances(self, first, 0)
        for cell, steps in distances._steps.items():
            distance = steps + 1
            if distance > max_distance:
                break
            if self.cell(cell) not in "# ":
                found["objects"].append((distance, self.cell(cell)))
            for player in self.players.values():
                if player.pacman == cell:
                    found["pacmans"].append((distance, player.colour))
                if player.ghost == cell:
                    found["ghosts"].append((distance, player.colour.lower()))
        return found

    def analyse_plateau(
        self, pos: Place, direction: str, distance_max: int
    ) -> Optional[Dict[str, List[Tuple[int, str]]]]:
        """The course's name of :meth:`analyse_board`; the keys are ``"objets"``, ``"pacmans"`` and ``"fantomes"``."""
        found = self.analyse_board(pos, direction, distance_max)
        return found and {"objets": found["objects"], "pacmans": found["pacmans"], "fantomes": found["ghosts"]}

    def next_junction(self, pos: Place, direction: str) -> int:
        """The number of cells that one walks after the first one until a cell with more than two exits, 0 if the
        first one is such a cell; -1 when there is none that way."""
        cell, heading = self._first(pos, direction), direction
        for walked in range(self.rows * self.cols if cell else 0):
            assert cell is not None
            exits = self.possible_directions(cell)
            if len(exits) > 2:
                return walked
            onwards = exits.replace(BACK[heading], "")
            if not onwards:
                break
            heading = onwards[0]
            cell = self._beside(cell, heading)
        return -1

    def prochaine_intersection(self, pos: Place, direction: str) -> int:
        """The course's name of :meth:`next_junction`."""
        return self.next_junction(pos, direction)

    def _first(self, pos: Place, direction: str) -> Optional[Place]:
        if direction not in STEPS:
            raise ValueError(said(
                f"{direction!r} is no direction, expected one of: {list(STEPS)}",
                f"{direction!r} n'est pas une direction, il faut l'une de : {list(STEPS)}",
            ))
        return self._beside(pos, direction) if direction in self.possible_directions(pos) else None

    def north(self, pos: Place) -> Place:
        """The cell to the north, across the edge of the board if need be."""
        return self._beside(self._checked(pos), "N")

    def pos_nord(self, pos: Place) -> Place:
        """The course's name of :meth:`north`."""
        return self.north(pos)

    def south(self, pos: Place) -> Place:
        """The cell to the south, across the edge of the board if need be."""
        return self._beside(self._checked(pos), "S")

    def pos_sud(self, pos: Place) -> Place:
        """The course's name of :meth:`south`."""
        return self.south(pos)

    def east(self, pos: Place) -> Place:
        """The cell to the east, across the edge of the board if need be."""
        return self._beside(self._checked(pos), "E")

    def pos_est(self, pos: Place) -> Place:
        """The course's name of :meth:`east`."""
        return self.east(pos)

    def west(self, pos: Place) -> Place:
        """The cell to the west, across the edge of the board if need be."""
        return self._beside(self._checked(pos), "O")

    def pos_ouest(self, pos: Place) -> Place:
        """The course's name of :meth:`west`."""
        return self.west(pos)

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


class Bot(BaseBot[View]):
    """A player's mind: derive from it, and write :meth:`play`.

    >>> class Ada(Bot):
    ...     def play(self, view: View) -> str:
    ...         return view.possible_directions(view.player.pacman)[0] + "N"
    """


AnyBot = Union[Bot, Type[Bot]]


class Connection(Protocol[ViewT_co]):
    """The line to a server, as this file and the package have it."""

    def receive(self) -> Union[ViewT_co, bytes, None]:
        """Waits for a message: a view for a state, the bytes of another message, ``None`` when the line drops."""

    def send(self, message: str) -> None:
        """Sends a message."""

    def close(self) -> None:
        """Ends the connection."""


class Line:
    """The line to a server: its messages, one after the other, and what it is told."""

    def __init__(self, address: Tuple[str, int], seconds: float) -> None:
        self.connection = socket.create_connection(address, timeout=seconds)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection.settimeout(None)
        self.received = b""

    def receive(self) -> Union[View, bytes, None]:
        """Waits for a message: a view for a state, the bytes of another message, ``None`` when the line drops."""
        while b"\0" not in self.received:
            data = self.connection.recv(1 << 16)
            if not data:
                return None
            self.received += data
            if len(self.received) > LONGEST + 65536:
                raise ValueError(said(
                    f"a message of more than {LONGEST} bytes", f"un message de plus de {LONGEST} octets"
                ))
        message, _, self.received = self.received.partition(b"\0")
        if not message.startswith(b"jeu;"):
            return message
        try:
            return View(message.decode())
        except (ValueError, IndexError) as error:
            found = message[:40]
            raise ValueError(said(f"no state, {error}: {found!r}", f"pas un état, {error} : {found!r}")) from None

    def send(self, message: str) -> None:
        """Sends a message."""
        self.connection.sendall(f"{message}\0".encode())

    def close(self) -> None:
        """Ends the connection."""
        self.connection.close()


def registration(name: str, secret: Optional[str] = None) -> str:
    """The message that registers a player, without the final NUL byte."""

    def is_secret(text: str) -> bool:
        return text.isascii() and text.isalnum() and 8 <= len(text) <= 64

    if secret is not None and not is_secret(secret):
        raise ValueError(said(
            "a secret is 8 to 64 letters and digits, without accents",
            "un secret est fait de 8 à 64 lettres et chiffres, sans accents",
        ))
    if secret is None and "#" in name and is_secret(name.rpartition("#")[2]):
        raise ValueError(said(
            f"the end of the name {name!r}, from # on, would be taken for a secret",
            f"la fin du nom {name!r}, à partir de #, serait prise pour un secret",
        ))
    return f"joueur;{harmless(name)}{'#' + secret if secret else ''}"


#: The language that ``--langue`` has asked for.
asked_language = ""


def said(english: str, french: str) -> str:
    """The text in the language that was asked for, or that of the environment, as the programs choose it."""
    locales = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return french if next(filter(None, [asked_language, *locales]), "").startswith("fr") else english


def aliases(**french: str) -> Callable[[FunctionT], FunctionT]:
    """Lets a function take arguments by French names as well: ``aliases(map="carte")``. Both names of one argument at a time are
    a ``TypeError``. The signature has the English names only."""

    def decorate(function: FunctionT) -> FunctionT:
        @functools.wraps(function)
        def called(*values: object, **named: object) -> object:
            for english, other in french.items():
                if other in named:
                    if english in named:
                        raise TypeError(said(
                            f"{english}= and {other}= are two names of one argument: expected one of them",
                            f"{english}= et {other}= sont deux noms du même paramètre : un seul est attendu",
                        ))
                    named[english] = named.pop(other)
            return function(*values, **named)

        return cast(FunctionT, called)

    return decorate


def choose_language(words: Iterable[str]) -> List[str]:
    """Chooses the language that ``--langue`` asks for, and returns the other words of a command line."""
    global asked_language
    others, left = [], iter(words)
    for word in left:
        flag, equals, value = word.partition("=")
        if flag not in ("--langue", "--language"):
            others.append(word)
            continue
        value = value if equals else next(left, "")
        if value not in ("en", "fr"):
            raise ValueError(said(
                f"{flag}: expected en or fr, got {value!r}", f"{flag} : en ou fr est attendu, et non {value!r}"
            ))
        asked_language = value
    return others


def complain(english: object, french: object) -> None:
    """Says what is wrong."""
    print(said(f"error: {english}", f"erreur : {french}"), file=sys.stderr)


def harmless(name: str) -> str:
    """A name without the letters that end a field or a line."""
    return "".join("_" if letter in ";\0\n\r" else letter for letter in name)


def run(bot: AnyBot, argv: Optional[Sequence[str]] = None) -> None:
    """Plays on a server: ``run(Ada)`` at the end of a bot's file makes a program of it.

    The command line (``argv``, that of the program when missing) is ``[NAME [HOST [PORT]]] --equipe NAME --serveur
    HOST[:PORT]|auto --port N --graine N --secret SECRET --insister SECONDS --langue en|fr``. The program ends with 0
    when the server says that the games are over, with 1 when it refuses or is gone, with 2 when the command is wrong
    or there is no server, with 130 on Ctrl-C.
    """
    sys.exit(play_remotely(bot, argv, Line, registration))


def nowhere(_: argparse.Namespace) -> None:
    """Finding a server takes more than the standard library."""
    complain(
        "--host auto needs the package (pip install pacman-iuto): type --host HOST",
        "--serveur auto demande le paquet (pip install pacman-iuto) : tapez --serveur HÔTE",
    )


def play_remotely(
    bot: Union[BaseBot[ViewT], Type[BaseBot[ViewT]]],
    argv: Optional[Sequence[str]],
    connect: Callable[[Tuple[str, int], float], Connection[ViewT]],
    register: Callable[[str, Optional[str]], str],
    locate: Callable[[argparse.Namespace], Optional[Tuple[str, int]]] = nowhere,
) -> int:
    """Plays on a server with these ways to reach and to find a server, and returns the exit code."""
    options = arguments(argv)
    mind = bot() if isinstance(bot, type) else bot
    try:
        check(mind)
    except TypeError as error:
        complain(error, error)
        return 2
    seat = Seat(mind, options.graine)
    # A page has no threads, and shows by itself where a bot is.
    with contextlib.suppress(RuntimeError):
        threading.Thread(target=seat.watch, args=[threading.get_ident()], daemon=True).start()
    name = options.equipe or seat.name
    try:
        hello = register(name, options.secret)
        address = where(options, locate)
    except ValueError as error:
        complain(error, error)
        return 2
    except KeyboardInterrupt:
        return 130
    if address is None:
        return 2
    shown = f"{address[0]}:{address[1]}"
    is_known, lost = False, time.monotonic()
    try:
        while True:
            try:
                line = connect(address, max(options.insister, 1.0))
            except OSError as error:
                if time.monotonic() - lost >= options.insister:
                    start = to_start(address)
                    complain(f"no server at {shown}: {reason(error)}{start}", f"pas de serveur à {shown} : {reason(error)}{start}")
                    return 1 if is_known else 2
                time.sleep(0.2)
                continue
            is_known = True
            with contextlib.closing(line):
                code = converse(line, hello, seat, shown)
            if code is not None:
                return code
            lost = time.monotonic()
    except KeyboardInterrupt:
        return 130


def to_start(address: Tuple[str, int]) -> str:
    """How a server is started at this address, if it is on this machine."""
    host, port = address
    if host not in ("localhost", "::1") and not host.startswith("127."):
        return ""
    flag = "" if port == 1111 else f" --port {port}"
    command = f"pacman-iuto server{flag} {said('--fill', '--remplir')} prudent"
    return said(f"; to start one here: {command}", f" ; pour en lancer un ici : {command}")


def reason(error: OSError) -> str:
    """The reason why a server cannot be reached, in words."""
    known = (
        (ConnectionRefusedError, said("nothing listens there", "rien n'y écoute")),
        (socket.timeout, said("no answer in time", "pas de réponse à temps")),
        (socket.gaierror, said("there is no such host", "cette machine est inconnue")),
    )
    if error.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH):
        return said("no network leads there", "aucun réseau n'y mène")
    return next((text for kind, text in known if isinstance(error, kind)), str(error))


def where(
    options: argparse.Namespace, locate: Callable[[argparse.Namespace], Optional[Tuple[str, int]]]
) -> Optional[Tuple[str, int]]:
    """The host and the port of the server; ``None`` if it cannot be found, which has been said."""
    host, _, port = options.serveur.rpartition(":") if options.serveur.count(":") == 1 else (options.serveur, "", "")
    return locate(options) if host == "auto" else (host, options.port or int(port or 1111))


def converse(line: Connection[ViewT], hello: str, seat: Seat[ViewT], shown: str) -> Optional[int]:
    """Answers states until the server says goodbye; ``None`` when the line drops."""
    # Between two states of a quick game there is time for some lines of Python only.
    receive, send, play = line.receive, line.send, seat.play
    last_turn = None
    try:
        send(hello)
        while True:
            try:
                view = receive()
            except ValueError as error:
                complain(
                    f"{shown} breaks the protocol: {error}",
                    f"{shown} ne respecte pas le protocole : {error}",
                )
                return 1
            if view is None or isinstance(view, bytes):
                return view if view is None else farewell(view, shown)
            turn = view.turn
            if last_turn is None or turn < last_turn:
                seat.new_game(view)
            last_turn = turn
            send(play(view))
            if turn == view.turns:
                announce(view, seat.failures)
    except ConnectionError:
        return None


def announce(view: AnyView, failures: int) -> None:
    """Tells how a game ended for the player whose view it is, as the program ``client`` does, and how often it failed to answer."""
    players, own = view.players.values(), view.player.points
    rank = 1 + sum(player.points > own for player in players)
    print(said(
        f"game over: rank {rank} of {len(players)}, {own} {'point' if abs(own) == 1 else 'points'}",
        f"partie finie : rang {rank} sur {len(players)}, {own} {'point' if abs(own) < 2 else 'points'}",
    ), flush=True)
    if failures:
        print(said(
            f"turns in which play() failed: {failures}; the reason is shown above",
            f"tours où play() a échoué : {failures} ; la raison est montrée plus haut",
        ), file=sys.stderr, flush=True)


def farewell(message: bytes, shown: str) -> int:
    """The exit code after the last message of a server."""
    word = message.strip()
    if word == b"refused":
        complain(f"{shown} refuses the registration", f"{shown} refuse l'inscription")
    return 0 if word == b"quit" else 1


class Formatter(argparse.HelpFormatter):
    """The help of a command line in the user's language."""

    def add_usage(
        self,
        usage: Optional[str],
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: Optional[str] = None,
    ) -> None:
        super().add_usage(usage, actions, groups, said("usage: ", "utilisation : ") if prefix is None else prefix)


class Parser(argparse.ArgumentParser):
    """A command line in the user's language, of which argparse knows English alone."""

    #: What argparse says of mistakes, and the same in French.
    MISTAKES = (
        (r"^argument (\S+): ", r"\1 : "),
        (r"unrecognized arguments: ", "arguments inconnus : "),
        (r"the following arguments are required: ", "arguments manquants : "),
        (r"expected one argument$", "une valeur est attendue"),
        (r"expected at least one argument$", "une valeur au moins est attendue"),
        (r"expected (\d+) arguments$", r"\1 valeurs sont attendues"),
        (r"invalid choice: (.*) \(choose from (.*)\)$", r"\1 est inconnu, valeurs possibles : \2"),
        (r"ignored explicit argument ", "valeur en trop : "),
    )

    def __init__(self, description: str, prog: Optional[str] = None) -> None:
        super().__init__(prog, description=description, formatter_class=Formatter, allow_abbrev=False, add_help=False)
        # argparse would name its own groups in English.
        self.group = self.add_argument_group(said("options", "options\u00a0"))
        self.option("-h", "--help", action="help", help=said("show this help", "montrer cette aide"))

    def option(self, *names: str, **options: object) -> None:
        """An option, or an argument without a name, as ``add_argument`` takes it."""
        self.group.add_argument(*names, **options)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        french = message
        for pattern, words in self.MISTAKES:
            french = re.sub(pattern, words, french)
        self.print_usage(sys.stderr)
        complain(message, french)
        sys.exit(2)


def number(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number from ``least`` to ``most``."""

    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(said(
                f"expected a whole number from {least} to {most}, got {text!r}",
                f"un nombre entier de {least} à {most} est attendu, et non {text!r}",
            ))
        return int(text)

    return read


def seconds(text: str) -> float:
    """Reads a duration in seconds, at most a day."""
    try:
        duration = float(text)
    except ValueError:
        duration = -1.0
    if not 0.0 <= duration <= 86400.0:
        raise argparse.ArgumentTypeError(said(
            f"expected a number of seconds, as 10, got {text!r}",
            f"un nombre de secondes est attendu, comme 10, et non {text!r}",
        ))
    return duration


def arguments(argv: Optional[Sequence[str]]) -> argparse.Namespace:
    """The options of the command line."""
    try:
        words = choose_language(sys.argv[1:] if argv is None else argv)
    except ValueError as error:
        complain(error, error)
        sys.exit(2)
    parser = Parser(description=said("Plays Pacman IUT'O on a server", "Joue à Pacman IUT'O sur un serveur"))
    name, host = said("NAME", "NOM"), said("HOST[:PORT]|auto", "HÔTE[:PORT]|auto")
    port = number(1, 65535)
    parser.option("nom", nargs="?", metavar=name, help=said("the same as --team", "comme --equipe"))
    parser.option("hote", nargs="?", metavar=said("HOST", "HÔTE"), help=said("the same as --host", "comme --serveur"))
    parser.option("porte", nargs="?", type=port, metavar="PORT", help=said("the same as --port", "comme --port"))
    parser.option(
        "--equipe", "--team", metavar=name,
        help=said("name of the team; that of the bot when missing", "nom de l'équipe ; sinon celui du bot"),
    )
    parser.option(
        "--serveur", "--host", metavar=host,
        help=said(
            "where the server is; auto finds the one that announces itself on this network [default: 127.0.0.1]",
            "où est le serveur ; auto trouve celui qui s'annonce sur ce réseau [défaut : 127.0.0.1]",
        ),
    )
    parser.option(
        "--port", type=port, metavar="N",
        help=said("port of the server [default: 1111]", "port du serveur [défaut : 1111]"),
    )
    parser.option(
        "--graine", "--seed", type=number(0, (1 << 64) - 1), metavar="N",
        help=said("seed of the bot's own draws", "graine des tirages du bot"),
    )
    parser.option(
        "--secret", metavar="SECRET",
        help=said("protect the seat: 8 to 64 letters and digits", "protéger la place : 8 à 64 lettres et chiffres"),
    )
    parser.option(
        "--insister", "--patience", type=seconds, default=10.0, metavar=said("SECONDS", "SECONDES"),
        help=said("how long to look for a server that is not there", "combien de temps chercher un serveur absent"),
    )
    parser.option(
        "--langue", "--language", metavar="en|fr",
        help=said("language; that of the environment when missing", "langue ; sinon celle de l'environnement"),
    )
    parser.option("--port-mdns", type=port, default=5353, help=argparse.SUPPRESS)
    options = parser.parse_args(words)
    for place, flag, english in (("nom", "equipe", "team"), ("hote", "serveur", "host"), ("porte", "port", "port")):
        alone, named = getattr(options, place), getattr(options, flag)
        if alone is not None and named is not None:
            parser.error(said(f"--{english} and {alone} say the same", f"--{flag} et {alone} disent la même chose"))
        setattr(options, flag, named if alone is None else alone)
    options.serveur = options.serveur or "127.0.0.1"
    own = options.serveur.rpartition(":")[2]
    if options.serveur.count(":") == 1 and not own.isdigit():
        parser.error(said(
            f"--host: expected a port after the colon, got {own!r}",
            f"--serveur : un port est attendu après les deux-points, et non {own!r}",
        ))
    if options.serveur.isdigit():
        parser.error(said(
            f"--host: expected HOST or HOST:PORT, got a number; a port alone is given by --port {own}",
            f"--serveur : HÔTE ou HÔTE:PORT est attendu, et non un nombre ; un port seul se donne par --port {own}",
        ))
    return options


@dataclass(frozen=True)
class PlayerResult:
    """A player at the end of a game."""

    rank: int
    """From 1; equal points share a rank."""
    colour: str
    """Its letter, ``"A"`` to ``"Z"``."""
    name: str
    """The name of its team."""
    points: int
    """Points at the end."""
    failures: int
    """How often its bot raised an exception or returned no text."""


@dataclass(frozen=True)
class Ranking:
    """The ranking at the end of a game."""

    ranking: List[PlayerResult]
    """The players, best first."""

    @property
    def points(self) -> Dict[str, int]:
        """The points by name, in order of colour."""
        return {player.name: player.points for player in sorted(self.ranking, key=lambda p: p.colour)}

    @property
    def winner(self) -> PlayerResult:
        """The first of the ranking."""
        return self.ranking[0]

    def __str__(self) -> str:
        colon = said(":", " :")
        lines = [f"{p.rank}. {p.name} ({p.colour}){colon} {p.points} points" for p in self.ranking]
        return "\n".join(lines)


def ranked(names: Sequence[str], totals: Sequence[float], failures: Sequence[int]) -> List[PlayerResult]:
    """The players of a game that is over, best first: from their names, points and failures in order of colour."""
    points = [int(total) for total in totals]
    players = [
        PlayerResult(1 + sum(other > own for other in points), chr(ord("A") + index), name, own, failed)
        for index, (name, own, failed) in enumerate(zip(names, points, failures))
    ]
    return sorted(players, key=lambda player: (player.rank, player.colour))


@dataclass(frozen=True)
class Recording:
    """The states of a game; with the package, it has events, tables, pages and files as well."""

    names: List[str]
    """The names of the players, in order of colour."""
    seed: int
    """The seed of the game."""
    states: List[str]
    """The texts of all states, from the first to the last."""

    @property
    def turns(self) -> int:
        """Turns that were played."""
        return len(self.states) - 1

    @property
    def points(self) -> List[float]:
        """The points at the end, in order of colour."""
        return [player.points for player in self.view(self.turns).players.values()]

    def view(self, turn: int, me: Optional[str] = None) -> View:
        """The state after ``turn`` turns, as the player ``me`` saw it."""
        if not 0 <= turn <= self.turns:
            raise ValueError(said(
                f"expected a turn from 0 to {self.turns}, got {turn}",
                f"un tour de 0 à {self.turns} est attendu, et non {turn}",
            ))
        return View(f"jeu;{me or ''}\n{self.states[turn]}")


@dataclass(frozen=True)
class Result(Ranking):
    """A game that was played."""

    recording: Recording
    """The whole game."""


@aliases(turns="tours", seed="graine", map="carte", rules="regles")
def play_local(
    *bots: AnyBot, turns: int = 200, seed: int = 0, map: Optional[str] = None, rules: str = "sujet"
) -> Result:
    """Plays a game in this process, without deadlines: the same game as with the package.

    ``bots`` are classes or instances of :class:`Bot`, in order of colour, 1 to 26; ``turns`` the turns of the game;
    ``seed`` what all draws follow from, so that deterministic bots give the same game again; ``map`` a file, or the
    text of a map (plan1 when missing); ``rules`` is ``"sujet"`` or ``"orleans2024"``. The French names ``tours``, ``graine``,
    ``carte`` and ``regles`` do as well.

    >>> class Ada(Bot):
    ...     def play(self, view: View) -> str:
    ...         return view.possible_directions(view.player.pacman)[0] + "N"
    >>> play_local(Ada, Ada, turns=20, seed=1).winner.rank
    1
    """
    seats = []
    for number, bot in enumerate(bots):
        if isinstance(bot, str):
            raise ValueError(said(
                f"the bot {bot!r} of the house needs the package (pip install pacman-iuto), or a server where it is "
                f"installed: pacman-iuto server --fill {bot}, and here: python3 BOT.py --host HOST",
                f"le bot {bot!r} de la maison demande le paquet (pip install pacman-iuto), ou un serveur là où il est "
                f"installé : pacman-iuto server --remplir {bot}, et ici : python3 BOT.py --serveur HÔTE",
            ))
        if not is_bot(bot):
            raise TypeError(said(f"expected a Bot, got {bot!r}", f"un Bot est attendu, et non {bot!r}"))
        seats.append(Seat(bot, seed + number))
    names: List[str] = []
    for seat in seats:
        name = harmless(seat.name)
        others = (f"{name}_{number}" for number in range(2, 28))
        names.append(name if name not in names else next(other for other in others if other not in names))
    if map is None or "\n" not in map:
        map = PLAN1 if map in (None, "plan1") else map_file(map)
    game = Game(map, rules, turns, seed, names)
    states = [str(game)]
    while game.turn < turns:
        orders = []
        for player, seat in zip(game.players, seats):
            view = View(f"jeu;{player.colour}\n{states[-1]}")
            if game.turn == 0:
                seat.new_game(view)
            orders.append(seat.play(view))
        game.play_turn(orders)
        states.append(str(game))
    recording = Recording(names, seed, states)
    return Result(ranked(names, recording.points, [seat.failures for seat in seats]), recording)


class Rules(NamedTuple):
    """The numbers in which sets of rules differ."""

    #: What a false move adds to the counter, and the counter after the false move that teleports.
    step: int
    refill: int
    #: Points for a ghost that is sent into a wall.
    blocked_ghost: int
    #: A ghost is frozen within this Chebyshev distance of a pacman with freeze, in cells.
    freeze_range: int
    #: Whether a ghost that has eaten a pacman stays still in the next turn.
    digestion: bool

    def is_last(self, false_moves: int) -> bool:
        """True if the false move that led to this counter teleports the pacman."""
        return false_moves >= 4 if self.step > 0 else false_moves <= 0


RULES = {"sujet": Rules(1, 0, -1, 4, False), "orleans2024": Rules(-1, 4, 1, 5, True)}
#: The points of an object, and the attribute and the turns of its power.
OBJECTS = {
    ".": (3, "", 0), "$": (50, "glutton", 20), "@": (50, "freeze", 10), "~": (50, "wall_pass", 20), "&": (100, "", 0),
    "!": (50, "", 0),
}
APPEARING = "$@~&!"
PLAN1 = """\
20;30
#########!### ## ###!#########
#$..........................$#
#.###.##.### #### ###.##.###.#
 ........##........##........ 
#.###.#####.######.#####.###.#
#.#......@..######..@......#.#
#.#.###.#.##########.#.###.#.#
#~..#...#.#...##...#.#...#..~#
#.###.###. .#.##.#. .###.###.#
!.###&....#...##...#....&###.!
#.###.###.# ###### #.###.###.#
#~..#...#.#...&&...#.#...#..~#
#.#.###.#.### ## ###.#.###.#.#
#.#.......#...##...#.......#.#
#.###.###.#.#.##.#.#.###.###.#
 ..........@#....#@.......... 
#.###.###.###.##.###.###.###.#
#.###.###.###.##.###.###.###.#
#$..........................$#
######### ### ## ### #########
"""


class Game:
    """The rules: the draws and the states are those of the package, seed for seed."""

    def __init__(self, carte: str, rules: str, turns: int, seed: int, names: Sequence[str]) -> None:
        if rules not in RULES:
            raise ValueError(said(
                f"there are no rules {rules!r}, expected {' or '.join(RULES)}",
                f"il n'y a pas de règles {rules!r}, {' ou '.join(RULES)} est attendu",
            ))
        if not 1 <= len(names) <= 26:
            count = len(names)
            raise ValueError(said(f"expected 1 to 26 players, got {count}", f"il faut 1 à 26 joueurs, et non {count}"))
        if turns < 1:
            raise ValueError(said(f"expected at least one turn, got {turns}", f"il faut au moins un tour, et non {turns}"))
        if not 0 <= seed < 1 << 64:
            raise OverflowError(said(
                f"expected a seed from 0 to 2^64 - 1, got {seed}", f"une graine de 0 à 2^64 - 1 est attendue, et non {seed}"
            ))
        self.rules, self.turn, self.turns, self.seed = RULES[rules], 0, turns, seed
        self.rows, self.cols, lines = read_map(carte)
        cells = {(row, col): letter for row, line in enumerate(lines) for col, letter in enumerate(line)}
        self.corridors = [cell for cell, letter in cells.items() if letter != "#"]
        self.walls = cells.keys() - self.corridors
        self.objects = {cell: letter for cell, letter in cells.items() if letter in OBJECTS}
        empty = sum(self.objects.get(cell, ".") == "." for cell in self.corridors)
        if empty < 2 * len(names):
            count = len(names)
            raise ValueError(said(
                f"{count} players need {2 * count} empty cells, the board has {empty}",
                f"{count} joueurs demandent {2 * count} cases libres, le plateau en a {empty}",
            ))
        self.players: List[Player] = []
        self.digesting: Set[str] = set()
        self.eaten: Set[str] = set()
        self.draws = outputs(seed, 0)
        for index, name in enumerate(names):
            player = Player(f"{chr(ord('A') + index)};0;0;0;0;0;0;0;0;0;{name}")
            player.pacman = player.ghost = self.draw_cell()
            self.players.append(player)
            player.ghost = self.draw_cell()

    def __str__(self) -> str:
        lines = [
            "".join("#" if (row, col) in self.walls else self.objects.get((row, col), " ") for col in range(self.cols))
            for row in range(self.rows)
        ]
        for pieces in (
            [(p.pacman, p.colour) for p in self.players],
            [(p.ghost, p.colour.lower()) for p in self.players],
        ):
            lines.append(str(len(pieces)))
            lines += [f"{letter};{row};{col}" for (row, col), letter in sorted(pieces)]
        players = [
            ";".join(map(str, (p.colour, p.points, p.false_moves, *p.pacman, *p.ghost, p.glutton, p.freeze, p.wall_pass, p.name)))
            for p in self.players
        ]
        size, board, shown = f"{self.rows};{self.cols}", "\n".join(lines), "\n".join(players)
        return f"{self.turn};{self.turns}\n{DASHES}{size}\n{board}\n{DASHES}{shown}\n"

    def below(self, limit: int) -> int:
        """A draw below ``limit``: the high bits of an output, until they are."""
        shift = 32 - limit.bit_length()
        return next(value for value in (output >> shift for output in self.draws) if value < limit)

    def draw_cell(self, lifted: Optional[Player] = None) -> Place:
        """An empty cell; the pacman of ``lifted`` stands nowhere."""
        occupied = {p.ghost for p in self.players} | {p.pacman for p in self.players if p is not lifted}
        free = [cell for cell in self.corridors if cell not in occupied]
        cells = [cell for cell in free if self.objects.get(cell, ".") == "."] or free or self.corridors
        return cells[self.below(len(cells))]

    def play_turn(self, orders: Sequence[str]) -> None:
        """Plays a turn, with the orders of the players in order of colour."""
        self.draws = outputs(self.seed, self.turn + 1)
        order = list(zip(self.players, orders))
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        for player, letters in order:
            self.play_pacman(player, letters[:1])
            self.play_ghost(player, letters[1:2])
        self.turn += 1
        self.digesting, self.eaten = self.eaten if self.rules.digestion else set(), set()
        if self.turn < self.turns:
            for player in self.players:
                player.glutton = max(player.glutton - 1, 0)
                player.freeze = max(player.freeze - 1, 0)
                player.wall_pass = max(player.wall_pass - 1, 0)
            if self.below(5) == 0:
                appearing = APPEARING[self.below(len(APPEARING))]
                self.objects[self.draw_cell()] = appearing

    def play_pacman(self, player: Player, direction: str) -> None:
        to = self.beside(player.pacman, direction)
        if to is None or (to in self.walls and not player.wall_pass):
            if self.is_punished(player, -1):
                player.pacman = self.draw_cell()
            return
        player.pacman = to
        taken = self.objects.pop(to, "")
        if taken:
            points, power, duration = OBJECTS[taken]
            player.points += points
            if power:
                setattr(player, power, getattr(player, power) + duration)
            if taken == "!":
                player.pacman = self.draw_cell(lifted=player)
        for other in self.players:
            if other.ghost == to:
                self.battle(player, other)

    def play_ghost(self, player: Player, direction: str) -> None:
        if player.colour in self.digesting or self.is_frozen(player.ghost):
            return
        to = self.beside(player.ghost, direction)
        if to is None or to in self.walls:
            if self.is_punished(player, -1 if to is None else self.rules.blocked_ghost):
                player.ghost = self.draw_cell()
            return
        player.ghost = to
        for other in self.players:
            if other.pacman == to:
                self.battle(other, player)

    def beside(self, cell: Place, direction: str) -> Optional[Place]:
        if direction not in STEPS:
            return None
        down, right = STEPS[direction]
        return (cell[0] + down) % self.rows, (cell[1] + right) % self.cols

    def is_punished(self, player: Player, points: int) -> bool:
        """Prices and counts a false move, and tells whether it teleports the piece."""
        player.points += points
        player.false_moves += self.rules.step
        is_last = self.rules.is_last(player.false_moves)
        if is_last:
            player.false_moves = self.rules.refill
        return is_last

    def is_frozen(self, ghost: Place) -> bool:
        def near(cell: Place) -> bool:
            apart = (abs(here - there) for here, there in zip(cell, ghost))
            return all(min(d, side - d) <= self.rules.freeze_range for d, side in zip(apart, (self.rows, self.cols)))

        return any(player.freeze and near(player.pacman) for player in self.players)

    def battle(self, pacman: Player, ghost: Player) -> None:
        winner, loser = (pacman, ghost) if pacman.glutton else (ghost, pacman)
        winner.points += 20
        loser.points -= 20
        if not pacman.glutton:
            self.eaten.add(ghost.colour)


def map_file(path: str) -> str:
    """The text of a map's file."""
    try:
        return pathlib.Path(path).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, said(
            "no such map; a file is expected, or plan1, the other built-in maps need the package (pip install pacman-iuto)",
            "cette carte n'existe pas ; il faut un fichier, ou plan1, les autres cartes intégrées demandent le paquet "
            "(pip install pacman-iuto)",
        ), path) from None


def read_map(text: str) -> Tuple[int, int, List[str]]:
    """The rows, the columns and the lines of a map."""
    size, *lines = text.split("\n")
    rows, _, cols = size.partition(";")
    if not (rows.isdecimal() and cols.isdecimal() and 3 <= int(rows) <= 500 and 3 <= int(cols) <= 500):
        raise ValueError(said(
            f"line 1 of the map: expected ROWS;COLS, got {size!r}",
            f"ligne 1 de la carte : LIGNES;COLONNES est attendu, et non {size!r}",
        ))
    for number, line in enumerate(lines[: int(rows)], 2):
        unknown = next((letter for letter in line if letter not in "# " and letter not in OBJECTS), None)
        if unknown:
            column = line.index(unknown) + 1
            raise ValueError(said(
                f"line {number}, column {column} of the map: unknown character {unknown!r}",
                f"ligne {number}, colonne {column} de la carte : caractère inconnu {unknown!r}",
            ))
        if len(line) != int(cols):
            raise ValueError(said(
                f"line {number} of the map: expected {cols} characters, got {len(line)}",
                f"ligne {number} de la carte : {cols} caractères sont attendus, et non {len(line)}",
            ))
    if len(lines) < int(rows):
        raise ValueError(said(
            f"the map: expected {rows} rows, got {len(lines)}", f"la carte : {rows} lignes sont attendues, et non {len(lines)}"
        ))
    return int(rows), int(cols), lines[: int(rows)]


def outputs(seed: int, turn: int) -> Iterator[int]:
    """The 32-bit outputs of ChaCha with 8 rounds, whose key is the seed and whose stream is the turn."""
    mask = (1 << 32) - 1
    columns = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
    diagonals = [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
    for counter in itertools.count():
        start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, seed & mask, seed >> 32, 0, 0, 0, 0, 0, 0]
        start += [counter & mask, counter >> 32, turn & mask, turn >> 32]
        x = start[:]
        for a, b, c, d in 4 * (columns + diagonals):
            for to, add, mix, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[to] = (x[to] + x[add]) & mask
                mixed = x[mix] ^ x[to]
                x[mix] = (mixed << bits | mixed >> 32 - bits) & mask
        yield from ((word + first) & mask for word, first in zip(x, start))


def step_aside() -> None:
    """Gives its name back to the package where that is installed: there this copy, beside a bot, would hide it."""
    here = pathlib.Path(__file__).resolve().parent
    others = [folder for folder in sys.path if pathlib.Path(folder or ".").resolve() != here]
    found = importlib.machinery.PathFinder.find_spec(__name__, others)
    if found and found.loader and found.submodule_search_locations:
        package = importlib.util.module_from_spec(found)
        sys.modules[__name__] = package
        found.loader.exec_module(package)


if __name__ == "pacman_iuto":
    step_aside()
if __name__ == "__main__":
    print(said(
        "This file is for bots to import: from pacman_iuto import Bot, run",
        "Ce fichier est à importer par un bot : from pacman_iuto import Bot, run",
    ), file=sys.stderr)
    sys.exit(2)
