"""Bots and games in this process."""
from __future__ import annotations

import argparse
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Callable, List, Optional, Sequence, Tuple, Type, Union

from . import _native
from .programs import executable
from .recording import Recording
from .seul import BaseBot, PlayerResult, Ranking, Seat, aliases, is_bot, play_remotely, ranked, said

__all__ = ["Bot", "PlayerResult", "Result", "play_local", "run"]


class Bot(BaseBot[_native.View]):
    """A player's mind: derive from it, and write :meth:`play`.

    >>> class Ada(Bot):
    ...     def play(self, view: View) -> str:
    ...         return view.possible_directions(view.player.pacman)[0] + "N"
    """


AnyBot = Union[Bot, Type[Bot]]


def run(bot: AnyBot, argv: Optional[Sequence[str]] = None) -> None:
    """Plays on a server: ``run(Ada)`` at the end of a bot's file makes a program of it.

    The command line (``argv``, that of the program when missing) is ``[NAME [HOST [PORT]]] --equipe NAME --serveur
    HOST[:PORT]|auto --port N --graine N --secret SECRET --insister SECONDS --langue en|fr``. The program ends with 0
    when the server says that the games are over, with 1 when it refuses or is gone, with 2 when the command is wrong
    or there is no server, with 130 on Ctrl-C.
    """
    sys.exit(play_remotely(bot, argv, _native.Line, _native.registration, _locate))


def _locate(options: argparse.Namespace) -> Optional[Tuple[str, int]]:
    """The host and the port of the server that announces itself on this network, as the program ``client`` finds it."""
    patience = f"{int(1000 * options.insister)}ms"
    command = ["trouver", "--insister", patience, "--port-mdns", str(options.port_mdns)]
    command += ["--avec-secret"] if options.secret else []
    command += ["--langue", said("en", "fr")]
    told = subprocess.run(command, executable=executable(), stdout=subprocess.PIPE, text=True)
    if told.returncode:
        return None
    host, port = told.stdout.split()
    return host, int(port)


@dataclass(frozen=True)
class Result(Ranking):
    """A game that was played; in a notebook it shows itself."""

    recording: Recording
    """The whole game: ``recording.save("partie.rejeu")``."""

    def _repr_html_(self) -> str:
        return self.recording._repr_html_()


@aliases(turns="tours", seed="graine", map="carte", map_size="taille", rules="regles")
def play_local(
    *bots: Union[AnyBot, str],
    turns: int = 200,
    seed: int = 0,
    map: Union[str, "os.PathLike[str]", int, None] = None,
    rules: str = "sujet",
    map_size: Tuple[int, int] = (20, 30),
) -> Result:
    """Plays a game in this process, without deadlines.

    ``bots`` are classes or instances of :class:`Bot`, or names of bots of the house (``pacman_iuto.BOTS``),
    in order of colour, 1 to 26; ``turns`` the turns of the game; ``seed`` what all draws follow from, so that
    deterministic bots give the same game again; ``map`` a map of ``pacman_iuto.MAPS``, a file, the text of a map, the seed of
    a drawn map, or ``"random"``, which draws one from ``seed`` (plan1 when missing); ``map_size`` the rows and columns of a
    drawn map; ``rules`` is ``"sujet"`` or ``"orleans2024"``. The French names ``tours``, ``graine``, ``carte``, ``taille`` and
    ``regles`` do as well.

    >>> play_local("glouton", "prudent", turns=20, seed=1).winner.rank
    1
    """
    places: List[Optional[Seat[_native.View]]] = []
    seats: List[Tuple[str, Union[str, Callable[[_native.View], str]]]] = []
    for number, bot in enumerate(bots):
        if isinstance(bot, str):
            places.append(None)
            seats.append((bot, bot))
        elif is_bot(bot):
            seat = Seat(bot, seed + number)
            places.append(seat)
            seats.append((seat.name, _Asked(seat)))
        else:
            raise TypeError(said(
                f"expected a Bot or the name of a bot of the house, got {bot!r}",
                f"un Bot ou le nom d'un bot de la maison est attendu, et non {bot!r}",
            ))
    recording = Recording(_native.play_local(seats, turns, seed, map, rules, map_size).to_bytes())
    failures = [seat.failures if seat else 0 for seat in places]
    return Result(ranked(recording.names, recording.points, failures), recording)


class _Asked:
    """A seat that is told of the game before its first turn."""

    def __init__(self, seat: Seat[_native.View]) -> None:
        self.seat, self.is_told = seat, False

    def __call__(self, view: _native.View) -> str:
        if not self.is_told:
            self.is_told = True
            self.seat.new_game(view)
        return self.seat.play(view)
