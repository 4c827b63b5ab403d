#!/usr/bin/env bash
# Builds, plays a small tournament between the bots of the house, and shows the report.
#
#   scripts/tournoi.sh [FLAGS OF tournoi jouer]     for example: --manches 10 --web 8080
#
# The results and the report stay in target/tournoi, until the next time.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/langue.sh

# The tests use what they have built themselves: with another profile, or all programs in the folder BUILT.
profile=${PROFILE:-release}
target=${CARGO_TARGET_DIR:-target}
tournoi=${BUILT:-$target/${profile/#dev/debug}}/tournoi
[ -n "${BUILT:-}" ] || compile --profile "$profile" --bin tournoi
for flag; do
    case $flag in -h | --help) exec "$tournoi" jouer --help ;; esac
done

folder=$target/tournoi
rm -rf "$folder"
mkdir -p "$folder"
"$tournoi" jouer --nom "Tournoi d'essai" --carte cartes/plan1.txt cartes/petit.txt cartes/impasses.txt \
    --equipe ia:dijkstra --equipe ia:glouton --equipe ia:prudent --equipe ia:aleatoire \
    --equipe "glouton bis=ia:glouton" "$@" --base "$folder/tournoi.sqlite"
folder=$(typed "$folder")
"$tournoi" rapport "$folder/tournoi.sqlite" --html "$folder/rapport.html" --csv "$folder/rapport.csv" >/dev/null
said "the report: $folder/rapport.html, and for a spreadsheet $folder/rapport.csv" \
    "le rapport : $folder/rapport.html, et pour un tableur $folder/rapport.csv"
if [ -t 1 ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && command -v xdg-open >/dev/null; then
    xdg-open "$folder/rapport.html"
fi
