#!/usr/bin/env bash
# Checks on Linux what macOS and Windows compile, against the standard libraries of those systems, which rustup brings. Nothing
# is linked: C code of dependencies is not compiled, and commands that do nothing or make empty libraries stand for its tools.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=(checkup client lab pacman-iuto replay server tournament)
targets=(aarch64-apple-darwin x86_64-pc-windows-msvc)
mkdir -p "${CARGO_TARGET_DIR:=target}/portable"
CARGO_TARGET_DIR=$(cd "$CARGO_TARGET_DIR/portable" && pwd)
export CARGO_TARGET_DIR

rustup target add "${targets[@]}"
cat >"$CARGO_TARGET_DIR/ar" <<'END'
#!/bin/sh
for word; do case $word in -out:*) : >"${word#-out:}" ;; esac; done
END
chmod +x "$CARGO_TARGET_DIR/ar"
export TARGET_CC=true TARGET_AR=$CARGO_TARGET_DIR/ar
for target in "${targets[@]}"; do
    cargo check --quiet --locked --target "$target" "${programs[@]/#/--package=}" --all-features
done
