PRIX = {".": 2, "$": 25, "@": 12, "~": 11, "&": 90, "!": 9}


def autour(jeu, case):
    for sens, (bas, droite) in STEPS.items():
        voisine = ((case[0] + bas) % jeu.rows, (case[1] + droite) % jeu.cols)
        if jeu.cells[voisine] != "#":
            yield sens, voisine


def explorer(jeu, depart):
    pas = {depart: 0}
    parent = {}
    bord = [depart]
    while bord:
        suite = []
        for case in bord:
            for sens, voisine in autour(jeu, case):
                if voisine not in pas:
                    pas[voisine] = pas[case] + 1
                    parent[voisine] = (case, sens)
                    suite.append(voisine)
        bord = suite
    return pas, parent


def trajet(depart, parent, but):
    lettres = ""
    while but != depart:
        but, sens = parent[but]
        lettres = sens + lettres
    return lettres


def meilleure_case(jeu, pas):
    meilleure = None
    for case, n in pas.items():
        prix = PRIX.get(jeu.cells[case], 0)
        if not prix or not n:
            continue
        if meilleure is None or prix / n > meilleure[0]:
            meilleure = (prix / n, case)
    return meilleure


def orders(game):
    moi, fantome = game.pacmans[game.me], game.ghosts[game.me]
    pas, parent = explorer(game, moi)
    meilleure = meilleure_case(game, pas)
    reponse = trajet(moi, parent, meilleure[1])[0] if meilleure else "O"
    pas, parent = explorer(game, fantome)
    proies = [case for nom, case in game.pacmans.items() if nom != game.me and case in pas]
    if proies:
        proies.sort(key=pas.get)
        return reponse + (trajet(fantome, parent, proies[0])[:1] or "O")
    return reponse + "O"
