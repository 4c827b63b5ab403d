#!/usr/bin/env bash
# Checks everything: formatting, lints, documentation, and all tests of the workspace.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v python3 >/dev/null || { echo "python3 is needed: a test runs the Python bot" >&2; exit 2; }

cargo fmt --all --check
cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features --locked
cargo test --workspace --all-features --locked
