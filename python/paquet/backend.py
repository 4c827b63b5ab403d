"""Builds the package as maturin does, with the programs beside the compiled module.

`ZIG_TARGET` (such as `x86_64-unknown-linux-gnu.2.17`) makes a wheel for every Linux since that version of
glibc; it needs the packages ziglang and cargo-zigbuild.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

import maturin
from maturin import *  # noqa: F403  (the other hooks are maturin's)

HERE = pathlib.Path(__file__).resolve().parent.parent
NAME = "pacman-iuto.exe" if sys.platform == "win32" else "pacman-iuto"


def build_programs():
    """Builds the file that holds all the programs, and puts it into the package."""
    zig = os.environ.get("ZIG_TARGET")
    command = ["cargo-zigbuild" if zig else "cargo", "rustc", "--release", "--locked", "--package", "pacman-iuto", "--bin", "pacman-iuto"]
    command += ["--target", zig] if zig else []
    command += ["--message-format", "json-render-diagnostics", "--", "-C", "strip=symbols"]
    told = subprocess.run(command, cwd=HERE, check=True, stdout=subprocess.PIPE, text=True).stdout
    built = [json.loads(line).get("executable") for line in told.splitlines() if line.startswith("{")]
    target = HERE / "pacman_iuto" / "bin" / NAME
    target.parent.mkdir(exist_ok=True)
    shutil.copy2(next(path for path in built if path), target)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build_programs()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    build_programs()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    """Adds the maps, which lie outside of every crate."""
    name = maturin.build_sdist(sdist_directory, config_settings)
    path = pathlib.Path(sdist_directory) / name
    maps = next(folder for folder in (HERE / "cartes", HERE.parent / "cartes") if folder.is_dir())
    part = path.with_suffix(".part")
    with tarfile.open(path) as made, tarfile.open(part, "w:gz") as whole:
        for member in made:
            whole.addfile(member, made.extractfile(member) if member.isfile() else None)
        for file in sorted(maps.glob("*.txt")):
            whole.add(file, f"{name[: -len('.tar.gz')]}/cartes/{file.name}")
    part.replace(path)
    return name
