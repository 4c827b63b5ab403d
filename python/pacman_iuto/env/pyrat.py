"""One rat in the mazes of PyRat, for Gymnasium."""
from __future__ import annotations

from typing import Dict, List, Optional, Sequence, SupportsInt, Tuple, Union

import gymnasium
import numpy
from gymnasium import spaces

from .. import _native
from .spaces import Planes, checked_mode, planes

#: ``rats`` and ``cheese``: numbers of cells, row by row; ``scores``: pieces of cheese, in order of the rats.
Info = Dict[str, Union[List[int], List[float]]]


class PyRatEnv(gymnasium.Env[Planes, numpy.int64]):
    """One rat, alone or against players of the house: ``gymnasium.make("pacman_iuto/PyRat-v0", boue=30)``.

    ``reset(seed=42)`` gives the maze, the start and the cheese that PyRat 6 makes of ``random_seed=42``.

    ``rivaux`` (none): names of ``pacman_iuto.PYRAT_PLAYERS``; ``largeur`` (15) and ``hauteur`` (13): columns and rows;
    ``cellules`` (80), ``murs`` (60), ``boue`` (20): percent of cells, walls and mud; ``tours_boue`` ((4, 9)): turns that
    mud takes; ``trous``: ``"grands"``, ``"uniformes"`` or ``"bords"``; ``fromages`` (1): pieces of cheese; ``depart``:
    ``"centre"``, ``"coins"``, ``"hasard"`` or ``"meme"``; ``turns`` (1000): when a game is truncated.

    The observation is ``uint8`` of shape (8, rows, columns): planes 0 to 3 hold the turns that a step N, E, S, O takes
    (0 for a wall, at most 255), 4 is 1 where the rat is, 5 counts the rats of rivals, 6 is 1 where cheese is, 7 holds
    the turns left in the mud. An action is 0 to 3 for N, E, S, O, or 4 to stay; in the mud it counts for nothing. The
    reward is the cheese eaten in the turn, a share of it where several rats eat. A game terminates when nothing is left
    to play for.
    """

    metadata: Dict[str, object] = {"render_modes": []}

    def __init__(
        self,
        rivaux: Sequence[str] = (),
        largeur: int = 15,
        hauteur: int = 13,
        cellules: float = 80.0,
        murs: float = 60.0,
        boue: float = 20.0,
        tours_boue: Tuple[int, int] = (4, 9),
        trous: str = "grands",
        fromages: int = 1,
        depart: str = "centre",
        turns: int = 1000,
        render_mode: Optional[str] = None,
    ) -> None:
        self._arena = _native.RatArena(
            rivals=list(rivaux),
            largeur=largeur,
            hauteur=hauteur,
            cellules=cellules,
            murs=murs,
            boue=boue,
            tours_boue=tours_boue,
            trous=trous,
            fromages=fromages,
            depart=depart,
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
