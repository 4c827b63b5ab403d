GAMMA = 0.9
SWEEPS = 40
REWARD = {".": 1.0, "$": 8.0, "@": 6.0, "~": 4.0, "&": 25.0, "!": 5.0}


def neighbours(game):
    table = {}
    for (row, col), content in game.cells.items():
        if content == "#":
            continue
        table[row, col] = [
            ((row + down) % game.rows, (col + right) % game.cols)
            for down, right in STEPS.values()
            if game.cells[(row + down) % game.rows, (col + right) % game.cols] != "#"
        ]
    return table


def rewards(game, table):
    result = {cell: REWARD.get(game.cells[cell], 0.0) for cell in table}
    for colour, ghost in game.ghosts.items():
        if colour != game.me:
            result[ghost] = result.get(ghost, 0.0) - 30.0
            for cell in table.get(ghost, ()):
                result[cell] -= 10.0
    return result


def iterate(table, reward):
    """Value iteration: V(s) = R(s) + gamma * max V(s')."""
    values = dict.fromkeys(table, 0.0)
    for _ in range(SWEEPS):
        change = 0.0
        for cell, others in table.items():
            new = reward[cell] + GAMMA * max((values[other] for other in others), default=0.0)
            change = max(change, abs(new - values[cell]))
            values[cell] = new
        if change < 0.01:
            break
    return values


def climb(game, values, start):
    best, direction = None, "S"
    for letter, (down, right) in STEPS.items():
        value = values.get(((start[0] + down) % game.rows, (start[1] + right) % game.cols))
        if value is not None and (best is None or value > best):
            best, direction = value, letter
    return direction


def orders(game):
    table = neighbours(game)
    values = iterate(table, rewards(game, table))
    chase = dict.fromkeys(table, 0.0)
    chase.update((cell, 50.0) for colour, cell in game.pacmans.items() if colour != game.me)
    return climb(game, values, game.pacmans[game.me]) + climb(game, iterate(table, chase), game.ghosts[game.me])
