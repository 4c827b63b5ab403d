"""One learner against bots of the house, for Gymnasium."""
from __future__ import annotations

from typing import Dict, List, Optional, Sequence, SupportsInt, Tuple

import gymnasium
import numpy
import numpy.typing
from gymnasium import spaces

from .. import _native
from ..seul import said
from .spaces import MODES, Masks, Planes, Shown, checked_mode, planes, rendered


class SoloEnv(gymnasium.Env[Planes, numpy.int64]):
    """One learner against bots of the house: ``gymnasium.make("pacman_iuto/Solo-v0", adversaires=["glouton"])``.

    ``adversaires`` (three ``prudent``): names of ``pacman_iuto.BOTS``, one a seat; ``place`` (0): the learner's seat;
    ``carte``, ``turns``, ``regles`` and ``render_mode`` as in :func:`pacman_iuto.env.parallel_env`. The observation is
    the learner's planes, and ``info["action_mask"]`` and :meth:`action_masks` tell which actions are no false moves.
    """

    metadata: Dict[str, object] = {"render_modes": list(MODES), "render_fps": 10}

    def __init__(
        self,
        adversaires: Sequence[str] = ("prudent", "prudent", "prudent"),
        place: int = 0,
        carte: Optional[str] = None,
        turns: int = 200,
        regles: str = "sujet",
        render_mode: Optional[str] = None,
    ) -> None:
        if not 0 <= place <= len(adversaires):
            raise ValueError(said(
                f"expected a seat from 0 to {len(adversaires)}, got {place}",
                f"une place de 0 à {len(adversaires)} est attendue, pas {place}",
            ))
        seats: List[Optional[str]] = list(adversaires)
        seats.insert(place, None)
        self._arena = _native.Arena(seats, carte, turns, regles)
        self._place = place
        self.render_mode = checked_mode(render_mode, MODES)
        self.observation_space = planes(self._arena.shape)
        self.action_space = spaces.Discrete(16)

    def action_masks(self) -> numpy.typing.NDArray[numpy.bool_]:
        """Which actions are no false moves: ``bool`` of shape (16,)."""
        return self._arena.mask(self._place).astype(bool)

    def _info(self) -> Dict[str, Masks]:
        return {"action_mask": self._arena.mask(self._place)}

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, object]] = None
    ) -> Tuple[Planes, Dict[str, Masks]]:
        """Begins a game: that of ``seed``, or the next one of those that follow from the last seed."""
        super().reset(seed=seed)
        self._arena.reset(seed if seed is not None else int(self.np_random.integers(1 << 63)))
        return self._arena.observation(self._place), self._info()

    def step(self, action: SupportsInt) -> Tuple[Planes, float, bool, bool, Dict[str, Masks]]:
        """Plays a turn. The reward is the points won in it."""
        gained, is_over = self._arena.step({chr(ord("A") + self._place): int(action)})
        reward = float(gained[self._place])
        return self._arena.observation(self._place), reward, False, is_over, self._info()

    def render(self) -> Shown:
        """The game as ``render_mode`` says."""
        return rendered(self._arena, self.render_mode)
