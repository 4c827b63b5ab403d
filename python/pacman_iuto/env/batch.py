"""Many games at a time, for Gymnasium."""
from __future__ import annotations

from typing import Dict, List, Optional, Sequence, Tuple, TypeVar, Union

import numpy
import numpy.typing
from gymnasium import error, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .. import _native
from ..seul import aliases, said
from .spaces import MODES, PRUDENT, MapLike, Masks, Observation, Shown, checked_mode, seats_of, seen

Actions = Union[numpy.typing.NDArray[numpy.integer], Sequence[int]]
Results = Union[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.bool_]]
#: ``action_mask``, with ``_action_mask``; at the end of games ``final_obs`` and ``final_info``, with ``_final_obs`` and
#: ``_final_info``.
Infos = Dict[str, Union[numpy.typing.NDArray[numpy.generic], Dict[str, numpy.typing.NDArray[numpy.generic]]]]
Scalar = TypeVar("Scalar", bound=numpy.generic)


class BatchEnv(VectorEnv[Observation, Actions, Results]):
    """Many games of Pacman at a time, on arrays, as a ``VectorEnv`` of Gymnasium.

    ``BatchEnv(256)`` is ``gymnasium.make_vec("pacman_iuto/Solo-v0", num_envs=256, vectorization_mode="vector_entry_point")``.

    ``num_envs``: the number of sub-environments, each the seat of a learner; ``opponents`` (three ``prudent``): names of
    ``pacman_iuto.BOTS``, one a seat; ``learners`` (1): learners of a game, side by side from ``seat`` (0) on; ``map``,
    ``map_size``, ``turns``, ``rules`` and ``render_mode`` as in :func:`pacman_iuto.env.parallel_env`; ``threads`` (1): threads
    that play; ``copy`` (true): see below. The names ``adversaires``, ``apprenants``, ``place``, ``carte``, ``taille``, ``tours``
    and ``regles`` do as well.

    With several learners, ``num_envs`` is a multiple of their number: sub-environment ``e`` is learner ``e % learners`` of game
    ``e // learners``. ``BatchEnv(1024, opponents=[], learners=4)`` plays 256 games in which one learner has all four seats.

    The module :mod:`pacman_iuto.env` describes observations, actions and rewards; here they have ``num_envs`` rows. Actions are
    integers of any type. ``infos["action_mask"]`` is ``int8`` of shape (num_envs, 16).

    Autoreset is ``AutoresetMode.SAME_STEP``: if a game ends, the step returns the first observation of the next game in its place,
    and the last observation of the finished one is in ``infos["final_obs"]`` (an array of objects, ``None`` where no game has
    ended), its last mask in ``infos["final_info"]["action_mask"]``.

    With ``copy=True`` all arrays are copies, as those of ``SyncVectorEnv``. With ``copy=False`` observations and masks are
    read-only views of buffers that the next step overwrites, and those of ``final_obs`` are overwritten when the next game in
    their place ends: it is faster, and what you keep you have to copy.

    The interpreter's lock is free during :meth:`step` and :meth:`reset`.

    >>> envs = BatchEnv(8, opponents=["glouton"], turns=50)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations["planes"].shape, observations["vector"].shape
    ((8, 11, 20, 30), (8, 13))
    >>> actions = infos["action_mask"].argmax(axis=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(actions)
    >>> rewards.shape, truncations.any()
    ((8,), False)
    """

    metadata: Dict[str, object] = {
        "render_modes": list(MODES),
        "render_fps": 10,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    @aliases(
        opponents="adversaires", learners="apprenants", seat="place", map="carte", map_size="taille", turns="tours", rules="regles"
    )
    def __init__(
        self,
        num_envs: int,
        opponents: Sequence[str] = PRUDENT,
        learners: int = 1,
        seat: int = 0,
        map: MapLike = None,
        map_size: Tuple[int, int] = (20, 30),
        turns: int = 200,
        rules: str = "sujet",
        render_mode: Optional[str] = None,
        *,
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        seats = seats_of(opponents, seat, learners)
        if num_envs < 1 or num_envs % learners:
            raise ValueError(said(
                f"expected num_envs as a positive multiple of {learners}, the learners of a game, got {num_envs}",
                f"num_envs est un multiple positif de {learners}, le nombre d'apprenants d'une partie, et non {num_envs}",
            ))
        self.num_envs = num_envs
        self.render_mode = checked_mode(render_mode, MODES)
        self._learners, self._games, self._copy = learners, num_envs // learners, copy
        self._arena = arena = _native.BatchArena(self._games, seats, map, map_size, turns, rules, threads)
        self.single_observation_space = seen(arena.shape)
        self.single_action_space = spaces.Discrete(16)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seen: Observation = {"planes": _read_only(arena.planes), "vector": _read_only(arena.vectors)}
        self._mask, self._everywhere = _read_only(arena.masks), _read_only(numpy.ones(num_envs, bool))
        self._is_running = False
        self._last = numpy.empty(num_envs, object)
        if not copy:
            planes, vectors = _read_only(arena.final_planes), _read_only(arena.final_vectors)
            self._last[:] = [{"planes": planes[place], "vector": vectors[place]} for place in range(num_envs)]

    @property
    def seeds(self) -> List[int]:
        """The seed of each running game."""
        return self._arena.seeds

    def reset(
        self,
        *,
        seed: Union[int, Sequence[int], None] = None,
        options: Optional[Dict[str, object]] = None,
    ) -> Tuple[Observation, Infos]:
        """Restarts all games: with ``seed``, the i-th one has seed ``seed + i``; a list has a seed for each game; without a seed,
        they follow from the last one. Each next game in its place has a seed larger by the number of games.

        ``options`` are ignored."""
        self._check_open()
        if seed is None or isinstance(seed, Sequence):
            seeds = [int(self.np_random.integers(1 << 63))] if seed is None else list(seed)
        else:
            seeds = [int(seed)]
        if not isinstance(seed, Sequence):
            seeds += [(seeds[0] + game) % (1 << 64) for game in range(1, self._games)]
        self._arena.reset(seeds)
        if seed is not None and not isinstance(seed, Sequence):
            super().reset(seed=seeds[0])
        self._is_running = True
        return self._observation(), self._infos()

    def step(
        self, actions: Actions
    ) -> Tuple[
        Observation,
        numpy.typing.NDArray[numpy.float64],
        numpy.typing.NDArray[numpy.bool_],
        numpy.typing.NDArray[numpy.bool_],
        Infos,
    ]:
        """Plays a turn of every game, with an action for each sub-environment. The reward is the points won in it."""
        self._check_open()
        if not self._is_running:
            raise error.ResetNeeded(said(
                "the games have not begun: reset comes before step", "les parties n'ont pas commencé : reset vient avant step"
            ))
        has_ended = self._arena.step(self._checked(actions))
        truncations = self._arena.truncations.copy()
        infos = self._infos()
        if has_ended:
            infos.update(self._final(truncations))
        return self._observation(), self._arena.rewards.copy(), numpy.zeros_like(truncations), truncations, infos

    def render(self) -> Optional[Tuple[Shown, ...]]:  # type: ignore[override]
        """Each sub-environment as ``render_mode`` says, ``None`` without one."""
        if self.render_mode is None:
            return None
        self._check_open()
        games = range(self._games)
        shown: List[Shown] = (
            [str(self._arena.view(game)) for game in games]
            if self.render_mode == "ansi"
            else [self._arena.picture(game) for game in games]
        )
        return tuple(frame for frame in shown for _ in range(self._learners))

    def _checked(self, actions: Actions) -> numpy.typing.NDArray[numpy.int64]:
        given = numpy.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(said(
                f"expected actions as integers of shape ({self.num_envs},), got {given.dtype} of shape {given.shape}",
                f"les actions sont des entiers de forme ({self.num_envs},), et non {given.dtype} de forme {given.shape}",
            ))
        return numpy.ascontiguousarray(given, numpy.int64)

    def _check_open(self) -> None:
        if self.closed:
            raise error.ClosedEnvironmentError(said("the environment is closed", "l'environnement est fermé"))

    def _observation(self) -> Observation:
        if not self._copy:
            return {**self._seen}
        return {"planes": self._seen["planes"].copy(), "vector": self._seen["vector"].copy()}

    def _infos(self) -> Infos:
        mask: Masks = self._mask.copy() if self._copy else self._mask
        return {"action_mask": mask, "_action_mask": self._everywhere}

    def _final(self, ended: numpy.typing.NDArray[numpy.bool_]) -> Infos:
        """What the learners saw at the end of the games that have ended."""
        places = numpy.flatnonzero(ended)
        last = numpy.full(self.num_envs, None, object)
        if self._copy:
            planes, vectors = self._arena.final_planes[places], self._arena.final_vectors[places]
            for row, place in enumerate(places):
                last[place] = {"planes": planes[row], "vector": vectors[row]}
        else:
            last[places] = self._last[places]
        mask = numpy.zeros_like(self._arena.final_masks)
        mask[places] = self._arena.final_masks[places]
        info: Dict[str, numpy.typing.NDArray[numpy.generic]] = {"action_mask": mask, "_action_mask": ended.copy()}
        return {"final_obs": last, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}


def _read_only(array: numpy.typing.NDArray[Scalar]) -> numpy.typing.NDArray[Scalar]:
    """A view that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
