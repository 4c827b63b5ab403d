"""One message for each piece."""
from player import orders, play

play(lambda state: "\0".join(orders(state)))
