"""Walks into a wall wherever there is one."""
from player import STEPS, play


def wall(state, place):
    row, col = place
    for direction, (down, right) in STEPS.items():
        if state.cells[(row + down) % state.rows, (col + right) % state.cols] == "#":
            return direction
    return "N"


play(lambda state: wall(state, state.pacmans[state.me]) + wall(state, state.ghosts[state.me]))
