from player import decode, orders, register

server = register()
received = b""
while True:
    received += server.recv(65536)
    *complete, received = received.split(b"\0")
    for message in complete:
        if message.startswith(b"jeu"):
            server.sendall(orders(decode(message.decode())).encode() + b"\0")
