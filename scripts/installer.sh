#!/usr/bin/env bash
# Installs all programs for the user who runs it, in cargo's folder: server, client, afficheur, rejeu, tournoi and lab.
#
#   scripts/installer.sh [FLAGS OF CARGO INSTALL]     for example: --root /usr/local
set -euo pipefail
cd "$(dirname "$0")/.."

# Crates share what they depend on in one folder.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
for crate in server client replay tournament lab; do
    cargo install --locked --path "$crate" "$@"
done
