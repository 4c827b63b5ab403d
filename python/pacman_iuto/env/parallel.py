"""All players of a game, for PettingZoo."""
from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, Optional, Tuple

import numpy
from gymnasium import spaces
from pettingzoo import ParallelEnv

from .. import _native
from ..seul import aliases
from .spaces import MODES, MapLike, Shown, checked_mode, rendered, seen

if TYPE_CHECKING:
    from .._native import _Seen as Seen

AgentID = str


class PacmanParallelEnv(ParallelEnv):  # type: ignore[misc,type-arg,unused-ignore]
    """See :func:`pacman_iuto.env.parallel_env`.

    An observation is a dictionary of ``observation``, itself a dictionary of ``planes`` and ``vector``, and ``action_mask``
    (``int8`` of shape (16,)).
    """

    metadata: Dict[str, object] = {
        "name": "pacman_iuto_v0",
        "render_modes": list(MODES),
        "is_parallelizable": True,
    }

    @aliases(players="joueurs", map="carte", map_size="taille", turns="tours", rules="regles")
    def __init__(
        self,
        players: int = 4,
        map: MapLike = None,
        map_size: Tuple[int, int] = (20, 30),
        turns: int = 200,
        rules: str = "sujet",
        render_mode: Optional[str] = None,
    ) -> None:
        self._arena = _native.Arena([None] * players, map, map_size, turns, rules)
        self.render_mode = checked_mode(render_mode, MODES)
        self.possible_agents: List[AgentID] = [chr(ord("A") + index) for index in range(players)]
        self.agents: List[AgentID] = []
        mask = spaces.Box(0, 1, (16,), numpy.int8)
        self._observation_spaces = {
            agent: spaces.Dict({"observation": seen(self._arena.shape), "action_mask": mask}) for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(16) for agent in self.possible_agents}
        self._seeds = numpy.random.default_rng()

    def observation_space(self, agent: AgentID) -> spaces.Dict:
        """The space of what an agent sees."""
        return self._observation_spaces[agent]

    def action_space(self, agent: AgentID) -> spaces.Discrete:  # type: ignore[type-arg,unused-ignore]
        """The space of what an agent does."""
        return self._action_spaces[agent]

    def reset(
        self, seed: Optional[int] = None, options: Optional[Dict[str, object]] = None
    ) -> Tuple[Dict[AgentID, Seen], Dict[AgentID, Dict[str, object]]]:
        """Begins a game: that of ``seed``, or the next one of those that follow from the last seed."""
        if seed is not None:
            self._seeds = numpy.random.default_rng(seed)
        game = seed if seed is not None else int(self._seeds.integers(1 << 63))
        self._arena.reset(game)
        self.agents = self.possible_agents[:]
        return self._arena.observations(), {agent: {} for agent in self.agents}

    def step(self, actions: Dict[AgentID, int]) -> Tuple[
        Dict[AgentID, Seen],
        Dict[AgentID, float],
        Dict[AgentID, bool],
        Dict[AgentID, bool],
        Dict[AgentID, Dict[str, object]],
    ]:
        """Plays a turn, with an action for each agent; a missing one is a malformed order."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        told = self._arena.parallel_step(actions)
        if told[3]["A"]:
            self.agents = []
        return told

    def render(self) -> Shown:
        """The game as ``render_mode`` says."""
        return rendered(self._arena, self.render_mode)

    def close(self) -> None:
        """Nothing has to be closed."""
