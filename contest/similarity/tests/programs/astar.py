from heapq import heappush, heappop
from itertools import count


class Noeud:
    def __init__(self, case, parent=None, lettre=""):
        self.case = case
        self.parent = parent
        self.lettre = lettre
        self.g = parent.g + 1 if parent else 0

    def chemin(self):
        noeud, lettres = self, []
        while noeud.parent:
            lettres.append(noeud.lettre)
            noeud = noeud.parent
        return lettres[::-1]


def heuristique(partie, a, b):
    x = abs(a[0] - b[0])
    y = abs(a[1] - b[1])
    return min(x, partie.rows - x) + min(y, partie.cols - y)


def a_etoile(partie, depart, arrivee, interdits=()):
    compteur = count()
    ouverts = []
    heappush(ouverts, (heuristique(partie, depart, arrivee), next(compteur), Noeud(depart)))
    fermes = set()
    while ouverts:
        _, _, courant = heappop(ouverts)
        if courant.case == arrivee:
            return courant.chemin()
        if courant.case in fermes:
            continue
        fermes.add(courant.case)
        for lettre, (i, j) in STEPS.items():
            suivante = (courant.case[0] + i) % partie.rows, (courant.case[1] + j) % partie.cols
            if partie.cells[suivante] == "#" or suivante in fermes or suivante in interdits:
                continue
            fils = Noeud(suivante, courant, lettre)
            heappush(ouverts, (fils.g + heuristique(partie, suivante, arrivee), next(compteur), fils))
    return []


def orders(game):
    ici = game.pacmans[game.me]
    mechants = {place for couleur, place in game.ghosts.items() if couleur != game.me}
    candidats = sorted(
        (case for case in game.cells if game.cells[case] not in ("#", " ")),
        key=lambda case: heuristique(game, ici, case),
    )[:5]
    chemins = [a_etoile(game, ici, case, mechants) for case in candidats]
    chemins = [chemin for chemin in chemins if chemin]
    mouvement = min(chemins, key=len)[0] if chemins else "N"
    chasse = "N"
    for couleur in sorted(game.pacmans, key=lambda c: -game.points[c]):
        if couleur != game.me:
            trouve = a_etoile(game, game.ghosts[game.me], game.pacmans[couleur])
            if trouve:
                chasse = trouve[0]
                break
    return mouvement + chasse
