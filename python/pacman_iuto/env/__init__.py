"""Environments for learners, by the interfaces of Gymnasium and PettingZoo.

``pip install "pacman-iuto[rl]"`` installs both:

- ``gymnasium.make("pacman_iuto/Solo-v0")``: one learner against bots of the house (:class:`SoloEnv`);
- ``gymnasium.make_vec("pacman_iuto/Solo-v0", num_envs=256)``, or :class:`pacman_iuto.BatchEnv`: many games at a time, on arrays
  and on several threads;
- :func:`parallel_env`: all players of a game, as a ``ParallelEnv`` of PettingZoo;
- ``gymnasium.make("pacman_iuto/PyRat-v0")`` and ``make_vec``: one rat in the mazes of PyRat, alone or against players of the
  house (:class:`PyRatEnv` describes its observations, actions and rewards).

``gymnasium.make`` knows the names once ``pacman_iuto`` is imported, before or after ``gymnasium``, or imports it itself:
``gymnasium.make("pacman_iuto:pacman_iuto/Solo-v0")``.

**Actions.** In every environment of Pacman, an action is a number from 0 to 15, ``4 * pacman + ghost``: both directions are 0
to 3 for N, E, S, O (west), so that ``ACTIONS[action]`` is the order of the protocol, as ``"NE"``. In PyRat it is 0 to 3 for N, E,
S, O, or 4 to stay. A mask of shape (16,) has a 1 for each action that is no false move, and zeros elsewhere; a piece that cannot
move at all may be sent anywhere.

**Observations.** What a learner sees of a game between n players is a dictionary of two arrays, ``planes`` and ``vector``. Players
are counted from the learner itself, then in order of colour around the table: player 0 is the learner, player 1 the next colour.

``planes`` is ``uint8`` of shape (7 + 2n, rows, columns). The unit of all planes is "there or not", 1 or 0:

=============== ==================================================================================
plane           value of a cell
=============== ==================================================================================
0               1 for a wall
1 to 6          1 where a vitamin, glutton, freeze, wall-pass, cherry, teleporter lies
7 to 6 + n      1 where the pacman of player 0, 1, ... stands, one plane each
7 + n to 6 + 2n 1 where the ghost of player 0, 1, ... stands, one plane each
=============== ==================================================================================

``vector`` is ``int32`` of shape (1 + 6n,):

======================== =========================================================================
number                   value
======================== =========================================================================
0                        turns left in the game
1 + 6k                   points of player k
2 + 6k                   its counter of false moves: those made (``"sujet"``) or left (``"orleans2024"``)
3 + 6k, 4 + 6k, 5 + 6k   turns left of its glutton, freeze, wall-pass
6 + 6k                   1 if its ghost digests, which keeps it still in the next turn (``"orleans2024"``), else 0
======================== =========================================================================

Together they are the whole state of a game: what follows depends on nothing else but the draws. :func:`plane_names` and
:func:`vector_names` name them in order.

**Rewards.** The reward is the points won in the turn. A game of Pacman has no other end than its last turn, which is a truncation;
the planes, the vector and the mask after it are those of a state in which nobody plays.
"""
from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, List, Optional, Tuple, Union

from ..extras import extras
from ..seul import aliases

if TYPE_CHECKING:
    from .batch import BatchEnv
    from .parallel import PacmanParallelEnv
    from .pyrat import PyRatBatchEnv, PyRatEnv
    from .solo import SoloEnv

__all__ = [
    "ACTIONS", "BatchEnv", "PacmanParallelEnv", "PyRatBatchEnv", "PyRatEnv", "SoloEnv", "parallel_env", "plane_names",
    "vector_names",
]

#: The order of each action: the direction of the pacman, then of the ghost.
ACTIONS: Tuple[str, ...] = tuple(pacman + ghost for pacman in "NESO" for ghost in "NESO")

_PLACES = {
    "BatchEnv": "batch", "PacmanParallelEnv": "parallel", "PyRatBatchEnv": "pyrat", "PyRatEnv": "pyrat", "SoloEnv": "solo",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with extras():
        return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)


def plane_names(players: int = 4) -> List[str]:
    """The names of the planes of an observation, in order.

    >>> plane_names(2)[5:]
    ['cherry', 'teleporter', 'pacman 0', 'pacman 1', 'ghost 0', 'ghost 1']
    """
    pieces = [f"{piece} {player}" for piece in ("pacman", "ghost") for player in range(players)]
    return ["wall", "vitamin", "glutton", "freeze", "wall_pass", "cherry", "teleporter", *pieces]


def vector_names(players: int = 4) -> List[str]:
    """The names of the numbers in the vector of an observation, in order.

    >>> vector_names(1)
    ['turns_left', 'points 0', 'false_moves 0', 'glutton 0', 'freeze 0', 'wall_pass 0', 'digests 0']
    """
    fields = ("points", "false_moves", "glutton", "freeze", "wall_pass", "digests")
    return ["turns_left", *(f"{field} {player}" for player in range(players) for field in fields)]


@aliases(players="joueurs", map="carte", map_size="taille", turns="tours", rules="regles")
def parallel_env(
    *,
    players: int = 4,
    map: Union[str, "os.PathLike[str]", int, None] = None,
    map_size: Tuple[int, int] = (20, 30),
    turns: int = 200,
    rules: str = "sujet",
    render_mode: Optional[str] = None,
) -> PacmanParallelEnv:
    """All players of a game of Pacman, as a ``ParallelEnv`` of PettingZoo.

    ``players`` (4): learners, ``"A"`` and so on, 1 to 26; ``map``: a map of ``pacman_iuto.MAPS``, a file, the text of a map, the
    seed of a drawn map, or ``"random"``, which draws another map from the seed of each game (plan1 when missing); ``map_size``: the
    rows and columns of a drawn map, 5 to 500; ``turns`` of a game; ``rules``: ``"sujet"`` or ``"orleans2024"``; ``render_mode``:
    ``None``, ``"ansi"`` (the text of the state) or ``"rgb_array"`` (a picture, ``uint8`` of shape (20 * rows, 20 * columns, 3)).

    The names ``joueurs``, ``carte``, ``taille``, ``tours`` and ``regles`` do as well.
    """
    with extras():
        from .parallel import PacmanParallelEnv
    return PacmanParallelEnv(players, map, map_size, turns, rules, render_mode)
