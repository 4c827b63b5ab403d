"""The programs that the package brings."""
from __future__ import annotations

import pathlib
import sys


def executable() -> str:
    """The file that holds all the programs: it is the one under whose name it is called."""
    name = "pacman-iuto.exe" if sys.platform == "win32" else "pacman-iuto"
    return str(pathlib.Path(__file__).parent / "bin" / name)
