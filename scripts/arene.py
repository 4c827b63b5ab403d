#!/usr/bin/env python3
"""Measures the arena in a page, as scripts/page.sh makes it, in Chromium.

    scripts/arene.py ouvrir        how soon one plays in the page from a file, and how soon it shows a move
    scripts/arene.py atelier       how soon Python is ready in the workshop, and how long bot.py takes for a game of 200 turns
    scripts/arene.py champion      how long a decision of champion takes in the page and in a program
    scripts/arene.py classe [N]    how many turns N browsers (30) miss in a tournament over a network, each with a bot of its own

The browser has no graphics card, and the processors CORES (all; 0 to compare champion); figures are those of RUNS (5) fresh profiles.
The program of the tournament comes from the folder BUILT, or is built; DELAI is the time that an order may take in it (1s).
"""
import contextlib
import itertools
import json
import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PAGE = TARGET / "page"
RUNS = int(os.environ.get("RUNS", "5"))
CORES = os.environ.get("CORES", f"0-{os.cpu_count() - 1}")

# Functions that all scripts in the page use.
TOOLS = """
const find = (id) => document.getElementById(id);
const pause = (time) => new Promise((done) => setTimeout(done, time));
const until = async (isSo) => {
    const end = performance.now() + 60_000;
    while (!isSo()) {
        if (performance.now() > end) throw new Error(`not in a minute: ${isSo}`);
        await pause(2);
    }
};
const measure = (act) => addEventListener("DOMContentLoaded", () => act().then(
    (figures) => (window.measured = figures),
    (error) => (window.measured = String(error)),
));
"""
# From the first opening until a turn was played by a key; then a hundred keys against `glouton`, `dijkstra` and `champion`.
OPEN = TOOLS + """
measure(async () => {
    const drawn = (turn) => new Promise((done) => {
        const board = document.querySelector("#board canvas");
        const look = () => Number(board.dataset.turn) >= turn && requestAnimationFrame(() => done());
        new MutationObserver(look).observe(board, { attributeFilter: ["data-turn"] });
        look();
    });
    await until(() => document.querySelector("#plan option"));
    find("start").click();
    await drawn(0);
    const times = [];
    let opened;
    for (let turn = 1; turn <= 100; turn += 1) {
        const pressed = performance.now();
        dispatchEvent(new KeyboardEvent("keydown", { key: turn % 2 ? "ArrowRight" : "ArrowLeft" }));
        await drawn(turn);
        times.push(performance.now() - pressed);
        // The page counts from when the browser began to open it.
        opened ??= performance.now();
        await pause(50);
    }
    times.sort((a, b) => a - b);
    return [opened, times[49], times[94], times[99]];
});
"""
# Until Python is ready, and games of `bot.py` against the bots that the form has, and against three `glouton`.
WORKSHOP = TOOLS + """
measure(async () => {
    await until(() => /ready/.test(find("python")?.textContent ?? ""));
    const figures = [performance.now()];
    for (const bots of [["glouton", "dijkstra", "champion"], ["glouton", "glouton", "glouton"]]) {
        [...document.querySelectorAll("#bots select")].slice(1).forEach((seat, index) => (seat.value = bots[index]));
        const began = performance.now();
        find("run").click();
        await until(() => find("halt").disabled);
        figures.push(performance.now() - began);
        if (!find("run-told").textContent.startsWith("The game is over")) throw new Error(find("run-told").textContent);
    }
    return figures;
});
"""
# Milliseconds for a decision of champion, in the games that `web/arene/examples/champion.rs` plays.
CHAMPION = """
const { load } = await import("./arene.js");
const arena = await load();
const play = (turns) => {
    const game = arena.game({ seed: 7, turns, players: Array(4).fill("champion") });
    while (!game.over) game.step();
    return game.ranking.map(({ points }) => points).join();
};
play(30);
const began = performance.now();
const points = play(150);
return [(performance.now() - began) / 600, points];
"""
# A player of a class: the example in JavaScript under a name of its own.
PLAYER = TOOLS + """
await until(() => find("bot")?.length && !find("enter").hidden);
find("bot").value = "bot.js";
find("bot").dispatchEvent(new Event("change"));
find("bot-name").value = %r;
find("bot-name").dispatchEvent(new Event("change"));
find("enter").click();
await until(() => find("run-told").textContent.includes("waits"));
"""


class Browser:
    """A browser with a profile of its own, which is driven over a pipe."""

    def __init__(self, cores=CORES):
        names = [os.environ.get("CHROME"), "chromium", "chromium-browser", "google-chrome"]
        program = next(filter(None, (shutil.which(name) for name in names if name)), None)
        if program is None:
            raise SystemExit("error: no Chromium: install one, or set CHROME to its program")
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        (theirs, to_it), (from_it, ours) = os.pipe(), os.pipe()
        # A browser that runs as root has no sandbox.
        command = ["taskset", "-c", cores, program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
                   "--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--window-size=1440,900",
                   f"--user-data-dir={self.profile.name}", "about:blank"]
        shell = ["sh", "-c", f'exec "$@" 3<&{theirs} 4>&{ours}', "sh", *command]
        self.process = subprocess.Popen(shell, pass_fds=(theirs, ours), stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(ours)
        self.output, self.input = os.fdopen(to_it, "wb"), os.fdopen(from_it, "rb")
        self.numbers = itertools.count(1)
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()

    def call(self, method, page=None, **terms):
        number = next(self.numbers)
        call = {"id": number, "method": method, "params": terms} | ({"sessionId": page} if page else {})
        self.output.write(json.dumps(call).encode() + b"\0")
        self.output.flush()
        while True:
            while b"\0" not in self.received:
                data = self.input.read1(1 << 16)
                if not data:
                    raise SystemExit("error: the browser is gone")
                self.received += data
            message, self.received = self.received.split(b"\0", 1)
            answer = json.loads(message)
            if answer.get("id") == number:
                if "error" in answer:
                    raise SystemExit(f"error: {method}: {answer['error']}")
                return answer["result"]

    def open(self, address, script="", context=None, without=None):
        """Opens a page, with a script that runs before its own ones, and without the files of an address."""
        place = {"browserContextId": context} if context else {}
        target = self.call("Target.createTarget", url="about:blank", **place)["targetId"]
        page = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable", page)
        if without:
            self.call("Network.enable", page)
            self.call("Network.setBlockedURLs", page, urls=[without])
        if script:
            self.call("Page.addScriptToEvaluateOnNewDocument", page, source=script)
        self.call("Page.navigate", page, url=address)
        return page

    def run(self, page, script):
        """Runs a script, and waits for what it returns."""
        expression = f"(async () => {{ {script} }})()"
        result = self.call("Runtime.evaluate", page, expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"error: {result['exceptionDetails']}")
        return result["result"].get("value")

    def measured(self, page):
        figures = self.run(page, "while (!window.measured) await new Promise((done) => setTimeout(done, 100)); return window.measured;")
        if isinstance(figures, str):
            raise SystemExit(f"error: {figures}")
        return figures


def told(figures):
    least, middle, most = min(figures), statistics.median(figures), max(figures)
    return f"{middle:.0f} ms ({least:.0f} to {most:.0f})"


def from_files(query, script):
    """The figures that a script measures in fresh browser profiles, one list for each."""
    runs = []
    for _ in range(RUNS):
        with Browser() as browser:
            runs.append(browser.measured(browser.open(f"{(PAGE / 'arene.html').as_uri()}?lang=en{query}", script)))
    return list(zip(*runs, strict=True))


def ouvrir():
    opened, median, most, longest = from_files("", OPEN)
    print(f"from the first opening to a turn played: {told(opened)}")
    print(f"from a key to the state on the screen: median {told(median)}, 95 % {told(most)}, at most {told(longest)}")


def atelier():
    ready, usual, glouton = from_files("&atelier", WORKSHOP)
    print(f"from the first opening until Python is ready: {told(ready)}")
    print(f"a game of 200 turns of bot.py: against glouton, dijkstra and champion {told(usual)}, against three glouton {told(glouton)}")


@contextlib.contextmanager
def served(folder):
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), lambda *all: Quiet(*all, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def champion():
    build = ["cargo", "build", "--quiet", "--locked", "--release", "--package", "arene", "--example", "champion"]
    subprocess.run(build, cwd=ROOT, check=True)
    program = ["taskset", "-c", "0", TARGET / "release/examples/champion"]
    ratios = []
    with served(PAGE) as address:
        for _ in range(RUNS):
            native, points = subprocess.run(program, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
            with Browser("0") as browser:
                page = browser.open(f"{address}/index.html")
                in_page, same = browser.run(page, CHAMPION)
            if points != same:
                raise SystemExit(f"error: the games differ: {points} and {same} points")
            ratios.append(in_page / float(native))
            print(f"{in_page:.2f} ms in the page, {float(native):.2f} ms in the program: {ratios[-1]:.2f}")
    print(f"median of the ratios: {statistics.median(ratios):.2f}")


def classe(browsers=30):
    programs = os.environ.get("BUILT")
    if not programs:
        build = ["cargo", "build", "--quiet", "--locked", "--profile", "jeu", "--package", "tournoi"]
        subprocess.run(build, cwd=ROOT, check=True)
    deadline = os.environ.get("DELAI", "1s")
    with tempfile.TemporaryDirectory() as folder:
        base = f"{folder}/classe.sqlite"
        command = [Path(programs or TARGET / "jeu").resolve() / "tournoi", "lan", base, "--carte", ROOT / "cartes/plan1.txt",
                   "--formule", "suisse", "--manches", "1", "--duree", "60", "--delai", deadline, "--port", "0", "--web", "0",
                   "--commencer-a", str(browsers), "--max-par-adresse", str(browsers), "--langue", "en"]
        tournament = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            address = next(found[0] for line in tournament.stdout if (found := re.search(r"http://[^\s/]+:\d+", line)))
            with Browser() as browser:
                for number in range(browsers):
                    context = browser.call("Target.createBrowserContext")["browserContextId"]
                    # A class has a machine for each Python.
                    page = browser.open(f"{address}/arene/?atelier&lang=en", context=context, without="*/python.js")
                    browser.run(page, PLAYER % f"browser-{number}.js")
                for line in tournament.stdout:
                    if "Ctrl-C" in line:
                        break
        finally:
            tournament.terminate()
            tournament.wait()
        with contextlib.closing(sqlite3.connect(base)) as results:
            columns = [row[1] for row in results.execute("PRAGMA table_info(seat)")]
            missed = [column for column in columns if "missed" in column]
            sums = ", ".join(f"sum({column})" for column in ["answers", *missed])
            answers, *counts = results.execute(f"SELECT {sums} FROM seat").fetchone()
            longest = results.execute("SELECT max(longest) FROM seat").fetchone()[0]
        print(f"{browsers} browsers, {deadline} for an order: {answers} answers, the longest after {longest / 1e3:.0f} ms, "
              + ", ".join(f"{column} {count}" for column, count in zip(missed, counts, strict=True)))


modes = {mode.__name__: mode for mode in (ouvrir, atelier, champion)}
match sys.argv[1:]:
    case [mode] if mode in modes:
        modes[mode]()
    case ["classe"]:
        classe()
    case ["classe", number] if number.isdecimal():
        classe(int(number))
    case _:
        raise SystemExit(__doc__)
