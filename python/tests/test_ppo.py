"""The learner in one file: its gradient is exact, it sees on a server what it saw while it learned, and it learns."""
import os
import re
import subprocess
import sys

import numpy
import pytest

from pacman_iuto import Bot, play_local
from pacman_iuto.env import BatchEnv
from pacman_iuto.tutoriel import ppo
from test_programs import server


def begun(games, seed=1, **options):
    envs = BatchEnv(4 * games, opponents=[], learners=4, copy=False, **options)
    maze, seen = ppo.start(envs, seed)
    random = numpy.random.default_rng(seed)
    return envs, maze, seen, ppo.Policy(seen, random), random


def loss(policy, batch, clip=0.2, entropy=0.01):
    probabilities, values, _ = policy.forward(ppo.Features(batch.pacman, batch.ghost))
    rows = numpy.arange(len(values))
    chosen = [likely[rows, batch.directions[:, piece]] for piece, likely in enumerate(probabilities)]
    ratio = numpy.exp(numpy.log(chosen).sum(0) - batch.likelihoods)
    gain = numpy.minimum(ratio * batch.advantages, ratio.clip(1 - clip, 1 + clip) * batch.advantages)
    surprise = sum((likely * numpy.log(numpy.maximum(likely, 1e-300))).sum(1) for likely in probabilities)
    return (-gain + entropy * surprise + (values - batch.returns) ** 2 / 2).mean()


def test_the_gradient_is_that_of_the_loss():
    envs, maze, seen, policy, random = begun(4)
    batch, _ = ppo.play(envs, maze, policy, seen, 8, random)
    batch = ppo.Batch(*(rows.astype(float) if rows.dtype == numpy.float32 else rows for rows in batch))
    # Some ratios are beyond the clip.
    batch = batch._replace(likelihoods=batch.likelihoods + random.normal(0, 0.3, len(batch.returns)))
    for network in policy.networks:
        network.weights = [weights.astype(float) for weights in network.weights]
        network.biases = [biases.astype(float) for biases in network.biases]
        network.weights[2] *= 20
    exact = ppo.gradient(policy, batch)
    for parameter, slopes in zip(policy.parameters(), exact):
        place = numpy.unravel_index(abs(slopes).argmax(), slopes.shape)
        before, step = parameter[place], 1e-6
        parameter[place] = before + step
        above = loss(policy, batch)
        parameter[place] = before - step
        below = loss(policy, batch)
        parameter[place] = before
        assert slopes[place] == pytest.approx((above - below) / (2 * step), rel=1e-3, abs=1e-7)


def test_a_bot_sees_what_the_learner_saw():
    views = []

    class Watcher(Bot):
        def play(self, view):
            views.append(ppo.observation(view))
            return "NN"

    play_local("prudent", Watcher, "prudent", "prudent", seed=5, turns=3)
    envs = BatchEnv(1, opponents=["prudent"] * 3, seat=1, turns=3)
    observations, _ = envs.reset(seed=5)
    for view in views:
        assert (observations["planes"][0] == view["planes"]).all()
        assert observations["vector"][0].tolist() == view["vector"].tolist()
        observations, *_ = envs.step([0])
    assert len(views) == 3


def test_it_learns_and_plays_what_it_has_learned(tmp_path):
    envs, maze, seen, policy, random = begun(32)
    adam = ppo.Adam(policy.parameters())
    first = ppo.evaluate(policy, ["prudent"] * 3, 16)
    for _ in range(12):
        batch, seen = ppo.play(envs, maze, policy, seen, 64, random)
        ppo.learn(policy, adam, batch, 1e-3, random)
    learned = ppo.evaluate(policy, ["prudent"] * 3, 16)
    assert learned[1] > first[1] + 500, (first, learned)
    path = tmp_path / "ada.npz"
    policy.save(path)
    assert play_local(ppo.Learned(path), *["aleatoire"] * 3, seed=1).winner.name == "Learned"


def ran(*arguments, **options):
    command = [sys.executable, "-m", "pacman_iuto.tutoriel.ppo", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


def test_its_commands_train_judge_and_play(tmp_path):
    told = ran("train", "ada.npz", "--minutes", "0.01", cwd=tmp_path)
    assert told.returncode == 0 and told.stdout.startswith("minutes  turns     first  points\n"), told
    told = ran("evaluate", "ada.npz", "--opponents", "prudent", "glouton", "glouton", "--games", "8", cwd=tmp_path)
    assert told.returncode == 0 and re.fullmatch(r"first in [\d.]+% of 8 games, -?\d+ points a game\n", told.stdout), told
    with server(tmp_path, "--remplir", "prudent", "--attente", "0s", "--duree", "3") as (process, port):
        told = ran("play", "ada.npz", "--equipe", "Ada", "--port", port, cwd=tmp_path)
        assert told.returncode == 0, told
        assert process.wait(30) == 0


def test_the_same_seed_learns_the_same_from_as_many_turns(tmp_path):
    maps = ["--map", "petit", "--map", "plan1"]
    for name, seed in ("ada", "1"), ("ben", "1"), ("eve", "2"):
        told = ran("train", f"{name}.npz", "--turns", "16000", "--seed", seed, *maps, cwd=tmp_path)
        # 64 games of 64 turns for four seats.
        assert told.returncode == 0 and told.stdout.splitlines()[-1].split()[1] == "16384", told
    ada, ben, eve = ((tmp_path / f"{name}.npz").read_bytes() for name in ("ada", "ben", "eve"))
    assert ada == ben != eve


def test_its_flags_and_words_are_french_as_well(tmp_path):
    policy = ppo.Policy(begun(1)[2], numpy.random.default_rng(1))
    policy.save(tmp_path / "ada.npz")
    flags = ["--adversaires", "prudent", "prudent", "prudent", "--parties", "4", "--carte", "petit"]
    told = ran("evaluate", "ada.npz", *flags, cwd=tmp_path, env={**os.environ, "LC_ALL": "fr_FR.UTF-8"})
    assert re.fullmatch(r"[\d.]+% de premières places en 4 parties, -?\d+ points par partie\n", told.stdout), told


@pytest.mark.parametrize(("arguments", "code", "words"), [
    (["evaluate", "nowhere.npz"], 1, "ppo: .*nowhere.npz"),
    (["evaluate", __file__], 1, "ppo: .*test_ppo.py is not of a policy of this program"),
    (["evaluate", "ada.npz", "--games", "6"], 2, "--games/--parties: expected a positive multiple of 4, got '6'"),
    (["train", "ada.npz", "--turns", "0"], 2, "--turns/--tours: expected a positive number, got '0'"),
    (["train", "ada.npz", "--opponents", "nobody", "glouton", "glouton"], 2, "nobody"),
    (["evaluate", "ada.npz", "--no-such-flag"], 2, "no-such-flag"),
])
def test_its_mistakes_are_told(arguments, code, words):
    told = ran(*arguments)
    assert told.returncode == code and re.search(words, told.stderr), told
