import time

from player import connect

connect()[1].close()
time.sleep(60)
