#!/usr/bin/env python3
"""Draws the crates of the workspace and what they depend on, as docs/crates.svg; with --check, tells whether it is current, and
whether no crate depends on what ARCHITECTURE.md forbids."""
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WIDTH, HEIGHT, ACROSS, DOWN, MARGIN = 120, 34, 26, 62, 20


def dependencies():
    """The crates that each crate needs, tests aside."""
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps", "--locked"]
    packages = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)["packages"]
    names = {package["name"] for package in packages}
    return {
        package["name"]: {
            needed["name"] for needed in package["dependencies"] if needed["kind"] is None and needed["name"] in names
        }
        for package in packages
    }


def reduced(needs):
    """The arrows without those that others imply."""

    def all_of(name):
        return needs[name].union(*(all_of(needed) for needed in needs[name]))

    return {name: {one for one in direct if not any(one in all_of(other) for other in direct)} for name, direct in needs.items()}


def layers(needs):
    """Rows of crates: each above those that need it, near the middle of what it needs."""
    depth = {}

    def deep(name):
        if name not in depth:
            depth[name] = 1 + max((deep(needed) for needed in needs[name]), default=-1)
        return depth[name]

    rows = [[] for _ in range(1 + max(map(deep, sorted(needs))))]
    for name in sorted(needs):
        rows[depth[name]].append(name)
    place = {}
    for row in rows:
        middle = {name: sum(place[needed] for needed in needs[name]) / max(1, len(needs[name])) for name in row}
        row.sort(key=lambda name: (middle[name], name))
        for index, name in enumerate(row):
            place[name] = index - (len(row) - 1) / 2
    return rows, place


def drawing():
    needs = reduced(dependencies())
    rows, place = layers(needs)
    width = max(map(len, rows)) * (WIDTH + ACROSS) - ACROSS + 2 * MARGIN
    height = len(rows) * (HEIGHT + DOWN) - DOWN + 2 * MARGIN
    x = {name: width / 2 + place[name] * (WIDTH + ACROSS) for name in needs}
    y = {name: MARGIN + level * (HEIGHT + DOWN) for level, row in enumerate(rows) for name in row}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="14">',
        "<title>The crates, each below those that it depends on; arrows that others imply are left out</title>",
        f'<rect width="{width}" height="{height}" fill="#fbfcff"/>',
    ]
    for name in sorted(needs):
        for needed in sorted(needs[name]):
            top, bottom = y[needed] + HEIGHT, y[name]
            bend = (bottom - top) / 2
            parts.append(
                f'<path d="M{x[name]:.0f} {bottom}C{x[name]:.0f} {bottom - bend:.0f} {x[needed]:.0f} {top + bend:.0f} {x[needed]:.0f} {top}"'
                ' fill="none" stroke="#8a93a8"/>'
            )
    for name in sorted(needs):
        parts.append(
            f'<rect x="{x[name] - WIDTH / 2:.0f}" y="{y[name]}" width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#e1e7fa" stroke="#3c57b8"/>'
            f'<text x="{x[name]:.0f}" y="{y[name] + 22}" text-anchor="middle">{name}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def forbidden_dependencies():
    """The crates of each line of the table in ARCHITECTURE.md, and what they must not depend on."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = text.split("| crates | must not depend on |\n| --- | --- |\n")[1].split("\n\n")[0]
    return [[re.findall(r"`([^`]+)`", cell) for cell in line.strip("| ").split(" | ")] for line in table.splitlines()]


@cache
def all_dependencies(crate):
    """What a crate needs, directly or through other crates, tests aside."""
    command = ["cargo", "tree", "--locked", "-p", crate, "-e", "normal", "--prefix", "none", "--format", "{p}"]
    tree = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return {line.split()[0] for line in tree.splitlines() if line}


def violations():
    """The forbidden dependencies that exist, in words."""
    for crates, forbidden in forbidden_dependencies():
        for crate in crates:
            has = all_dependencies(crate)
            yield from (f"{crate} depends on {name}, which ARCHITECTURE.md forbids" for name in forbidden if name in has)


def main():
    picture = ROOT / "docs/crates.svg"
    if sys.argv[1:] == ["--check"]:
        if picture.read_text(encoding="utf-8") != drawing():
            sys.exit("docs/crates.svg is not what the manifests say: type scripts/crates.py")
        if found := list(violations()):
            sys.exit("\n".join(found))
    else:
        picture.write_text(drawing(), encoding="utf-8")


if __name__ == "__main__":
    main()
