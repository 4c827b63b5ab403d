#!/usr/bin/env bash
# Builds, then plays a game with four bots of the house and prints the ranking. On a terminal, the
# viewer shows it.
#
#   scripts/partie.sh [FLAGS OF THE SERVER]     for example: cartes/grand.txt --tempo 100ms
#
# BOTS names the bots that play; without VIEWER=1 or a terminal there is only the log.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/langue.sh

# The tests use what they have built themselves: with another profile, or all programs in the folder BUILT.
profile=${PROFILE:-jeu}
# The server prints the command of another program as it was called itself.
programs=$(typed "${BUILT:-${CARGO_TARGET_DIR:-target}/${profile/#dev/debug}}")
[ -n "${BUILT:-}" ] ||
    compile --profile "$profile" --bin server --bin client --bin afficheur --bin rejeu
for flag; do
    case $flag in
    -h | --help) exec "$programs/server" --help ;;
    --joueurs | --joueurs=* | --players | --players=*)
        said 'error: BOTS says how many play, as in BOTS="glouton glouton prudent" scripts/partie.sh' \
            'erreur : BOTS dit combien jouent, comme BOTS="glouton glouton prudent" scripts/partie.sh' >&2
        exit 2
        ;;
    esac
done

read -ra bots <<<"${BOTS:-dijkstra glouton glouton prudent}"
if [ ${#bots[@]} -eq 0 ]; then
    said 'error: BOTS names no bot: expected names, as in BOTS="glouton glouton prudent" scripts/partie.sh' \
        'erreur : BOTS ne nomme aucun bot : il faut des noms, comme BOTS="glouton glouton prudent" scripts/partie.sh' >&2
    exit 2
fi
if [ -t 0 ] && [ -t 1 ]; then viewer=${VIEWER:-1}; else viewer=${VIEWER:-0}; fi
for bot in "${bots[@]}"; do "$programs/client" --ia "$bot" --version >/dev/null; done
folder=$(mktemp -d)
server=
clients=()
stop() { # ends what is left, says who won or is ahead, and exits with this code
    trap '' INT TERM
    trap - EXIT
    if [ -n "$server" ]; then
        # A terminal has asked it to stop already.
        kill -TERM "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    tail -n +2 "$folder/output" 2>/dev/null || true
    [ ${#clients[@]} -eq 0 ] || kill "${clients[@]}" 2>/dev/null || true
    wait
    rm -rf "$folder"
    exit "$1"
}
trap 'stop $?' EXIT
trap 'stop 130' INT
trap 'stop 143' TERM

# The viewer needs the screen for itself.
if [ "$viewer" = 1 ]; then
    tempo=100ms
    exec 3>"$folder/log"
else
    # Another descriptor of the same file, such as /dev/stderr is, would write at a place of its own.
    tempo=20ms
    exec 3>&2
fi
"$programs/server" --port 0 --joueurs ${#bots[@]} --tempo "$tempo" "$@" >"$folder/output" 2>&3 &
server=$!

# The server says on its first line, in either language, where it listens: any port that is free.
listens='^.*:([0-9]+) (for|pour) [0-9]+ .*'
until welcome=$(grep -m1 -E "$listens" "$folder/output" 2>/dev/null); do
    if ! kill -0 "$server" 2>/dev/null; then
        wait "$server" && code=0 || code=$?
        server=
        [ "$viewer" != 1 ] || cat "$folder/log" >&2
        stop "$code"
    fi
    sleep 0.02
done
echo "$welcome"
port=$(sed -E "s/$listens/\\1/" <<<"$welcome")

number=0
for bot in "${bots[@]}"; do
    number=$((number + 1))
    "$programs/client" --equipe "$bot $number" --ia "$bot" --port "$port" --journal warn >/dev/null &
    clients+=("$!")
done

if [ "$viewer" = 1 ]; then
    "$programs/afficheur" --port "$port" --journal warn || true
    stop 0
fi
wait "$server" && code=0 || code=$?
server=
stop "$code"
