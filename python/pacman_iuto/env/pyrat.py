"""One rat in the mazes of PyRat, for Gymnasium: a game, and many at a time."""
from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Dict, List, Optional, Sequence, SupportsIndex, Tuple, TypedDict, Union, cast

import gymnasium
import numpy
import numpy.typing
from gymnasium import spaces

from .. import _native
from ..seul import aliases
from .many import ManyEnv
from .spaces import Masks, Planes, checked_mode, names_of

if TYPE_CHECKING:
    from .._native import _RatOptions as RatOptions

#: ``rats`` and ``cheese``: numbers of cells, row by row; ``scores``: pieces of cheese, in order of the rats; ``action_mask``:
#: ``int8`` of shape (5,), 1 for each action that is not a step into a wall.
Info = Dict[str, Union[List[int], List[float], Masks]]


class RatObservation(TypedDict):
    """The observation of a rat, as :class:`PyRatEnv` describes it."""

    planes: Planes
    vector: numpy.typing.NDArray[numpy.float32]


_FRENCH = aliases(
    rivals="rivaux", width="largeur", height="hauteur", cells="cellules", walls="murs", mud="boue", mud_turns="tours_boue",
    holes="trous", cheese="fromages", start="depart", turns="tours",
)


class PyRatEnv(gymnasium.Env[RatObservation, numpy.int64]):
    """One rat, alone or against players of the house: ``gymnasium.make("pacman_iuto/PyRat-v0", mud=30)``.

    ``reset(seed=42)`` gives the maze, the start and the cheese that PyRat 6 makes of ``random_seed=42``.

    ``rivals`` (none): names of ``pacman_iuto.PYRAT_PLAYERS``; ``width`` (15) and ``height`` (13): columns and rows;
    ``cells`` (80), ``walls`` (60), ``mud`` (20): percent of cells, walls and mud; ``mud_turns`` ((4, 9)): turns that mud takes;
    ``holes``: ``"big"``, ``"uniform"`` or ``"side"``; ``cheese`` (1): pieces of cheese; ``start``: ``"centre"``, ``"corners"``,
    ``"random"`` or ``"same"``; ``turns`` (1000): when a game is truncated. The names ``rivaux``, ``largeur``, ``hauteur``,
    ``cellules``, ``murs``, ``boue``, ``tours_boue``, ``trous`` (``"grands"``, ``"uniformes"``, ``"bords"``), ``fromages``,
    ``depart`` (``"centre"``, ``"coins"``, ``"hasard"``, ``"meme"``) and ``tours`` do as well.

    An observation of n rats is a dictionary. ``planes`` is ``uint8`` of shape (5 + 2n, rows, columns): planes 0 to 3 hold the
    turns that a step N, E, S, O takes (0 for a wall, at most 255), plane 4 is 1 where cheese is; planes 5 to 4 + n are 1 where rat
    0, the learner's, and the others are; planes 5 + n to 4 + 2n hold, for each rat in the mud, the turns left (at most 255) at the
    cell to which it goes.
    ``vector`` is ``float32`` of shape (1 + n,): the turns left, and the cheese eaten by each rat.

    An action is 0 to 3 for N, E, S, O, or 4 to stay; in the mud it counts for nothing. The reward is the cheese eaten in the turn,
    a share of it where several rats eat. A game terminates when nothing is left to play for. All arrays are copies.
    """

    metadata: Dict[str, object] = {"render_modes": []}

    @_FRENCH
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
        options: RatOptions = {
            "rivals": names_of(rivals), "width": width, "height": height, "cells": cells, "walls": walls, "mud": mud,
            "mud_turns": mud_turns, "holes": holes, "cheese": cheese, "start": start, "turns": turns,
        }
        self._arena = _native.RatArena(1, options, has_autoreset=False)
        self._arrays = self._arena.arrays()
        self.render_mode = checked_mode(render_mode, ())
        self.observation_space = _seen(self._arena.shape)
        self.action_space = spaces.Discrete(5)

    @property
    def maze(self) -> Dict[int, Dict[int, int]]:
        """The maze as PyRat has it: ``{cell: {neighbour: turns}}``, with cells numbered row by row."""
        return self._arena.maze(0)

    def _told(self) -> Tuple[RatObservation, Info]:
        rats, cheese = self._arena.places(0)
        planes, vector, mask = (self._arrays[name][0].copy() for name in ("planes", "vector", "action_mask"))
        info: Info = {"rats": rats, "cheese": cheese, "scores": self._arena.scores(0), "action_mask": cast(Masks, mask)}
        return cast(RatObservation, {"planes": planes, "vector": vector}), info

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, object]] = None
    ) -> Tuple[RatObservation, Info]:
        """Begins a game: that of ``seed``, or the next one of those that follow from the last seed."""
        super().reset(seed=seed)
        self._arena.reset([seed if seed is not None else int(self.np_random.integers(1 << 63))])
        return self._told()

    def step(self, action: SupportsIndex) -> Tuple[RatObservation, float, bool, bool, Info]:
        """Plays a turn. The reward is the cheese eaten in it."""
        self._arena.step(numpy.array([operator.index(action)], numpy.int64))
        observation, info = self._told()
        gained, terminated, truncated = (self._arrays[name][0] for name in ("rewards", "terminations", "truncations"))
        return observation, float(gained), bool(terminated), bool(truncated), info


class PyRatBatchEnv(ManyEnv[RatObservation]):
    """Many games of PyRat at a time, as a ``VectorEnv`` of Gymnasium.

    ``gymnasium.make_vec("pacman_iuto/PyRat-v0", num_envs=64)`` makes it. ``num_envs`` is the number of games; ``threads``,
    ``copy``, autoreset and infos are as in :class:`pacman_iuto.BatchEnv`, the other arguments, observations, actions and rewards
    as in :class:`PyRatEnv`. ``infos["action_mask"]`` is ``int8`` of shape (num_envs, 5).
    """

    @_FRENCH
    def __init__(
        self,
        num_envs: int,
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
        *,
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        options: RatOptions = {
            "rivals": names_of(rivals), "width": width, "height": height, "cells": cells, "walls": walls, "mud": mud,
            "mud_turns": mud_turns, "holes": holes, "cheese": cheese, "start": start, "turns": turns,
        }
        self.render_mode = checked_mode(render_mode, ())
        self._arena = _native.RatArena(num_envs, options, threads)
        self._open(self._arena, _seen(self._arena.shape), 5, num_envs, copy)


def _seen(shape: Tuple[Tuple[int, int, int], int]) -> spaces.Space[RatObservation]:
    """The space of observations of a rat: planes, and a vector of this length."""
    planes, length = shape
    space = spaces.Dict({
        "planes": spaces.Box(0, 255, planes, numpy.uint8), "vector": spaces.Box(0, 1 << 32, (length,), numpy.float32),
    })
    return cast("spaces.Space[RatObservation]", space)
