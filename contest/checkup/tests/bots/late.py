import os
import time

from player import orders, play


def answer(state):
    if state.turn == 3:
        time.sleep(float(os.environ["PAUSE"]))
    return orders(state)


play(answer)
