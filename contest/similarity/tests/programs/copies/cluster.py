cible = set()
valeurs = {"$": 6, "&": 12, "@": 3, "~": 2, "!": 2}


def chef(chefs, x):
    while chefs[x] != x:
        chefs[x] = chefs[chefs[x]]
        x = chefs[x]
    return x


def paquets(jeu):
    tous = [x for x in jeu.cells if jeu.cells[x] in "&$@~!."]
    chefs = {x: x for x in tous}
    for l, c in tous:
        for i in range(3):
            for j in range(-2, 3):
                y = (l + i, c + j)
                if i + abs(j) <= 2 and y in chefs:
                    chefs[chef(chefs, y)] = chef(chefs, (l, c))
    par_chef = {}
    for x in tous:
        par_chef.setdefault(chef(chefs, x), []).append(x)
    return list(par_chef.values())


def interet(jeu, paquet, moi):
    milieu = paquet[len(paquet) // 2]
    loin = abs(milieu[0] - moi[0]) + abs(milieu[1] - moi[1])
    return sum(valeurs.get(jeu.cells[x], 1) for x in paquet) - loin / 4


def orders(game):
    global cible
    moi = game.pacmans[game.me]
    cible = {x for x in cible if game.cells[x] != " "}
    if not cible:
        tous = paquets(game)
        if tous:
            cible = set(max(tous, key=lambda p: interet(game, p, moi)))
    premier = max((k for k in game.points if k != game.me), key=game.points.get, default=game.me)
    a = first_step(game, moi, lambda x: x in cible)
    b = first_step(game, game.ghosts[game.me], lambda x: x == game.pacmans[premier])
    return a + b


def first_step(jeu, debut, voulu):
    file, vus = collections.deque([(debut, "")]), {debut}
    while file:
        (l, c), premier = file.popleft()
        for lettre, (i, j) in STEPS.items():
            x = (l + i) % jeu.rows, (c + j) % jeu.cols
            if jeu.cells[x] != "#" and x not in vus:
                if voulu(x):
                    return premier or lettre
                vus.add(x)
                file.append((x, premier or lettre))
    return "N"
