from player import orders, register, states

server = register()
for state in states(server):
    if state.turn == state.total:
        break
    server.sendall((orders(state) + "\0").encode())
