"""The packages that only some parts of this one need."""
from __future__ import annotations

import contextlib
from typing import Iterator

from .seul import said

#: The extra of each package.
EXTRAS = {"gymnasium": "rl", "pandas": "pandas", "pettingzoo": "rl"}


@contextlib.contextmanager
def extras() -> Iterator[None]:
    """Says what to install when an import within lacks one of these packages."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        extra = EXTRAS.get(package)
        if extra is None:
            raise
        raise ModuleNotFoundError(said(
            f"{package} is missing: pip install \"pacman-iuto[{extra}]\"",
            f"{package} manque : pip install \"pacman-iuto[{extra}]\"",
        ), name=error.name) from None
