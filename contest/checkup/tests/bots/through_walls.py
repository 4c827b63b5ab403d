"""Walks straight to the nearest vitamin, whatever is in between."""
from player import play


def towards(state, place):
    row, col = place
    wanted = [cell for cell, what in state.cells.items() if what not in " #" and cell != place]
    if not wanted:
        return "N"
    down, right = min(((r - row, c - col) for r, c in wanted), key=lambda d: abs(d[0]) + abs(d[1]))
    if abs(down) > abs(right):
        return "S" if down > 0 else "N"
    return "E" if right > 0 else "O"


play(lambda state: towards(state, state.pacmans[state.me]) + towards(state, state.ghosts[state.me]))
