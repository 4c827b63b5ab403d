"""Recorded games."""
from __future__ import annotations

import html
import json
import os
from typing import Any, Dict, Iterator, List, Union

from . import _native
from .extras import extras


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

    def lines(self) -> Iterator[Dict[str, Any]]:
        """What ``rejeu jsonl`` writes, as dictionaries: how the game begins, then each turn with its
        answers, its events and the state after it."""
        return map(json.loads, self.json_lines())

    def events(self) -> List[Dict[str, Any]]:
        """Everything that happened, in order, each with its ``turn`` (from 1)."""
        turns = [line for line in self.lines() if "turn" in line]
        return [{"turn": line["turn"], **event} for line in turns for event in line["events"]]

    def frame(self) -> Any:
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
