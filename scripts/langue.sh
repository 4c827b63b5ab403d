# For scripts that source it.

said() { # prints the one of two texts, in English and in French, that the environment asks for
    case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in fr*) echo "$2" ;; *) echo "$1" ;; esac
}
