"""Answers each state with the orders for the state before."""
from player import orders, play

before = []


def answer(state):
    before.append(state)
    return orders(before[max(len(before) - 2, 0)])


play(answer)
