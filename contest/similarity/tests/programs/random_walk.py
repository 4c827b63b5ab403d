import random

OPPOSITE = {"N": "S", "S": "N", "E": "O", "O": "E"}
memory = {"pacman": None, "ghost": None}


def open_directions(game, place):
    """Directions that no wall forbids."""
    found = []
    for letter in "NESO":
        dr, dc = STEPS[letter]
        target = ((place[0] + dr) % game.rows, (place[1] + dc) % game.cols)
        if game.cells[target] != "#":
            found.append(letter)
    return found


def wander(game, place, piece):
    ways = open_directions(game, place)
    last = memory[piece]
    if last is not None and len(ways) > 1:
        back = OPPOSITE[last]
        if back in ways:
            ways.remove(back)
    # going straight on is a bit more likely
    if last in ways and random.random() < 0.6:
        choice = last
    elif ways:
        choice = random.choice(ways)
    else:
        choice = "N"
    memory[piece] = choice
    return choice


def see_object(game, place):
    """An object right beside us, if there is one: the direction to it."""
    for letter in open_directions(game, place):
        dr, dc = STEPS[letter]
        beside = game.cells[(place[0] + dr) % game.rows, (place[1] + dc) % game.cols]
        if beside in ".$@~&!":
            return letter
    return None


def orders(game):
    pacman = game.pacmans[game.me]
    move = see_object(game, pacman)
    if move is None:
        move = wander(game, pacman, "pacman")
    else:
        memory["pacman"] = move
    return move + wander(game, game.ghosts[game.me], "ghost")
