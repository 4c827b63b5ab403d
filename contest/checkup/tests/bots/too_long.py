from player import orders, play

play(lambda state: orders(state) + " " * 2000 * (state.turn == 2))
