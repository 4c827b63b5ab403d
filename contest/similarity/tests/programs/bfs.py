class Plan:
    """Breadth-first search from a cell, kept as a table of distances."""

    def __init__(self, game, origin):
        self.game = game
        self.origin = origin
        self.steps = {origin: 0}
        self.came = {}
        frontier = [origin]
        while frontier:
            following = []
            for cell in frontier:
                for name, other in self.around(cell):
                    if other in self.steps:
                        continue
                    self.steps[other] = self.steps[cell] + 1
                    self.came[other] = (cell, name)
                    following.append(other)
            frontier = following

    def around(self, cell):
        height, width = self.game.rows, self.game.cols
        for name, (down, right) in STEPS.items():
            other = ((cell[0] + down) % height, (cell[1] + right) % width)
            if self.game.cells[other] != "#":
                yield name, other

    def route(self, goal):
        letters = ""
        while goal != self.origin:
            goal, name = self.came[goal]
            letters = name + letters
        return letters


WORTH = {".": 1, "$": 20, "@": 15, "~": 10, "&": 100, "!": 12}


def orders(game):
    plan = Plan(game, game.pacmans[game.me])
    best = None
    for cell, steps in plan.steps.items():
        worth = WORTH.get(game.cells[cell], 0)
        if worth and steps and (best is None or worth / steps > best[0]):
            best = (worth / steps, cell)
    first = plan.route(best[1])[0] if best else "E"
    hunt = Plan(game, game.ghosts[game.me])
    victims = [cell for colour, cell in game.pacmans.items() if colour != game.me and cell in hunt.steps]
    if not victims:
        return first + "E"
    victims.sort(key=hunt.steps.get)
    path = hunt.route(victims[0])
    return first + (path[:1] or "E")
