"""A client that thinks aloud and writes: thinking.py PORT WORDS."""
import socket
import sys

port, words = int(sys.argv[1]), sys.argv[2]
server = socket.create_connection(("127.0.0.1", port))
server.sendall(b"joueur;any name\0")
received, turn = b"", 0
while data := server.recv(65536):
    *messages, received = (received + data).split(b"\0")
    for message in messages:
        if message.startswith(b"quit"):
            sys.exit(0)
        turn += 1
        print("written in turn", turn, file=sys.stderr, flush=True)
        server.sendall(f"NE;{words}\0".encode())
