"""The command ``pacman-iuto``."""
from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from typing import List, NoReturn, Optional

from . import MAPS, __version__, deposer
from .partie import play_first_game
from .programs import executable
from .seul import choose_language, complain, said

PROGRAMS = ("server", "client", "afficheur", "rejeu", "tournoi", "lab")
#: The English names of commands.
ALIASES = {"game": "partie", "hand-in": "deposer", "file": "fichier"}

ENGLISH = f"""Pacman IUT'O {__version__}: an arena for bots

  pacman-iuto page                   play in a browser against bots of the house
  pacman-iuto partie                 play a first game, four bots of the house [alias: game]
  pacman-iuto server …               play games with clients over TCP; --web 8080 shows them in a browser
  pacman-iuto client …               play on a server with a bot of the house
  pacman-iuto afficheur …            watch a game in the terminal
  pacman-iuto rejeu …                verify, explain and export recorded games
  pacman-iuto tournoi …              run tournaments, try a bot, check it
  pacman-iuto lab …                  experiments: mazes, paths, PyRat, Hexapawn, puddles
  pacman-iuto deposer BOT …          hand a bot in to a course, and print the verdict [alias: hand-in]
  pacman-iuto fichier [FOLDER]       write pacman_iuto.py, for machines where nothing can be installed [alias: file]

Each has --help, and --langue fr|en. Maps inside: {', '.join(MAPS)}.
"""
FRENCH = f"""Pacman IUT'O {__version__} : une arène pour bots

  pacman-iuto page                   jouer dans un navigateur contre des bots de la maison
  pacman-iuto partie                 jouer une première partie, entre quatre bots de la maison [synonyme : game]
  pacman-iuto server …               jouer des parties avec des clients sur TCP ; --web 8080 les montre dans un navigateur
  pacman-iuto client …               jouer sur un serveur avec un bot de la maison
  pacman-iuto afficheur …            regarder une partie dans le terminal
  pacman-iuto rejeu …                vérifier, expliquer et exporter des parties enregistrées
  pacman-iuto tournoi …              organiser des tournois, essayer un bot, le vérifier
  pacman-iuto lab …                  expériences : labyrinthes, chemins, PyRat, Hexapawn, flaques
  pacman-iuto deposer BOT …          déposer un bot dans un cours, et afficher le verdict [synonyme : hand-in]
  pacman-iuto fichier [DOSSIER]      écrire pacman_iuto.py, pour les machines où rien ne peut être installé [synonyme : file]

Chacun a --help, et --langue fr|en. Cartes intégrées : {', '.join(MAPS)}.
"""


def become(program: str, arguments: List[str]) -> NoReturn:
    """Becomes a program: its terminal, signals and exit code are those of this process."""
    called = [program, *arguments]
    if sys.platform != "win32":
        sys.stdout.flush()
        os.execv(executable(), called)
    # Windows has no such call: Ctrl-C reaches the program, and it alone decides.
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(subprocess.call(called, executable=executable()))


def open_page(arguments: List[str]) -> int:
    """Opens the page in which one plays in a browser, and returns the exit code."""
    import webbrowser

    if arguments and arguments[0] in ("-h", "--help"):
        print(said(
            "pacman-iuto page: opens the page in which one plays against bots of the house, and prints its path",
            "pacman-iuto page : ouvre la page où l'on joue contre des bots de la maison, et affiche son chemin",
        ))
        return 0
    if arguments:
        complain(f"page takes no argument, not {arguments[0]!r}", f"page ne prend aucun argument, pas {arguments[0]!r}")
        return 2
    page = pathlib.Path(__file__).parent / "page" / "arene.html"
    if not page.exists():
        complain(
            f"this package was made without the page: expected {page}",
            f"ce paquet a été fait sans la page : il manque {page}",
        )
        return 1
    if webbrowser.open(page.as_uri()):
        print(page)
    else:
        print(said(f"no browser was found: open {page}", f"aucun navigateur trouvé : ouvrez {page}"))
    return 0


def main(argv: Optional[List[str]] = None) -> int:
    """Runs the command line, and returns the exit code."""
    words, language = list(sys.argv[1:] if argv is None else argv), []
    while words and words[0].partition("=")[0] in ("--langue", "--language"):
        count = 1 if "=" in words[0] else 2
        language, words = words[:count], words[count:]
        try:
            choose_language(language)
        except ValueError as error:
            complain(error, error)
            return 2
    command, *rest = words or ["--help"]
    command = ALIASES.get(command, command)
    if command in PROGRAMS:
        become(command, [*rest, *language])
    if command == "partie":
        return play_first_game(rest)
    if command == "page":
        return open_page(rest)
    if command == "deposer":
        return deposer.main([*rest, *language])
    if command == "fichier":
        target = pathlib.Path(rest[0] if rest else ".") / "pacman_iuto.py"
        try:
            with target.open("xb") as file:
                file.write((pathlib.Path(__file__).parent / "seul.py").read_bytes())
        except FileExistsError:
            complain(f"{target} is there already", f"{target} existe déjà")
            return 2
        except OSError as error:
            complain(f"cannot write {target}: {error.strerror}", f"{target} ne peut pas être écrit : {error.strerror}")
            return 2
        print(said(
            f"{target}: copy it beside your bot where the package cannot be installed; where it is, the package is used",
            f"{target} : à copier à côté de votre bot là où le paquet ne peut pas être installé ; ailleurs, le paquet sert",
        ))
        return 0
    if command in ("--version", "-V"):
        print(f"pacman-iuto {__version__}")
        return 0
    if command in ("--help", "-h", "help"):
        print(said(ENGLISH, FRENCH), end="")
        return 0
    complain(f"unknown command {command!r}\n\n{ENGLISH}", f"commande inconnue : {command!r}\n\n{FRENCH}")
    return 2


if __name__ == "__main__":
    sys.exit(main())
