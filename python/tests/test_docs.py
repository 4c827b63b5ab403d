"""The examples of the documentation run, and everything that is public has one text at least."""
import doctest
import inspect

import pytest

import pacman_iuto
from pacman_iuto import _native, bot, env, recording, seul


@pytest.mark.parametrize(("module", "least"), [(pacman_iuto, 6), (bot, 1), (recording, 3), (seul, 1)])
def test_examples_run(module, least):
    failed, attempted = doctest.testmod(module)
    assert failed == 0 and attempted >= least


def public(owner):
    for name, value in vars(owner).items():
        if not name.startswith("_") and (inspect.isroutine(value) or inspect.isclass(value) or isinstance(value, property)):
            yield f"{getattr(owner, '__name__', owner)}.{name}", value


def test_everything_public_is_documented():
    owners = [pacman_iuto, env, pacman_iuto.Bot, pacman_iuto.Result, pacman_iuto.Recording]
    owners += [value for _, value in public(_native) if inspect.isclass(value)]
    owners += [seul, seul.View, seul.Distances, seul.DistanceTable, env.PacmanParallelEnv, env.SoloEnv, env.PyRatEnv]
    undocumented = [
        name
        for owner in owners
        for name, value in public(owner)
        if getattr(value, "__module__", "pacman_iuto").startswith("pacman_iuto") and not inspect.getdoc(value)
    ]
    assert undocumented == []
