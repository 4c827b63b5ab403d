from collections import deque


def carte(jeu, origines):
    loin = dict.fromkeys(origines, 0)
    file = deque(origines)
    while file:
        l, c = file.popleft()
        for a, b in STEPS.values():
            case = (l + a) % jeu.rows, (c + b) % jeu.cols
            if case not in loin and jeu.cells[case] != "#":
                loin[case] = loin[l, c] + 1
                file.append(case)
    return loin


def choix(jeu, case):
    for lettre in STEPS:
        autre = (case[0] + STEPS[lettre][0]) % jeu.rows, (case[1] + STEPS[lettre][1]) % jeu.cols
        if jeu.cells[autre] != "#":
            yield lettre, autre


def securite(jeu, peur, manger, case):
    sorties = sum(1 for _ in choix(jeu, case))
    return peur.get(case, 50) * 8 + sorties * 2 - manger.get(case, 40)


def orders(game):
    ici = game.pacmans[game.me]
    manger = carte(game, [c for c in game.cells if game.cells[c] not in "# "])
    peur = carte(game, [f for nom, f in game.ghosts.items() if nom != game.me])
    if peur.get(ici, 50) > 3:
        reponse = min(choix(game, ici), key=lambda x: manger.get(x[1], 50), default=("E", ici))[0]
    else:
        reponse = max(choix(game, ici), key=lambda x: securite(game, peur, manger, x[1]), default=("E", ici))[0]
    proies = carte(game, [p for nom, p in game.pacmans.items() if nom != game.me])
    fantome, mini = "E", 5000
    for lettre, case in choix(game, game.ghosts[game.me]):
        if proies.get(case, 5000) < mini:
            fantome = lettre
            mini = proies[case]
    return reponse + fantome
