# shellcheck shell=sh
# Builds a program in a copy of its folder, which is the current one, and writes the files of the copy as a tar archive.
# $KEPT: what is archived of the folder `target` of a Cargo project, one path a line. The arguments: the build command.
umask 022
work=$TMPDIR/build
paths=$KEPT
unset KEPT
cp -R . "$work" && cd "$work" || exit
"$@" >&2 || exit

set --
for name in .* *; do
    case $name in
        . | ..) continue ;;
        target) [ ! -e Cargo.toml ] || continue ;;
    esac
    # A pattern that fits nothing stands for itself.
    if [ -e "$name" ] || [ -L "$name" ]; then
        set -- "$@" "$name"
    fi
done
set -f
IFS='
'
for name in $paths; do
    [ ! -e "$name" ] || set -- "$@" "$name"
done
exec tar -cf - -- "$@"
