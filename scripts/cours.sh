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
[ -n "${BUILT:-}" ] || cargo build --profile "$profile" $(quiet) --bin tournoi
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

ask() { curl --silent --show-error --fail-with-body "$@"; }
printf 'nom;groupe\nPython;TD 1\nJavaScript;TD 1\nBis;TD 2\n' |
    ask -H "Authorization: Bearer $teacher" --data-binary @- "${page}api/enseignant/equipes" >"$folder/jetons.csv"
mapfile -t tokens < <(grep -o '#jeton=[0-9a-f]*' "$folder/jetons.csv" | cut -d= -f2)
bots=(exemples/bot.py exemples/bot.js exemples/bot.py)
for team in 0 1 2; do
    ask -F "jeton=${tokens[team]}" -F "fichier=@${bots[team]}" "${page}deposer" >/dev/null
done
said "three teams have handed in; their versions are checked, then they play…" \
    "trois équipes ont déposé ; leurs versions sont vérifiées, puis elles jouent…"
field() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }
for team in 1 2 3; do
    while ready=$(ask -H "Authorization: Bearer $teacher" "${page}api/versions/$team" | field ready); [ "$ready" = None ]; do
        sleep 0.5
    done
    [ "$ready" = True ] || { said "version $team cannot play" "la version $team ne peut pas jouer" >&2; exit 1; }
done
while games=$(ask "${page}api/cours" | field games); [ "$games" -lt "${GAMES:-30}" ]; do
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
