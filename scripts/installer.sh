#!/usr/bin/env bash
# Builds all programs at once and installs them for the user who runs it, in cargo's folder: server, client, afficheur,
# rejeu, tournoi and lab.
#
#   scripts/installer.sh [--root FOLDER]     where they go: FOLDER/bin, for example --root /usr/local
#
# BUILT=FOLDER has the programs already, for tests.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/langue.sh

root=${CARGO_INSTALL_ROOT:-${CARGO_HOME:-$HOME/.cargo}}
case $# in
0) ;;
*)
    case $1 in --root=*) set -- --root "${1#*=}" "${@:2}" ;; esac
    if [ $# -ne 2 ] || [ "$1" != --root ]; then
        said "usage: scripts/installer.sh [--root FOLDER]" "utilisation : scripts/installer.sh [--root DOSSIER]" >&2
        exit 2
    fi
    case $2 in /*) root=$2 ;; *) root=$OLDPWD/$2 ;; esac
    ;;
esac
programs=(server client afficheur rejeu tournoi lab)
built=${BUILT:-}
if [ -z "$built" ]; then
    flags=()
    for program in "${programs[@]}"; do flags+=(--bin "$program"); done
    compile --release --locked "${flags[@]}"
    built=${CARGO_TARGET_DIR:-target}/release
fi
mkdir -p "$root/bin"
for program in "${programs[@]}"; do install -m 755 "$built/$program" "$root/bin/"; done
said "installed in $root/bin: ${programs[*]}" "installés dans $root/bin : ${programs[*]}"
case :$PATH: in
*":$root/bin:"*) ;;
*) said "to type their names: export PATH=\"$root/bin:\$PATH\"" "pour taper leurs noms : export PATH=\"$root/bin:\$PATH\"" ;;
esac
