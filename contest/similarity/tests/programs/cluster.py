def components(game):
    """Groups of objects that are at most two cells apart, by union and find."""
    objects = [cell for cell in game.cells if game.cells[cell] in ".$@~&!"]
    leader = {cell: cell for cell in objects}

    def find(cell):
        while leader[cell] != cell:
            leader[cell] = leader[leader[cell]]
            cell = leader[cell]
        return cell

    for row, col in objects:
        for dr in (0, 1, 2):
            for dc in (-2, -1, 0, 1, 2):
                other = (row + dr, col + dc)
                if dr + abs(dc) <= 2 and other in leader:
                    leader[find(other)] = find((row, col))
    groups = {}
    for cell in objects:
        groups.setdefault(find(cell), []).append(cell)
    return list(groups.values())


def weight(game, group):
    prices = {"$": 5, "&": 10, "@": 4, "~": 3, "!": 3}
    return sum(prices.get(game.cells[cell], 1) for cell in group)


def first_step(game, start, is_wanted):
    """How a shortest way to a wanted cell begins, found by a breadth-first search on the torus."""
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


current = set()


def orders(game):
    global current
    me = game.pacmans[game.me]
    current = {cell for cell in current if game.cells[cell] != " "}
    if not current:
        groups = components(game)

        def merit(group):
            centre = group[len(group) // 2]
            far = abs(centre[0] - me[0]) + abs(centre[1] - me[1])
            return weight(game, group) - far / 3

        if groups:
            current = set(max(groups, key=merit))
    pacman = first_step(game, me, lambda cell: cell in current)
    leading = max((c for c in game.points if c != game.me), key=game.points.get, default=game.me)
    return pacman + first_step(game, game.ghosts[game.me], lambda cell: cell == game.pacmans[leading])
