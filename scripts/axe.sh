#!/usr/bin/env bash
# Prints a script for a browser, which says as JSON what axe-core finds wrong with the page that is open. axe-core comes
# from npm, once.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${CARGO_TARGET_DIR:-target}/axe
if [ ! -s "$folder/axe.min.js" ]; then
    mkdir -p "$folder"
    scratch=$(mktemp -d -p "$folder")
    trap 'rm -rf "$scratch"' EXIT
    npm pack --silent --pack-destination "$scratch" axe-core@4.14.1 >/dev/null
    tar -C "$scratch" -xzf "$scratch"/axe-core-*.tgz package/axe.min.js
    mv "$scratch/package/axe.min.js" "$folder/"
fi
cat "$folder/axe.min.js"
cat <<'END'
;
axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => JSON.stringify(violations.map(({ id, help, nodes }) =>
  `${id}: ${help}: ${nodes.slice(0, 5).map(({ html }) => html.slice(0, 200)).join(" ")}`)))
END
