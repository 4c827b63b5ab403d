# Projet SAE - equipe Les Gloutons
# on va vers l'objet le plus proche a vol d'oiseau, sans calculer de chemin

def ecart(a, b, taille):
    d = abs(a - b)
    return d if d <= taille - d else taille - d


def distance(game, p, q):
    return ecart(p[0], q[0], game.rows) + ecart(p[1], q[1], game.cols)


def objets(game):
    return [pos for pos, contenu in game.cells.items() if contenu not in "# "]


def voisin(game, pos, direction):
    delta = STEPS[direction]
    return (pos[0] + delta[0]) % game.rows, (pos[1] + delta[1]) % game.cols


precedentes = []


def vers(game, depart, cibles):
    if not cibles:
        return "N"
    but = min(cibles, key=lambda c: distance(game, depart, c))
    possibles = [d for d in STEPS if game.cells[voisin(game, depart, d)] != "#"]
    possibles.sort(key=lambda d: (voisin(game, depart, d) in precedentes, distance(game, voisin(game, depart, d), but)))
    return possibles[0] if possibles else "N"


def orders(game):
    moi = game.pacmans[game.me]
    precedentes.append(moi)
    while len(precedentes) > 8:
        precedentes.pop(0)
    proies = [p for c, p in game.pacmans.items() if c != game.me]
    premier = vers(game, moi, objets(game))
    fantome = game.ghosts[game.me]
    # le fantome n'a pas de memoire
    meilleur, valeur = "N", 10 ** 6
    for d in STEPS:
        case = voisin(game, fantome, d)
        if game.cells[case] == "#":
            continue
        v = sum(distance(game, case, p) for p in proies)
        if v < valeur:
            meilleur, valeur = d, v
    return premier + meilleur
