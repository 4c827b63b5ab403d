from player import orders, play

play(lambda state: orders(state) + "\0" + orders(state))
