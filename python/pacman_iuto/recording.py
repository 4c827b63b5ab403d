"""Recorded games."""
from __future__ import annotations

import html
import json
import os
from typing import TYPE_CHECKING, Dict, Iterator, List, Union

from . import _native
from .extras import extras

if TYPE_CHECKING:
    import pandas as _pandas

#: A value in JSON.
Json = Union[None, bool, int, float, str, List["Json"], Dict[str, "Json"]]


class Recording(_native.Recording):
    """A recorded game (*rejeu*), as ``server`` and :func:`play_local` write them.

    In a notebook it shows itself, on its time line.

    >>> from pacman_iuto import play_local
    >>> recording = play_local("glouton", "prudent", turns=5).recording
    >>> recording.verify() is None
    True
    """

    @classmethod
    def open(cls, path: Union[str, "os.PathLike[str]"]) -> Recording:
        """The recording in a file. What follows a damage is left out."""
        return cls(_native.Recording.load(path))

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the file that ``rejeu`` and ``afficheur --rejouer`` read."""
        with open(path, "wb") as file:
            file.write(self.to_bytes())

    def lines(self) -> Iterator[Dict[str, Json]]:
        """The lines that ``rejeu jsonl`` writes, as dictionaries: how the game begins, then each turn with its
        answers, its events and the state after it."""
        return map(json.loads, self.json_lines())

    def events(self) -> List[Dict[str, Json]]:
        """Everything that happened, in order, each with its ``turn`` (from 1)."""
        lines = map(json.loads, self.json_lines())
        return [{"turn": line["turn"], **event} for line in lines if "turn" in line for event in line["events"]]

    def frame(self) -> _pandas.DataFrame:
        """The :meth:`table` as a data frame of pandas."""
        with extras():
            import pandas
        return pandas.DataFrame(self.table())

    def _repr_html_(self) -> str:
        page = html.escape(self.html(), quote=True)
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts" '
            'style="width: 100%; height: 720px; border: 0" title="Pacman IUT\'O"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Recording({self.game}, {self.turns} turns, seed {self.seed}, {', '.join(self.names)})"
