#!/usr/bin/env bash
# Checks the modules of the web pages: their types with tsc, their style with ESLint, and their tests with Node. What that
# needs comes from npm, once for each version of the lock file.
set -euo pipefail
cd "$(dirname "$0")/../web/page"

if ! cmp -s package-lock.json node_modules/installed.json; then
    npm ci --silent --no-audit --no-fund
    cp package-lock.json node_modules/installed.json
fi
npm run --silent types
npm run --silent lint
# The lines of Node's report are shown when a test fails.
report=$(npm run --silent test 2>&1) || { printf '%s\n' "$report"; exit 1; }
