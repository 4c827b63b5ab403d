"""The packages that only some parts of this one need."""
from __future__ import annotations

import contextlib
from typing import Iterator

from .seul import said

EXTRAS = ("gymnasium", "pandas", "pettingzoo")


@contextlib.contextmanager
def extras() -> Iterator[None]:
    """Says what to install when an import within lacks one of these packages."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        raise ModuleNotFoundError(said(
            f"{error.name} is missing: pip install \"pacman-iuto[rl]\"",
            f"{error.name} manque : pip install \"pacman-iuto[rl]\"",
        ), name=error.name) from None
