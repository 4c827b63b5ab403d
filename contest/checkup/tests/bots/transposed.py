"""Takes rows for columns: it finds its ways on the transposed board."""
from player import orders, play


def flip(places):
    return {colour: (col, row) for colour, (row, col) in places.items()}


def answer(state):
    cells = {(col, row): cell for (row, col), cell in state.cells.items()}
    return orders(state._replace(
        rows=state.cols, cols=state.rows, cells=cells,
        pacmans=flip(state.pacmans), ghosts=flip(state.ghosts),
    ))


play(answer)
