"""The names of the environments for ``gymnasium.make``."""
from __future__ import annotations

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Optional, Sequence

#: The class of each environment, and that of many at a time.
_PLACES = {"Solo-v0": ("solo:SoloEnv", "batch:BatchEnv"), "PyRat-v0": ("pyrat:PyRatEnv", "pyrat:PyRatBatchEnv")}


def register_with_gymnasium() -> None:
    """Registers the environments now if gymnasium is imported, otherwise as soon as it is.

    Gymnasium 1 has no entry points for environments, and it takes too long to import for a program that only plays.
    """
    if sys.modules.get("gymnasium"):
        _register()
    sys.meta_path.insert(0, _Finder())


def _register() -> None:
    from gymnasium.envs.registration import register, registry

    for name, (one, many) in _PLACES.items():
        if f"pacman_iuto/{name}" not in registry:
            register(
                f"pacman_iuto/{name}",
                entry_point=f"pacman_iuto.env.{one}",
                vector_entry_point=f"pacman_iuto.env.{many}",
            )


class _Finder(MetaPathFinder):
    """Finds gymnasium as the other finders do, and adds to how it is loaded."""

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]], target: Optional[ModuleType] = None
    ) -> Optional[ModuleSpec]:
        if fullname != "gymnasium":
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        found = next(filter(None, (finder.find_spec(fullname, path, target) for finder in others)), None)
        if found and found.loader:
            found.loader = _Loader(found.loader)
        return found


class _Loader(Loader):
    """Loads gymnasium, then registers the environments."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> object:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> Optional[ModuleType]:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__:
            module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        _register()
