"""Many games of Pacman at a time, for Gymnasium."""
from __future__ import annotations

from typing import Dict, List, Optional, Sequence, Tuple

from gymnasium.vector import AutoresetMode

from .. import _native
from ..seul import aliases, said
from .many import ManyEnv
from .spaces import MODES, PRUDENT, MapLike, Observation, Shown, checked_mode, seats_of, seen


class BatchEnv(ManyEnv[Observation]):
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
    >>> rewards.shape, truncations.shape
    ((8,), (8,))
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
        self.render_mode = checked_mode(render_mode, MODES)
        self._learners = learners
        games = num_envs // learners
        self._arena = _native.BatchArena(games, seats, map, map_size, turns, rules, threads)
        self._open(self._arena, seen(self._arena.shape), 16, games, copy)

    def render(self) -> Optional[Tuple[Shown, ...]]:  # type: ignore[override]
        """Each sub-environment as ``render_mode`` says, ``None`` without one."""
        if self.render_mode is None:
            return None
        self._check_open()
        games = range(self._count)
        shown: List[Shown] = (
            [str(self._arena.view(game)) for game in games]
            if self.render_mode == "ansi"
            else [self._arena.picture(game) for game in games]
        )
        return tuple(frame for frame in shown for _ in range(self._learners))
