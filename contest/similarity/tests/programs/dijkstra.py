import heapq

DANGER = 12


def cost_of_entering(game, cell, threatened):
    cost = 1
    if cell in threatened:
        cost += DANGER
    if game.cells[cell] == " ":
        cost += 0.1
    return cost


def threatened_cells(game):
    near = set()
    for colour, (r, c) in game.ghosts.items():
        if colour == game.me:
            continue
        for dr in range(-2, 3):
            for dc in range(-2, 3):
                if abs(dr) + abs(dc) <= 2:
                    near.add(((r + dr) % game.rows, (c + dc) % game.cols))
    return near


def dijkstra(game, source, threatened):
    dist = {source: 0}
    first = {source: ""}
    heap = [(0, source)]
    done = set()
    while heap:
        d, u = heapq.heappop(heap)
        if u in done:
            continue
        done.add(u)
        for letter in STEPS:
            v = ((u[0] + STEPS[letter][0]) % game.rows, (u[1] + STEPS[letter][1]) % game.cols)
            if game.cells[v] == "#":
                continue
            nd = d + cost_of_entering(game, v, threatened)
            if nd < dist.get(v, float("inf")):
                dist[v] = nd
                first[v] = first[u] or letter
                heapq.heappush(heap, (nd, v))
    return dist, first


def orders(game):
    threatened = threatened_cells(game)
    dist, first = dijkstra(game, game.pacmans[game.me], threatened)
    score = {"&": 50, "$": 30, "@": 20, "~": 15, "!": 15, ".": 5}
    target = None
    for cell in dist:
        gain = score.get(game.cells[cell])
        if gain is None:
            continue
        value = gain - dist[cell]
        if target is None or value > target[0]:
            target = value, cell
    pac = first[target[1]] if target is not None else "N"
    dist, first = dijkstra(game, game.ghosts[game.me], set())
    prey = min((dist.get(p, 999), p) for k, p in game.pacmans.items() if k != game.me) if len(game.pacmans) > 1 else None
    gh = first.get(prey[1], "N") if prey else "N"
    return (pac or "N") + (gh or "N")
