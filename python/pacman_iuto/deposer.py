"""Hands a bot in to a course, waits for the verdict and prints it.

This file needs nothing but Python 3.9 or later: ``python3 deposer.py bot.py --serveur URL --jeton TOKEN``; with the
package, ``pacman-iuto deposer`` does the same. Exit codes: 0 when the version is ready, 1 when it is not or was refused,
2 when the command is wrong, 3 when the course cannot be reached.

Ce fichier se suffit à lui-même : il dépose un bot dans un cours, attend le verdict et l'affiche.
"""
from __future__ import annotations

import argparse
import io
import json
import os
import pathlib
import sys
import time
import urllib.error
import urllib.request
import uuid
import zipfile
from typing import Any, Callable, List, NoReturn, Optional, Sequence, TypedDict

#: Seconds between two questions for the verdict, and in all.
PAUSE, PATIENCE = 1.0, 1800.0
#: Seconds for an answer of the server.
TIMEOUT = 60.0
#: Folders that belong to tools.
TOOLS = {".git", ".venv", "venv", "__pycache__", "node_modules", ".idea", ".vscode"}
MARKS = {"passed": "✓", "warning": "!", "failed": "✗", "skipped": "-"}


class Finding(TypedDict, total=False):
    """The result of a check, in words for the team; ``output`` has lines of a program."""

    seen: str
    advice: Optional[str]
    output: List[str]


class Check(TypedDict):
    """One of the checks of a version; ``verdict`` is a key of ``MARKS``."""

    verdict: str
    title: str
    findings: List[Finding]


class Verdict(TypedDict, total=False):
    """The verdict of all checks on a version."""

    checks: List[Check]
    summary: str


class Version(TypedDict):
    """The server's verdict on a version; both are ``None`` until all checks are done."""

    ready: Optional[bool]
    verdict: Optional[Verdict]


class Failure(Exception):
    """A failure, and the exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


ENGLISH = """Hands a bot in to a course, waits for the verdict and prints it.

  deposer BOT --server URL --token TOKEN [--json] [--language fr|en]

  BOT          a file, an archive or a folder
  --server     address of the course (--serveur) [PACMAN_COURS in the environment]
  --token      token of the team, behind jeton= in its link (--jeton) [PACMAN_JETON]
  --json       print the verdict as JSON
  --language   language (--langue) [that of the environment]
"""
FRENCH = """Dépose un bot dans un cours, attend le verdict et l'affiche.

  deposer BOT --serveur URL --jeton JETON [--json] [--langue fr|en]

  BOT          un fichier, une archive ou un dossier
  --serveur    adresse du cours (--server) [PACMAN_COURS dans l'environnement]
  --jeton      jeton de l'équipe, après jeton= dans son lien (--token) [PACMAN_JETON]
  --json       écrire le verdict en JSON
  --langue     langue (--language) [celle de l'environnement]
"""


class Parser(argparse.ArgumentParser):
    """A command line whose help and mistakes are in the user's language."""

    def __init__(self, french: bool) -> None:
        super().__init__(add_help=False, allow_abbrev=False)
        self.french = french

    def error(self, message: str) -> NoReturn:
        text = f"erreur : la commande est incorrecte\n\n{FRENCH}" if self.french else f"error: {message}\n\n{ENGLISH}"
        self.exit(2, text)


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Runs the command line, and returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    french = is_french(words)

    def said(en: str, fr: str) -> str:
        return fr if french else en

    parser = Parser(french)
    parser.add_argument("bot", nargs="?", type=pathlib.Path)
    parser.add_argument("--serveur", "--server", default=os.environ.get("PACMAN_COURS"))
    parser.add_argument("--jeton", "--token", default=os.environ.get("PACMAN_JETON"))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--langue", "--language", choices=("en", "fr"))
    parser.add_argument("-h", "--help", action="store_true")
    options = parser.parse_args(words)
    if options.help:
        print(said(ENGLISH, FRENCH), end="")
        return 0
    wanted = ((options.bot, "BOT"), (options.serveur, said("--server", "--serveur")), (options.jeton, said("--token", "--jeton")))
    for value, flag in wanted:
        if not value:
            print(said(f"error: {flag} is missing\n\n{ENGLISH}", f"erreur : {flag} manque\n\n{FRENCH}"), file=sys.stderr)
            return 2
    try:
        # A link of a team has its token behind #.
        course = Course(options.serveur.partition("#")[0].rstrip("/"), options.jeton.strip(), said)
        version = course.hand_in(options.bot)
        if not options.json:
            print(said(f"version {version} was received; it is checked now…",
                       f"la version {version} est arrivée ; sa vérification commence…"), flush=True)
        verdict = course.verdict(version)
    except Failure as failure:
        print(said(f"error: {failure}", f"erreur : {failure}"), file=sys.stderr)
        return failure.code
    except KeyboardInterrupt:
        return 130
    if options.json:
        print(json.dumps(verdict, ensure_ascii=False, indent=2))
    else:
        show(verdict["verdict"] or {})
    return 0 if verdict["ready"] else 1


def is_french(words: List[str]) -> bool:
    """Tests if French was asked for, or else is the language of the environment."""
    for before, word in zip(["", *words], words):
        flag, _, value = word.partition("=")
        if flag in ("--langue", "--language") and value:
            return value == "fr"
        if before in ("--langue", "--language"):
            return word == "fr"
    locales = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return next(filter(None, locales), "").startswith("fr")


class Course:
    """A course on a server, as a team uses it."""

    def __init__(self, server: str, token: str, said: Callable[[str, str], str]) -> None:
        self.server, self.token, self.said = server, token, said

    def hand_in(self, bot: pathlib.Path) -> int:
        """Hands a file, an archive or a folder in. Returns the number of the version."""
        try:
            name, content = (bot.name, bot.read_bytes()) if not bot.is_dir() else packed(bot)
        except OSError as error:
            raise Failure(f"{bot}: {error.strerror}", 2) from None
        mark = uuid.uuid4().hex
        quoted = name.replace("\\", "_").replace('"', "_")
        head = (f'--{mark}\r\nContent-Disposition: form-data; name="fichier"; filename="{quoted}"\r\n'
                "Content-Type: application/octet-stream\r\n\r\n")
        body = head.encode() + content + f"\r\n--{mark}--\r\n".encode()
        answer = self._ask("/api/depot", body, f"multipart/form-data; boundary={mark}")
        if answer.get("leftOut"):
            print(answer["leftOut"], file=sys.stderr)
        return int(answer["version"])

    def verdict(self, version: int) -> Version:
        """Waits for the verdict of a version."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                found: Version = self._ask(f"/api/versions/{version}")
            except Failure as failure:
                # The version was received; the course may be away for a moment.
                if failure.code != 3:
                    raise
                found = {"ready": None, "verdict": None}
            if found["ready"] is not None:
                return found
            time.sleep(PAUSE)
        raise Failure(self.said("there is no verdict yet: look at your team's page",
                                "pas encore de verdict : regardez la page de votre équipe"), 3)

    def _ask(self, path: str, body: Optional[bytes] = None, kind: str = "") -> Any:
        """Asks the server, and returns what it answers."""
        request = urllib.request.Request(self.server + path, data=body)
        request.add_header("Authorization", f"Bearer {self.token}")
        request.add_header("Accept-Language", self.said("en", "fr"))
        if kind:
            request.add_header("Content-Type", kind)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
                return dict(json.load(response))
        except urllib.error.HTTPError as error:
            try:
                told = json.load(error)["message"]
            except (ValueError, KeyError, TypeError):
                told = f"{error.code} {error.reason}"
            raise Failure(told, 1 if error.code < 500 else 3) from None
        except (OSError, ValueError) as error:
            if isinstance(getattr(error, "reason", error), (BrokenPipeError, ConnectionResetError)):
                raise Failure(self.said("the course has closed the connection: the file may be too large",
                                        "le cours a fermé la connexion : le fichier est peut-être trop gros"), 1) from None
            why = getattr(error, "reason", error)
            raise Failure(self.said(f"{self.server} does not answer: {why}",
                                    f"{self.server} ne répond pas : {why}"), 3) from None


def packed(folder: pathlib.Path) -> "tuple[str, bytes]":
    """The name and the content of an archive of a folder, without what belongs to tools."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            if path.is_file() and not path.is_symlink() and not TOOLS.intersection(name.parts):
                archive.write(path, name)
    return folder.resolve().name + ".zip", content.getvalue()


def show(verdict: Verdict) -> None:
    """Prints a verdict."""
    for check in verdict.get("checks", []):
        print(f"{MARKS.get(check['verdict'], '?')} {check['title']}")
        for finding in check["findings"]:
            print(f"    {finding['seen']}")
            if finding.get("advice"):
                print(f"      {finding['advice']}")
            for line in finding.get("output", []):
                print(f"      | {line}")
    print(verdict.get("summary", ""))


if __name__ == "__main__":
    sys.exit(main())
