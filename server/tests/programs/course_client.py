"""A client that reads states as strictly as those of the course do, and no better."""
import socket
import sys

server = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
server.sendall(b"joueur;" + sys.argv[2].encode() + b"\0")
received, elapsed, games, turns = b"", 0, 0, 0
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
    shown, total = map(int, general[:-1].split(";"))
    assert shown == elapsed, (shown, elapsed)
    if elapsed < total:
        elapsed += 1
    else:
        elapsed, games, turns = 0, games + 1, turns + total
    lines = board.split("\n")
    rows, cols = map(int, lines[0].split(";"))
    assert all(len(line) == cols for line in lines[1:rows + 1])
    place = rows + 1
    for letters in ("ABCD", "abcd"):
        assert lines[place] == "4"
        pieces = [line.split(";") for line in lines[place + 1:place + 5]]
        assert sorted(letter for letter, _, _ in pieces) == list(letters)
        assert all(0 <= int(row) < rows and 0 <= int(col) < cols for _, row, col in pieces)
        place += 5
    assert lines[place:] == [""]
    for line in players[:-1].split("\n"):
        colour, points, false_moves, *numbers, name = line.split(";")
        assert len(numbers) == 7 and name
        [int(number) for number in (points, false_moves, *numbers)]
    server.sendall(b"NS\0")
print(f"games {games}, turns {turns}")
