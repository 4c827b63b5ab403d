import heapq
import itertools


def estimate(game, a, b):
    dy = abs(a[0] - b[0])
    dx = abs(a[1] - b[1])
    return min(dy, game.rows - dy) + min(dx, game.cols - dx)


def search(game, source, goal, closed_cells=()):
    number = itertools.count()
    heap = []
    heapq.heappush(heap, (estimate(game, source, goal), next(number), source, 0, ""))
    done = set()
    while heap:
        _, _, cell, cost, letters = heapq.heappop(heap)
        if cell == goal:
            return letters
        if cell in done:
            continue
        done.add(cell)
        for letter, (down, right) in STEPS.items():
            other = (cell[0] + down) % game.rows, (cell[1] + right) % game.cols
            if game.cells[other] == "#" or other in done or other in closed_cells:
                continue
            heapq.heappush(heap, (cost + 1 + estimate(game, other, goal), next(number), other, cost + 1, letters + letter))
    return ""


def best_prey(game):
    for colour in sorted(game.pacmans, key=lambda k: -game.points[k]):
        if colour == game.me:
            continue
        way = search(game, game.ghosts[game.me], game.pacmans[colour])
        if way:
            return way[0]
    return "S"


def orders(game):
    me = game.pacmans[game.me]
    bad = {where for colour, where in game.ghosts.items() if colour != game.me}
    objects = [cell for cell in game.cells if game.cells[cell] not in ("#", " ")]
    objects.sort(key=lambda cell: estimate(game, me, cell))
    ways = []
    for cell in objects[:4]:
        way = search(game, me, cell, bad)
        if way:
            ways.append(way)
    return (min(ways, key=len)[0] if ways else "S") + best_prey(game)
