# For scripts that source it.

said() { # prints the one of two texts, in English and in French, that the environment asks for
    case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in fr*) echo "$2" ;; *) echo "$1" ;; esac
}

quiet() { # prints the flag that silences cargo, unless somebody looks on
    [ -t 2 ] || echo --quiet
}

typed() { # prints a path below this folder as it is typed where the script was called
    case $1 in
    /*) echo "$1" ;;
    *) if [ "${OLDPWD:-$PWD}" = "$PWD" ]; then echo "$1"; else echo "$PWD/$1"; fi ;;
    esac
}
