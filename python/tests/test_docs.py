"""The examples of the documentation run, and everything that is public has one text at least."""
import doctest
import importlib.metadata
import inspect
import re
import subprocess
import sys

import pytest

import pacman_iuto
from pacman_iuto import _native, bot, env, recording, seul
from pacman_iuto.env import batch


@pytest.mark.parametrize(("module", "least"), [(pacman_iuto, 3), (bot, 1), (recording, 3), (seul, 1), (env, 2), (batch, 6)])
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
    owners += [seul, seul.View, seul.Distances, seul.DistanceTable, env.BatchEnv, env.PacmanParallelEnv, env.SoloEnv, env.PyRatEnv]
    undocumented = [
        name
        for owner in owners
        for name, value in public(owner)
        if getattr(value, "__module__", "pacman_iuto").startswith("pacman_iuto") and not inspect.getdoc(value)
    ]
    assert undocumented == []


def test_the_distribution_brings_its_licence_and_says_what_it_is():
    told = importlib.metadata.metadata("pacman-iuto")
    licences = [file for file in importlib.metadata.files("pacman-iuto") if file.name == "LICENSE"]
    assert told.get_all("License-File") == ["LICENSE"] and told["License-Expression"] == "MIT"
    assert "MIT License" in licences[0].read_text()
    assert set(told.get_all("Provides-Extra")) == {"atelier", "pandas", "rl"}
    assert told["Author"] == "The Pacman IUT'O arena contributors"
    assert {url.partition(",")[0] for url in told.get_all("Project-URL")} == {"Changelog", "Source"}


@pytest.fixture
def bot_of_the_readme(tmp_path):
    """The file with the first bot that the package's description shows."""
    text = importlib.metadata.metadata("pacman-iuto").get_payload() or importlib.metadata.metadata("pacman-iuto")["description"]
    file = tmp_path / "ada.py"
    file.write_text(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1])
    return file


def test_the_bot_of_the_readme_passes_mypy_strictly(bot_of_the_readme):
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", bot_of_the_readme.name], cwd=bot_of_the_readme.parent,
        capture_output=True, text=True,
    )
    assert told.returncode == 0, told.stdout


def test_the_bot_of_the_readme_wins_against_prudent(bot_of_the_readme):
    names = {"__name__": "ada"}
    exec(compile(bot_of_the_readme.read_text(), "ada.py", "exec"), names)
    games = [pacman_iuto.play_local(names["Ada"], "prudent", "prudent", "prudent", seed=seed) for seed in range(40)]
    assert all(player.failures == 0 for game in games for player in game.ranking)
    assert sum(game.winner.name == "Ada" for game in games) >= 36
