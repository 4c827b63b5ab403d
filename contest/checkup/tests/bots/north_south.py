"""Takes north for south."""
from player import orders, play

play(lambda state: orders(state).translate(str.maketrans("NS", "SN")))
