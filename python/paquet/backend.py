"""Builds the package as maturin does, with the programs beside the compiled module, and the page in which one plays.

The config setting ``build-args`` goes to maturin; of it, the programs heed ``--profile``, ``--target`` and ``--zig``, which
makes them for every Linux since glibc 2.17 (with the packages ziglang and cargo-zigbuild). With the setting ``programs``, that
file is taken for them. The page is there if ``scripts/page.sh`` has made it.
"""
import argparse
import io
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile

import maturin
from maturin import *  # noqa: F403  (the other hooks are maturin's)

HERE = pathlib.Path(__file__).resolve().parent.parent
NAME = "pacman-iuto.exe" if sys.platform == "win32" else "pacman-iuto"


def build_programs(settings):
    """Puts the file that holds all the programs into the package."""
    settings = settings or {}
    built = settings.get("programs") or compiled(shlex.split(settings.get("build-args", "")))
    target = HERE / "pacman_iuto" / "bin" / NAME
    target.parent.mkdir(exist_ok=True)
    shutil.copy2(built, target)


def add_page():
    """Puts the page into the package, where the programs serve it."""
    made = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent / "target")) / "page"
    target = HERE / "pacman_iuto" / "page"
    # Python for the workshop would double the package: it is one of its own, in the folder `atelier`.
    for name in ("arene.html", "atelier.js"):
        if (made / name).exists():
            target.mkdir(exist_ok=True)
            shutil.copy2(made / name, target / name)


def compiled(arguments):
    """The file of the programs, as cargo builds it."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--profile", default="release")
    parser.add_argument("--target")
    parser.add_argument("--zig", action="store_true")
    asked, _ = parser.parse_known_args(arguments)
    command = ["cargo-zigbuild" if asked.zig else "cargo", "rustc", "--profile", asked.profile, "--locked"]
    command += ["--package", "pacman-iuto", "--bin", "pacman-iuto", "--no-default-features", "--features", "programs"]
    command += ["--target", asked.target + (".2.17" if asked.zig else "")] if asked.target else []
    command += ["--message-format", "json-render-diagnostics", "--", "-C", "strip=symbols"]
    # Smaller by a twelfth, for which the linker takes some minutes.
    command += ["-C", "lto=fat"] if asked.profile == "release" else []
    told = subprocess.run(command, cwd=HERE, check=True, stdout=subprocess.PIPE, text=True).stdout
    built = [json.loads(line).get("executable") for line in told.splitlines() if line.startswith("{")]
    return next(path for path in built if path)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build_programs(config_settings)
    add_page()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    build_programs(config_settings)
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    """Adds the maps, which lie outside of every crate, and locks the crates that are there."""
    add_page()
    name = maturin.build_sdist(sdist_directory, config_settings)
    path = pathlib.Path(sdist_directory) / name
    maps = next(folder for folder in (HERE / "cartes", HERE.parent / "cartes") if folder.is_dir())
    part, root = path.with_suffix(".part"), name[: -len(".tar.gz")]
    with tarfile.open(path) as made, tarfile.open(part, "w:gz") as whole:
        lock = io.BytesIO(locked(made, root))
        for member in made:
            content = made.extractfile(member) if member.isfile() else None
            if member.name == f"{root}/Cargo.lock":
                content, member.size = lock, len(lock.getbuffer())
            whole.addfile(member, content)
        for file in sorted(maps.glob("*.txt")):
            whole.add(file, f"{root}/cartes/{file.name}")
    part.replace(path)
    return name


def locked(archive, root):
    """The lock file for the crates of an archive: cargo refuses one that names other crates of the workspace."""
    with tempfile.TemporaryDirectory() as folder:
        for member in archive:
            archive.extract(member, folder)
        tree = pathlib.Path(folder) / root
        subprocess.run(["cargo", "update", "--quiet", "--workspace"], cwd=tree, check=True)
        return (tree / "Cargo.lock").read_bytes()
