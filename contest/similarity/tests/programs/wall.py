"""La main droite sur le mur : le pacman longe le mur, le fantome longe l'autre cote."""

ORDRE = "NESO"
etat = dict(pacman=0, fantome=2, bloque=0, derniere=None)


def libre(game, ligne, colonne, sens):
    dl, dc = STEPS[ORDRE[sens % 4]]
    return game.cells[(ligne + dl) % game.rows, (colonne + dc) % game.cols] != "#"


def longer(game, position, sens, main):
    # main = 1 : droite, main = -1 : gauche
    essais = [sens + main, sens, sens - main, sens + 2]
    for essai in essais:
        if libre(game, *position, essai):
            return essai % 4
    return sens


def orders(game):
    position = game.pacmans[game.me]
    if position == etat["derniere"]:
        etat["bloque"] += 1
    else:
        etat["bloque"] = 0
    etat["derniere"] = position
    if etat["bloque"] >= 2:
        # quelqu'un nous a fait revenir : demi-tour
        etat["pacman"] = (etat["pacman"] + 2) % 4
        etat["bloque"] = 0
    etat["pacman"] = longer(game, position, etat["pacman"], 1)
    etat["fantome"] = longer(game, game.ghosts[game.me], etat["fantome"], -1)
    tourne = game.turns_left % 50 == 0
    if tourne:
        etat["pacman"] = (etat["pacman"] + 1) % 4 if libre(game, *position, etat["pacman"] + 1) else etat["pacman"]
    return ORDRE[etat["pacman"]] + ORDRE[etat["fantome"]]
