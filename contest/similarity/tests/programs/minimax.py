import math


def apply(game, cell, letter):
    step = STEPS[letter]
    new = (cell[0] + step[0]) % game.rows, (cell[1] + step[1]) % game.cols
    return cell if game.cells[new] == "#" else new


def torus(game, a, b):
    rows = abs(a[0] - b[0])
    cols = abs(a[1] - b[1])
    return min(rows, game.rows - rows) + min(cols, game.cols - cols)


def evaluate(game, me, ghost, eaten):
    score = 15 * eaten
    if me == ghost:
        score -= 200
    score += 2 * torus(game, me, ghost)
    closest = math.inf
    for cell, content in game.cells.items():
        if content != "#" and content != " ":
            closest = min(closest, torus(game, me, cell))
    if closest < math.inf:
        score -= closest
    return score


def maximise(game, me, ghost, depth, eaten, alpha, beta):
    if depth == 0 or me == ghost:
        return evaluate(game, me, ghost, eaten), None
    best, chosen = -math.inf, None
    for letter in STEPS:
        new = apply(game, me, letter)
        if new == me:
            continue
        gain = eaten + (game.cells[new] not in " #")
        value = minimise(game, new, ghost, depth - 1, gain, alpha, beta)
        if value > best:
            best, chosen = value, letter
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, chosen


def minimise(game, me, ghost, depth, eaten, alpha, beta):
    if depth == 0 or me == ghost:
        return evaluate(game, me, ghost, eaten)
    worst = math.inf
    for letter in STEPS:
        reply = apply(game, ghost, letter)
        worst = min(worst, maximise(game, me, reply, depth - 1, eaten, alpha, beta)[0])
        beta = min(beta, worst)
        if beta <= alpha:
            break
    return worst


def orders(game):
    me = game.pacmans[game.me]
    foes = [g for c, g in game.ghosts.items() if c != game.me] or [me]
    ghost = min(foes, key=lambda g: torus(game, me, g))
    _, letter = maximise(game, me, ghost, 4, 0, -math.inf, math.inf)
    mine = game.ghosts[game.me]
    targets = [p for c, p in game.pacmans.items() if c != game.me]
    hunting = min(STEPS, key=lambda s: min([torus(game, apply(game, mine, s), t) for t in targets] or [0]))
    return (letter or "O") + hunting
