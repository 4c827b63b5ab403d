from collections import deque


def distances_from(game, starts):
    dist = dict.fromkeys(starts, 0)
    todo = deque(starts)
    while todo:
        r, c = todo.popleft()
        for dr, dc in STEPS.values():
            n = (r + dr) % game.rows, (c + dc) % game.cols
            if n not in dist and game.cells[n] != "#":
                dist[n] = dist[r, c] + 1
                todo.append(n)
    return dist


def moves(game, cell):
    for d in STEPS:
        n = (cell[0] + STEPS[d][0]) % game.rows, (cell[1] + STEPS[d][1]) % game.cols
        if game.cells[n] != "#":
            yield d, n


def orders(game):
    me = game.pacmans[game.me]
    enemies = [g for k, g in game.ghosts.items() if k != game.me]
    fear = distances_from(game, enemies)
    food = distances_from(game, [c for c in game.cells if game.cells[c] not in "# "])
    if fear.get(me, 99) <= 4:
        # run: the cell from which we can go furthest
        def safety(move):
            _, n = move
            exits = sum(1 for _ in moves(game, n))
            return fear.get(n, 99) * 10 + exits * 3 - food.get(n, 50)
        pacman = max(moves(game, me), key=safety, default=("N", me))[0]
    else:
        pacman = min(moves(game, me), key=lambda m: food.get(m[1], 99), default=("N", me))[0]
    preys = distances_from(game, [p for k, p in game.pacmans.items() if k != game.me])
    ghost, smallest = "N", 9999
    for d, n in moves(game, game.ghosts[game.me]):
        if preys.get(n, 9999) < smallest:
            ghost, smallest = d, preys[n]
    return f"{pacman}{ghost}"
