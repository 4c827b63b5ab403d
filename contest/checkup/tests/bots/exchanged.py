"""Gives the ghost's order first."""
from player import orders, play

play(lambda state: orders(state)[::-1])
