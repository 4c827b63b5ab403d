# shellcheck shell=bash
# For scripts that source it.

said() { # prints the one of two texts, in English and in French, that the environment asks for
    case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in fr*) echo "$2" ;; *) echo "$1" ;; esac
}

compile() { # runs cargo build with these flags, and lets it show its progress on a terminal only
    if [ -t 2 ]; then cargo build "$@"; else cargo build --quiet "$@"; fi
}

typed() { # prints a path below this folder as it is typed where the script was called
    case $1 in
    /*) echo "$1" ;;
    *) if [ "${OLDPWD:-$PWD}" = "$PWD" ]; then echo "$1"; else echo "$PWD/$1"; fi ;;
    esac
}
