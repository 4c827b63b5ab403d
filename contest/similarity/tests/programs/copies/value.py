class Carte:
    pass


FACTEUR = 0.85
GAINS = {"&": 20.0, "$": 9.0, "@": 5.0, "~": 5.0, "!": 4.0, ".": 1.5}


def monter(game, valeurs, ou):
    plus_haut = None
    sens = "N"
    for lettre, (bas, droite) in STEPS.items():
        v = valeurs.get(((ou[0] + bas) % game.rows, (ou[1] + droite) % game.cols))
        if v is not None:
            if plus_haut is None or v > plus_haut:
                plus_haut, sens = v, lettre
    return sens


def graphe(game):
    sommets = {}
    for (l, c), quoi in game.cells.items():
        if quoi != "#":
            liste = []
            for bas, droite in STEPS.values():
                autre = ((l + bas) % game.rows, (c + droite) % game.cols)
                if game.cells[autre] != "#":
                    liste.append(autre)
            sommets[l, c] = liste
    return sommets


def gains(game, sommets):
    r = {}
    for s in sommets:
        r[s] = GAINS.get(game.cells[s], 0.0)
    for nom, f in game.ghosts.items():
        if nom != game.me:
            r[f] = r.get(f, 0.0) - 25.0
            for s in sommets.get(f, ()):
                r[s] -= 8.0
    return r


def converger(sommets, r):
    valeurs = dict.fromkeys(sommets, 0.0)
    n = 0
    while n < 50:
        ecart = 0.0
        for s, voisins in sommets.items():
            v = r[s] + FACTEUR * max((valeurs[w] for w in voisins), default=0.0)
            ecart = max(ecart, abs(v - valeurs[s]))
            valeurs[s] = v
        n += 1
        if ecart < 0.02:
            break
    return valeurs


def orders(game):
    sommets = graphe(game)
    v = converger(sommets, gains(game, sommets))
    proies = dict.fromkeys(sommets, 0.0)
    for nom, case in game.pacmans.items():
        if nom != game.me:
            proies[case] = 40.0
    w = converger(sommets, proies)
    return monter(game, v, game.pacmans[game.me]) + monter(game, w, game.ghosts[game.me])
