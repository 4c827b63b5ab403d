#!/usr/bin/env bash
# Plays games and tournaments, and makes a picture of each screen of their pages: on a desktop, a projector and a telephone, in
# English and in French. DIR/index.html shows all of them at once. It needs Chromium.
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
[ -n "${BUILT:-}" ] ||
    compile --profile jeu --bin server --bin client --bin rejeu --bin tournoi
export BUILT=${BUILT:-${CARGO_TARGET_DIR:-target}/jeu}
mkdir -p "$1"
pictures=$(cd "$1" && pwd)
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
index='<!doctype html><meta charset="utf-8"><title>Pacman IUT'\''O</title>
<style>body { font-family: sans-serif } section { display: flex; flex-wrap: wrap; gap: 1rem } figure { margin: 0 }</style>'

# section NAME: what follows is shown under this name.
section() {
    index+="</section><h2>$1</h2><section>"
    part=$1
}

# pictures_of STATE PAGE [FRAGMENT [SCREENS]]: the page on each screen in both languages.
pictures_of() {
    local screen name size language flag picture
    for screen in ${4:-desktop projector phone}; do
        case $screen in
            desktop) size=1440,900 ;;
            projector) size=1920,1080 ;;
            phone) size=390,844 ;;
            frame) size=800,500 ;;
        esac
        for language in en fr; do
            flag="?lang=$language"
            [ "$screen" != projector ] || flag+='&projector'
            [ "$screen" != frame ] || flag+='&embed'
            picture=$part-$1-$screen-$language.png
            # A browser that runs as root has no sandbox.
            "$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$folder/profile" \
                --window-size="$size" --virtual-time-budget=4000 --screenshot="$pictures/$picture" "$2$flag${3:+#$3}" \
                >"$folder/browser.log" 2>&1
            [ -s "$pictures/$picture" ] || { cat "$folder/browser.log" >&2; exit 1; }
            index+="<figure><img src=\"$picture\" alt=\"\" width=\"480\"><figcaption>$1, $screen, $language</figcaption></figure>"
        done
    done
}

# serve PROGRAM FLAGS: starts a program with a page, whose address goes to $page, and what it printed to the file $printed.
serve() {
    local program=$1
    shift
    printed=$folder/$((++programs)).log
    "$BUILT/$program" "$@" --web 0 --langue en >"$printed" 2>&1 &
    until page=$(grep -o -m 1 'http://127[0-9.]*:[0-9]*/' "$printed"); do
        kill -0 $! || { cat "$printed" >&2; exit 1; }
        sleep 0.1
    done
}
programs=0
# A game of the course's server: who plays it connects to what it listens on.
game() {
    serve server --port 0 --graine 7 "$@"
    address=$(grep -o -m 1 '127[0-9.]*:[0-9]*' "$printed")
}
join() { # BOTS, with the flags of $rat
    for bot; do "$BUILT/client" ${rat:+"$rat"} --ia "$bot" --equipe "${bot^}" --serveur "$address" >"$folder/client.log" 2>&1 & done
}
bots=(champion dijkstra glouton prudent)

section game
VIEWER=0 BOTS="${bots[*]}" scripts/partie.sh --enregistrer "$folder/game.rejeu" --graine 7
"$BUILT/rejeu" html "$folder/game.rejeu" "$folder/game.html"
file=file://$folder/game.html
pictures_of start "$file" turn=0
pictures_of middle "$file" turn=100
pictures_of why "$file" 'turn=200&tab=why' 'desktop phone'
pictures_of followed "$file" 'turn=60&player=A'
pictures_of end "$file" turn=200
pictures_of embedded "$file" turn=60 frame

section live
game
join glouton prudent
pictures_of lobby "$page"
game --tempo 500ms
join "${bots[@]}"
sleep 8
pictures_of running "$page"
game --duree 50
join "${bots[@]}"
sleep 5
pictures_of over "$page"

section pyrat
"$BUILT/server" pyrat --port 0 --graine 7 --joueurs 2 --enregistrer "$folder/rats.rejeu" >"$folder/rats.log" 2>&1 &
rats=$!
until address=$(grep -o -m 1 '127[0-9.]*:[0-9]*' "$folder/rats.log"); do sleep 0.1; done
rat=pyrat join dijkstra glouton
wait "$rats"
"$BUILT/rejeu" html "$folder/rats.rejeu" "$folder/rats.html"
pictures_of middle "file://$folder/rats.html" turn=20
pictures_of end "file://$folder/rats.html" turn=1000

section tournament
teams=()
for name in Ada Zoé Chloé Bob 'Les Fantômes de la Loire'; do teams+=(--equipe "$name=ia:${bots[${#teams[@]} / 2 % 4]}"); done
serve tournoi lan --base "$folder/lan.sqlite" --carte cartes/plan1.txt --port 0
address=127.0.0.1:$(sed -n 's/^listening on .*://p' "$printed")
join "${bots[@]}"
sleep 1
pictures_of lobby "$page"
serve tournoi jouer --base "$folder/running.sqlite" --carte cartes/plan1.txt --manches 10 "${teams[@]}" --tempo 100ms
sleep 45
pictures_of running "$page"
serve tournoi jouer --base "$folder/over.sqlite" --carte cartes/petit.txt --manches 1 "${teams[@]}"
until grep -q "Ctrl-C" "$printed"; do sleep 0.2; done
pictures_of over "$page"

printf '%s\n' "$index" >"$pictures/index.html"
said "all pictures: $pictures/index.html" "toutes les images : $pictures/index.html"
