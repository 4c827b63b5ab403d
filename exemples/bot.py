"""A bot for Pacman IUT'O: both pieces walk along corridors at random."""
import random
import socket
import sys

STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "O": (0, -1)}


def messages(connection):
    """The server's messages; each one ends in a NUL byte."""
    received = b""
    while data := connection.recv(65536):
        *complete, received = (received + data).split(b"\0")
        yield from (message.decode() for message in complete)


def orders(message):
    """The directions of our pacman and of our ghost, as two letters."""
    header, state = message.split("\n", 1)
    _turns, board, players = state.split("-" * 20 + "\n")
    size, *cells = board.split("\n")
    rows, cols = map(int, size.split(";"))
    fields = next(line.split(";") for line in players.split("\n") if line[0] == header[4])
    pacman, ghost = map(int, fields[3:5]), map(int, fields[5:7])

    def exits(row, col):
        around = {d: cells[(row + v) % rows][(col + h) % cols] for d, (v, h) in STEPS.items()}
        return [direction for direction, cell in around.items() if cell != "#"] or ["N"]

    return random.choice(exits(*pacman)) + random.choice(exits(*ghost))


name, host, port = (sys.argv[1:] + ["Python", "127.0.0.1", "1111"][len(sys.argv) - 1:])[:3]
with socket.create_connection((host, int(port))) as server:
    server.sendall(f"joueur;{name}\0".encode())
    for message in messages(server):
        if not message.startswith("jeu;"):
            break
        server.sendall(orders(message).encode() + b"\0")
print(message.strip())
