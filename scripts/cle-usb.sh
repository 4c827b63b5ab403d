#!/usr/bin/env bash
# Makes one archive for a room without internet: the programs, which need nothing installed, the page in which one plays, the
# maps, the documents, and the bots to begin with. Then unpacks it elsewhere and plays a tournament there.
#
#   scripts/cle-usb.sh [FOLDER]     where the archive goes; target/ when missing
#
# BUILT=FOLDER has the programs already, for tests: they need the libraries of this machine. The page is beside that folder.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/langue.sh

if [ "$(uname -s)" != Linux ]; then
    said "the archive is made on Linux, and for Linux" "l'archive se fait sous Linux, et pour Linux" >&2
    exit 2
fi
machine=$(rustc -vV | sed -n 's/^host: //p')
destination=${1:-target}
mkdir -p "$destination"
destination=$(cd "$destination" && pwd)

programs=(server client afficheur rejeu tournoi lab)
built=${BUILT:-}
if [ -z "$built" ]; then
    # Statically linked, they run whatever the other machines have. Only with a target of their own are build
    # scripts left as they are.
    target=${CARGO_TARGET_DIR:-$PWD/target}/cle-usb
    flags=()
    for program in "${programs[@]}"; do flags+=(--bin "$program"); done
    export RUSTFLAGS="-C target-feature=+crt-static"
    export CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_RELEASE_STRIP=true
    compile --locked --release --target "$machine" --target-dir "$target" "${flags[@]}"
    built=$target/$machine/release
    scripts/page.sh
    page=${CARGO_TARGET_DIR:-target}/page
else
    page=$built/../page
fi

name=pacman-iuto-$(scripts/version.sh)-${machine%%-*}-linux
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/$name/bin"
for program in "${programs[@]}"; do
    install -s -m 755 "$built/$program" "$work/$name/bin/"
done
# Its first pages are its own: those of the sources tell to compile.
cp -r "$page" cartes exemples docs PROTOCOL.md LICENSE scripts/cle-usb/*.md "$work/$name/"
install -D -m 644 python/README.md "$work/$name/python/README.md"
archive=$destination/$name.tar.gz
tar -C "$work" -czf "$archive.part" "$name"
mv "$archive.part" "$archive"

# Elsewhere, with nothing of this folder and an empty environment.
mkdir "$work/elsewhere"
tar -C "$work/elsewhere" -xzf "$archive"
cd "$work/elsewhere/$name"
for program in "${programs[@]}"; do
    env -i "bin/$program" --version >/dev/null
    if [ -z "${BUILT:-}" ] && ldd "bin/$program" 2>/dev/null | grep -q '=>'; then
        said "$program needs libraries of this machine" "$program a besoin de bibliothèques de cette machine" >&2
        exit 1
    fi
done
[ -s page/arene.html ]
# Every path named on the first pages must exist.
while read -r path; do
    [ -e "$path" ] || { said "README.md names $path, which is not there" "LISEZMOI.md nomme $path, qui n'est pas là" >&2; exit 1; }
done < <(grep -ohE '(bin|cartes|docs|exemples|page)/[a-z0-9./]*' README.md LISEZMOI.md | sort -u)
env -i PATH=/usr/bin:/bin bin/tournoi jouer --carte cartes/petit.txt --duree 20 --equipe ia:glouton \
    --equipe "Client=$PWD/bin/client --equipe {nom} --port {port}" >/dev/null
said "$archive ($(du -h "$archive" | cut -f1)); unpack it with tar xzf, the programs are in bin/" \
    "$archive ($(du -h "$archive" | cut -f1)) ; tar xzf la déballe, les programmes sont dans bin/"
