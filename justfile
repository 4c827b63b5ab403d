# `just` lists these; https://just.systems

default:
    @just --list

# Formatting, documents, lints, and the tests of what is quick
quick:
    cargo fmt --all --check
    scripts/documents.py
    cargo clippy --workspace --exclude pacman-iuto --all-targets --all-features --locked -- -D warnings
    cargo test --locked -q -p graph -p game -p protocol -p plan -p rating

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
