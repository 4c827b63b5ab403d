#!/usr/bin/env bash
# Checks on Linux what macOS and Windows compile, against the standard libraries of those systems, which rustup brings. Nothing
# is linked: C code of dependencies is not compiled, and commands that do nothing or make empty libraries stand for its tools.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=(checkup client lab pacman-iuto rejeu server tournoi)
targets=(aarch64-apple-darwin x86_64-pc-windows-msvc)
mkdir -p "${CARGO_TARGET_DIR:=target}/portable"
CARGO_TARGET_DIR=$(cd "$CARGO_TARGET_DIR/portable" && pwd)
export CARGO_TARGET_DIR

# The workflows also compile on these systems themselves; a machine without the network, or without rustup, leaves it to them.
if ! timeout 120 rustup target add "${targets[@]}"; then
    echo "portable.sh: the standard libraries of ${targets[*]} cannot be had here: nothing is checked" >&2
    exit 0
fi
cat >"$CARGO_TARGET_DIR/ar" <<'END'
#!/bin/sh
for word; do case $word in -out:*) : >"${word#-out:}" ;; esac; done
END
chmod +x "$CARGO_TARGET_DIR/ar"
export TARGET_CC=true TARGET_AR=$CARGO_TARGET_DIR/ar
for target in "${targets[@]}"; do
    cargo check --quiet --locked --target "$target" "${programs[@]/#/--package=}" --all-features
done
