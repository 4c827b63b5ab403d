#!/usr/bin/env bash
# Builds, opens a course, lets three teams hand in, waits for the first games of the ladder, and prints the marks.
#
#   scripts/cours.sh [FLAGS OF tournoi cours ouvrir]     for example: --web 0.0.0.0:8080
#
# GAMES says after how many games. On a terminal, the course then stays open until Ctrl-C. It lies in target/cours,
# until the next time.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/langue.sh

# The tests use what they have built themselves: with another profile, or all programs in the folder BUILT.
profile=${PROFILE:-release}
target=${CARGO_TARGET_DIR:-target}
tournoi=${BUILT:-$target/${profile/#dev/debug}}/tournoi
[ -n "${BUILT:-}" ] || compile --profile "$profile" --bin tournoi
for flag; do
    case $flag in -h | --help) exec "$tournoi" cours ouvrir --help ;; esac
done

folder=$target/cours
rm -rf "$folder"
mkdir -p "$folder"
opened=
stop() {
    [ -z "$opened" ] || kill -INT "$opened" 2>/dev/null || true
    wait
}
trap stop EXIT
LC_ALL=C "$tournoi" cours ouvrir "$folder/cours.sqlite" --config exemples/cours.toml --web 127.0.0.1:0 "$@" \
    >"$folder/log.txt" 2>&1 &
opened=$!
for _ in $(seq 100); do
    grep -q 'jeton=' "$folder/log.txt" && break
    kill -0 "$opened" 2>/dev/null || { cat "$folder/log.txt" >&2; exit 2; }
    sleep 0.1
done
page=$(grep -o 'http://[^ #]*/' "$folder/log.txt" | head -n 1)
teacher=$(grep -o 'jeton=[0-9a-f]*' "$folder/log.txt" | cut -d= -f2)

ask() { # prints what the course answers to URL TOKEN [FILE TO SEND]
    python3 -c 'import sys, urllib.request as web
url, token, *sent = sys.argv[1:]
body = open(sent[0], "rb").read() if sent else None
request = web.Request(url, body, {"Authorization": f"Bearer {token}"} if token else {})
sys.stdout.buffer.write(web.urlopen(request, timeout=60).read())' "$@"
}
printf 'nom;groupe\nPython;TD 1\nJavaScript;TD 1\nBis;TD 2\n' >"$folder/equipes.csv"
ask "${page}api/enseignant/equipes" "$teacher" "$folder/equipes.csv" >"$folder/jetons.csv"
mapfile -t tokens < <(grep -o '#jeton=[0-9a-f]*' "$folder/jetons.csv" | cut -d= -f2)
said "three teams hand in; their versions are checked, then they play…" \
    "trois équipes déposent ; leurs versions sont vérifiées, puis elles jouent…"
bots=(exemples/bot.py exemples/bot.js exemples/bot.py)
command -v node >/dev/null || bots[1]=exemples/bot.py
handed_in=()
for team in 0 1 2; do
    PACMAN_JETON=${tokens[team]} python3 python/pacman_iuto/deposer.py "${bots[team]}" --serveur "$page" \
        >"$folder/verdict-$team.txt" 2>&1 &
    handed_in+=($!)
done
for team in 0 1 2; do
    wait "${handed_in[team]}" || { cat "$folder/verdict-$team.txt" >&2; exit 1; }
done
games() { ask "${page}api/cours" "" | python3 -c 'import json, sys; print(json.load(sys.stdin)["games"])'; }
while [ "$(games)" -lt "${GAMES:-30}" ]; do
    sleep 0.5
done
"$tournoi" cours noter "$folder/cours.sqlite" --csv "$folder/notes.csv"
folder=$(typed "$folder")
said "the course: $page; for the teacher: $page#jeton=$teacher
the marks: $folder/notes.csv, the teams' links: $folder/jetons.csv" \
    "le cours : $page ; pour l'enseignant : $page#jeton=$teacher
les notes : $folder/notes.csv, les liens des équipes : $folder/jetons.csv"
if [ -t 1 ]; then
    said "Ctrl-C closes the course" "Ctrl-C ferme le cours"
    wait "$opened"
fi
