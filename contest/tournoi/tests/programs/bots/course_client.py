"""A client as those of the course: it blocks, and looks only at the state that it is given."""
import socket
import sys

server = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
server.sendall(b"joueur;" + sys.argv[2].encode() + b"\0")
received, games = b"", 0
while True:
    while b"\0" not in received:
        data = server.recv(4096)
        assert data, "closed without a farewell"
        received += data
    message, received = received.split(b"\0", 1)
    header, body = message.decode().split("\n", 1)
    if header == "quit":
        assert body == ""
        break
    kind, identity = header.split(";")
    assert kind == "jeu" and len(identity) == 1 and identity.isupper()
    general, board, players = body.split("-" * 20 + "\n")
    elapsed, total = map(int, general[:-1].split(";"))
    assert len(players[:-1].split("\n")) == 4
    games += elapsed == total
    server.sendall(b"NS\0")
print("games", games)
