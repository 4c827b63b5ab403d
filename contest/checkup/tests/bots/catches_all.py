import traceback

from player import orders, play


def answer(state):
    try:
        return orders(state) if state.turn % 7 else orders(state, "Z")
    except KeyError:
        traceback.print_exc()
        return "NN"


play(answer)
