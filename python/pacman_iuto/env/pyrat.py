"""One rat in the mazes of PyRat, for Gymnasium."""
from __future__ import annotations

from typing import Dict, List, Optional, Sequence, SupportsInt, Tuple, Union

import gymnasium
import numpy
from gymnasium import spaces

from .. import _native
from ..seul import aliases
from .spaces import Planes, checked_mode, planes

#: ``rats`` and ``cheese``: numbers of cells, row by row; ``scores``: pieces of cheese, in order of the rats.
Info = Dict[str, Union[List[int], List[float]]]


class PyRatEnv(gymnasium.Env[Planes, numpy.int64]):
    """One rat, alone or against players of the house: ``gymnasium.make("pacman_iuto/PyRat-v0", mud=30)``.

    ``reset(seed=42)`` gives the maze, the start and the cheese that PyRat 6 makes of ``random_seed=42``.

    ``rivals`` (none): names of ``pacman_iuto.PYRAT_PLAYERS``; ``width`` (15) and ``height`` (13): columns and rows;
    ``cells`` (80), ``walls`` (60), ``mud`` (20): percent of cells, walls and mud; ``mud_turns`` ((4, 9)): turns that mud takes;
    ``holes``: ``"big"``, ``"uniform"`` or ``"side"``; ``cheese`` (1): pieces of cheese; ``start``: ``"centre"``, ``"corners"``,
    ``"random"`` or ``"same"``; ``turns`` (1000): when a game is truncated. The names ``rivaux``, ``largeur``, ``hauteur``,
    ``cellules``, ``murs``, ``boue``, ``tours_boue``, ``trous`` (``"grands"``, ``"uniformes"``, ``"bords"``), ``fromages``,
    ``depart`` (``"centre"``, ``"coins"``, ``"hasard"``, ``"meme"``) and ``tours`` do as well.

    The observation is ``uint8`` of shape (8, rows, columns): planes 0 to 3 hold the turns that a step N, E, S, O takes
    (0 for a wall, at most 255), 4 is 1 where the rat is, 5 counts the rats of rivals, 6 is 1 where cheese is, 7 holds
    the turns left in the mud. An action is 0 to 3 for N, E, S, O, or 4 to stay; in the mud it counts for nothing. The
    reward is the cheese eaten in the turn, a share of it where several rats eat. A game terminates when nothing is left
    to play for.
    """

    metadata: Dict[str, object] = {"render_modes": []}

    @aliases(
        rivals="rivaux", width="largeur", height="hauteur", cells="cellules", walls="murs", mud="boue", mud_turns="tours_boue",
        holes="trous", cheese="fromages", start="depart", turns="tours",
    )
    def __init__(
        self,
        rivals: Sequence[str] = (),
        width: int = 15,
        height: int = 13,
        cells: float = 80.0,
        walls: float = 60.0,
        mud: float = 20.0,
        mud_turns: Tuple[int, int] = (4, 9),
        holes: str = "big",
        cheese: int = 1,
        start: str = "centre",
        turns: int = 1000,
        render_mode: Optional[str] = None,
    ) -> None:
        self._arena = _native.RatArena(
            rivals=list(rivals),
            width=width,
            height=height,
            cells=cells,
            walls=walls,
            mud=mud,
            mud_turns=mud_turns,
            holes=holes,
            cheese=cheese,
            start=start,
            turns=turns,
        )
        self.render_mode = checked_mode(render_mode, ())
        self.observation_space = planes(self._arena.shape)
        self.action_space = spaces.Discrete(5)

    @property
    def maze(self) -> Dict[int, Dict[int, int]]:
        """The maze as PyRat has it: ``{cell: {neighbour: turns}}``, with cells numbered row by row."""
        return self._arena.maze()

    def _info(self) -> Info:
        rats, cheese = self._arena.places()
        return {"rats": rats, "cheese": cheese, "scores": self._arena.scores()}

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, object]] = None
    ) -> Tuple[Planes, Info]:
        """Begins a game: that of ``seed``, or the next one of those that follow from the last seed."""
        super().reset(seed=seed)
        self._arena.reset(seed if seed is not None else int(self.np_random.integers(1 << 63)))
        return self._arena.observation(), self._info()

    def step(self, action: SupportsInt) -> Tuple[Planes, float, bool, bool, Info]:
        """Plays a turn. The reward is the cheese eaten in it."""
        gained, is_decided, is_late = self._arena.step(int(action))
        return self._arena.observation(), gained, is_decided, is_late, self._info()
