from player import orders, play

play(lambda state: orders(state, "A"))
