import time

from player import connect

name, server = connect()
time.sleep(60)
