#!/usr/bin/env bash
# Checks everything: formatting, lints, documentation, and all tests of the workspace.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v python3 >/dev/null || { echo "python3 is needed: a test runs the Python bot" >&2; exit 2; }
has_browser() { [ -n "${CHROME:-}" ] || command -v chromium chromium-browser google-chrome >/dev/null; }
if ! has_browser && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -q && apt-get install -y -q --no-install-recommends chromium
fi
has_browser || { echo "chromium is needed: tests open the web page in it (Debian: apt-get install chromium)" >&2; exit 2; }
if ! command -v nats-server >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -q && apt-get install -y -q --no-install-recommends nats-server
fi
command -v nats-server >/dev/null ||
    { echo "nats-server is needed: tests play tournaments on several machines through it (Debian: apt-get install nats-server)" >&2; exit 2; }

cargo fmt --all --check
cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
scripts/portable.sh
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features --locked
# The Python package has its tests in Python: scripts/paquet.sh runs them.
cargo test --workspace --exclude pacman-iuto --all-features --locked
# Alone: it loads every core.
cargo test -p server --all-features --locked --test programs loaded -- --ignored

# The archive for a room without internet is unpacked and tried out.
if [ "$(uname -s)" = Linux ]; then
    archive=$(mktemp -d)
    trap 'rm -rf "$archive"' EXIT
    PROFILE=dev scripts/cle-usb.sh "$archive"
fi
