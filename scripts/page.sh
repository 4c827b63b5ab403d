#!/usr/bin/env bash
# Makes the arena for browsers in target/page: the crate `arene`, compiled to WebAssembly, with its module `arene.js`.
# The standard library is compiled, too, for size and without the texts of panics, which nobody reads in a browser: that saves a
# seventh. rustup brings its sources; where it cannot, Debian's packages of a compiler do.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
triple=wasm32-unknown-unknown
# Beside other builds, which need not wait for this one.
build=(cargo build --locked --package arene --profile page --target "$triple" --target-dir "$target/wasm"
    -Z "build-std=std,panic_abort" -Z build-std-features=optimize_for_size)

# Unpacks Debian's compiler into a folder of the build, where it is in nobody's way, and sets what cargo needs to use it.
use_debian() {
    local folder=$target/wasm/debian
    if ! [ -e "$folder/complete" ]; then
        echo "page.sh: rustup has no sources of the standard library here; Debian's compiler is fetched, some 140 MB" >&2
        rm -rf "$folder" && mkdir -p "$folder/packages"
        (
            cd "$folder/packages"
            packages=(rustc-web libstd-rust-web-1.96 libstd-rust-web-dev rust-web-src libllvm22)
            download() { apt-get download -q -o APT::Sandbox::User=root "${packages[@]}"; }
            download || { apt-get update -q && download; }
            for package in *.deb; do dpkg -x "$package" ..; done
        ) >"$folder/log" 2>&1 || { cat "$folder/log" >&2; return 1; }
        rm -r "$folder/packages"
        printf '#!/bin/sh\nLD_LIBRARY_PATH=%q exec %q "$@"\n' \
            "$folder/usr/lib/$(uname -m)-linux-gnu" "$folder/usr/bin/rustc" >"$folder/rustc"
        chmod +x "$folder/rustc"
        touch "$folder/complete"
    fi
    local linkers=("$(rustc --print sysroot)"/lib/rustlib/*/bin/rust-lld)
    export RUSTC=$folder/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=${linkers[0]}
}

limit=()
if command -v timeout >/dev/null; then limit=(timeout 120); fi # macOS has none
if ! ${limit[@]+"${limit[@]}"} rustup component add rust-src 2>/dev/null; then
    command -v dpkg apt-get >/dev/null || {
        echo "page.sh: the sources of the standard library are needed: rustup component add rust-src" >&2
        exit 2
    }
    use_debian
fi
# Options of the compiler that are not stable. What only programmers read is left out.
RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none -Zfmt-debug=shallow" "${build[@]}"
unset RUSTC
scripts/npm.sh
modules=web/page/node_modules
cargo run --quiet --locked --package page -- "$target/wasm/$triple/page/arene.wasm" "$modules" "$target/page"
"$modules/.bin/esbuild" web/page/workshop/codemirror.js --bundle --minify --format=iife --global-name=atelier \
    --log-level=warning --legal-comments=eof --outfile="$target/page/atelier.js"
echo "$target/page/arene.wasm: $(gzip -9c "$target/page/arene.wasm" | wc -c) bytes compressed"
