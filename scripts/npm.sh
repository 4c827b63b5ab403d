#!/usr/bin/env bash
# Brings what the modules of the web pages need from npm, once for each version of the lock file.
set -euo pipefail
cd "$(dirname "$0")/../web/page"

if ! cmp -s package-lock.json node_modules/installed.json; then
    npm ci --silent --no-audit --no-fund
    cp package-lock.json node_modules/installed.json
fi
