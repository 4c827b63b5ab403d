"""The compiled part of ``pacman_iuto``: the engine in Rust."""
import os
from typing import Callable, Dict, Final, Iterable, List, Mapping, Optional, Sequence, Tuple, TypedDict, Union, final

import numpy
from numpy.typing import NDArray
from typing_extensions import disjoint_base

__all__ = [
    "Arena", "BOTS", "BatchArena", "DistanceTable", "Distances", "MAPS", "PYRAT_PLAYERS", "Player", "RatArena",
    "Line", "Recording", "View", "__version__", "play_local", "registration",
]

_Place = Tuple[int, int]

_MapLike = Union[str, os.PathLike[str], int, None]
#: Planes, rows and columns, and the length of the vector.
_Shape = Tuple[Tuple[int, int, int], int]

class _Observation(TypedDict):
    planes: NDArray[numpy.uint8]
    vector: NDArray[numpy.int32]

class _Seen(TypedDict):
    observation: _Observation
    action_mask: NDArray[numpy.int8]

__version__: Final[str]
MAPS: Final[List[str]]
BOTS: Final[List[str]]
PYRAT_PLAYERS: Final[List[str]]

@final
class Player:
    """A player and its two pieces."""

    @property
    def colour(self) -> str:
        """The player's letter, ``"A"`` to ``"Z"``."""
    @property
    def name(self) -> str:
        """The name of the team."""
    @property
    def points(self) -> int:
        """Points, possibly negative."""
    @property
    def false_moves(self) -> int:
        """The counter of false moves, as the rules define it."""
    @property
    def pacman(self) -> _Place:
        """The cell of the pacman, as (row, column); a wall is possible with the wall-pass."""
    @property
    def ghost(self) -> _Place:
        """The cell of the ghost, as (row, column)."""
    @property
    def glutton(self) -> int:
        """Turns left in which the pacman eats ghosts (*glouton*)."""
    @property
    def freeze(self) -> int:
        """Turns left in which ghosts near the pacman cannot move (*immobilité*)."""
    @property
    def wall_pass(self) -> int:
        """Turns left in which walls do not stop the pacman (*passe-muraille*)."""

@final
class Distances:
    """Distances in steps from one cell to all the others, on the torus.

    ``distances[row, col]`` is the number of steps, or ``None`` where no path leads.
    """

    def __getitem__(self, place: _Place, /) -> Optional[int]: ...
    def path(self, to: _Place) -> Optional[str]:
        """The directions of a shortest path to a cell, as ``"NNE"``; ``""`` to the start itself, and
        ``None`` where no path leads.
        """
    def first_step(self, to: _Place) -> Optional[str]:
        """The first direction of a shortest path to a cell, as ``"N"``; ``None`` to the start itself and
        where no path leads.
        """
    def reached(self) -> List[_Place]:
        """The cells that can be reached, nearest first, the start included."""
    def array(self) -> NDArray[numpy.int32]:
        """All distances in steps as an ``int32`` array of shape (rows, columns); -1 where no path leads."""

@final
class DistanceTable:
    """Distances in steps between any two cells, computed on first use.

    ``table[(row, col), (row, col)]`` is the number of steps, or ``None`` where no path leads. It
    remains valid for the whole game, since walls never change.
    """

    def __getitem__(self, pair: Tuple[_Place, _Place], /) -> Optional[int]: ...
    def array(self) -> NDArray[numpy.int32]:
        """All distances in steps as an ``int32`` array of shape (cells, cells), where the number of a cell
        is ``row * columns + column``; -1 where no path leads. Raises ``MemoryError`` beyond 1 GiB.
        """

@final
class View:
    """The state of a game at the beginning of a turn, and the player who sees it.

    A view never changes: a bot may keep it. Cells are pairs ``(row, column)`` from 0 at the top left;
    opposite edges of the board are joined. Directions are letters: ``N``, ``E``, ``S`` and ``O`` (west).
    """

    @property
    def me(self) -> Optional[str]:
        """The letter of the player whose view it is; ``None`` for a view of nobody."""
    @property
    def turn(self) -> int:
        """Turns played, from 0."""
    @property
    def turns(self) -> int:
        """Turns of the whole game."""
    @property
    def rows(self) -> int:
        """Rows of the board."""
    @property
    def cols(self) -> int:
        """Columns of the board."""
    @property
    def board(self) -> List[str]:
        """The board as a list of texts, a text a row and a letter a cell: ``#`` for a wall, a space for an
        empty corridor, or the letter of an object (``.`` vitamin, ``$`` glutton, ``@`` freeze, ``~``
        wall-pass, ``&`` cherry, ``!`` teleporter).
        """
    @property
    def objects(self) -> Mapping[_Place, str]:
        """The objects by cell, row by row, as ``{(row, column): letter}``; the letters are those of
        ``board``. Read-only, and the same mapping each time: ``dict(view.objects)`` is a copy to change.
        """
    @property
    def players(self) -> Mapping[str, Player]:
        """The players by letter, in order, as ``{"A": Player, ...}``. Read-only, and the same mapping each time."""
    @property
    def player(self) -> Player:
        """The player whose view it is. A view of nobody, which bots never have, raises ``ValueError``."""
    def cell(self, pos: _Place) -> str:
        """The content of a cell: ``#``, a space, or the letter of an object."""
    def is_wall(self, pos: _Place) -> bool:
        """Tests if a cell is a wall."""
    def possible_directions(self, pos: _Place, wall_pass: bool = False) -> str:
        """The possible directions from a cell, clockwise from north, as ``"NS"``: those of corridors, and with the
        wall-pass all four.
        """
    def directions_possibles(self, pos: _Place, passe_muraille: bool = False) -> str:
        """The course's name of :meth:`possible_directions`."""
    def analyse_board(
        self, pos: _Place, direction: str, max_distance: int
    ) -> Optional[Dict[str, List[Tuple[int, str]]]]:
        """All objects and pieces within ``max_distance`` steps, if the first step goes in this direction:
        ``{"objects": [(distance, letter)], "pacmans": [(distance, "A")], "ghosts": [(distance, "a")]}``,
        each list nearest first. The first cell is at distance 1. ``None`` when a wall stops the first step.
        """
    def analyse_plateau(
        self, pos: _Place, direction: str, distance_max: int
    ) -> Optional[Dict[str, List[Tuple[int, str]]]]:
        """The course's name of :meth:`analyse_board`; the keys are ``"objets"``, ``"pacmans"`` and ``"fantomes"``."""
    def next_junction(self, pos: _Place, direction: str) -> int:
        """Number of steps from the first cell in this direction to a cell with more than two exits, 0 if the first cell is
        one; -1 if this direction leads to none.
        """
    def prochaine_intersection(self, pos: _Place, direction: str) -> int:
        """The course's name of :meth:`next_junction`."""
    def north(self, pos: _Place) -> _Place:
        """The cell to the north, across the edge of the board if need be."""
    def south(self, pos: _Place) -> _Place:
        """The cell to the south, across the edge of the board if need be."""
    def east(self, pos: _Place) -> _Place:
        """The cell to the east, across the edge of the board if need be."""
    def west(self, pos: _Place) -> _Place:
        """The cell to the west, across the edge of the board if need be."""
    def pos_nord(self, pos: _Place) -> _Place:
        """The course's name of :meth:`north`."""
    def pos_sud(self, pos: _Place) -> _Place:
        """The course's name of :meth:`south`."""
    def pos_est(self, pos: _Place) -> _Place:
        """The course's name of :meth:`east`."""
    def pos_ouest(self, pos: _Place) -> _Place:
        """The course's name of :meth:`west`."""
    def distances(self, start: _Place, wall_pass: int = 0) -> Distances:
        """Distances in steps from a cell to all the others; walls do not stop the first ``wall_pass`` steps."""
    def nearest(self, start: _Place, targets: Iterable[_Place]) -> Optional[Tuple[_Place, int]]:
        """The nearest of several cells and its distance in steps, as ``((row, column), distance)``: among cells at the
        same distance, the first one row by row. ``None`` if none can be reached.
        """
    def path(self, start: _Place, goal: _Place, wall_pass: int = 0) -> Optional[str]:
        """The directions of a shortest path, as ``"NNE"``: ``""`` from a cell to itself, and ``None`` where
        no path leads. Walls do not stop the first ``wall_pass`` steps.
        """
    def all_pairs(self) -> DistanceTable:
        """Distances in steps between any two cells, computed on first use."""

@final
class Line:
    def __new__(cls, address: Tuple[str, int], seconds: float) -> Line: ...
    def receive(self) -> Union[View, bytes, None]: ...
    def send(self, message: str) -> None: ...
    def close(self) -> None: ...

@disjoint_base
class Recording:
    """A recorded game (*rejeu*), of Pacman or of PyRat."""

    def __new__(cls, data: bytes) -> Recording: ...
    @staticmethod
    def load(path: Union[str, os.PathLike[str]]) -> bytes:
        """Reads the file that ``path`` names, up to one byte more than the maximum size of a recording."""
    def to_bytes(self) -> bytes:
        """The bytes of the recording's file."""
    @property
    def game(self) -> str:
        """``"pacman"`` or ``"pyrat"``."""
    @property
    def names(self) -> List[str]:
        """The names of the players, in order of colour."""
    @property
    def seed(self) -> int:
        """The seed that every draw of the game follows from."""
    @property
    def turns(self) -> int:
        """Number of recorded turns."""
    @property
    def is_complete(self) -> bool:
        """Tests if the game was recorded to its end."""
    @property
    def damage(self) -> Optional[str]:
        """The place and the reason at which reading stopped; ``None`` if the whole file was read."""
    @property
    def points(self) -> List[float]:
        """Points of the players after the last recorded turn, in order of colour; pieces of cheese in PyRat."""
    def verify(self) -> Optional[str]:
        """Plays the game again: ``None`` if every state equals the recorded one, otherwise the first difference in words."""
    def json_lines(self) -> List[str]:
        """The lines of JSON that ``rejeu jsonl`` writes: the beginning of the game, then a line a turn."""
    def html(self) -> str:
        """The web page with the game in it, as one self-contained HTML text. Raises ``ValueError`` for a game that is too
        long for a browser.
        """
    def view(self, turn: int, me: Optional[str] = None) -> View:
        """The view of a player (``"A"``, …; ``None``: nobody) after this number of turns of a game of Pacman."""
    def table(self) -> Dict[str, Union[List[str], NDArray[numpy.int64], NDArray[numpy.float64]]]:
        """The game as columns of one length, a row a turn and player: ``pandas.DataFrame(table)`` takes it.

        ``turn`` (from 1), ``player`` (``"A"``, …), ``name``, ``answer`` (letters; empty if nothing came),
        ``fault`` (``""``, ``"malformed"``, ``"missed"`` or ``"disconnected"``), ``time_s`` (seconds), and
        the state after the turn: ``points`` (in PyRat pieces of cheese), ``row``, ``column`` (of the pacman
        or rat), and in Pacman ``ghost_row``, ``ghost_column``, ``false_moves``, ``glutton``, ``freeze``,
        ``wall_pass`` (turns left), in PyRat ``mud`` (turns left).
        """

@final
class BatchArena:
    def __new__(
        cls,
        games: int,
        seats: Sequence[Optional[str]],
        map: _MapLike = None,
        map_size: Tuple[int, int] = ...,
        turns: int = 200,
        rules: str = "sujet",
        threads: int = 1,
    ) -> BatchArena: ...
    def reset(self, seeds: Sequence[int]) -> None: ...
    def step(self, actions: NDArray[numpy.int64]) -> bool: ...
    @property
    def shape(self) -> _Shape: ...
    @property
    def seeds(self) -> List[int]: ...
    def arrays(self) -> Dict[str, NDArray[numpy.generic]]: ...
    def view(self, game: int) -> View: ...
    def picture(self, game: int) -> NDArray[numpy.uint8]: ...

@final
class Arena:
    def __new__(
        cls,
        seats: Sequence[Optional[str]],
        map: _MapLike = None,
        map_size: Tuple[int, int] = ...,
        turns: int = 200,
        rules: str = "sujet",
    ) -> Arena: ...
    def reset(self, seed: int) -> None: ...
    @property
    def shape(self) -> _Shape: ...
    def step(self, actions: Dict[str, int]) -> Tuple[List[int], bool]: ...
    def observation(self, seat: int) -> _Observation: ...
    def mask(self, seat: int) -> NDArray[numpy.int8]: ...
    def observations(self) -> Dict[str, _Seen]: ...
    def parallel_step(
        self, actions: Dict[str, int]
    ) -> Tuple[
        Dict[str, _Seen],
        Dict[str, float],
        Dict[str, bool],
        Dict[str, bool],
        Dict[str, Dict[str, object]],
    ]: ...
    def view(self, player: int) -> View: ...
    def picture(self) -> NDArray[numpy.uint8]: ...

class _RatOptions(TypedDict):
    rivals: List[str]
    width: int
    height: int
    cells: float
    walls: float
    mud: float
    mud_turns: Tuple[int, int]
    holes: str
    cheese: int
    start: str
    turns: int

@final
class RatArena:
    def __new__(
        cls, games: int, options: _RatOptions, threads: int = 1, has_autoreset: bool = True
    ) -> RatArena: ...
    def reset(self, seeds: Sequence[int]) -> None: ...
    def step(self, actions: NDArray[numpy.int64]) -> bool: ...
    def arrays(self) -> Dict[str, NDArray[numpy.generic]]: ...
    @property
    def shape(self) -> _Shape: ...
    @property
    def seeds(self) -> List[int]: ...
    def maze(self, game: int) -> Dict[int, Dict[int, int]]: ...
    def places(self, game: int) -> Tuple[List[int], List[int]]: ...
    def scores(self, game: int) -> List[float]: ...

def play_local(
    seats: Sequence[Tuple[str, Union[str, Callable[[View], str]]]],
    turns: int = 200,
    seed: int = 0,
    map: _MapLike = None,
    rules: str = "sujet",
    map_size: Tuple[int, int] = ...,
) -> Recording: ...
def registration(name: str, secret: Optional[str] = None) -> str: ...
