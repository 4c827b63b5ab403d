"""The common parts of the test bots: a connection, a decoder of states, and a fair player."""
import collections
import socket
import sys

STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "O": (0, -1)}
State = collections.namedtuple("State", "me turn total rows cols cells pacmans ghosts points passes names")


def connect():
    """Our name and a connection, as the arguments have it."""
    name, host, port = sys.argv[1:4]
    return name, socket.create_connection((host, int(port)))


def register():
    name, server = connect()
    server.sendall(f"joueur;{name}\0".encode())
    return server


def messages(server):
    received = b""
    while data := server.recv(65536):
        *complete, received = (received + data).split(b"\0")
        yield from (message.decode() for message in complete)


def decode(message):
    header, state = message.split("\n", 1)
    turns, board, players = state.split("-" * 20 + "\n")
    turn, total = map(int, turns.split(";"))
    size, *lines = board.split("\n")
    rows, cols = map(int, size.split(";"))
    fields = [line.split(";") for line in players[:-1].split("\n")]
    return State(
        header[4], turn, total, rows, cols,
        {(row, col): lines[row][col] for row in range(rows) for col in range(cols)},
        {line[0]: (int(line[3]), int(line[4])) for line in fields},
        {line[0]: (int(line[5]), int(line[6])) for line in fields},
        {line[0]: int(line[1]) for line in fields},
        {line[0]: int(line[9]) for line in fields},
        {line[0]: line[10] for line in fields},
    )


def states(server):
    for message in messages(server):
        if message.startswith("quit"):
            return
        yield decode(message)


def first_step(state, start, is_wanted):
    queue, seen = collections.deque([(start, "")]), {start}
    while queue:
        (row, col), first = queue.popleft()
        for direction, (down, right) in STEPS.items():
            cell = (row + down) % state.rows, (col + right) % state.cols
            if state.cells[cell] != "#" and cell not in seen:
                if is_wanted(cell):
                    return first or direction
                seen.add(cell)
                queue.append((cell, first or direction))
    return "N"


def orders(state, me=None):
    me = me or state.me
    others = [place for colour, place in state.pacmans.items() if colour != me]
    pacman = first_step(state, state.pacmans[me], lambda cell: state.cells[cell] != " ")
    return pacman + first_step(state, state.ghosts[me], lambda cell: cell in others)


def play(answer=orders, end="\0"):
    """Plays as `answer` says, to the end."""
    server = register()
    for state in states(server):
        server.sendall((answer(state) + end).encode())
