#!/usr/bin/env bash
# Plays a game, and makes a picture of each screen of its page: on a desktop, a projector and a telephone, in English and in
# French, at several turns. DIR/index.html shows all of them at once. It needs Chromium.
#
#   scripts/ecrans.sh DIR
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/langue.sh

if [ $# -ne 1 ] || [[ $1 == -* ]]; then
    said 'usage: scripts/ecrans.sh DIR' 'usage : scripts/ecrans.sh DOSSIER' >&2
    exit 2
fi
browser=${CHROME:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
if [ -z "$browser" ]; then
    said 'error: no Chromium: install one, or set CHROME to its program' \
        'erreur : pas de Chromium : installez-le, ou donnez son programme dans CHROME' >&2
    exit 1
fi
mkdir -p "$1"
pictures=$(cd "$1" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

VIEWER=0 BOTS="champion dijkstra glouton prudent" scripts/partie.sh --enregistrer "$folder/game.rejeu" --graine 7
programs=${BUILT:-${CARGO_TARGET_DIR:-target}/jeu}
"$programs/rejeu" html "$folder/game.rejeu" "$folder/game.html"

images=
for screen in desktop:1440,900 projector:1920,1080 phone:390,844; do
    IFS=: read -r name size <<<"$screen"
    for language in en fr; do
        for state in start:turn=0 middle:turn=100 why:'turn=200&tab=why' followed:'turn=60&player=A' end:turn=200; do
            IFS=: read -r what address <<<"$state"
            if [ "$name" = projector ]; then
                [ "$what" != why ] || continue
                flag='&projector'
            else
                flag=
            fi
            picture=$name-$language-$what.png
            # A browser that runs as root has no sandbox.
            "$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$folder/profile" \
                --window-size="$size" --virtual-time-budget=4000 --screenshot="$pictures/$picture" \
                "file://$folder/game.html?lang=$language$flag#$address" >/dev/null 2>&1
            images+="<figure><img src=\"$picture\" alt=\"\" width=\"480\"><figcaption>$picture</figcaption></figure>"
        done
    done
done
cat >"$pictures/index.html" <<HTML
<!doctype html><meta charset="utf-8"><title>Pacman IUT'O</title>
<style>body { display: flex; flex-wrap: wrap; gap: 1rem; font-family: sans-serif } figure { margin: 0 }</style>
$images
HTML
said "all pictures: $pictures/index.html" "toutes les images : $pictures/index.html"
