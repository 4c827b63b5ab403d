# Potential field: objects attract, ghosts repel, and the pacman rolls down.
ATTRACTION = {".": -2, "$": -30, "@": -18, "~": -14, "&": -60, "!": -16}
REPULSION = 45


def potential(game, place, charges):
    total = 0.0
    for (row, col), charge in charges:
        dy = abs(place[0] - row)
        dx = abs(place[1] - col)
        if dy > game.rows / 2:
            dy = game.rows - dy
        if dx > game.cols / 2:
            dx = game.cols - dx
        total += charge / (1 + dx * dx + dy * dy)
    return total


visits = {}


def roll(game, place, charges):
    lowest = None
    answer = "N"
    for letter, step in STEPS.items():
        row = (place[0] + step[0]) % game.rows
        col = (place[1] + step[1]) % game.cols
        if game.cells[row, col] == "#":
            continue
        height = potential(game, (row, col), charges) + 0.8 * visits.get((row, col), 0)
        if lowest is None or height < lowest:
            lowest = height
            answer = letter
    return answer


def orders(game):
    here = game.pacmans[game.me]
    visits[here] = visits.get(here, 0) + 1
    if game.turns_left % 20 == 0:
        for place in list(visits):
            visits[place] /= 2
    charges = [(place, ATTRACTION[what]) for place, what in game.cells.items() if what in ATTRACTION]
    for colour in game.ghosts:
        if colour != game.me:
            charges.append((game.ghosts[colour], REPULSION))
    preys = [(game.pacmans[colour], -10 - game.points[colour] / 10) for colour in game.pacmans if colour != game.me]
    return roll(game, here, charges) + roll(game, game.ghosts[game.me], preys)
