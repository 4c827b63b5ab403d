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


def test_the_same_seed_learns_the_same_from_as_many_turns(tmp_path, monkeypatch, capsys):
    # Hundreds of games would tell how good a policy is, which takes longer than to learn it, and is not the question.
    monkeypatch.setattr(ppo, "evaluate", lambda *_: (0.0, 0.0))
    options, _ = ppo.asked(["train", "ada.npz", "--turns", "4000", "--map", "petit", "--carte", "plan1"])
    for name, seed in ("ada", 1), ("ben", 1), ("eve", 2):
        ppo.train(str(tmp_path / name), maps=options.maps, games=8, seed=seed, turns=options.turns)
        # 8 games of 64 turns for four seats, twice.
        assert capsys.readouterr().out.splitlines()[-1].split()[1] == "4096"
    ada, ben, eve = ((tmp_path / name).read_bytes() for name in ("ada", "ben", "eve"))
    assert ada == ben != eve


def test_its_flags_and_words_are_french_as_well(tmp_path):
    policy = ppo.Policy(begun(1)[2], numpy.random.default_rng(1))
    policy.save(tmp_path / "ada.npz")
    flags = ["--adversaires", "prudent", "prudent", "prudent", "--parties", "4", "--carte", "petit"]
    told = ran("evaluate", "ada.npz", *flags, cwd=tmp_path, env={**os.environ, "LC_ALL": "fr_FR.UTF-8"})
    assert re.fullmatch(r"[\d.]+% de premières places en 4 parties, -?\d+ points par partie\n", told.stdout), told


@pytest.mark.parametrize("arguments", [
    ["-h"], ["train", "-h"], ["evaluate", "-h"], ["play", "-h"], [], ["lern"], ["train"], ["train", "ada.npz", "--no-such-flag"],
    ["train", "ada.npz", "--opponents", "nobody", "glouton", "glouton"], ["evaluate", "ada.npz", "--opponents", "glouton"],
    ["train", "ada.npz", "--minutes", "soon"], ["train", "ada.npz", "--turns", "0"], ["evaluate", "ada.npz", "--games", "6"],
])
def test_its_help_and_what_it_refuses_are_french_as_well(arguments, monkeypatch, capsys):
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    with pytest.raises(SystemExit) as ended:
        ppo.main(arguments)
    text = "".join(capsys.readouterr())
    assert ended.value.code == (0 if "-h" in arguments else 2) and text.startswith("utilisation : "), text
    english = re.search(r"usage:|show this|error:|argument |invalid|choose from|expected|required|\[default", text)
    assert not english, (english, text)


@pytest.mark.parametrize(("arguments", "words"), [
    (["evaluate", "ada.npz", "--games", "6"], "--games/--parties: expected a positive multiple of 4, got '6'"),
    (["train", "ada.npz", "--turns", "0"], "--turns/--tours: expected a whole number from 1 to [0-9]+, got '0'"),
    (["train", "ada.npz", "--opponents", "nobody", "glouton", "glouton"], "nobody"),
    (["train", "ada.npz", "--minutes", "nan"], "--minutes: expected a number of minutes, as 60, got 'nan'"),
    (["evaluate", "ada.npz", "--no-such-flag"], "no-such-flag"),
    (["lern"], "invalid choice: 'lern'"),
    ([], "arguments are required"),
])
def test_its_mistakes_are_told(arguments, words, capsys):
    with pytest.raises(SystemExit) as ended:
        ppo.main(arguments)
    assert ended.value.code == 2 and re.search(words, capsys.readouterr().err)


@pytest.mark.parametrize(("file", "words"), [
    ("nowhere.npz", "ppo: .*nowhere.npz"), (__file__, "ppo: .*test_ppo.py is not of a policy of this program"),
])
def test_files_that_are_no_policies_are_named(file, words):
    told = ran("evaluate", file)
    assert told.returncode == 1 and re.search(words, told.stderr), told
