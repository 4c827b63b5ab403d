"""Spaces and pictures that the environments share."""
from __future__ import annotations

from typing import Optional, Sequence, Tuple, Union, cast

import numpy
import numpy.typing
from gymnasium import spaces

from .. import _native
from ..seul import said

Planes = numpy.typing.NDArray[numpy.uint8]
Masks = numpy.typing.NDArray[numpy.int8]
#: A game as an environment shows it: ``"ansi"`` a text, ``"rgb_array"`` a picture, no ``render_mode`` nothing.
Shown = Union[str, Planes, None]
MODES = ("ansi", "rgb_array")

#: Colours of cells, by what they show, from the least to the most important.
_COLOURS = (
    (0, (40, 40, 120)),
    (8, (190, 190, 190)),
    (9, (80, 220, 120)),
    (10, (80, 200, 240)),
    (11, (200, 120, 240)),
    (12, (240, 60, 80)),
    (13, (240, 240, 240)),
    (4, (240, 150, 40)),
    (3, (200, 200, 60)),
    (2, (255, 90, 0)),
    (1, (255, 255, 0)),
)


def planes(shape: Tuple[int, int, int]) -> spaces.Space[Planes]:
    """Planes of bytes."""
    return cast("spaces.Space[Planes]", spaces.Box(0, 255, shape, numpy.uint8))


def picture(observation: Planes) -> Planes:
    """A pixel a cell, as ``uint8`` of shape (rows, columns, 3)."""
    image = numpy.zeros((*observation.shape[1:], 3), numpy.uint8)
    for plane, colour in _COLOURS:
        image[observation[plane] > 0] = colour
    return image


def checked_mode(mode: Optional[str], known: Sequence[str]) -> Optional[str]:
    """The ``render_mode`` if the environment knows it, else a ``ValueError`` with those that it knows."""
    if mode is None or mode in known:
        return mode
    modes = [repr(None), *map(repr, known)]
    raise ValueError(said(
        f"there is no render_mode {mode!r}, expected one of: {', '.join(modes)}",
        f"il n'y a pas de render_mode {mode!r}, il faut l'un de : {', '.join(modes)}",
    ))


def rendered(arena: _native.Arena, mode: Optional[str]) -> Shown:
    """The game as a ``render_mode`` wants it."""
    if mode == "ansi":
        return str(arena.view(0))
    if mode == "rgb_array":
        return picture(arena.observation(0))
    return None
