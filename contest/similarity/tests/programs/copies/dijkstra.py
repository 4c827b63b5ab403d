from heapq import heappush, heappop

debug = False


# recherche du plus court chemin
def chemin(jeu, debut, dangers):
    couts = {debut: 0}
    premiers = {debut: ""}
    tas = [(0, debut)]
    vus = set()
    tours = 0
    while tas:
        tours += 1
        cout, case = heappop(tas)
        if case not in vus:
            vus.add(case)
            for lettre in STEPS:
                suivante = ((case[0] + STEPS[lettre][0]) % jeu.rows, (case[1] + STEPS[lettre][1]) % jeu.cols)
                if jeu.cells[suivante] != "#":
                    prix = 1
                    if suivante in dangers:
                        prix += 15
                    if jeu.cells[suivante] == " ":
                        prix += 0.2
                    total = cout + prix
                    if total < couts.get(suivante, 10 ** 9):
                        couts[suivante] = total
                        premiers[suivante] = premiers[case] or lettre
                        heappush(tas, (total, suivante))
    if debug:
        print("tours", tours)
    return couts, premiers


def zone_dangereuse(jeu):
    zone = set()
    for nom, (l, c) in jeu.ghosts.items():
        if nom != jeu.me:
            for i in range(-2, 3):
                for j in range(-2, 3):
                    if abs(i) + abs(j) <= 2:
                        zone.add(((l + i) % jeu.rows, (c + j) % jeu.cols))
    return zone


points = {".": 4, "!": 14, "~": 14, "@": 22, "$": 33, "&": 55}


def orders(game):
    couts, premiers = chemin(game, game.pacmans[game.me], zone_dangereuse(game))
    meilleur = None
    for case in couts:
        gain = points.get(game.cells[case])
        if gain is not None:
            valeur = gain - couts[case]
            if meilleur is None or valeur > meilleur[0]:
                meilleur = valeur, case
    a = premiers[meilleur[1]] if meilleur is not None else "S"
    couts, premiers = chemin(game, game.ghosts[game.me], set())
    b = "S"
    if len(game.pacmans) > 1:
        proie = min((couts.get(p, 1000), p) for nom, p in game.pacmans.items() if nom != game.me)
        b = premiers.get(proie[1], "S")
    return (a or "S") + (b or "S")
