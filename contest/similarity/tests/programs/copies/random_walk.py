from random import random, choice as pick

# les sens contraires
inverse = dict(N="S", S="N", E="O", O="E")
dernier = {"p": None, "f": None}


def orders(game):
    ou = game.pacmans[game.me]
    sens = objet_voisin(game, ou)
    if sens is not None:
        dernier["p"] = sens
    else:
        sens = promener(game, ou, "p")
    return sens + promener(game, game.ghosts[game.me], "f")


def objet_voisin(jeu, ou):
    for sens in sens_libres(jeu, ou):
        a, b = STEPS[sens]
        contenu = jeu.cells[(ou[0] + a) % jeu.rows, (ou[1] + b) % jeu.cols]
        if contenu != " ":
            return sens
    return None


def sens_libres(jeu, ou):
    resultat = []
    i = 0
    while i < 4:
        sens = "NESO"[i]
        a, b = STEPS[sens]
        case = ((ou[0] + a) % jeu.rows, (ou[1] + b) % jeu.cols)
        if case and jeu.cells[case] != "#":
            resultat.append(sens)
        i += 1
    return resultat


def promener(jeu, ou, qui):
    sens_possibles = sens_libres(jeu, ou)
    avant = dernier[qui]
    if avant is not None and len(sens_possibles) > 1:
        if inverse[avant] in sens_possibles:
            sens_possibles.remove(inverse[avant])
    if avant in sens_possibles and random() < 0.5:
        resultat = avant
    elif not sens_possibles:
        resultat = "S"
    else:
        resultat = pick(sens_possibles)
    dernier[qui] = resultat
    return resultat
