import collections


def wave(game, sources):
    """Who reaches each cell first. All players walk at once."""
    owner = {}
    arrival = {}
    queue = collections.deque()
    for player, place in sources.items():
        owner[place] = player
        arrival[place] = 0
        queue.append(place)
    while len(queue) > 0:
        place = queue.popleft()
        for move in ("N", "E", "S", "O"):
            y = place[0] + STEPS[move][0]
            x = place[1] + STEPS[move][1]
            y, x = y % game.rows, x % game.cols
            if game.cells[(y, x)] == "#":
                continue
            if (y, x) in arrival:
                if arrival[(y, x)] == arrival[place] + 1 and owner[(y, x)] != owner[place]:
                    owner[(y, x)] = None
                continue
            owner[(y, x)] = owner[place]
            arrival[(y, x)] = arrival[place] + 1
            queue.append((y, x))
    return owner, arrival


def territory(game, player, place):
    sources = dict(game.pacmans)
    sources[player] = place
    owner, arrival = wave(game, sources)
    mine = 0
    for cell in owner:
        if owner[cell] == player and game.cells[cell] != " ":
            mine += 1 / (1 + arrival[cell])
    return mine


def orders(game):
    y, x = game.pacmans[game.me]
    results = []
    for move in STEPS:
        cell = ((y + STEPS[move][0]) % game.rows, (x + STEPS[move][1]) % game.cols)
        if game.cells[cell] != "#":
            bonus = 0.5 if game.cells[cell] != " " else 0
            results.append((territory(game, game.me, cell) + bonus, move))
    results.sort()
    pac = results[-1][1] if results else "N"
    y, x = game.ghosts[game.me]
    rival = None
    for colour, points in sorted(game.points.items(), key=lambda entry: entry[1]):
        if colour != game.me:
            rival = colour
    if rival is None:
        return pac + "N"
    _, far = wave(game, {rival: game.pacmans[rival]})
    ghost = "N"
    for move in STEPS:
        cell = ((y + STEPS[move][0]) % game.rows, (x + STEPS[move][1]) % game.cols)
        if far.get(cell, 9999) < far.get((y, x), 9999):
            ghost = move
    return pac + ghost
