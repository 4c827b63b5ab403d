"""Environments for learners, by the interfaces of PettingZoo and Gymnasium.

``pip install "pacman-iuto[rl]"`` installs both:

- :func:`parallel_env`: all players of a game, as a ``ParallelEnv`` of PettingZoo;
- ``gymnasium.make("pacman_iuto/Solo-v0")``: one learner against bots of the house;
- ``gymnasium.make("pacman_iuto/PyRat-v0")``: one rat in the mazes of PyRat, alone or against players of the house;
- :class:`pacman_iuto.BatchEnv`: many games on arrays, which needs neither.

``gymnasium.make`` knows the names once ``pacman_iuto`` is imported, before or after ``gymnasium``, or imports it itself:
``gymnasium.make("pacman_iuto:pacman_iuto/Solo-v0")``.

An observation of Pacman is a ``uint8`` array of shape (14, rows, columns). Its planes, with the value of a cell:

====== =========================================================================================
plane  value
====== =========================================================================================
0      1 for a wall
1, 2   1 where the player's own pacman, its own ghost stands
3, 4   1 where pacmans, ghosts of others stand
5 to 7 turns left of glutton, freeze, wall-pass of a pacman that stands there, at most 255
8 - 13 1 where a vitamin, glutton, freeze, wall-pass, cherry, teleporter lies
====== =========================================================================================

An action is a number from 0 to 15, ``4 * pacman + ghost``, with directions from 0 to 3 for N, E, S, O (west). A mask of
shape (16,) has a 1 for each action that is no false move. The reward is the points won in the turn. A game has no
other end than its last turn, which is a truncation.
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Optional

from ..extras import extras

if TYPE_CHECKING:
    from .parallel import PacmanParallelEnv
    from .pyrat import PyRatEnv
    from .solo import SoloEnv

__all__ = ["PacmanParallelEnv", "PyRatEnv", "SoloEnv", "parallel_env"]

_PLACES = {"PacmanParallelEnv": "parallel", "SoloEnv": "solo", "PyRatEnv": "pyrat"}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with extras():
        return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)


def parallel_env(
    *,
    players: int = 4,
    carte: Optional[str] = None,
    turns: int = 200,
    regles: str = "sujet",
    render_mode: Optional[str] = None,
) -> PacmanParallelEnv:
    """All players of a game of Pacman, as a ``ParallelEnv`` of PettingZoo.

    ``players``: learners, ``"A"`` and so on, 1 to 26; ``carte``: a map of ``pacman_iuto.MAPS``, a file, or the text of a
    map (plan1 when missing); ``turns`` of a game; ``regles``: ``"sujet"`` or ``"orleans2024"``; ``render_mode``: ``None``,
    ``"ansi"`` (the text of the state) or ``"rgb_array"`` (``uint8`` of shape (rows, columns, 3), a pixel a cell).
    """
    with extras():
        from .parallel import PacmanParallelEnv
    return PacmanParallelEnv(players, carte, turns, regles, render_mode)
