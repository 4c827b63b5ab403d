#!/usr/bin/env bash
# Checks everything: formatting, lints, documentation, and all tests of the workspace.
set -euo pipefail
cd "$(dirname "$0")/.."

python3 -c "import venv, ensurepip" || { echo "python3 with venv is needed (Debian: apt-get install python3-venv)" >&2; exit 2; }
# Tests start Python often: without what this machine's Python loads each time, which may cost more than the rest.
python=${CARGO_TARGET_DIR:-target}/python
python3 -m venv --without-pip --clear "$python"
PATH=$(cd "$python/bin" && pwd):$PATH
# What maturin tells the compiler as well. If it changed, everything around the Python package would be compiled again.
PYO3_PYTHON=$(python3 -c "import os, sys; print(os.path.realpath(sys._base_executable))")
PYO3_ENVIRONMENT_SIGNATURE=$(python3 -c "import sys; v = sys.version_info; print(f'{sys.implementation.name}-{v[0]}.{v[1]}-64bit')")
export PYO3_PYTHON PYO3_ENVIRONMENT_SIGNATURE
install() { # if that is possible, and whoever sits at the terminal agrees
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 0
    if [ -z "${CI:-}" ] && [ -t 0 ]; then
        read -rp "$1 is missing, tests need it. Install it with apt-get? [y/N] " answer
        [[ $answer = [yYoO]* ]] || return 0
    fi
    apt-get update -q && apt-get install -y -q --no-install-recommends "$1"
}
# Chromium without windows takes half the processor time for a page; not every system has a package of it.
has_shell() { command -v chromium-headless-shell >/dev/null; }
has_browser() { [ -n "${CHROME:-}" ] || has_shell || command -v chromium chromium-browser google-chrome >/dev/null; }
if ! has_shell && { [ -n "${CI:-}" ] || ! has_browser; }; then
    install chromium-headless-shell || has_browser || install chromium
fi
has_browser || { echo "chromium is needed: tests open the web page in it (Debian: apt-get install chromium)" >&2; exit 2; }
if [ -z "${CHROME:-}" ] && has_shell; then
    CHROME=$(command -v chromium-headless-shell)
    export CHROME
fi
has_broker() { command -v nats-server >/dev/null; }
has_broker || install nats-server
has_broker || { echo "nats-server is needed: tests play tournaments through it (Debian: apt-get install nats-server)" >&2; exit 2; }
command -v npm >/dev/null || install npm
command -v npm >/dev/null || { echo "npm is needed: it brings what checks the pages (Debian: apt-get install npm)" >&2; exit 2; }

has_shellcheck() { command -v shellcheck >/dev/null; }
has_shellcheck || install shellcheck
has_shellcheck || { echo "shellcheck is needed: it reads the scripts (Debian: apt-get install shellcheck)" >&2; exit 2; }

# Only sources are committed: what a compiler made is larger than any of them.
large=$(git ls-files -z | xargs -0 sh -c 'find "$@" -prune -size +256k' sh)
[ -z "$large" ] || { printf 'committed files have at most 256 kB, these have more:\n%s\n' "$large" >&2; exit 1; }

work=$(mktemp -d)
beside=
trap '[ -z "$beside" ] || kill -- "-$beside" 2>/dev/null || true; rm -rf "$work"' EXIT
start() { # a function beside what follows, in a process group that ends with this script
    set -m
    "$1" </dev/null >"$work/log" 2>&1 &
    beside=$!
    set +m
}
finish() { # what was started: waits for it, and shows what it said
    wait "$beside" && code=0 || code=$?
    cat "$work/log"
    [ "$code" = 0 ] || exit "$code"
    beside=
}

cargo fmt --all --check
sources() { # as they are, without a compiler
    git ls-files -z '*.sh' .ci/run | xargs -0 shellcheck -x
    scripts/documents.py
    scripts/crates.py --check
    scripts/modules.sh
}
start sources
cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
scripts/portable.sh
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features --locked
cargo build --workspace --tests --bins --all-features --locked
scripts/page.sh
finish
BUILT=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)/debug
PAGE=${BUILT%/debug}/page
export BUILT PAGE

wheel() { # the package for Python, around the programs that were built above
    cp "$BUILT/pacman-iuto" "$work/"
    strip "$work/pacman-iuto"
    PROFILE=dev PROGRAMS=$work/pacman-iuto scripts/paquet.sh "$work/paquet"
}
stick() { # the archive for a room without internet, whose programs do what the documents show
    [ "$(uname -s)" = Linux ] || return 0
    scripts/cle-usb.sh "$work"
    tar -C "$work" -xzf "$work"/*.tar.gz
    scripts/documents.py "$work"/*/bin
}
rest() { # in the time that the tests leave; the documents' programs mostly wait
    renice -n 5 "$BASHPID" >/dev/null
    stick &
    wheel
    cargo test --workspace --all-features --locked --quiet --doc
    wait "$!"
}
start rest

# Many tests wait for programs more than they compute. cargo-nextest does not wait for the longest test of each crate.
threads=$(($(nproc) * 5 / 2))
if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --workspace --all-features --locked --test-threads "$threads" --no-fail-fast \
        --status-level slow --final-status-level slow
else
    # The test of a loaded machine loads every core itself.
    RUST_TEST_THREADS=$threads cargo test --workspace --all-features --locked --tests -- --skip loaded::
    cargo test --package server --all-features --locked --test programs loaded::
fi
finish
