from player import orders, register, states

server = register()
server.settimeout(0.3)
for state in states(server):
    server.sendall((orders(state) + "\0").encode())
