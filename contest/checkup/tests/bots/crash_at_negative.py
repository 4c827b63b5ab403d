import math

from player import orders, play


def answer(state):
    math.sqrt(state.points[state.me])
    return orders(state)


play(answer)
