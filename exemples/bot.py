"""A bot for Pacman IUT'O: its pacman walks to the nearest object, its ghost to the nearest pacman."""
import collections
import socket
import sys
import time

STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "O": (0, -1)}
Game = collections.namedtuple("Game", "me turns_left rows cols cells pacmans ghosts points")


def messages(connection):
    """The server's messages; each one ends in a NUL byte."""
    received = b""
    while data := connection.recv(65536):
        *complete, received = (received + data).split(b"\0")
        yield from (message.decode() for message in complete)


def decode(message):
    """The game that a state describes: our letter, the cells by (row, column), each player's pieces and points."""
    header, state = message.split("\n", 1)
    turns, board, players = state.split("-" * 20 + "\n")
    played, total = map(int, turns.split(";"))
    size, *lines = board.split("\n")
    rows, cols = map(int, size.split(";"))
    cells = {(row, col): lines[row][col] for row in range(rows) for col in range(cols)}
    fields = [line.split(";") for line in players.splitlines()]
    pacmans = {colour: (int(row), int(col)) for colour, _, _, row, col, *_ in fields}
    ghosts = {line[0]: (int(line[5]), int(line[6])) for line in fields}
    points = {line[0]: int(line[1]) for line in fields}
    return Game(header[4], total - played, rows, cols, cells, pacmans, ghosts, points)


def first_step(game, start, is_wanted):
    """The first direction of a shortest path to a wanted cell, by breadth-first search on the torus; north if there is none."""
    queue, seen = collections.deque([(start, "")]), {start}
    while queue:
        (row, col), first = queue.popleft()
        for direction, (down, right) in STEPS.items():
            cell = (row + down) % game.rows, (col + right) % game.cols
            if game.cells[cell] != "#" and cell not in seen:
                if is_wanted(cell):
                    return first or direction
                seen.add(cell)
                queue.append((cell, first or direction))
    return "N"


def orders(game):
    """The directions of our pacman and of our ghost, as two letters."""
    others = [place for colour, place in game.pacmans.items() if colour != game.me]
    pacman = first_step(game, game.pacmans[game.me], lambda cell: game.cells[cell] != " ")
    ghost = first_step(game, game.ghosts[game.me], lambda cell: cell in others)
    return pacman + ghost


def result(game):
    """Our rank and our points; equal points share a rank."""
    own = game.points[game.me]
    rank = 1 + sum(points > own for points in game.points.values())
    return f"rank, rang: {rank}/{len(game.points)}, points: {own}"


name, host, port = (sys.argv[1:] + ["Python", "127.0.0.1", "1111"][len(sys.argv) - 1:])[:3]
tries = 0  # how often to look for a server that was there, a second apart
while True:
    try:
        with socket.create_connection((host, port)) as server:
            server.sendall(f"joueur;{name}\0".encode())
            for message in messages(server):
                if message.startswith("labyrinthe;"):
                    sys.exit(f"{host}:{port}: this server plays PyRat, ce serveur joue à PyRat: rat.py")
                if not message.startswith("jeu;"):
                    sys.exit(None if message == "quit\n" else f"{host}:{port}: {message.strip()}")
                game, tries = decode(message), 60
                server.sendall(orders(game).encode() + b"\0")
                if game.turns_left == 0:
                    print(result(game), flush=True)
        raise ConnectionError("closed without a word, fermeture sans un mot")
    except OSError as error:
        if tries == 0:
            sys.exit(f"no server, pas de serveur: {host}:{port} ({error}); server --remplir prudent")
        tries -= 1
        time.sleep(1)
