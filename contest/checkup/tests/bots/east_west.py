"""Takes east for west."""
from player import orders, play

play(lambda state: orders(state).translate(str.maketrans("EO", "OE")))
