from player import decode, messages, orders, register

server = register()
for message in messages(server):
    server.sendall((orders(decode(message)) + "\0").encode())
