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
from pacman_iuto import BatchEnv, Bot, play_local
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


def orders(seed, games, players, turns):
    return numpy.random.default_rng(seed).integers(0, 4, (turns, games, players, 2), dtype=numpy.uint8)


class Scripted(Bot):
    def __init__(self, script):
        self.script = script

    def play(self, view):
        return "".join("NESO"[letter] for letter in self.script[view.turn])


def test_one_seed_is_one_game_in_a_batch_in_an_environment_and_between_bots():
    script = orders(1, 3, 4, 60)
    batch = BatchEnv(3, carte="objets", seed=11, turns=60)
    gained = [batch.step(actions)[1].copy() for actions in script]
    for game in range(3):
        bots = [Scripted(script[:, game, player]) for player in range(4)]
        result = play_local(*bots, turns=60, seed=11 + game, carte="objets")
        assert list(result.points.values()) == list(batch.final_points[game])
        env = parallel_env(carte="objets", turns=60)
        env.reset(seed=11 + game)
        for turn in range(60):
            pairs = script[turn, game].astype(int)
            told = env.step({agent: 4 * pair[0] + pair[1] for agent, pair in zip("ABCD", pairs)})
            assert list(told[1].values()) == list(gained[turn][game])
        assert env.agents == []
        assert env.step({}) == ({}, {}, {}, {}, {})


def plain_planes(view, me):
    """An observation by its description."""
    planes = numpy.zeros((14, view.rows, view.cols), numpy.uint8)
    for row, line in enumerate(view.board):
        for col, letter in enumerate(line):
            if letter == "#":
                planes[0, row, col] = 1
            elif letter != " ":
                planes[8 + ".$@~&!".index(letter), row, col] = 1
    for player in view.players.values():
        others = 0 if player.colour == me else 2
        planes[1 + others][player.pacman] = 1
        planes[2 + others][player.ghost] = 1
        for plane, left in enumerate((player.glutton, player.freeze, player.wall_pass), 5):
            planes[plane][player.pacman] = max(planes[plane][player.pacman], min(left, 255))
    return planes


def test_observations_are_what_they_are_documented_to_be_in_every_turn():
    # Several games one after the other, on a map with all the objects.
    batch = BatchEnv(2, carte="objets", seed=4, turns=90)
    script = orders(2, 2, 4, 200)
    observations = batch.observations
    for turn, actions in enumerate(script):
        if turn % 90 in (0, 1, 50, 89):
            for game in range(2):
                seed = int(batch.seeds[game])
                first = turn // 90 * 90
                bots = [Scripted(script[first:, game, player]) for player in range(4)]
                recording = play_local(*bots, turns=90, seed=seed, carte="objets").recording
                for player, me in enumerate("ABCD"):
                    expected = plain_planes(recording.view(turn % 90, me), me)
                    assert (observations[game, player] == expected).all(), (turn, game, me)
        told = batch.step(actions)
        assert told[0] is observations
        assert told[2].all() == (turn % 90 == 89)


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
        return [env.reset()[0]["A"]["observation"].tobytes() for _ in range(3)]

    first = games()
    assert first == games() and len(set(first)) == 3


def test_pictures_and_texts_of_a_game():
    env = parallel_env(render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().shape == (20, 30, 3)
    text = parallel_env(render_mode="ansi")
    text.reset(seed=1)
    assert text.render().startswith("0;200\n")


def test_a_learner_may_sit_anywhere():
    for seat in range(3):
        env = gymnasium.make("pacman_iuto/Solo-v0", adversaires=["glouton", "aleatoire"], place=seat, turns=30)
        seen, info = env.reset(seed=2)
        over, steps = False, 0
        while not over:
            seen, reward, terminated, over, info = env.step(env.action_space.sample(info["action_mask"]))
            assert not terminated
            steps += 1
        assert steps == 30
    with pytest.raises(ValueError, match="expected a seat from 0 to 3, got 4"):
        gymnasium.make("pacman_iuto/Solo-v0", place=4)


def test_the_mazes_the_starts_and_the_cheese_are_those_of_pyrat_seed_for_seed():
    folder = pathlib.Path(__file__).parent
    places = (folder, folder.parent.parent / "tools" / "measure" / "tests" / "data")
    recorded = next(place / "pyrat-variants.jsonl.gz" for place in places if (place / "pyrat-variants.jsonl.gz").exists())
    with gzip.open(recorded, "rt") as lines:
        games = [json.loads(line) for line in lines]
    assert len(games) > 10
    for game in games:
        holes = {"big": "grands", "uniform": "uniformes", "side": "bords"}[game["holes"]]
        env = gymnasium.make(
            "pacman_iuto/PyRat-v0", largeur=game["width"], hauteur=game["height"], cellules=game["cell_percentage"],
            murs=game["wall_percentage"], boue=game["mud_percentage"], tours_boue=tuple(game["mud_range"]), trous=holes,
            fromages=len(game["cheese"]),
        ).unwrapped
        _, info = env.reset(seed=game["seed"])
        assert env.maze == {cell: dict(links) for cell, links in game["neighbours"]}
        assert (info["rats"], info["cheese"]) == ([game["start"]], game["cheese"])


def test_a_rat_gets_the_cheese_by_the_shortest_path_and_no_sooner():
    env = gymnasium.make("pacman_iuto/PyRat-v0", boue=30.0).unwrapped
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
    env = gymnasium.make("pacman_iuto/PyRat-v0", rivaux=["glouton"], fromages=5, depart="coins").unwrapped
    env.reset(seed=1)
    over = False
    while not over:
        *_, terminated, truncated, info = env.step(4)
        over = terminated or truncated
    assert terminated and info["scores"][0] == 0.0 and info["scores"][1] >= 2.5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"games": 0}, "expected at least one game, got 0"),
        ({"players": 0}, "expected 1 to 26 players, got 0"),
        ({"players": 27}, "expected 1 to 26 players, got 27"),
        ({"turns": 0}, "expected at least one turn, got 0"),
        ({"turns": -1}, "expected at least one turn, got -1"),
        ({"turns": 1 << 40}, "expected at most 4294967295 turns, got 1099511627776"),
        ({"games": -1}, "expected at least one game, got -1"),
        ({"players": -1}, "expected 1 to 26 players, got -1"),
        ({"carte": "3;3\n"}, "line"),
    ],
)
def test_batches_that_cannot_be_are_errors(options, words):
    with pytest.raises(ValueError, match=words):
        BatchEnv(**{"games": 2, **options})


@pytest.mark.parametrize(
    "actions",
    [
        numpy.zeros((2, 4, 2)),
        numpy.zeros((2, 4, 2), numpy.int64),
        numpy.zeros((3, 4, 2), numpy.uint8),
        numpy.zeros((2, 8), numpy.uint8),
        numpy.zeros((2, 4, 4), numpy.uint8)[:, :, ::2],
        [[[0, 0]] * 4] * 2,
        None,
    ],
)
def test_actions_that_are_not_as_they_should_be_are_errors(actions):
    batch = BatchEnv(2)
    with pytest.raises(ValueError, match=r"expected actions as a C-contiguous array of uint8 of shape \(2, 4, 2\), got"):
        batch.step(actions)


def test_any_number_beyond_the_directions_is_a_malformed_order():
    batch = BatchEnv(1, turns=3)
    rewards = batch.step(numpy.full((1, 4, 2), 255, numpy.uint8))[1]
    assert (rewards == -2).all()
    assert (batch.players()[0, :, 5] == 2).all()


def test_buffers_are_used_again_and_need_no_observations():
    batch = BatchEnv(2, observations=False)
    actions = numpy.zeros((2, 4, 2), numpy.uint8)
    assert batch.observations is None and batch.reset() is None
    first, second = batch.step(actions), batch.step(actions)
    assert first[0] is None
    assert first[1] is second[1] is not None and first[2] is second[2]
    assert list(batch.seeds) == [0, 1] and list(batch.turn) == [2, 2]


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


def test_the_last_observation_of_a_game_is_kept():
    script = orders(3, 2, 4, 40)
    batch = BatchEnv(2, carte="objets", seed=4, turns=40)
    last = batch.final_observations
    assert not last.any()
    for actions in script:
        batch.step(actions)
    assert batch.final_observations is last
    for game in range(2):
        bots = [Scripted(script[:, game, player]) for player in range(4)]
        recording = play_local(*bots, turns=40, seed=4 + game, carte="objets").recording
        for player, me in enumerate("ABCD"):
            assert (last[game, player] == plain_planes(recording.view(40, me), me)).all(), (game, me)
    first = last.copy()
    batch.step(script[0])
    assert (last == first).all(), "until the next game ends"
    batch.reset()
    assert not last.any()
    assert BatchEnv(1, observations=False).final_observations is None


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: parallel_env(turns=-1), "expected at least one turn, got -1"),
        (lambda: gymnasium.make("pacman_iuto/Solo-v0", turns=-1), "expected at least one turn, got -1"),
        (lambda: gymnasium.make("pacman_iuto/PyRat-v0", turns=-1), "expected at least one turn, got -1"),
        (lambda: BatchEnv(1, seed=-1), "expected a seed from 0 to 2.64 - 1, got -1"),
        (lambda: parallel_env().reset(seed=1 << 64), "expected a seed from 0 to 2.64 - 1, got 18446744073709551616"),
        (lambda: BatchEnv(1, "plan2"), "cannot read the map plan2: .*the built-in maps are plan1, petit, "),
    ],
)
def test_numbers_and_maps_that_cannot_be_are_told_in_plain_words(make, words):
    with pytest.raises((ValueError, OverflowError, OSError), match=words):
        make()


def test_unknown_names_are_no_environments():
    with pytest.raises(AttributeError):
        pacman_iuto.env.nothing
