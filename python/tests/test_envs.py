"""Environments: the standards' own tests, and the rules behind them."""
import gzip
import importlib.metadata
import json
import pathlib
import subprocess
import sys
import warnings

import gymnasium
import numpy
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test
from pettingzoo.utils.conversions import parallel_to_aec

import pacman_iuto
from pacman_iuto import BatchEnv
from pacman_iuto.env import parallel_env


def test_pettingzoo_accepts_the_parallel_environment():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(parallel_env(turns=40), num_cycles=200)
    parallel_seed_test(lambda: parallel_env(turns=40), num_cycles=100)


def test_pettingzoo_accepts_it_converted():
    api_test(parallel_to_aec(parallel_env(turns=40)), num_cycles=200)


@pytest.mark.parametrize("name", ["Solo-v0", "PyRat-v0"])
def test_gymnasium_finds_the_environments_by_name_and_accepts_them(name):
    env = gymnasium.make(f"pacman_iuto/{name}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_masks_forbid_false_moves_and_nothing_else():
    env = parallel_env(turns=120)
    told, _ = env.reset(seed=3)
    draw = numpy.random.default_rng(3)
    while env.agents:
        actions = {
            agent: draw.choice(numpy.flatnonzero(seen["action_mask"])) for agent, seen in told.items()
        }
        told, *_ = env.step(actions)
    assert [player.false_moves for player in env._arena.view(0).players.values()] == [0, 0, 0, 0]
    told, _ = env.reset(seed=4)
    for action in range(16):
        env.reset(seed=4)
        rewards = env.step(dict.fromkeys("ABCD", action))[1]
        forbidden = [agent for agent in "ABCD" if not told[agent]["action_mask"][action]]
        counts = {c: player.false_moves for c, player in env._arena.view(0).players.items()}
        assert all((counts[agent] > 0) == (agent in forbidden) for agent in "ABCD"), (action, rewards)


def test_a_seed_makes_the_games_that_follow_repeatable():
    env = parallel_env(turns=5)

    def games():
        env.reset(seed=9)
        return [env.reset()[0]["A"]["observation"]["planes"].tobytes() for _ in range(3)]

    first = games()
    assert first == games() and len(set(first)) == 3


def test_pictures_and_texts_of_a_game():
    env = parallel_env(render_mode="rgb_array")
    env.reset(seed=1)
    start = env.render()
    assert (start.shape, start.dtype) == ((400, 600, 3), numpy.uint8)
    assert len(numpy.unique(start.reshape(-1, 3), axis=0)) > 10, "walls, objects and pieces have colours"
    # Walls and floor are those of the board: the middle of a cell is as far as possible from other cells.
    board = env.reset(seed=1)[0]["A"]["observation"]["planes"][0]
    for row, col in ((0, 0), (9, 15), (1, 3), (4, 0)):
        middle = start[20 * row + 10, 20 * col + 10]
        assert ((middle == start[10, 10]).all()) == (board[row, col] == 1)
    env.step(dict.fromkeys("ABCD", 0))
    assert (env.render() != start).any()
    text = parallel_env(render_mode="ansi")
    text.reset(seed=1)
    assert text.render().startswith("0;200\n")


def test_a_learner_may_sit_anywhere():
    for seat in range(3):
        env = gymnasium.make("pacman_iuto/Solo-v0", opponents=["glouton", "aleatoire"], seat=seat, turns=30)
        seen, info = env.reset(seed=2)
        over, steps = False, 0
        while not over:
            seen, reward, terminated, over, info = env.step(env.action_space.sample(info["action_mask"]))
            assert not terminated
            steps += 1
        assert steps == 30
    with pytest.raises(ValueError, match="expected a seat from 0 to 3, got 4"):
        gymnasium.make("pacman_iuto/Solo-v0", seat=4)


def test_the_mazes_the_starts_and_the_cheese_are_those_of_pyrat_seed_for_seed():
    folder = pathlib.Path(__file__).parent
    places = (folder, folder.parent.parent / "tools" / "measure" / "tests" / "data")
    recorded = next(place / "pyrat-variants.jsonl.gz" for place in places if (place / "pyrat-variants.jsonl.gz").exists())
    with gzip.open(recorded, "rt") as lines:
        games = [json.loads(line) for line in lines]
    assert len(games) > 10
    for game in games:
        env = gymnasium.make(
            "pacman_iuto/PyRat-v0", width=game["width"], height=game["height"], cells=game["cell_percentage"],
            walls=game["wall_percentage"], mud=game["mud_percentage"], mud_turns=tuple(game["mud_range"]), holes=game["holes"],
            cheese=len(game["cheese"]),
        ).unwrapped
        _, info = env.reset(seed=game["seed"])
        assert env.maze == {cell: dict(links) for cell, links in game["neighbours"]}
        assert (info["rats"], info["cheese"]) == ([game["start"]], game["cheese"])


def test_a_rat_gets_the_cheese_by_the_shortest_path_and_no_sooner():
    env = gymnasium.make("pacman_iuto/PyRat-v0", mud=30.0).unwrapped
    for seed in range(5):
        _, info = env.reset(seed=seed)
        start, goal = info["rats"][0], info["cheese"][0]
        distances, waiting, before = {start: 0}, [(0, start)], {}
        while waiting:
            turns, cell = min(waiting)
            waiting.remove((turns, cell))
            for beside, weight in env.maze[cell].items():
                if turns + weight < distances.get(beside, 10**9):
                    distances[beside], before[beside] = turns + weight, cell
                    waiting.append((turns + weight, beside))
        path, cell = [], goal
        while cell != start:
            path.append((before[cell], cell))
            cell = before[cell]
        turn, reward = 0, 0.0
        for here, there in path[::-1]:
            action = {-15: 0, 1: 1, 15: 2, -1: 3}[there - here]
            for _ in range(env.maze[here][there]):
                assert reward == 0.0
                _, reward, terminated, truncated, info = env.step(action)
                turn += 1
        assert (reward, terminated, truncated, turn) == (1.0, True, False, distances[goal])


def test_rivals_play_too():
    env = gymnasium.make("pacman_iuto/PyRat-v0", rivals=["glouton"], cheese=5, start="corners").unwrapped
    env.reset(seed=1)
    over = False
    while not over:
        *_, terminated, truncated, info = env.step(4)
        over = terminated or truncated
    assert terminated and info["scores"][0] == 0.0 and info["scores"][1] >= 2.5


@pytest.mark.parametrize(
    ("imports", "prefix"),
    [
        ("gymnasium, pacman_iuto.env", ""),
        ("pacman_iuto.env, gymnasium", ""),
        ("pacman_iuto, gymnasium", ""),
        ("gymnasium, pacman_iuto", ""),
        ("gymnasium", "pacman_iuto:"),
        ("gymnasium", "pacman_iuto.env:"),
        ("pacman_iuto, gymnasium, importlib; importlib.reload(gymnasium)", "pacman_iuto:"),
    ],
)
def test_the_order_of_imports_does_not_matter_to_the_names_of_environments(imports, prefix):
    script = f"import {imports}\nfor name in ('Solo', 'PyRat'): gymnasium.make(f'{prefix}pacman_iuto/{{name}}-v0')"
    told = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr


def test_all_names_are_imported_without_gymnasium():
    script = "from pacman_iuto import *\nimport sys\nassert Bot and 'gymnasium' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_gymnasium_is_loaded_as_without_the_package():
    script = "gymnasium\nprint(type(gymnasium.__loader__).__name__, type(gymnasium.__spec__.loader).__name__, gymnasium.__file__)"
    told = [
        subprocess.run([sys.executable, "-c", f"import {before}{script}"], capture_output=True, text=True, check=True).stdout
        for before in ("", "pacman_iuto, ")
    ]
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("make", "known"),
    [
        (parallel_env, "None, 'ansi', 'rgb_array'"),
        (pacman_iuto.env.SoloEnv, "None, 'ansi', 'rgb_array'"),
        (pacman_iuto.env.PyRatEnv, "None"),
    ],
)
def test_a_render_mode_that_is_not_known_is_an_error_that_names_those_that_are(make, known):
    with pytest.raises(ValueError, match=f"there is no render_mode 'film', expected one of: {known}$"):
        make(render_mode="film")


@pytest.mark.parametrize(("imports", "expected"), [("pacman_iuto", "[]"), ("pacman_iuto.env", "[]")])
def test_what_is_optional_is_imported_only_when_it_is_used(imports, expected):
    script = f"import {imports}, sys\nprint(sorted({{'pettingzoo', 'gymnasium', 'pandas'}} & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == expected


@pytest.mark.parametrize(
    ("missing", "extra", "use"),
    [
        ("pettingzoo", "rl", "pacman_iuto.env.parallel_env()"),
        ("gymnasium", "rl", "pacman_iuto.env.SoloEnv"),
        ("gymnasium", "rl", "pacman_iuto.BatchEnv"),
        ("pandas", "pandas", "pacman_iuto.play_local('prudent', turns=1).recording.frame()"),
    ],
)
def test_a_missing_extra_is_named_with_what_to_type(missing, extra, use):
    script = f"import sys\nsys.modules['{missing}'] = None\nimport pacman_iuto.env\n{use}"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    wanted = [line.replace("'", '"') for line in importlib.metadata.requires("pacman-iuto")]
    assert any(line.startswith(missing) and line.endswith(f'extra == "{extra}"') for line in wanted)
    expected = f'ModuleNotFoundError: {missing} is missing: pip install "pacman-iuto[{extra}]"'
    assert told.stderr.strip().endswith(expected), told.stderr


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: parallel_env(turns=-1), "expected at least one turn, got -1"),
        (lambda: gymnasium.make("pacman_iuto/Solo-v0", turns=-1), "expected at least one turn, got -1"),
        (lambda: gymnasium.make("pacman_iuto/PyRat-v0", turns=-1), "expected at least one turn, got -1"),
        (lambda: BatchEnv(1).reset(seed=-1), "expected a seed from 0 to 2.64 - 1, got -1"),
        (lambda: parallel_env().reset(seed=1 << 64), "expected a seed from 0 to 2.64 - 1, got 18446744073709551616"),
        (lambda: BatchEnv(1, map="plan2"), "cannot read the map plan2: .*the built-in maps are plan1, petit, "),
    ],
)
def test_numbers_and_maps_that_cannot_be_are_told_in_plain_words(make, words):
    with pytest.raises((ValueError, OverflowError, OSError), match=words):
        make()


def test_one_name_is_no_list_of_names():
    for name, opponents in (("Solo", "opponents"), ("PyRat", "rivals")):
        with pytest.raises(TypeError, match="expected a list of names as opponents, got 'glouton'"):
            gymnasium.make(f"pacman_iuto/{name}-v0", **{opponents: "glouton"})


def test_a_fraction_is_no_action_and_no_seed():
    for name in ("Solo", "PyRat"):
        env = gymnasium.make(f"pacman_iuto/{name}-v0").unwrapped
        env.reset(seed=1)
        for action in (1.9, "1"):
            with pytest.raises(TypeError):
                env.step(action)
        env.step(numpy.int64(1)), env.step(numpy.array(1))
    with pytest.raises(TypeError):
        gymnasium.make_vec("pacman_iuto/Solo-v0", num_envs=2).unwrapped.reset(seed=1.5)


def test_unknown_names_are_no_environments():
    for module in (pacman_iuto, pacman_iuto.env):
        with pytest.raises(AttributeError):
            module.nothing
