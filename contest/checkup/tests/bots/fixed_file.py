import os

from player import play

lock = os.environ["LOCK"]
descriptor = os.open(lock, os.O_CREAT | os.O_EXCL)
try:
    play()
finally:
    os.unlink(lock)
