"""Pacman IUT'O in Python: bots, games in process, recordings, and environments for learners.

>>> from pacman_iuto import Bot, View, play_local
>>> class Ada(Bot):
...     def play(self, view):
...         here = view.player.pacman
...         found = view.nearest(here, [cell for cell in view.objects if cell != here])
...         ghost = view.possible_directions(view.player.ghost)[0]
...         return (view.path(here, found[0])[0] if found else "N") + ghost
>>> print(play_local(Ada, "prudent", turns=50, seed=1).winner.name)
Ada

``run(Ada)`` makes a program of a bot. ``pacman_iuto.env`` has environments of Gymnasium and PettingZoo, and :class:`BatchEnv` plays
many games on arrays (``pip install "pacman-iuto[rl]"``).
"""
from __future__ import annotations

from typing import TYPE_CHECKING

from ._native import BOTS, MAPS, PYRAT_PLAYERS, DistanceTable, Distances, Player, View, __version__
from .bot import Bot, PlayerResult, Result, play_local, run
from .env.names import register_with_gymnasium as _register_with_gymnasium
from .recording import Recording

if TYPE_CHECKING:
    from .env.batch import BatchEnv as BatchEnv

__all__ = [
    "BOTS",
    "MAPS",
    "PYRAT_PLAYERS",
    "Bot",
    "DistanceTable",
    "Distances",
    "Player",
    "PlayerResult",
    "Recording",
    "Result",
    "View",
    "__version__",
    "play_local",
    "run",
]


def __getattr__(name: str) -> object:
    if name != "BatchEnv":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .env import BatchEnv

    return BatchEnv


_register_with_gymnasium()
