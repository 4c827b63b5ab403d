from player import decode, orders, register

server = register()
while True:
    message = server.recv(65536).decode().rstrip("\0")
    if message.startswith("quit"):
        break
    server.sendall((orders(decode(message)) + "\0").encode())
