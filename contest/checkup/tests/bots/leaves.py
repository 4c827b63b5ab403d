import time

from player import orders, register, states

server = register()
for state in states(server):
    if state.turn == 2:
        break
    server.sendall((orders(state) + "\0").encode())
server.close()
time.sleep(60)
