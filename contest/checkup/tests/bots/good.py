from player import play

play()
