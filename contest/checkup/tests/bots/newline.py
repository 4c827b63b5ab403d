from player import play

play(end="\n")
