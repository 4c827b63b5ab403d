from player import orders, play


def answer(state):
    corridors = {cell for cell, what in state.cells.items() if what != "#"}
    corridors.remove(state.pacmans[state.me])
    return orders(state)


play(answer)
