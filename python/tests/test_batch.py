"""Many games at a time: the vector environment keeps the contract of Gymnasium, and plays the games that the others play."""
import inspect
import os
import sys
import threading

import gymnasium
import numpy
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

from pacman_iuto import BatchEnv, Bot, play_local
from pacman_iuto.env import (
    ACTIONS, PacmanParallelEnv, PyRatBatchEnv, PyRatEnv, SoloEnv, parallel_env, plane_names, vector_names,
)

MIXED = ["glouton", "aleatoire", "dijkstra"]


def self_play(games, **options):
    """Four learners in each game."""
    return BatchEnv(4 * games, opponents=[], learners=4, **options)


def drawn(seed, *shape):
    return numpy.random.default_rng(seed).integers(0, 16, shape)


class Scripted(Bot):
    def __init__(self, script):
        self.script = script

    def play(self, view):
        return ACTIONS[self.script[view.turn]]


def equal(left, right):
    """Tests if observations, infos, and what else a step returns are equal in values, types and shapes."""
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    if isinstance(left, numpy.ndarray) and left.dtype == object:
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, numpy.ndarray):
        return left.dtype == right.dtype and numpy.array_equal(left, right)
    return left is None and right is None


def test_it_is_a_vector_environment_of_gymnasium():
    envs = BatchEnv(3, turns=5)
    assert isinstance(envs, VectorEnv) and envs.num_envs == 3
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.single_action_space == gymnasium.spaces.Discrete(16)
    assert envs.action_space == gymnasium.spaces.MultiDiscrete([16] * 3)
    observations, infos = envs.reset(seed=1, options={})
    for _ in range(12):
        assert observations in envs.observation_space
        one = {key: value[0] for key, value in observations.items()}
        assert one in envs.single_observation_space
        told = envs.step(envs.action_space.sample())
        observations, rewards, terminations, truncations, infos = told
        assert rewards.shape == terminations.shape == truncations.shape == (3,)
        assert (rewards.dtype, terminations.dtype, truncations.dtype) == (float, bool, bool)
        assert not terminations.any()
        assert infos["action_mask"].shape == (3, 16) and infos["_action_mask"].all()
    envs.close()
    assert envs.closed
    with pytest.raises(gymnasium.error.ClosedEnvironmentError):
        envs.step(envs.action_space.sample())


@pytest.mark.parametrize("mode", [None, "vector_entry_point"])
def test_make_vec_gives_it(mode):
    options = {"opponents": ["glouton"], "turns": 7, "threads": 2}
    envs = gymnasium.make_vec("pacman_iuto/Solo-v0", num_envs=5, vectorization_mode=mode, **options)
    assert type(envs) is BatchEnv and envs.num_envs == 5
    assert envs.reset(seed=1)[0]["vector"][:, 0].tolist() == [7] * 5
    assert repr(envs) == "BatchEnv(pacman_iuto/Solo-v0, num_envs=5)"


@pytest.mark.parametrize("options", [{}, {"opponents": MIXED, "seat": 2}, {"map": "random", "map_size": (9, 12)}])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("copy", [True, False])
def test_a_batch_tells_what_single_environments_tell(options, threads, copy):
    options = {**options, "turns": 25}
    one = BatchEnv(4, threads=threads, copy=copy, **options)
    other = SyncVectorEnv([lambda: SoloEnv(**options)] * 4, autoreset_mode=AutoresetMode.SAME_STEP)
    told = [envs.reset(seed=8) for envs in (one, other)]
    assert all(map(equal, *told))
    script = drawn(1, 25, 4)
    for turn, actions in enumerate(script):
        told = [envs.step(actions) for envs in (one, other)]
        if turn < 24:
            assert all(map(equal, *told)), turn
    # The next games differ in their seeds.
    assert all(map(equal, told[0][1:4], told[1][1:4]))
    for key in ("final_obs", "_final_obs", "final_info", "_final_info"):
        assert equal(told[0][4][key], told[1][4][key]), key
    assert told[0][4].keys() == told[1][4].keys()
    assert "final_obs" not in one.step(script[0])[4]


def test_one_seed_is_one_game_in_a_batch_in_an_environment_and_between_bots():
    script = drawn(1, 60, 3, 4)
    envs = self_play(3, map="objets", turns=60)
    envs.reset(seed=11)
    told = [envs.step(actions.ravel()) for actions in script]
    for game in range(3):
        bots = [Scripted(script[:, game, player]) for player in range(4)]
        result = play_local(*bots, turns=60, seed=11 + game, map="objets")
        gained = numpy.array([step[1].reshape(3, 4)[game] for step in told])
        assert list(result.points.values()) == gained.sum(axis=0).tolist()
        env = parallel_env(map="objets", turns=60)
        env.reset(seed=11 + game)
        for turn in range(60):
            step = env.step(dict(zip("ABCD", script[turn, game])))
            assert list(step[1].values()) == gained[turn].tolist()
        assert env.agents == []
        assert env.step({}) == ({}, {}, {}, {}, {})


def plain_observation(view, me):
    """An observation by its description; no ghost digests by the rules of the subject."""
    colours = sorted(view.players)
    first = colours.index(me)
    players = [view.players[colour] for colour in colours[first:] + colours[:first]]
    planes = numpy.zeros((7 + 2 * len(players), view.rows, view.cols), numpy.uint8)
    for row, line in enumerate(view.board):
        for col, letter in enumerate(line):
            if letter != " ":
                planes["#.$@~&!".index(letter), row, col] = 1
    vector = [view.turns - view.turn]
    for number, player in enumerate(players):
        planes[7 + number][player.pacman] = 1
        planes[7 + len(players) + number][player.ghost] = 1
        vector += [player.points, player.false_moves, player.glutton, player.freeze, player.wall_pass, 0]
    return {"planes": planes, "vector": numpy.array(vector, numpy.int32)}


def test_observations_are_what_they_are_documented_to_be():
    # Several games one after the other, on a map with all the objects.
    envs = self_play(2, map="objets", turns=90)
    observations, infos = envs.reset(seed=4)
    script = drawn(2, 200, 2, 4)
    for turn, actions in enumerate(script):
        if turn % 90 in (0, 1, 50, 89):
            check(observations, script[turn // 90 * 90 :], turn % 90, envs.seeds)
        seeds = envs.seeds
        observations, _, _, truncations, infos = envs.step(actions.ravel())
        assert truncations.all() == truncations.any() == (turn % 90 == 89)
        if truncations.any():
            last = {key: numpy.array([seen[key] for seen in infos["final_obs"]]) for key in ("planes", "vector")}
            check(last, script[turn // 90 * 90 :], 90, seeds)
    assert envs.seeds == [8, 9]


def check(observations, script, turn, seeds):
    for game, seed in enumerate(seeds):
        bots = [Scripted(script[:, game, player]) for player in range(4)]
        recording = play_local(*bots, turns=90, seed=seed, map="objets").recording
        for player, me in enumerate("ABCD"):
            seen = {key: value[4 * game + player] for key, value in observations.items()}
            assert equal(seen, plain_observation(recording.view(turn, me), me)), (turn, game, me)


def test_names_of_planes_and_numbers_are_as_many_and_unique():
    for players in (1, 4, 26):
        seen = BatchEnv(players, opponents=[], learners=players, map="grand").reset(seed=1)[0]
        for names, shown in ((plane_names(players), seen["planes"]), (vector_names(players), seen["vector"])):
            assert len(set(names)) == len(names) == shown.shape[1]


def test_a_ghost_that_digests_stays_where_it_is():
    envs = self_play(8, map="petit", rules="orleans2024", turns=150)
    before, infos = envs.reset(seed=1)
    digests = [vector_names(4).index(f"digests {player}") for player in range(4)]
    ghosts = [plane_names(4).index(f"ghost {player}") for player in range(4)]
    draw, found = numpy.random.default_rng(1), 0
    for _ in range(149):
        after = envs.step((draw.random((32, 16)) * infos["action_mask"]).argmax(axis=1))
        seen, infos = after[0], after[4]
        for number, plane in zip(digests, ghosts):
            still = before["vector"][:, number] == 1
            found += still.sum()
            assert (before["planes"][still, plane] == seen["planes"][still, plane]).all()
        before = seen
    assert found > 100


def test_the_mask_in_infos_tells_false_moves():
    envs = BatchEnv(64, opponents=["aleatoire"], map="petit", turns=200)
    _, infos = envs.reset(seed=3)
    false_moves = vector_names(2).index("false_moves 0")
    for _ in range(100):
        actions = infos["action_mask"].argmax(axis=1)
        observations, *_, infos = envs.step(actions)
        assert not observations["vector"][:, false_moves].any()


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_play_the_same_games(threads):
    one, several = self_play(7, map="objets", turns=20), self_play(7, map="objets", turns=20, threads=threads)
    assert all(map(equal, one.reset(seed=1), several.reset(seed=1)))
    for actions in drawn(5, 50, 28):
        assert all(map(equal, one.step(actions), several.step(actions)))


def stepped(envs):
    envs.reset(seed=1)
    return lambda: envs.step(numpy.zeros(envs.num_envs, int) if isinstance(envs, VectorEnv) else 0)


@pytest.mark.parametrize("make", [
    lambda: stepped(BatchEnv(2, opponents=["champion"] * 3)),
    lambda: stepped(SoloEnv(opponents=["champion"] * 3, turns=1 << 30)),
    lambda: stepped(PyRatEnv(rivals=["glouton"] * 3, cheese=40, width=60, height=60, turns=1 << 30)),
    lambda: lambda: play_local("champion", "champion", turns=5),
])
def test_other_threads_run_while_bots_think(make):
    step, order = make(), []

    def play():
        for _ in range(2000):
            step()
            if order:
                return
        order.append("played")

    interval = sys.getswitchinterval()
    # A thread keeps the interpreter's lock until it gives it up by itself.
    sys.setswitchinterval(1000)
    try:
        thread = threading.Thread(target=play)
        thread.start()
        order.append("ran")
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert order == ["ran"]


@pytest.mark.parametrize("kind", [numpy.int8, numpy.uint8, numpy.int16, numpy.uint16, numpy.int32, numpy.uint32, numpy.int64, numpy.uint64, list])
def test_actions_are_integers_of_any_type(kind):
    actions = [1, 2, 3, 15]
    one, other = BatchEnv(4), BatchEnv(4)
    one.reset(seed=1), other.reset(seed=1)
    given = actions if kind is list else numpy.array(actions, kind)
    assert all(map(equal, one.step(given), other.step(numpy.array(actions))))
    assert all(map(equal, one.step(numpy.array([*actions, *actions], int)[::2]), other.step([1, 3, 1, 3])))


@pytest.mark.parametrize(("actions", "words"), [
    (numpy.zeros(2), r"expected actions as integers of shape \(2,\), got float64 of shape \(2,\)"),
    (numpy.zeros(2, bool), r"got bool of shape \(2,\)"),
    (numpy.zeros(3, int), r"got int64 of shape \(3,\)"),
    (numpy.zeros((2, 2), int), r"got int64 of shape \(2, 2\)"),
    (None, "got object of shape"),
    ([0, 16], "environment 1: expected an action from 0 to 15, got 16"),
    ([-1, 0], "environment 0: expected an action from 0 to 15, got -1"),
    (numpy.array([0, (1 << 63) + 5], numpy.uint64), "environment 1: expected an action from 0 to 15, got 9223372036854775813"),
])
def test_actions_that_cannot_be_are_errors_and_nobody_plays(actions, words):
    envs = BatchEnv(2)
    before = envs.reset(seed=1)
    with pytest.raises(ValueError, match=words):
        envs.step(actions)
    assert equal(before[0], envs._observation())


def test_a_step_before_the_first_reset_is_an_error():
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset comes before step"):
        BatchEnv(2).step([0, 0])


def test_copies_stay_and_views_cannot_be_written_to():
    copies, views = BatchEnv(3, turns=4), BatchEnv(3, turns=4, copy=False)
    script = drawn(1, 12, 3)
    for envs, is_kept in ((copies, True), (views, False)):
        told = [envs.reset(seed=1)]
        then = [told[0][0]["vector"].tolist()]
        for actions in script:
            observations, *_, infos = envs.step(actions)
            told.append((observations, infos))
            then.append(observations["vector"].tolist())
        assert ([seen["vector"].tolist() for seen, _ in told] == then) == is_kept
        arrays = [*told[-1][0].values(), told[-1][1]["action_mask"], told[-1][1]["_action_mask"]]
        arrays += [each for seen in told[-1][1]["final_obs"] for each in seen.values()]
        assert all(array.flags.writeable == is_kept for array in arrays)


def test_seeds_are_one_for_all_or_one_for_each_game():
    envs = BatchEnv(3, turns=2)
    assert envs.reset(seed=5) and envs.seeds == [5, 6, 7]
    envs.step([0, 0, 0]), envs.step([0, 0, 0])
    assert envs.seeds == [8, 9, 10]
    assert envs.reset(seed=[7, 7, 2]) and envs.seeds == [7, 7, 2]
    assert envs.reset(seed=numpy.int64(1)) and envs.seeds == [1, 2, 3]
    first = [envs.reset() and envs.seeds for _ in range(3)]
    envs.reset(seed=1)
    assert first == [envs.reset() and envs.seeds for _ in range(3)]
    assert len({tuple(seeds) for seeds in first}) == 3
    for seed in (-1, 1 << 64, [1, 2], [1, 2, -1]):
        with pytest.raises((ValueError, OverflowError), match="seed"):
            envs.reset(seed=seed)


def test_a_wrapper_of_gymnasium_counts_the_points_of_each_game():
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(BatchEnv(3, turns=10))
    envs.reset(seed=1)
    for actions in drawn(2, 10, 3):
        *_, infos = envs.step(actions)
    points = [seen["vector"][1] for seen in infos["final_obs"]]
    assert infos["episode"]["r"].tolist() == points and infos["episode"]["l"].tolist() == [10] * 3


def test_each_sub_environment_is_shown():
    pictures = self_play(2, render_mode="rgb_array", map="petit")
    pictures.reset(seed=1)
    shown = pictures.render()
    assert len(shown) == 8 and (shown[0] == shown[3]).all() and (shown[0] != shown[4]).any()
    texts = BatchEnv(2, render_mode="ansi")
    texts.reset(seed=1)
    assert [text[:6] for text in texts.render()] == ["0;200\n"] * 2
    assert BatchEnv(2).render() is None


def walls(env, seed):
    return env.reset(seed=seed)[0]["planes"][0]


def test_random_maps_follow_from_the_seed_and_have_no_dead_ends():
    env = SoloEnv(map="random", map_size=(14, 19))
    drawn = [walls(env, seed) for seed in range(20)]
    assert all(board.shape == (14, 19) for board in drawn)
    assert (walls(env, 3) == drawn[3]).all() and (drawn[3] != drawn[4]).any()
    for seed, board in enumerate(drawn):
        env.reset(seed=seed)
        view = env._arena.view(0)
        corridors = [(row, col) for row, col in numpy.argwhere(board == 0).tolist()]
        assert len(view.distances(corridors[0]).reached()) == len(corridors), "connected"
        assert all(len(view.possible_directions(cell)) > 1 for cell in corridors)
        assert set(".$@~&!") == set(view.objects.values()) | set(".")
    fixed = SoloEnv(map=7)
    assert (walls(fixed, 1) == walls(fixed, 2)).all()
    assert (walls(fixed, 1) == walls(SoloEnv(map="random"), 7)).all()


@pytest.mark.parametrize("size", [(5, 5), (6, 5), (5, 31), (40, 6), (61, 60)])
def test_random_maps_of_all_sizes(size):
    envs = BatchEnv(5, opponents=["dijkstra"], map="random", map_size=size, turns=3)
    envs.reset(seed=1)
    for _ in range(7):
        assert envs.step([5] * 5)[0]["planes"].shape[2:] == size


@pytest.mark.parametrize(("options", "words"), [
    ({"map_size": (4, 9)}, r"expected a map_size from 5 to 500 rows and columns, got \(4, 9\)"),
    ({"map_size": (9, 501)}, "expected a map_size"),
    ({"map": -1}, "expected a map as a name, a path, a text, a seed"),
    ({"map": 1.5}, "expected a map as a name"),
    ({"map": "3;3\n"}, "line"),
    ({"num_envs": 0}, "expected num_envs as a positive multiple of 1"),
    ({"num_envs": 6, "learners": 4}, "expected num_envs as a positive multiple of 4"),
    ({"learners": 0}, "expected at least one learner, got 0"),
    ({"learners": 24, "num_envs": 24}, "expected 1 to 26 players, got 27"),
    ({"seat": 4}, "expected a seat from 0 to 3, got 4"),
    ({"turns": 0}, "expected at least one turn, got 0"),
    ({"turns": 1 << 40}, "expected at most 4294967295 turns, got 1099511627776"),
    ({"threads": 0}, "expected at least one thread, got 0"),
    ({"opponents": ["glutton"]}, "glutton"),
    ({"render_mode": "film"}, "there is no render_mode 'film'"),
])
def test_batches_that_cannot_be_are_errors(options, words):
    with pytest.raises(ValueError, match=words):
        BatchEnv(**{"num_envs": 2, "map": "random", **options})


def test_paths_are_maps(tmp_path):
    file = tmp_path / "map.txt"
    file.write_text("3;6\n#    #\n  &.  \n#    #\n")
    for name in (file, os.fspath(file), file.read_text()):
        assert BatchEnv(1, map=name, opponents=[]).reset(seed=1)[0]["planes"].shape == (1, 9, 3, 6)


FRENCH = {
    "opponents": "adversaires", "learners": "apprenants", "seat": "place", "map": "carte", "map_size": "taille", "turns": "tours",
    "rules": "regles", "players": "joueurs", "seed": "graine", "rivals": "rivaux", "width": "largeur", "height": "hauteur",
    "cells": "cellules", "walls": "murs", "mud": "boue", "mud_turns": "tours_boue", "holes": "trous", "cheese": "fromages",
    "start": "depart",
}
VALUES = {
    "opponents": ["glouton"], "learners": 1, "seat": 0, "map": "random", "map_size": (6, 6), "turns": 4, "rules": "sujet",
    "players": 2, "seed": 3, "rivals": [], "width": 6, "height": 6, "cells": 90.0, "walls": 50.0, "mud": 10.0, "mud_turns": (2, 3),
    "holes": "big", "cheese": 1, "start": "centre",
}


@pytest.mark.parametrize(("function", "given"), [
    (BatchEnv, (1,)), (SoloEnv, ()), (PyRatEnv, ()), (PyRatBatchEnv, (1,)), (PacmanParallelEnv, ()), (parallel_env, ()), (play_local, ("prudent",)),
])
def test_french_names_do_as_well_but_not_both(function, given):
    english = [name for name in inspect.signature(function).parameters if name in FRENCH]
    assert english and not set(inspect.signature(function).parameters) & set(FRENCH.values())
    for name in english:
        french = FRENCH[name]
        function(*given, **{french: VALUES[name]})
        with pytest.raises(TypeError, match=f"{name}= and {french}= are two names of one argument"):
            function(*given, **{name: VALUES[name], french: VALUES[name]})
    function(*given, **{FRENCH[name]: VALUES[name] for name in english})


RATS = {"rivals": ["glouton", "aleatoire1"], "cheese": 7, "mud": 40.0, "turns": 30}


@pytest.mark.parametrize("options", [{"turns": 30}, RATS, {**RATS, "start": "same", "width": 6, "height": 5}])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("copy", [True, False])
def test_a_batch_of_rats_tells_what_single_environments_tell(options, threads, copy):
    envs = gymnasium.make_vec("pacman_iuto/PyRat-v0", num_envs=5, threads=threads, copy=copy, **options)
    assert type(envs) is PyRatBatchEnv
    singles = [PyRatEnv(**options) for _ in range(5)]
    seen, infos = envs.reset(seed=3)
    for place, env in enumerate(singles):
        told = env.reset(seed=3 + place)
        assert told[0] in env.observation_space and same_rat(told, seen, infos, place)
    ended = set()
    for actions in numpy.random.default_rng(1).integers(0, 5, (30, 5)):
        seen, *results, infos = envs.step(actions)
        assert seen in envs.observation_space
        for place, env in enumerate(singles):
            if place in ended:
                continue
            told = env.step(actions[place])
            assert told[1:4] == tuple(result[place] for result in results)
            if told[2] or told[3]:
                ended.add(place)
                assert equal(told[0], infos["final_obs"][place])
                assert equal(told[4]["action_mask"], infos["final_info"]["action_mask"][place])
            else:
                assert same_rat((told[0], told[4]), seen, infos, place)
    assert ended == set(range(5)) and max(envs.seeds) >= 8


def same_rat(told, seen, infos, place):
    row = {key: value[place] for key, value in seen.items()}
    return equal(told[0], row) and equal(told[1]["action_mask"], infos["action_mask"][place])


def test_a_rat_sees_what_is_documented():
    env = PyRatEnv(rivals=["glouton"], cheese=5, mud=60.0, start="corners")
    seen, info = env.reset(seed=2)
    draw, in_mud = numpy.random.default_rng(2), 0
    rows, cols = seen["planes"].shape[1:]
    for turn in range(200):
        planes = seen["planes"].reshape(9, -1)
        for cell, links in env.maze.items():
            steps = [-cols, 1, cols, -1]
            expected = [links.get(cell + step, 0) for step in steps]
            assert planes[:4, cell].tolist() == expected
        assert numpy.flatnonzero(planes[4]).tolist() == sorted(info["cheese"])
        assert [numpy.flatnonzero(plane).tolist() for plane in planes[5:7]] == [[cell] for cell in info["rats"]]
        assert seen["vector"].tolist() == [1000 - turn, *info["scores"]]
        before, own = planes[7].copy(), info["rats"][0]
        open_steps = [int(links > 0) for links in planes[:4, own]]
        assert info["action_mask"].tolist() == ([1] * 5 if before.any() else [*open_steps, 1])
        if before.any():
            in_mud += 1
        seen, _, terminated, _, info = env.step(draw.integers(0, 5))
        after = seen["planes"].reshape(9, -1)[7]
        if before.any():
            target = before.argmax()
            assert after[target] == before[target] - 1 or before[target] == 1
            assert before[target] > 1 or info["rats"][0] == target
        if terminated:
            break
    assert in_mud > 5


@pytest.mark.parametrize(("options", "words"), [
    ({"num_envs": 0}, "expected at least one game, got 0"),
    ({"holes": "small"}, "unknown holes \"small\", expected one of: big, uniform, side"),
    ({"start": "here"}, "unknown start \"here\", expected one of: centre, corners, random, same"),
    ({"rivals": ["nobody"]}, "nobody"),
    ({"cheese": 4000}, "cheese"),
    ({"turns": 0}, "expected at least one turn, got 0"),
    ({"width": -3}, "width: expected 0 to 65535, got -3"),
    ({"width": 201}, "expected 1 to 200 rows and columns, got 13 rows and 201 columns"),
])
def test_batches_of_rats_that_cannot_be_are_errors(options, words):
    with pytest.raises(ValueError, match=words):
        PyRatBatchEnv(**{"num_envs": 2, **options})
    with pytest.raises(ValueError, match="environment 1: expected an action from 0 to 4, got 5"):
        envs = PyRatBatchEnv(2)
        envs.reset(seed=1)
        envs.step([0, 5])


@pytest.mark.parametrize(("options", "words"), [
    ({"height": "13"}, "height: expected a whole number, got '13'"),
    ({"cheese": 1.5}, "cheese: expected a whole number, got 1.5"),
    ({"turns": None}, "turns: expected a whole number, got None"),
    ({"mud": "much"}, "mud: expected a number, got 'much'"),
    ({"mud_turns": 3}, "mud_turns: expected two whole numbers, got 3"),
    ({"holes": 3}, "holes: expected a text, got 3"),
    ({"rivals": 3}, "expected a list of names as opponents, got 3"),
    ({"rivals": [3]}, r"rivals: expected a list of names, got \[3\]"),
])
def test_options_of_rats_have_types(options, words):
    with pytest.raises(TypeError, match=words):
        PyRatEnv(**options)
