"""A player for PyRat: its rat walks the cheapest way to the nearest cheese, by Dijkstra's algorithm."""
import heapq
import socket
import sys


def messages(connection):
    """The server's messages; each one ends in a NUL byte."""
    received = b""
    while data := connection.recv(65536):
        *complete, received = (received + data).split(b"\0")
        yield from (message.decode() for message in complete)


def decode_maze(message):
    """The width of the maze, and its cells with their neighbours and the turns it takes to walk there."""
    _header, size, _count, *lines = message.splitlines()
    cells = {}
    for line in lines:
        cell, *links = line.split(";")
        cells[int(cell)] = {int(to): int(turns) for to, turns in (link.split(":") for link in links)}
    return int(size.split(";")[0]), cells


def decode_state(message):
    """Where our rat is, whether it is in the mud, and where there is cheese."""
    header, state = message.split("\n", 1)
    _turns, cheese, players = state.split("-" * 20 + "\n")
    me = next(line.split(";") for line in players.splitlines() if line[0] == header[4])
    return int(me[2]), me[3] != "0", [int(cell) for cell in cheese.splitlines()[1:]]


def traversal(cells, source):
    """The distance of every cell that can be reached, and the cell before it on the way."""
    distances, routing_table, waiting = {}, {}, [(0, source, None)]
    while waiting:
        distance, cell, parent = heapq.heappop(waiting)
        if cell not in distances:
            distances[cell], routing_table[cell] = distance, parent
            for neighbour, turns in cells[cell].items():
                heapq.heappush(waiting, (distance + turns, neighbour, cell))
    return distances, routing_table


def action(width, cells, here, cheese):
    """The letter of the first step towards the nearest cheese."""
    distances, routing_table = traversal(cells, here)
    reachable = [cell for cell in cheese if cell in distances]
    if not reachable:
        return "X"
    cell = min(reachable, key=distances.get)
    while routing_table[cell] != here:
        cell = routing_table[cell]
    return {-width: "N", 1: "E", width: "S", -1: "O"}[cell - here]


name, host, port = (sys.argv[1:] + ["Python", "127.0.0.1", "1111"][len(sys.argv) - 1:])[:3]
try:
    server = socket.create_connection((host, int(port)))
except OSError as error:
    sys.exit(f"no server, pas de serveur: {host}:{port} ({error}); server pyrat")
with server:
    server.sendall(f"joueur;{name}\0".encode())
    for message in messages(server):
        if message.startswith("labyrinthe;"):
            width, cells = decode_maze(message)
        elif message.startswith("jeu;"):
            here, in_mud, cheese = decode_state(message)
            answer = "X" if in_mud or not cheese else action(width, cells, here, cheese)
            server.sendall(answer.encode() + b"\0")
        else:
            break
print(message.strip())
