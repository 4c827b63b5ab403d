#!/usr/bin/env bash
# Checks the modules of the web pages: their types with tsc, their style with ESLint, and their tests with Node.
set -euo pipefail
cd "$(dirname "$0")"

./npm.sh
cd ../web/page
npm run --silent types
npm run --silent lint
# The lines of Node's report are shown when a test fails.
report=$(npm run --silent test 2>&1) || { printf '%s\n' "$report"; exit 1; }
