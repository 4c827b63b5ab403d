# `just` lists these; https://just.systems

default:
    @just --list

# Formatting, documents, lints and unit tests: within a minute when everything was compiled before
quick:
    cargo fmt --all --check
    scripts/documents.py
    cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
    cargo nextest run --workspace --lib --all-features --locked --status-level fail

# Everything that CI runs
test:
    scripts/test.sh

# A game to look at
game *flags:
    scripts/partie.sh {{flags}}

# The figures of docs/en/performance.md
bench:
    scripts/bench.sh

# The documents as a site in target/site
site:
    scripts/site.py

# The Python package, tried in a fresh environment
package:
    scripts/paquet.sh

# Licences and advisories of the dependencies
deny:
    cargo deny check
