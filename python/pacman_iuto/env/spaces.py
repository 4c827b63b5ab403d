"""Spaces, seats and pictures that the environments share."""
from __future__ import annotations

import os
from collections.abc import Iterable
from typing import List, Optional, Protocol, Sequence, Tuple, TypedDict, Union, cast

import numpy
import numpy.typing
from gymnasium import spaces

from .. import _native
from ..seul import said

Planes = numpy.typing.NDArray[numpy.uint8]
Vector = numpy.typing.NDArray[numpy.int32]
Masks = numpy.typing.NDArray[numpy.int8]
#: What ``map`` may be: a name, a path, a text, or a seed.
MapLike = Union[str, "os.PathLike[str]", int, None]
#: A game as an environment shows it: ``"ansi"`` a text, ``"rgb_array"`` a picture, no ``render_mode`` nothing.
Shown = Union[str, Planes, None]
MODES = ("ansi", "rgb_array")
PRUDENT = ("prudent", "prudent", "prudent")


class Observation(TypedDict):
    """The observation of a learner, as :mod:`pacman_iuto.env` describes it."""

    planes: Planes
    vector: Vector


class HasPicture(Protocol):
    """A game that can be shown."""

    def view(self, player: int, /) -> _native.View:
        """The view of a player."""

    def picture(self) -> Planes:
        """The picture of the state."""


def seen(shape: Tuple[Tuple[int, int, int], int]) -> spaces.Space[Observation]:
    """The space of observations of a learner: planes, and a vector of this length."""
    planes, length = shape
    most = numpy.iinfo(numpy.int32).max
    low, high = numpy.zeros(length, numpy.int32), numpy.full(length, most, numpy.int32)
    low[1::6] = -most
    high[6::6] = 1
    space = spaces.Dict({
        "planes": spaces.Box(0, 1, planes, numpy.uint8), "vector": spaces.Box(low, high, (length,), numpy.int32),
    })
    return cast("spaces.Space[Observation]", space)


def names_of(opponents: Sequence[str]) -> List[str]:
    """The names of opponents. One text alone, which is a sequence of letters, is an error."""
    if isinstance(opponents, str) or not isinstance(opponents, Iterable):
        raise TypeError(said(
            f"expected a list of names as opponents, got {opponents!r}",
            f"les adversaires sont une liste de noms, et non {opponents!r}",
        ))
    return list(opponents)


def seats_of(opponents: Sequence[str], seat: int, learners: int = 1) -> List[Optional[str]]:
    """The bots in order of colour, with ``None`` for the learners, who sit side by side from ``seat`` on."""
    seats: List[Optional[str]] = [*names_of(opponents)]
    if learners < 1:
        raise ValueError(said(
            f"expected at least one learner, got {learners}", f"au moins un apprenant est attendu, et non {learners}"
        ))
    if not 0 <= seat <= len(opponents):
        raise ValueError(said(
            f"expected a seat from 0 to {len(opponents)}, got {seat}",
            f"une place de 0 à {len(opponents)} est attendue, pas {seat}",
        ))
    seats[seat:seat] = [None] * learners
    return seats


def checked_mode(mode: Optional[str], known: Sequence[str]) -> Optional[str]:
    """The ``render_mode`` if the environment knows it, else a ``ValueError`` with those that it knows."""
    if mode is None or mode in known:
        return mode
    modes = [repr(None), *map(repr, known)]
    raise ValueError(said(
        f"there is no render_mode {mode!r}, expected one of: {', '.join(modes)}",
        f"il n'y a pas de render_mode {mode!r}, il faut l'un de : {', '.join(modes)}",
    ))


def rendered(arena: HasPicture, mode: Optional[str]) -> Shown:
    """The game as a ``render_mode`` wants it."""
    if mode == "ansi":
        return str(arena.view(0))
    if mode == "rgb_array":
        return arena.picture()
    return None
