# shellcheck shell=sh
# Runs a command, and leaves children behind: one in its group, and one that leaves it.
sleep 1000 &
setsid sleep 1000 &
exec "$@"
