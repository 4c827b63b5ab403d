past = []


def things(state):
    found = []
    for where, what in state.cells.items():
        if what not in "# ":
            found.append(where)
    return found


def beside(state, where, letter):
    move = STEPS[letter]
    return (where[0] + move[0]) % state.rows, (where[1] + move[1]) % state.cols


def gap(one, two, size):
    g = abs(one - two)
    if g <= size - g:
        return g
    return size - g


def away(state, one, two):
    return gap(one[0], two[0], state.rows) + gap(one[1], two[1], state.cols)


def can_go(state, where):
    return [letter for letter in STEPS if state.cells[beside(state, where, letter)] != "#"]


def toward(state, where, goals):
    if not goals:
        return "E"
    goal = min(goals, key=lambda g: away(state, where, g))
    options = can_go(state, where)
    options.sort(key=lambda o: (beside(state, where, o) in past, away(state, beside(state, where, o), goal)))
    return options[0] if options else "E"


def hunt(state, ghost, preys):
    best, least = "E", 999999
    for letter in STEPS:
        cell = beside(state, ghost, letter)
        if state.cells[cell] != "#":
            total = sum(away(state, cell, prey) for prey in preys)
            if total < least:
                best, least = letter, total
    return best


def orders(game):
    here = game.pacmans[game.me]
    past.append(here)
    while len(past) > 6:
        past.pop(0)
    preys = [place for colour, place in game.pacmans.items() if colour != game.me]
    return toward(game, here, things(game)) + hunt(game, game.ghosts[game.me], preys)
