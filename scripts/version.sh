#!/usr/bin/env bash
# Prints the version of the workspace. With a tag, checks that it is the tag of this version.
#
#   scripts/version.sh [TAG]     for example: v1.2.3
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/langue.sh

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
if [ $# -gt 0 ] && [ "$1" != "v$version" ]; then
    said "the tag $1 is not that of version $version, expected v$version" \
        "l'étiquette $1 n'est pas celle de la version $version : v$version est attendue" >&2
    exit 1
fi
echo "$version"
