#!/usr/bin/env bash
# Builds, then plays a game with four bots of the house and prints the ranking.
#
#   scripts/partie.sh [FLAGS OF THE SERVER]     for example: --tempo 100ms --carte cartes/grand.txt
#
# BOTS names the bots that play, prudent by default.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --quiet --bin server --bin client

server=
clients=()
stop() { # its exit code, the signal for the server, which still says who is ahead
    trap - EXIT INT TERM
    if [ -n "$server" ]; then
        kill "-$2" "$server" 2>/dev/null && cat <&3
        wait "$server" 2>/dev/null || true
    fi
    kill "${clients[@]}" 2>/dev/null || true
    wait
    exit "$1"
}
trap 'stop $? TERM' EXIT
trap 'stop 130 INT' INT
trap 'stop 143 TERM' TERM

# The server says on its first line where it listens: any port that is free.
exec 3< <(exec target/release/server --carte cartes/plan1.txt --port 0 --tempo 20ms "$@")
server=$!
read -r welcome <&3 || { wait "$server"; exit; }
echo "$welcome"
port=$(sed -E 's/^listening on .*:([0-9]+) for .*/\1/' <<<"$welcome")

read -ra bots <<<"${BOTS:-prudent prudent prudent prudent}"
number=0
for bot in "${bots[@]}"; do
    number=$((number + 1))
    target/release/client --equipe "$bot $number" --ia "$bot" --port "$port" --journal warn >/dev/null &
    clients+=("$!")
done

cat <&3
wait "$server"
