"""One learner against bots of the house, for Gymnasium."""
from __future__ import annotations

import operator
from typing import Dict, Optional, Sequence, SupportsIndex, Tuple

import gymnasium
import numpy
import numpy.typing
from gymnasium import spaces

from .. import _native
from ..seul import aliases
from .spaces import MODES, PRUDENT, MapLike, Masks, Observation, Shown, checked_mode, rendered, seats_of, seen


class SoloEnv(gymnasium.Env[Observation, numpy.int64]):
    """One learner against bots of the house: ``gymnasium.make("pacman_iuto/Solo-v0", opponents=["glouton"])``.

    ``opponents`` (three ``prudent``): names of ``pacman_iuto.BOTS``, one a seat; ``seat`` (0): the learner's seat;
    ``map``, ``map_size``, ``turns``, ``rules`` and ``render_mode`` as in :func:`pacman_iuto.env.parallel_env`. The names
    ``adversaires``, ``place``, ``carte``, ``taille``, ``tours`` and ``regles`` do as well.

    The module :mod:`pacman_iuto.env` describes observations, actions and rewards; ``info["action_mask"]`` and
    :meth:`action_masks` tell which actions are no false moves. All arrays are copies. While the bots think, other threads of Python
    run.
    """

    metadata: Dict[str, object] = {"render_modes": list(MODES), "render_fps": 10}

    @aliases(opponents="adversaires", seat="place", map="carte", map_size="taille", turns="tours", rules="regles")
    def __init__(
        self,
        opponents: Sequence[str] = PRUDENT,
        seat: int = 0,
        map: MapLike = None,
        map_size: Tuple[int, int] = (20, 30),
        turns: int = 200,
        rules: str = "sujet",
        render_mode: Optional[str] = None,
    ) -> None:
        self._arena = _native.Arena(seats_of(opponents, seat), map, map_size, turns, rules)
        self._seat = seat
        self.render_mode = checked_mode(render_mode, MODES)
        self.observation_space = seen(self._arena.shape)
        self.action_space = spaces.Discrete(16)

    def action_masks(self) -> numpy.typing.NDArray[numpy.bool_]:
        """True for each action that is no false move: ``bool`` of shape (16,)."""
        return self._arena.mask(self._seat).astype(bool)

    def _info(self) -> Dict[str, Masks]:
        return {"action_mask": self._arena.mask(self._seat)}

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, object]] = None
    ) -> Tuple[Observation, Dict[str, Masks]]:
        """Begins a game: that of ``seed``, or the next one of those that follow from the last seed."""
        super().reset(seed=seed)
        self._arena.reset(seed if seed is not None else int(self.np_random.integers(1 << 63)))
        return self._arena.observation(self._seat), self._info()

    def step(self, action: SupportsIndex) -> Tuple[Observation, float, bool, bool, Dict[str, Masks]]:
        """Plays a turn. The reward is the points won in it."""
        gained, is_over = self._arena.step({chr(ord("A") + self._seat): operator.index(action)})
        reward = float(gained[self._seat])
        return self._arena.observation(self._seat), reward, False, is_over, self._info()

    def render(self) -> Shown:
        """The game as ``render_mode`` says."""
        return rendered(self._arena, self.render_mode)
