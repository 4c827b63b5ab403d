#!/usr/bin/env bash
# Makes the Python package, a wheel and a source distribution, and a second wheel with Python for the workshop of its page; and tries
# the wheels in a fresh virtual environment: programs, tests, types and tutorials.
#
#   scripts/paquet.sh [FOLDER]     where they go; target/paquet when missing
#
# On Linux, the wheel is for every Linux since glibc 2.17: the compiler of the package ziglang makes it. MANYLINUX=0 takes
# this machine's compiler, and the wheel is for this machine.
# SOURCE=1 builds the source distribution as well, which compiles everything again.
# PROFILE=dev is a profile of cargo other than release, PROGRAMS=FILE an executable that is there already: for tests.
set -euo pipefail
cd "$(dirname "$0")/.."

destination=${1:-target/paquet}
mkdir -p "$destination"
destination=$(cd "$destination" && pwd)
rm -f "$destination"/pacman_iuto-* "$destination"/pacman_iuto_atelier-*
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Distributions take the licence from the package's own folder.
cmp LICENSE python/LICENSE
# Tests have made the page already.
[ -n "${PROGRAMS:-}" ] || scripts/page.sh
python3 -m venv "$work/build"
"$work/build/bin/pip" install --quiet "maturin>=1.9,<2"
arguments="--profile ${PROFILE:-release} --compression-level 9"
# An executable that is there already was made by another compiler.
if [ "$(uname -s)" = Linux ] && [ -z "${PROGRAMS:-}" ]; then manylinux=1; else manylinux=0; fi
if [ "${MANYLINUX:-$manylinux}" = 1 ]; then
    machine=$(uname -m)
    "$work/build/bin/pip" install --quiet ziglang cargo-zigbuild
    export PATH="$work/build/bin:$PATH"
    arguments+=" --zig --compatibility manylinux2014 --target $machine-unknown-linux-gnu"
fi
(cd python && PYTHONPATH=paquet PATH="$work/build/bin:$PATH" python -c \
    "import backend, sys; backend.build_sdist(sys.argv[1])" "$destination" >"$work/sdist.log" 2>&1) || { cat "$work/sdist.log"; exit 1; }
PATH="$work/build/bin:$PATH" "$work/build/bin/pip" wheel --quiet --no-deps --no-build-isolation \
    --config-settings "build-args=$arguments" --config-settings "programs=${PROGRAMS:-}" --wheel-dir "$destination" ./python
wheel=("$destination"/pacman_iuto-*.whl)
cp "$CARGO_TARGET_DIR/page/python.js" python/atelier/
"$work/build/bin/pip" wheel --quiet --no-deps --wheel-dir "$destination" ./python/atelier

# Outside of this folder, with nothing of it. Most modules that come along are never loaded: they need not be compiled.
python3 -m venv --without-pip "$work/fresh"
fresh=$work/fresh/bin
"$work/build/bin/pip" --python "$fresh/python" install --quiet --no-compile --find-links "$destination" \
    "${wheel[0]}[rl,atelier]" pytest mypy ruff typing_extensions
cp -r python/tests python/pyproject.toml "$work/"
cp tools/measure/tests/data/pyrat-variants.jsonl.gz "$work/tests/"
cd "$work"
"$fresh/ruff" check --quiet --no-cache "$OLDPWD/python"
"$fresh/ruff" check --quiet --no-cache --config "$work/pyproject.toml" --line-length 150 --target-version py311 \
    "$OLDPWD/scripts" "$OLDPWD/exemples"
# Tests that check types as well know what it has read.
export MYPY_CACHE_DIR=$work/mypy
"$fresh/mypy" --config-file pyproject.toml
"$fresh/stubtest" --mypy-config-file pyproject.toml pacman_iuto
SDIST=$(echo "$destination"/pacman_iuto-*.tar.gz) "$fresh/python" -m pytest -q -p no:cacheprovider tests
cd "$OLDPWD"

if [ "${SOURCE:-0}" = 1 ]; then
    python3 -m venv "$work/source"
    "$work/source/bin/pip" install --quiet --config-settings "build-args=$arguments" "$destination"/pacman_iuto-*.tar.gz
    "$work/source/bin/pacman-iuto" server --version
fi
echo "${wheel[0]} ($(du -h "${wheel[0]}" | cut -f1)), $(echo "$destination"/pacman_iuto-*.tar.gz "$destination"/pacman_iuto_atelier-*.whl)"
