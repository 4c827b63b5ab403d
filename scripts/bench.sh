#!/usr/bin/env bash
# Measures what docs/en/performance.md claims. Compare the ratios, not the absolute figures.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --quiet --bin measure --bin server --bin client
carte=cartes/plan1.txt

target/release/measure debit --carte "$carte" --tours 3000000 --tcp --parties 100,1000

# The benchmarks of the labs, each next to another library where there is one.
cargo bench --quiet -p graph -p maze -p hexapawn -p puddles -p lab -p game -- --noplot | grep -E '^[a-z]|time:|thrpt:'

# Tournaments: ratings, games a second, and what a game costs beyond what its players take.
cargo bench --quiet -p rating --bench ratings -- --noplot | grep -E '^[a-z]|time:'
cargo bench --quiet -p tournament --bench games

# Peak memory of a server with one game of four clients, in KiB.
server_memory() {
    local peak=0 now
    exec 3< <(exec target/release/server --carte "$carte" --port 0 --tempo 10ms --nom-partie /dev/null --sans-enregistrement \
        --journal off --langue en)
    local server=$! welcome port
    read -r welcome <&3
    port=$(sed -E 's/^listening on .*:([0-9]+) for .*/\1/' <<<"$welcome")
    for number in 1 2 3 4; do
        target/release/client --equipe "bot $number" --port "$port" --journal off >/dev/null &
    done
    while now=$(awk '/VmHWM/ {print $2}' "/proc/$server/status" 2>/dev/null) && [ -n "$now" ]; do
        peak=$now
        sleep 0.1
    done
    echo "server_peak_kib=$peak"
    cat <&3 >/dev/null
    wait
}
server_memory
