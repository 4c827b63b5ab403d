from player import play

play(lambda state: "NN")
