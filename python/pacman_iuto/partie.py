"""A first game: a server, four bots of the house, and the viewer if there is a terminal."""
from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from typing import IO, Any, List

from . import BOTS
from .programs import executable
from .seul import Parser, choose_language, complain, said

PLAYING = ["dijkstra", "glouton", "glouton", "prudent"]


def play_first_game(argv: List[str]) -> int:
    """Plays a game, shows it, prints the ranking, and returns the exit code of the server."""
    try:
        argv = choose_language(argv)
    except ValueError as error:
        complain(error, error)
        return 2
    parser = Parser(
        prog="pacman-iuto partie",
        description=said(
            "Plays a game between bots of the house and shows it; other flags go on to the server",
            "Joue une partie entre des bots de la maison et la montre ; les autres options vont au serveur",
        ),
    )
    parser.option("--ia", "--bot", nargs="+", metavar="BOT", default=PLAYING, help=said("bots that play", "bots qui jouent"))
    parser.option(
        "--sans-afficheur", "--no-viewer", action="store_true",
        help=said("only the log and the ranking", "seulement le journal et le classement"),
    )
    parser.option(
        "--langue", "--language", metavar="en|fr",
        help=said("language; that of the environment when missing", "langue ; sinon celle de l'environnement"),
    )
    options, flags = parser.parse_known_args(argv)
    for bot in options.ia:
        if bot not in BOTS:
            known = ", ".join(BOTS)
            parser.error(said(
                f"there is no bot {bot!r}, expected some of: {known}", f"il n'y a pas de bot {bot!r}, mais : {known}"
            ))
    language = ["--langue", said("en", "fr")]
    has_viewer = sys.stdin.isatty() and sys.stdout.isatty() and not options.sans_afficheur
    tempo = "100ms" if has_viewer else "20ms"
    processes: List[subprocess.Popen[Any]] = []

    def start(program: str, *arguments: str, **streams: Any) -> subprocess.Popen[Any]:
        process = subprocess.Popen([program, *arguments, *language], executable=executable(), **streams)
        processes.append(process)
        return process

    # The viewer needs the screen for itself.
    with tempfile.TemporaryFile() as log:
        errors = {"stderr": log} if has_viewer else {}
        count = ["--joueurs", str(len(options.ia))]
        server = start(
            "server", "--port", "0", *count, "--tempo", tempo, *flags, stdout=subprocess.PIPE, **errors
        )
        assert server.stdout is not None
        try:
            welcome = server.stdout.readline().decode()
            found = re.match(r"(?:listening on|à l'écoute sur) .*:(\d+) (?:for|pour) ", welcome)
            if not found:
                print(welcome + server.stdout.read().decode(), end="")
                code = server.wait()
                relay(log, code)
                return code
            print(welcome, end="", flush=True)
            for number, bot in enumerate(options.ia, 1):
                line = ["--equipe", f"{bot} {number}", "--ia", bot, "--port", found[1], "--journal", "warn"]
                start("client", *line, stdout=subprocess.DEVNULL)
            if has_viewer:
                start("afficheur", "--port", found[1], "--journal", "warn").wait()
                server.terminate()
            print(server.stdout.read().decode(), end="", flush=True)
            return 0 if has_viewer else server.wait()
        except KeyboardInterrupt:
            # A terminal has asked them to stop as well.
            server.terminate()
            print(server.stdout.read().decode(), end="", flush=True)
            return 130
        finally:
            for process in processes[::-1]:
                if process.poll() is None:
                    process.terminate()
                process.wait()


def relay(log: IO[bytes], code: int) -> None:
    """Shows what the server said when it could not start."""
    if code:
        log.seek(0)
        sys.stderr.write(log.read().decode(errors="replace"))
