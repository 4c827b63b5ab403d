"""Measures the package: one process, processor time on one core where nothing else is waited for, else time on the clock.

    python figures.py [--engine FILE] [NAME ...]     batch, threads, solo, ratio, parallel, local, server; all when missing

The game turns of a batch are those of all games together, with the observations of the four learners of each. Every answer is
checked before it is timed. ``--engine`` is a
Python file for another engine, such as the original one: its function ``play(turns)`` plays this number of turns of games between
four players on plan1, with orders that are drawn at random; `ratio` compares the batch with it.
"""
import argparse
import functools
import hashlib
import importlib.util
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

import numpy

import pacman_iuto
from pacman_iuto import BatchEnv, Bot, play_local, seul

COMMAND = shutil.which("pacman-iuto", path=os.path.dirname(sys.executable)) or "pacman-iuto"


def best(times, measured, work):
    """The best rate of several runs: what is counted a second of processor time."""
    return max(measured / timed(work) for _ in range(times))


def timed(work):
    """Seconds of processor time."""
    start = time.process_time()
    work()
    return time.process_time() - start


def batch(copy=False, games=256, steps=1000):
    rate = best(5, games * steps, playing(games, steps, copy=copy))
    print(f"batch of {games} games between four learners, copy={copy}: {rate:,.0f} game turns/s")
    return rate


def playing(games, steps, **options):
    """A function that plays this number of steps of games between four learners, with actions drawn at random."""
    env = BatchEnv(4 * games, opponents=[], learners=4, **options)
    env.reset(seed=1)
    actions = list(numpy.random.default_rng(1).integers(0, 16, (64, 4 * games)))
    observations, rewards, *_ = env.step(actions[0])
    assert rewards.shape == (4 * games,) and (observations["vector"][:, 0] == 199).all()

    def work():
        for step in range(steps):
            env.step(actions[step % 64])

    return work


def threads(games=256, steps=50, rounds=200):
    """One thread and two in turn, on the clock, so that both meet the same load; the best of each. Two threads that share nothing
    show in the same rounds what this machine has to give: twice as much, if both cores are free."""
    work = [playing(games, steps, copy=False, threads=count) for count in (1, 2)]
    work += [functools.partial(hashing, count) for count in (1, 2)]
    amounts = [games * steps, games * steps, 1, 2]
    rates, spent = [[], [], [], []], [[], [], [], []]
    for _ in range(rounds):
        for each, amount, rate, seconds in zip(work, amounts, rates, spent):
            start = time.perf_counter()
            seconds.append(timed(each))
            rate.append(amount / (time.perf_counter() - start))
    one, two, alone, both = map(max, rates)
    print(f"batch of {games} on the clock: {one:,.0f} game turns/s with a thread, {two:,.0f} with two ({two / one:.2f} times)")
    print(f"  at the same time, two threads that share nothing: {both / alone:.2f} times")
    print(f"  processor time of a turn with two threads: {min(spent[1]) / min(spent[0]):.2f} times that with one")


def hashing(count):
    """Lets threads hash at the same time, each 4 MB."""
    hashes = [threading.Thread(target=hashlib.sha256, args=(bytes(1 << 22),)) for _ in range(count)]
    for each in hashes:
        each.start()
    for each in hashes:
        each.join()


def solo(num_envs=256, steps=400):
    """The batch that learns against bots of the house, with copies."""
    env = BatchEnv(num_envs)
    env.reset(seed=1)
    actions = list(numpy.random.default_rng(1).integers(0, 16, (64, num_envs)))
    assert env.step(actions[0])[1].shape == (num_envs,)

    def work():
        for step in range(steps):
            env.step(actions[step % 64])

    print(f"batch of {num_envs} games against three prudent, with copies: {best(5, num_envs * steps, work):,.0f} game turns/s")


def ratio(engine=None):
    """The batch beside Python, in one run: its loop, the engine of the one file, and another one."""

    def loop():
        for _ in range(1_000_000):
            pass

    def alone(turns=2000):
        game = seul.Game(seul.PLAN1, "sujet", turns, 1, "ABCD")
        draw = numpy.random.default_rng(1)
        orders = ["".join(pair) for pair in draw.choice(list("NESO"), (4 * turns, 2))]

        def work():
            for turn in range(0, 4 * turns, 4):
                game.play_turn(orders[turn : turn + 4])

        return turns / timed(work)

    print(f"a plain loop of Python: {best(5, 1_000_000, loop):,.0f} rounds/s")
    quick = batch()
    slow = max(alone() for _ in range(5))
    print(f"the engine in Python of seul.py: {slow:,.0f} turns/s; the batch is {quick / slow:.0f} times as fast")
    if engine:
        spec = importlib.util.spec_from_file_location("moteur", engine)
        module = importlib.util.module_from_spec(spec)
        sys.path.insert(0, os.path.dirname(os.path.abspath(engine)))
        spec.loader.exec_module(module)
        slow = best(5, 2000, lambda: module.play(2000))
        print(f"{engine}: {slow:,.0f} turns/s; the batch is {quick / slow:.0f} times as fast")


def parallel(steps=200, games=10):
    from pacman_iuto.env import parallel_env

    env = parallel_env(turns=steps)
    draw = numpy.random.default_rng(1)
    actions = [dict(zip("ABCD", draw.integers(0, 16, 4).tolist())) for _ in range(steps)]

    def work():
        for seed in range(games):
            env.reset(seed=seed)
            for action in actions:
                told = env.step(action)
            assert all(told[3].values())

    print(f"PettingZoo environment, one game, resets included: {best(5, steps * games, work):,.0f} steps/s")


class Trivial(Bot):
    def play(self, view):
        return "NE"


def local(games=20):
    assert play_local(Trivial, "glouton", "glouton", "glouton").recording.verify() is None

    def work():
        for seed in range(games):
            play_local(Trivial, "glouton", "glouton", "glouton", turns=200, seed=seed)

    print(f"play_local, a trivial bot and three glouton, 200 turns: {best(5, games, work):.1f} games/s")


SDK = "from pacman_iuto import Bot, run\nclass Plain(Bot):\n    def play(self, view):\n        return 'NE'\nrun(Plain)\n"
PLAIN = """
import socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1]))) as server:
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    server.sendall(b"joueur;Plain\\0")
    received = b""
    while data := server.recv(65536):
        *complete, received = (received + data).split(b"\\0")
        for message in complete:
            if message.startswith(b"jeu;"):
                server.sendall(b"NE\\0")
"""


def served(script, turns):
    """Turns a second of a server's game with four bots of this script, by the server's own log."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "bot.py").write_text(script)
        flags = ["--port", "0", "--duree", str(turns), "--sans-enregistrement", "--journal", "warn"]
        server = subprocess.Popen(
            [COMMAND, "server", *flags], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=folder
        )
        port = re.search(r":(\d+) for", server.stdout.readline())[1]
        with socket.create_connection(("127.0.0.1", int(port))) as watcher:
            watcher.sendall(b"afficheur;watcher\0")
            bots = [subprocess.Popen([sys.executable, "bot.py", "--port", port], cwd=folder) for _ in range(4)]
            received, start = b"", None
            while True:
                data = watcher.recv(1 << 20)
                if start is None and b"\n1;" in received + data:
                    start = time.perf_counter()
                if not data or b"quit\n" in received + data:
                    break
                received = data[-64:]
        took = time.perf_counter() - start
        assert server.wait(60) == 0 and all(bot.wait(60) == 0 for bot in bots)
        return turns / took


def server(turns=20_000, pairs=7):
    """Each pair is measured in turn, so that both meet the same load."""
    ratios = []
    for _ in range(pairs):
        kit, plain = served(SDK, turns), served(PLAIN, turns)
        ratios.append(kit / plain)
        print(f"  server with four bots of the kit: {kit:,.0f} turns/s, with four plain sockets: {plain:,.0f}")
    print(f"server's game, kit to plain sockets: {sorted(ratios)[pairs // 2]:.2f} (median of {pairs} pairs)")


FIGURES = {
    "batch": batch,
    "threads": threads,
    "solo": solo,
    "ratio": ratio,
    "parallel": parallel,
    "local": local,
    "server": server,
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measures the package")
    parser.add_argument("names", nargs="*", metavar="NAME", default=list(FIGURES), help=", ".join(FIGURES))
    parser.add_argument("--engine", "--moteur", metavar="FILE", help="another engine, with a function play(turns)")
    options = parser.parse_args()
    if not set(options.names) <= set(FIGURES):
        parser.error(f"expected some of: {', '.join(FIGURES)}")
    print(f"pacman-iuto {pacman_iuto.__version__}, load {os.getloadavg()}")
    for name in options.names:
        FIGURES[name](*[options.engine] * (name == "ratio"))
    print(f"load {os.getloadavg()}")
