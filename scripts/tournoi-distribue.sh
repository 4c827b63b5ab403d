#!/usr/bin/env bash
# Builds, and plays a small tournament as on several machines: a broker, a coordinator and three workers, here.
#
#   scripts/tournoi-distribue.sh [FLAGS OF tournoi jouer]     for example: --manches 10 --web 8080
#
# The results and what each worker has said stay in target/tournoi-distribue, until the next time.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/langue.sh

command -v nats-server >/dev/null || {
    said "nats-server is needed (Debian: apt-get install nats-server)" \
        "il faut nats-server (Debian : apt-get install nats-server)" >&2
    exit 2
}
# The tests use what they have built themselves: with another profile, or all programs in the folder BUILT.
profile=${PROFILE:-release}
target=${CARGO_TARGET_DIR:-target}
tournoi=${BUILT:-$target/${profile/#dev/debug}}/tournoi
[ -n "${BUILT:-}" ] || compile --profile "$profile" --bin tournoi
for flag; do
    case $flag in -h | --help) exec "$tournoi" jouer --help ;; esac
done

folder=$target/tournoi-distribue
rm -rf "$folder"
mkdir -p "$folder"
port=${PORT:-4222}
url=nats://127.0.0.1:$port
started=()
trap 'kill "${started[@]}" 2>/dev/null; wait' EXIT
nats-server -js -a 127.0.0.1 -p "$port" -sd "$folder/broker" >"$folder/broker.log" 2>&1 &
broker=$!
started+=("$broker")
until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    kill -0 "$broker" 2>/dev/null || { tail -1 "$folder/broker.log" >&2; exit 1; }
    sleep 0.1
done
for number in 1 2 3; do
    "$tournoi" ouvrier "$url" --places 1 --nom "ouvrier-$number" >"$folder/ouvrier-$number.log" 2>&1 &
    started+=("$!")
done
"$tournoi" jouer --nom "Tournoi d'essai" --carte cartes/plan1.txt cartes/petit.txt cartes/impasses.txt \
    --equipe ia:dijkstra --equipe ia:glouton --equipe ia:prudent --equipe ia:aleatoire \
    --equipe "glouton bis=ia:glouton" --nats "$url" "$@" --base "$folder/tournoi.sqlite"
