"""The command, the programs behind it, and bots on a server."""
import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import threading
import urllib.request

import pytest

from pacman_iuto import MAPS, _native, seul
from test_docs import bot_of_the_readme  # noqa: F401

COMMAND = shutil.which("pacman-iuto", path=os.path.dirname(sys.executable)) or "pacman-iuto"
BOT = """
from pacman_iuto import Bot, run

class Ada(Bot):
    def play(self, view):
        return view.directions_possibles(view.player.pacman)[0] + "N"

run(Ada)
"""


def ran(*arguments, **options):
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, timeout=60, **options)


def progress(command, **options):
    """Runs a command that tells what it does: it is given up when it is silent for a minute, however long it takes as a whole."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options) as process:
        told = ""
        while True:
            silence = threading.Timer(60, process.kill)
            silence.start()
            try:
                line = process.stdout.readline()
            finally:
                silence.cancel()
            if not line:
                return subprocess.CompletedProcess(command, process.wait(timeout=60), told)
            told += line


@contextlib.contextmanager
def server(tmp_path, *flags):
    """A server on a port of its own; what it prints after its first line can be read."""
    command = [COMMAND, "server", "--port", "0", "--sans-enregistrement", "--langue", "en", *flags]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        welcome = process.stdout.readline()
        found = re.match(r"listening on .*:(\d+) for ", welcome)
        assert found, welcome + process.stderr.read()
        yield process, found[1]
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("program", ["server", "client", "afficheur", "rejeu", "tournoi", "lab"])
def test_every_program_is_there_and_called_by_its_name(program):
    told = ran(program, "--help")
    assert told.returncode == 0 and re.search(rf"^(Usage|Utilisation) ?: pacman-iuto {program}\b", told.stdout, re.M), told


def test_exit_codes_are_those_of_the_programs():
    assert ran().returncode == 0
    assert ran("--version").stdout.startswith("pacman-iuto ")
    assert ran("nothing").returncode == 2
    assert ran("server", "--no-such-flag").returncode == 2
    assert ran("rejeu", "verifier", "nowhere.rejeu").returncode == 2


def test_the_maps_are_inside(tmp_path):
    told = ran("server", "nowhere.txt", cwd=tmp_path)
    assert told.returncode == 2 and "cannot read the map nowhere.txt" in told.stderr
    with server(tmp_path, "--carte", "petit", "--remplir", "prudent", "--attente", "0s", "--duree", "3") as (process, port):
        assert ran("client", "Ada", "--port", port).returncode == 0
        assert process.wait(30) == 0


def test_the_page_opens_in_a_browser_and_is_served(tmp_path):
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >{opened}\n')
    browser.chmod(0o755)
    told = ran("page", env={**os.environ, "BROWSER": f"{browser} %s"})
    page = pathlib.Path(told.stdout.strip())
    assert told.returncode == 0 and page.read_bytes().startswith(b"<!doctype html>"), told
    assert opened.read_text().strip() == page.as_uri()
    assert ran("page", "--help").returncode == 0
    assert "takes no argument" in ran("page", "more").stderr
    with server(tmp_path, "--web", "0") as (process, _):
        address = re.search(r"http://\S+", process.stdout.readline()).group()
        # The last one is of the package `pacman-iuto-atelier`.
        for name in ("", "atelier.js", "python.js"):
            with urllib.request.urlopen(f"{address}arene/{name}", timeout=60) as served:
                assert served.read() == (page.parent / name if name else page).read_bytes()


def test_the_first_game_ends_with_a_ranking(tmp_path):
    told = ran("partie", "--duree", "5", "--tempo", "0", "--sans-enregistrement", cwd=tmp_path)
    assert told.returncode == 0 and "dijkstra 1" in told.stdout, told
    assert max(map(len, told.stdout.splitlines())) <= 80
    assert ran("partie", "--carte", "nowhere.txt", cwd=tmp_path).returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_interrupt_is_the_programs_own(tmp_path):
    with server(tmp_path) as (process, _):
        # As soon as it says that it is there.
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_interrupt_ends_a_bot_with_130(tmp_path):
    (tmp_path / "ada.py").write_text(BOT)
    with server(tmp_path) as (_, port):
        command = [sys.executable, "ada.py", "--port", port]
        # A shell in the background has its children ignore the signal.
        listen = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
        bot = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, preexec_fn=listen)
        # The lobby is shown to spectators, as soon as the bot is there.
        with socket.create_connection(("127.0.0.1", int(port))) as watcher:
            watcher.sendall(b"afficheur;watcher\0")
            seen = b""
            while b";Ada\n" not in seen:
                seen += watcher.recv(65536)
        bot.send_signal(signal.SIGINT)
        assert bot.wait(30) == 130 and "Traceback" not in bot.stderr.read()


@pytest.mark.parametrize("alone", [False, True], ids=["package", "one file"])
def test_four_bots_play_on_a_server(tmp_path, alone):
    (tmp_path / "ada.py").write_text(BOT)
    if alone:
        assert ran("fichier", cwd=tmp_path).returncode == 0
        assert ran("fichier", cwd=tmp_path).returncode == 2, "nothing is overwritten"
        told = ran("fichier", "nowhere", cwd=tmp_path)
        assert told.returncode == 2 and told.stderr.startswith("error: ") and "Traceback" not in told.stderr
    with server(tmp_path, "--duree", "40", "--graine", "5") as (process, port):
        # Without the packages of this environment, the file is used.
        line = [sys.executable, *(["-S"] if alone else []), "ada.py", "--port", port, "--graine", "3"]
        names = ["Ada", "Bob", "Eve", "Zoé"]
        command = [[*line, "--equipe", name, "--secret", "correcthorse42"] for name in names]
        bots = [subprocess.Popen(each, cwd=tmp_path, stdout=subprocess.PIPE, text=True) for each in command]
        results = [bot.communicate(timeout=60)[0] for bot in bots]
        assert [bot.wait(60) for bot in bots] == [0, 0, 0, 0]
        assert all(re.fullmatch(r"game over: rank [1-4] of 4, -?\d+ points?\n", result) for result in results), results
        told = process.communicate(timeout=30)[0]
    assert all(name in told for name in names), told
    missed = [re.split(r"\s{2,}", line.strip())[5] for line in told.splitlines() if re.match(r" +\d+ +[A-D] ", line)]
    assert missed == ["0", "0", "0", "0"], told


def test_a_bot_comes_back_when_its_line_drops():
    state = "0;9\n" + seul.DASHES + "3;4\n    \n    \n    \n1\nA;0;0\n1\na;2;2\n" + seul.DASHES + "A;0;0;0;0;2;2;0;0;0;Ada\n"
    told = []

    class Ada(seul.Bot):
        def new_game(self, view):
            told.append(("new", view.turn))

        def play(self, view):
            told.append(("play", view.turn))
            return "NN"

    with socket.create_server(("127.0.0.1", 0)) as listener:
        def serve():
            for turn, farewell in ((0, b""), (4, b"quit\n\0")):
                connection, _ = listener.accept()
                with connection:
                    assert connection.recv(100) == b"joueur;Ada\0"
                    connection.sendall(f"jeu;A\n{turn}{state[1:]}".encode() + b"\0")
                    assert connection.recv(100) == b"NN\0"
                    connection.sendall(farewell)

        thread = threading.Thread(target=serve)
        thread.start()
        port = str(listener.getsockname()[1])
        code = seul.play_remotely(Ada, ["--port", port], seul.Line, seul.registration)
        thread.join()
    assert code == 0
    assert told == [("new", 0), ("play", 0), ("new", 4), ("play", 4)]


@contextlib.contextmanager
def connected(make):
    """A line of this kind, and the server's end of it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        line = make(listener.getsockname(), 10)
        theirs, _ = listener.accept()
    with theirs, contextlib.closing(line):
        theirs.settimeout(10)
        theirs.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield line, theirs


@pytest.mark.parametrize("make", [seul.Line, _native.Line])
@pytest.mark.parametrize(("farewell", "expected"), [(b"quit\n", 0), (b"refused\n", 1), (b"rubbish", 1), (b"jeu;A\nrubbish", 1)])
def test_states_in_pieces_are_read_and_goodbyes_are_exit_codes(farewell, expected, make, capsys):
    state = "jeu;A\n0;9\n" + seul.DASHES + "3;4\n    \n    \n    \n1\nA;0;0\n1\na;2;2\n" + seul.DASHES
    state += "A;0;0;0;0;2;2;0;0;0;Zoé\n"

    class Nul(seul.Bot):
        def play(self, view):
            return "N\0"

    with connected(make) as (line, theirs):
        def serve():
            for byte in [*(state.encode() + b"\0"), *farewell, 0]:
                theirs.sendall(bytes([byte]))

        thread = threading.Thread(target=serve)
        thread.start()
        told = seul.converse(line, "hello", seul.Seat(Nul), "there")
        thread.join()
        assert theirs.recv(100) == b"hello\0XX\0"
    assert told == expected
    said = capsys.readouterr().err
    assert ("refuses the registration" in said) == (farewell == b"refused\n")
    assert ("breaks the protocol" in said) == farewell.startswith(b"jeu;")


@pytest.mark.parametrize("make", [seul.Line, _native.Line])
def test_a_line_ends_with_its_server_and_a_message_that_is_no_state_is_an_error(make):
    messages = [b"jeu;", b"jeu;A", b"jeu;A\n", b"jeu;A\n1;2\nrubbish", b"jeu;A\n" + b"\xff" * 90]
    with connected(make) as (line, theirs):
        for message in messages:
            theirs.sendall(message + b"\0")
            with pytest.raises(ValueError, match="state"):
                line.receive()
        # A line that has failed once goes on.
        theirs.sendall(b"quit\n\0a part")
        assert line.receive() == b"quit\n"
        theirs.close()
        assert line.receive() is None


@pytest.mark.parametrize("make", [seul.Line, _native.Line])
def test_a_message_without_an_end_is_an_error(make):
    with connected(make) as (line, theirs):
        def serve():
            with contextlib.suppress(ConnectionError):
                theirs.sendall(b"x" * (1 << 21))

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(ValueError, match="more than 1048576 bytes"):
            line.receive()
        line.close()
        thread.join()


class Plain(seul.Bot):
    def play(self, view):
        return "NE"


def test_where_there_is_no_server_it_says_so_and_how_to_start_one(capsys):
    # The port is taken, and nobody listens there.
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = str(taken.getsockname()[1])
        code = seul.play_remotely(Plain, ["--port", port, "--insister", "0"], seul.Line, seul.registration)
    told = capsys.readouterr().err
    assert code == 2 and f"127.0.0.1:{port}" in told and f"pacman-iuto server --port {port} --fill prudent" in told
    # Another machine's server is not started here.
    assert seul.to_start(("192.0.2.1", 1111)) == ""


def test_a_server_that_announces_itself_is_found_unless_a_secret_would_go_there(tmp_path):
    (tmp_path / "ada.py").write_text(BOT)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as shared:
        # The programs share their port; whoever does not is kept from it.
        shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        shared.bind(("", 0))
        mdns = ["--port-mdns", str(shared.getsockname()[1])]
        auto = [sys.executable, "ada.py", "--serveur", "auto", *mdns]

        def search(*more):
            """A search that has begun: it hears a server announce itself. On a port that is not the usual one, answers to
            questions go to one socket of this machine, which may be another one."""
            process = subprocess.Popen([*auto, "--insister", "30", *more], stderr=subprocess.PIPE, text=True, cwd=tmp_path)
            assert "looking for a server" in process.stderr.readline()
            return process

        flags = ["--serveur", "0.0.0.0", *mdns, "--joueurs", "1", "--duree", "3"]
        with search("--secret", "correcthorse42") as bot, server(tmp_path, *flags) as (_, port):
            _, told = bot.communicate()
            assert bot.returncode == 2 and f":{port} (Pacman" in told and "correcthorse" not in told
        with search() as bot, server(tmp_path, *flags) as (process, _):
            _, told = bot.communicate()
            assert bot.returncode == 0, told
            assert process.wait(30) == 0
        told = subprocess.run([*auto, "--insister", "0"], capture_output=True, text=True, cwd=tmp_path)
        assert told.returncode == 2 and "no server announces itself" in told.stderr


def test_the_one_file_finds_no_server_by_itself(capsys):
    assert seul.play_remotely(Plain, ["--serveur", "auto"], seul.Line, seul.registration) == 2
    assert "--host auto needs the package" in capsys.readouterr().err


@pytest.mark.parametrize(("language", "error", "why"), [("en_GB.UTF-8", "error: ", "needs"), ("fr_FR.UTF-8", "erreur : ", "demande")])
def test_the_environment_chooses_the_language(language, error, why, capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", language)
    assert seul.play_remotely(Plain, ["--serveur", "auto"], seul.Line, seul.registration) == 2
    told = capsys.readouterr().err
    assert told.startswith(error) and why in told
    helped = ran("--help").stdout, ran("nothing").stderr
    assert ("Cartes" in helped[0]) == ("Cartes" in helped[1]) == language.startswith("fr")


def test_command_lines_that_are_wrong_are_explained(capsys):
    wrong = (
        ["--port", "x"], ["--port", "70000"], ["--serveur", "host:port"], ["--graine", "1.5"], ["--nothing"], ["--port"],
        ["--insister", "-1"], ["--insister", "nan"], ["A", "b", "1", "more"], ["A", "b", "port"], ["--langue", "de"],
        ["--serveur", "1112"], ["Ada", "--equipe", "Bob"], ["Ada", "here", "--serveur", "there"], ["Ada", "here", "1", "--port", "2"],
    )
    for line in wrong:
        with pytest.raises(SystemExit) as error:
            seul.arguments(line)
        assert error.value.code == 2 and "error:" in capsys.readouterr().err
    assert seul.play_remotely(Plain, ["--secret", "a"], seul.Line, seul.registration) == 2


ENGLISH = re.compile(r"\b(usage|error|argument|expected|required|unrecognized|invalid|show|help message|exit|options?:|got)\b(?! +:)")


@pytest.mark.parametrize(
    "line",
    [
        ["-h"], ["--port", "x"], ["--port"], ["--nothing"], ["--insister", "soon"], ["A", "b", "1", "more"], ["--langue", "de"],
        ["--help=x"], ["Ada", "--equipe", "Bob"], ["--secret", "a"], ["--serveur", "host:port"], ["--port", "1", "--insister", "0"],
    ],
)
def test_a_bot_speaks_french_without_a_word_of_argparse(line, tmp_path):
    (tmp_path / "ada.py").write_text(BOT)
    for environment, flags in (({"LC_ALL": "fr_FR.UTF-8"}, []), ({"LC_ALL": "C.UTF-8"}, ["--langue", "fr"])):
        told = subprocess.run(
            [sys.executable, "ada.py", *flags, *line], cwd=tmp_path, env={**os.environ, **environment},
            capture_output=True, text=True, encoding="utf-8",
        )
        text = told.stdout + told.stderr
        assert told.returncode == (0 if line == ["-h"] else 2), text
        assert not ENGLISH.search(text) and re.search(r"erreur : |montrer cette aide", text), text
        assert not re.search(r"\w:(\s|$)", text), f"a space is missing before a colon: {text}"


@pytest.mark.parametrize(("english", "french"), [("game", "partie"), ("hand-in", "deposer"), ("file", "fichier")])
def test_commands_have_an_english_name_too(english, french, tmp_path):
    # In both languages, the help tells it on the line of the command.
    for language in ("en", "fr"):
        assert re.search(rf"^  pacman-iuto {french}\b.* {english}\]$", ran("--langue", language).stdout, re.M)
    told = [ran(name, "no/such/folder", "--port", "x", cwd=tmp_path) for name in (english, french)]
    assert told[0].returncode == told[1].returncode == 2
    assert (told[0].stdout, told[0].stderr) == (told[1].stdout, told[1].stderr)


@pytest.mark.parametrize("line", [["deposer", "-h"], ["deposer"], ["partie", "-h"], ["partie", "--ia"], ["partie", "--ia", "gluton"], ["--help"], ["nothing"]])
def test_the_command_speaks_the_language_that_is_asked_for(line):
    for flag in (["--langue", "fr"], ["--language=fr"]):
        told = ran(*flag, *line, env={**os.environ, "LC_ALL": "C.UTF-8"}, encoding="utf-8")
        text = told.stdout + told.stderr
        assert told.returncode == (0 if "-h" in line[-1] else 2), text
        assert not ENGLISH.search(text) and not re.search(r"\w:(\s|$)", text), text
    for program in (["server", "--help"], ["server", "pyrat", "--help"], ["tournoi", "jouer", "--help"]):
        assert "Utilisation" in ran("--langue", "fr", *program, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
    assert ran("--langue", "de", *line).returncode == 2


@pytest.mark.parametrize("command", [["partie", "--ia"], ["game", "--bot"]])
def test_a_first_game_does_not_wait_for_a_bot_that_does_not_exist(command, tmp_path):
    told = ran(*command, "gluton", "prudent", cwd=tmp_path)
    assert told.returncode == 2 and "there is no bot 'gluton', expected some of: aleatoire, " in told.stderr, told


@pytest.mark.parametrize("alone", [False, True], ids=["package", "one file"])
def test_the_documented_command_runs_a_bot_of_the_kit(bot_of_the_readme, alone):  # noqa: F811
    folder = bot_of_the_readme.parent
    if alone:
        assert ran("fichier", cwd=folder).returncode == 0
    python = f"{sys.executable} -S" if alone else sys.executable
    # Without isolation, so that the environment of these tests is seen.
    command = ["tournoi", "verifier", f"{python} ada.py {{nom}} {{serveur}} {{port}}", "--isolement", "aucun"]
    told = progress([COMMAND, *command], cwd=folder)
    assert told.returncode == 0, told


def test_the_command_that_a_game_ends_with_can_be_typed(tmp_path):
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "PATH": f"{os.path.dirname(COMMAND)}:{os.environ['PATH']}"}
    told = ran("partie", "--duree", "3", "--tempo", "0", cwd=tmp_path, env=environment)
    line = re.search(r"^watch it: (pacman-iuto rejeu html .*)$", told.stdout, re.M)
    assert line, told
    subprocess.run(line[1], shell=True, check=True, cwd=tmp_path, env=environment)
    assert "</html>" in (tmp_path / "partie.html").read_text(encoding="utf-8")


def test_both_outputs_of_a_first_game_go_to_one_file(tmp_path):
    with (tmp_path / "log").open("wb") as log:
        command = [COMMAND, "partie", "--duree", "20", "--tempo", "0", "--sans-enregistrement", "--langue", "en"]
        assert subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=tmp_path, timeout=60).returncode == 0
    told = (tmp_path / "log").read_text(encoding="utf-8")
    assert "listening on " in told and "20 of 20 turns" in told and "dijkstra 1" in told and "\0" not in told, told


def test_the_source_distribution_has_what_a_build_needs_and_nothing_that_was_built(tmp_path):
    with tarfile.open(os.environ["SDIST"]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
        archive.extractall(tmp_path)
    needed = ["PKG-INFO", "LICENSE", "README.md", "pyproject.toml", "Cargo.toml", "Cargo.lock", "paquet/backend.py"]
    needed += ["python/Cargo.toml", "python/build.rs", "python/src/lib.rs", "server/Cargo.toml", "contest/tournoi/Cargo.toml"]
    needed += [f"pacman_iuto/{name}" for name in ("seul.py", "py.typed", "_native.pyi", "page/arene.html", "tutoriel/tutoriel.ipynb")]
    needed += [f"cartes/{name}.txt" for name in MAPS]
    assert set(needed) <= names
    built = (".so", ".pyd", ".pyc", "pacman_iuto/bin/", "target/", "node_modules/")
    assert not [name for name in names if name.endswith(built[:3]) or name.startswith(built[3:])]
    # The lock file names the crates that are there, and no others.
    (root,) = tmp_path.iterdir()
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    told = subprocess.run(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert told.returncode == 0, told.stderr


def test_the_wheel_has_what_it_needs_and_nothing_of_the_machine_that_made_it():
    folder = pathlib.Path(seul.__file__).parent
    assert (folder / "py.typed").exists()
    # Python has compiled the learner when another test imported it.
    names = sorted(path.name for path in (folder / "tutoriel").iterdir() if path.name != "__pycache__")
    assert names == ["ppo.py", "tutorial.ipynb", "tutoriel.ipynb"]
