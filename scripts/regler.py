#!/usr/bin/env python3
"""Tunes constants of champion against a mixed field, by simultaneous perturbation stochastic approximation (SPSA; Spall 1998).

    scripts/regler.py [MAP…]      iterates until ROUNDS (30) iterations are done, on these maps or on four of cartes/
    scripts/regler.py valeurs     prints the constants now, beside those of the sources

Each iteration moves every constant up or down by chance, builds champion with these moves and with the opposite ones, and lets
both play the same GAMES (96) of the example `students`; then it moves the constants towards the version with more reward.
GAIN (15) scales these moves, and SEED (1000000) draws their signs and the games. A copy of the sources is edited and built: the
folder FOLDER (regler/ in cargo's target folder) holds it, and iterations.jsonl with a line for each iteration. A run that was
interrupted goes on with the next run; delete the folder to begin anew. Processor: one core at low priority.
"""
import json
import math
import os
import random
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = Path("core/bots/src")
FOLDER = Path(os.environ.get("FOLDER") or Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"), "regler")).resolve()
COPY, BUILD, LOG = FOLDER / "copy", FOLDER / "build", FOLDER / "iterations.jsonl"
MAPS = [ROOT / f"cartes/{name}.txt" for name in ("petit", "plan1", "objets", "dense")]

# Each constant has a scale and a perturbation on it: positive numbers move by factors, probabilities and discounts by their odds.
LOGARITHM = (math.log, math.exp)
LOGIT = (lambda share: math.log(share / (1 - share)), lambda odds: 1 / (1 + math.exp(-odds)))
CONSTANTS = {
    "champion.rs:PREY_DISCOUNT": (LOGIT, 0.25),
    "champion/attraction.rs:APPEARING": (LOGARITHM, 0.2),
    "champion/attraction.rs:FADING": (LOGIT, 0.2),
    "champion/attraction.rs:HOLDS": (LOGARITHM, 0.2),
    "champion/claims.rs:LEFT_IF_LATE": (LOGIT, 0.3),
    "champion/claims.rs:TIED": (LOGIT, 0.3),
    "champion/collect.rs:FLIGHT": (LOGIT, 0.4),
    "champion/collect.rs:GAINED": (LOGARITHM, 0.25),
    "champion/collect.rs:WAITING": (LOGARITHM, 0.25),
    "champion/hunt.rs:CATCH": (LOGARITHM, 0.15),
    "champion/hunt.rs:ELSEWHERE": (LOGARITHM, 0.3),
    "champion/pursuit.rs:PATIENCE": (LOGIT, 0.25),
    "champion/race.rs:SPREAD": (LOGARITHM, 0.2),
    "champion/rehearsal.rs:STAYS_ON_WALK": (LOGIT, 0.3),
}
# The usual exponents of the gains; DELAY keeps the first moves small.
MOVES, PERTURBATIONS, DELAY = 0.602, 0.101, 3
REWARD = re.compile(r"^all: .*; reward ([\d.]+) ± ([\d.]+);", re.MULTILINE)


def number_of(name, default, least):
    text = os.environ.get(name, default)
    if not text.isdecimal() or int(text) < least:
        raise SystemExit(f"error: {name} is {text!r}, expected a whole number from {least} on")
    return int(text)


def found(folder, constant):
    """The file of a constant, its text, and where its value is."""
    file, name = constant.split(":")
    path = folder / SOURCES / file
    text = path.read_text() if path.is_file() else ""
    values = list(re.finditer(rf"^(?:pub(?:\([a-z]+\))? )?const {name}: f32 = ([\d_.]+);$", text, re.MULTILINE))
    if len(values) != 1:
        raise SystemExit(f"error: {SOURCES / file}: {len(values)} lines of the form `const {name}: f32 = NUMBER;`, expected one")
    return path, text, values[0]


def iterations():
    lines = LOG.read_text().splitlines() if LOG.exists() else []
    try:
        return [json.loads(line) for line in lines]
    except json.JSONDecodeError as error:
        raise SystemExit(f"error: {LOG}: expected an object of JSON in each line: {error}") from error


def copy_sources():
    shutil.rmtree(COPY, ignore_errors=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            # The copies are new for cargo: it builds them again, and nothing else.
            shutil.copyfile(ROOT / name, COPY / name)


def build(version, values):
    for constant, value in values.items():
        path, text, old = found(COPY, constant)
        path.write_text(f"{text[: old.start(1)]}{value:.6f}{text[old.end(1) :]}")
    command = ["cargo", "build", "--quiet", "--locked", "--release", "--package", "bots", "--example", "students"]
    environment = {"CARGO_BUILD_JOBS": "1"} | os.environ | {"CARGO_TARGET_DIR": str(BUILD)}
    if subprocess.run(command, cwd=COPY, env=environment).returncode:
        raise SystemExit(f"error: the version {version} of champion does not compile: see {COPY}")
    shutil.copy(BUILD / "release/examples/students", FOLDER / version)


def play(version, games, seed, maps):
    """The mean reward of a version, and its standard error."""
    command = [FOLDER / version, "champion", "mixed", str(games), str(seed), *maps]
    played = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8")
    if played.returncode or not (reward := REWARD.search(played.stdout)):
        raise SystemExit(f"error: no reward of the version {version}: {played.stdout}")
    return float(reward[1]), float(reward[2])


def processor_time():
    """Seconds that cargo and the games have taken of the processor."""
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def iterate(iteration, values, games, seed, gain, maps):
    """Plays an iteration, and returns its line."""
    draws = random.Random(seed)
    signs = {constant: draws.choice((-1, 1)) for constant in CONSTANTS}
    perturbation = 1 / (iteration + 1) ** PERTURBATIONS

    def moved(distance):
        scaled = {name: (*scale, step * signs[name] * distance) for name, (scale, step) in CONSTANTS.items()}
        return {name: inverse(scale(values[name]) + move) for name, (scale, inverse, move) in scaled.items()}

    start = processor_time()
    build("plus", moved(perturbation))
    build("minus", moved(-perturbation))
    built = processor_time()
    (plus, error), (minus, other_error) = (play(version, games, seed, maps) for version in ("plus", "minus"))
    slope = (plus - minus) / (2 * perturbation)
    # A move of more than a perturbation would be luck.
    move = max(-1, min(1, gain / (iteration + 1 + DELAY) ** MOVES * slope))
    print(f"iteration {iteration}: reward {plus:.4f} ± {error:.4f} and {minus:.4f} ± {other_error:.4f}, move {move:+.3f};"
          f" processor: {built - start:.0f} s to build, {processor_time() - built:.0f} s to play", flush=True)
    return {"iteration": iteration, "games": games, "signs": signs, "plus": plus, "minus": minus, "values": moved(move)}


def values_after(done, sources):
    """The constants after these iterations; those that the last one lacks are as in the sources."""
    return sources | ({name: value for name, value in done[-1]["values"].items() if name in sources} if done else {})


def tune(maps, sources):
    games, rounds, gain = number_of("GAMES", "96", 2), number_of("ROUNDS", "30", 1), number_of("GAIN", "15", 1)
    seed = number_of("SEED", "1000000", 0)
    os.nice(10)
    copy_sources()
    while len(done := iterations()) < rounds:
        played = sum(line["games"] for line in done)
        line = iterate(len(done), values_after(done, sources), games, seed + played, gain, maps)
        with LOG.open("a") as log:
            log.write(json.dumps(line) + "\n")


args = sys.argv[1:]
if any(arg.startswith("-") for arg in args):
    raise SystemExit(__doc__)
sources = {constant: float(found(ROOT, constant)[2][1]) for constant in CONSTANTS}
if args != ["valeurs"]:
    paths = [Path(arg).resolve() for arg in args] or MAPS
    for path in paths:
        if not path.is_file():
            raise SystemExit(f"error: no map {path}")
    try:
        tune(paths, sources)
    except KeyboardInterrupt:
        print("interrupted: the next run plays this iteration anew")
done = iterations()
print(f"{'after ' + str(len(done)) + ' iterations':<35}  sources       now")
for constant, value in values_after(done, sources).items():
    print(f"{constant:<35} {sources[constant]:>8.4f}  {value:>8.4f}")
