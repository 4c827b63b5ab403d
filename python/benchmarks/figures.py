"""Measures the package: one process, one core, processor time where nothing else is waited for.

    python figures.py [NAME ...]     batch, observations, parallel, local, server; all when missing

The game turns of a batch are those of all games together. Every answer is checked before it is timed.
"""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import numpy

import pacman_iuto
from pacman_iuto import BatchEnv, Bot, play_local

COMMAND = shutil.which("pacman-iuto", path=os.path.dirname(sys.executable)) or "pacman-iuto"


def best(times, measured, work):
    """The best rate of several runs: what is counted a second of processor time."""
    rates = []
    for _ in range(times):
        start = time.process_time()
        work()
        rates.append(measured / (time.process_time() - start))
    return max(rates)


def batch(observations=False, games=256, steps=1000):
    env = BatchEnv(games, seed=1, observations=observations)
    draw = numpy.random.default_rng(1)
    actions = [draw.integers(0, 4, (games, 4, 2), dtype=numpy.uint8) for _ in range(64)]
    assert env.step(actions[0])[1].shape == (games, 4) and (env.turn == 1).all()

    def work():
        for step in range(steps):
            env.step(actions[step % 64])

    def plain():
        for _ in range(200_000):
            pass

    rate = best(5, games * steps, work)
    print(f"batch of {games}, observations {observations}: {rate:,.0f} game turns/s")
    print(f"  a plain loop of Python beside it: {best(5, 200_000, plain):,.0f} rounds/s")
    print(f"  to the original engine in Python (11,000 turns/s; 8,400 on a slower machine): {rate / 11_000:.0f}; {rate / 8_400:.0f}")


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
    "observations": lambda: batch(observations=True, steps=400),
    "parallel": parallel,
    "local": local,
    "server": server,
}

if __name__ == "__main__":
    print(f"pacman-iuto {pacman_iuto.__version__}, load {os.getloadavg()}")
    for name in sys.argv[1:] or FIGURES:
        FIGURES[name]()
    print(f"load {os.getloadavg()}")
