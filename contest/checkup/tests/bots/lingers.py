import time

from player import play

play()
time.sleep(60)
