#!/usr/bin/env bash
# Checks what other systems than Linux compile, without their compilers: copies of the workspace in which no code is for
# Linux (as on macOS), and none for Unix (as on Windows). Dependencies and names that such a system lacks are gone there.
# What the standard library and other crates lack there is not noticed.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=(checkup client lab pacman-iuto replay server tournament)
mkdir -p "${CARGO_TARGET_DIR:=target}"
CARGO_TARGET_DIR=$(cd "$CARGO_TARGET_DIR" && pwd)
export CARGO_TARGET_DIR

# The system, and what to replace in sources and manifests.
check() {
    local copy=$CARGO_TARGET_DIR/portable/$1 before=$CARGO_TARGET_DIR/portable/before
    rm -rf "$before"
    [ ! -d "$copy" ] || mv "$copy" "$before"
    mkdir -p "$copy" "$before"
    cp -p Cargo.toml Cargo.lock clippy.toml README.md LISEZMOI.md PROTOCOL.md "$copy"
    cp -rp client contest core lab protocol python server tools "$copy"
    cp -rp cartes exemples "$copy"
    find "$copy" \( -name '*.rs' -o -name Cargo.toml \) -exec sed -i -E "$2" {} +
    # Cargo checks again what is newer.
    (cd "$copy" && find . -type f -exec sh -c 'for file; do
        cmp -s "$file" "$0/$file" && touch -r "$0/$file" "$file"
    done; true' "$before" {} +)
    (cd "$copy" && cargo check --quiet --locked "${programs[@]/#/--package=}" --all-features)
}

linux='s/target_os = "linux"/target_os = "none"/g; s/\bos::linux\b/os::none/g'
unix='s/cfg(!?)\(unix\)/cfg\1(any())/g; s/\bnot\(unix\)/not(any())/g; s/\bos::(unix|fd)\b/os::none/g; s/\b(net|signal)::unix\b/\1::none/g'
check macos "$linux"
check windows "$linux; $unix"
