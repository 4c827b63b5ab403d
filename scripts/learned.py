#!/usr/bin/env python3
"""Trains the policy by which `champion` foresees players that have learned: half an hour of processor time.

    python scripts/learned.py

It needs the Python package with its learning extra, `pacman-iuto[rl]`. The same machine makes the same file again; another one may
round otherwise. The file has six arrays for each of two perceptrons: the scale of each, and a byte for each number.
"""
import os
import sys
from pathlib import Path

import numpy

from pacman_iuto.tutoriel import ppo

SEED, TURNS, MAPS = 3, 30_000_000, ["plan1", "petit", "dense", "objets"]
FILE = Path(__file__).parent.parent / "core/bots/src/champion/opponents/learned.bin"


def packed(policy):
    """The perceptrons of the pacman and of the ghost."""
    written = b""
    for network in policy.networks[:2]:
        for array in network.parameters():
            scale = numpy.float32(abs(array).max() / 127)
            written += scale.astype("<f4").tobytes() + numpy.rint(array / scale).astype(numpy.int8).tobytes()
    return written


def main():
    weights = os.fspath(FILE.with_suffix(".npz"))
    policy = ppo.train(weights, maps=MAPS, seed=SEED, turns=TURNS)
    FILE.write_bytes(packed(policy))
    os.remove(weights)


if __name__ == "__main__":
    sys.exit(main())
