"""A player for PyRat: its rat walks the cheapest way to the nearest cheese, by Dijkstra's algorithm."""
import fractions
import heapq
import socket
import sys
import time


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
    """Our cell, whether we are in the mud, the cells with cheese, and our rank and score."""
    header, state = message.split("\n", 1)
    _turns, cheese, players = state.split("-" * 20 + "\n")
    rats = {line[0]: line.split(";") for line in players.splitlines()}
    me = rats[header[4]]
    score = fractions.Fraction(me[1])
    rank = 1 + sum(fractions.Fraction(rat[1]) > score for rat in rats.values())
    result = f"rank, rang: {rank}/{len(rats)}, cheese, fromages: {me[1]}"
    return int(me[2]), me[3] != "0", [int(cell) for cell in cheese.splitlines()[1:]], result


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
tries = 0  # how often to look for a server that was there, a second apart
width, cells = 0, {}  # the server tells the maze before the first state
while True:
    try:
        with socket.create_connection((host, port)) as server:
            server.sendall(f"joueur;{name}\0".encode())
            result = None
            for message in messages(server):
                if message.startswith("jeu;"):
                    if not cells:
                        sys.exit(f"{host}:{port}: no maze from this server, pas de labyrinthe de ce serveur: bot.py")
                    here, in_mud, cheese, result = decode_state(message)
                    answer = "X" if in_mud or not cheese else action(width, cells, here, cheese)
                    server.sendall(answer.encode() + b"\0")
                    continue
                # Another maze or a goodbye: a game is over, if there was one.
                if result:
                    print(result, flush=True)
                if not message.startswith("labyrinthe;"):
                    sys.exit(None if message == "quit\n" else f"{host}:{port}: {message.strip()}")
                (width, cells), tries = decode_maze(message), 60
        raise ConnectionError("closed without a word, fermeture sans un mot")
    except OSError as error:
        if tries == 0:
            sys.exit(f"no server, pas de serveur: {host}:{port} ({error}); server pyrat")
        tries -= 1
        time.sleep(1)
