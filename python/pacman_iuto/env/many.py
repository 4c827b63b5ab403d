"""The base of environments of many games at a time, for Gymnasium."""
from __future__ import annotations

import operator
from typing import Dict, List, Mapping, Optional, Protocol, Sequence, Tuple, TypeVar, Union, cast

import numpy
import numpy.typing
from gymnasium import error, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..seul import said

Actions = Union[numpy.typing.NDArray[numpy.integer], Sequence[int]]
Flags = numpy.typing.NDArray[numpy.bool_]
Rewards = numpy.typing.NDArray[numpy.float64]
#: ``action_mask``, with ``_action_mask``; at the end of games ``final_obs`` and ``final_info``, with ``_final_obs`` and
#: ``_final_info``.
Infos = Dict[str, Union[numpy.typing.NDArray[numpy.generic], Dict[str, numpy.typing.NDArray[numpy.generic]]]]
ObservationT = TypeVar("ObservationT")
Scalar = TypeVar("Scalar", bound=numpy.generic)


class HasGames(Protocol):
    """Games on arrays that each step overwrites."""

    @property
    def seeds(self) -> List[int]:
        """The seed of each running game."""

    def arrays(self) -> Mapping[str, numpy.typing.NDArray[numpy.generic]]:
        """The arrays by name."""

    def reset(self, seeds: Sequence[int]) -> None:
        """Restarts all games."""

    def step(self, actions: numpy.typing.NDArray[numpy.int64]) -> bool:
        """Plays a turn of every game; true if one has ended."""


class ManyEnv(VectorEnv[ObservationT, Actions, Union[Rewards, Flags]]):
    """Many games at a time, with autoreset in the same step."""

    metadata: Dict[str, object] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def _open(self, games: HasGames, space: spaces.Space[ObservationT], actions: int, count: int, copy: bool) -> None:
        """Takes over games whose learners have these observations and this number of actions."""
        arrays = {name: _read_only(array) for name, array in games.arrays().items()}
        self.num_envs = num_envs = len(arrays["rewards"])
        self._playing, self._count, self._copy, self._is_running = games, count, copy, False
        self._most = actions - 1
        self.single_observation_space = space
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._arrays, self._everywhere = arrays, _read_only(numpy.ones(num_envs, bool))
        self._last = numpy.empty(num_envs, object)
        if not copy:
            rows = zip(arrays["final_planes"], arrays["final_vector"])
            self._last[:] = [{"planes": planes, "vector": vector} for planes, vector in rows]

    @property
    def seeds(self) -> List[int]:
        """The seed of each running game."""
        return self._playing.seeds

    def reset(
        self,
        *,
        seed: Union[int, Sequence[int], None] = None,
        options: Optional[Dict[str, object]] = None,
    ) -> Tuple[ObservationT, Infos]:
        """Restarts all games: with ``seed``, the i-th one has seed ``seed + i``; a list has a seed for each game; without a seed,
        they follow from the last one. Each next game in its place has a seed larger by the number of games.

        ``options`` are ignored."""
        self._check_open()
        if isinstance(seed, Sequence):
            self._playing.reset(list(seed))
        else:
            first = int(self.np_random.integers(1 << 63)) if seed is None else operator.index(seed)
            self._playing.reset([first, *((first + game) % (1 << 64) for game in range(1, self._count))])
            if seed is not None:
                super().reset(seed=first)
        self._is_running = True
        return self._observation(), self._infos()

    def step(self, actions: Actions) -> Tuple[ObservationT, Rewards, Flags, Flags, Infos]:
        """Plays a turn of every game, with an action for each sub-environment."""
        self._check_open()
        if not self._is_running:
            raise error.ResetNeeded(said(
                "the games have not begun: reset comes before step", "les parties n'ont pas commencé : reset vient avant step"
            ))
        has_ended = self._playing.step(self._checked(actions))
        terminations, truncations = (cast(Flags, self._arrays[name].copy()) for name in ("terminations", "truncations"))
        infos = self._infos()
        if has_ended:
            infos.update(self._final(terminations | truncations))
        return self._observation(), cast(Rewards, self._arrays["rewards"].copy()), terminations, truncations, infos

    def _checked(self, actions: Actions) -> numpy.typing.NDArray[numpy.int64]:
        given = numpy.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(said(
                f"expected actions as integers of shape ({self.num_envs},), got {given.dtype} of shape {given.shape}",
                f"les actions sont des entiers de forme ({self.num_envs},), et non {given.dtype} de forme {given.shape}",
            ))
        if given.dtype == numpy.uint64 and (wrong := numpy.flatnonzero(given > numpy.iinfo(numpy.int64).max)).size:
            # As a number with a sign it would be another one, in messages as well.
            place, most = wrong[0], self._most
            raise ValueError(said(
                f"environment {place}: expected an action from 0 to {most}, got {given[place]}",
                f"environnement {place} : une action de 0 à {most} est attendue, et non {given[place]}",
            ))
        return numpy.ascontiguousarray(given, numpy.int64)

    def _check_open(self) -> None:
        if self.closed:
            raise error.ClosedEnvironmentError(said("the environment is closed", "l'environnement est fermé"))

    def _shown(self, name: str) -> numpy.typing.NDArray[numpy.generic]:
        return self._arrays[name].copy() if self._copy else self._arrays[name]

    def _observation(self) -> ObservationT:
        return cast(ObservationT, {name: self._shown(name) for name in ("planes", "vector")})

    def _infos(self) -> Infos:
        everywhere = self._everywhere.copy() if self._copy else self._everywhere
        return {"action_mask": self._shown("action_mask"), "_action_mask": everywhere}

    def _final(self, ended: Flags) -> Infos:
        """The last observations of the games that have ended."""
        places = numpy.flatnonzero(ended)
        last = numpy.full(self.num_envs, None, object)
        if self._copy:
            planes, vectors = self._arrays["final_planes"][places], self._arrays["final_vector"][places]
            for row, place in enumerate(places):
                last[place] = {"planes": planes[row], "vector": vectors[row]}
        else:
            last[places] = self._last[places]
        mask = numpy.zeros_like(self._arrays["final_action_mask"])
        mask[places] = self._arrays["final_action_mask"][places]
        info: Dict[str, numpy.typing.NDArray[numpy.generic]] = {"action_mask": mask, "_action_mask": ended.copy()}
        return {"final_obs": last, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}


def _read_only(array: numpy.typing.NDArray[Scalar]) -> numpy.typing.NDArray[Scalar]:
    """A view that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
