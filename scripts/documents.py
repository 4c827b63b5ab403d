#!/usr/bin/env python3
"""Checks the documents: links, the same headings, flags, commands and samples of code in both languages, that the commands work, and
that programs print the messages that are quoted.

    scripts/documents.py [PROGRAMS]

With the folder of the programs, the pages of flags are compared with `--help`, flags of the commands shown are looked up there,
and each command that needs nothing else than the files here runs in a copy of them, for some seconds at most.
"""
import ast
import ctypes
import fcntl
import os
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from difflib import ndiff
from itertools import zip_longest
from pathlib import Path

import flags
from flags import PROGRAMS, ROOT

TWINS = [
    ("README.md", "LISEZMOI.md"),
    ("docs/en/start.md", "docs/fr/commencer.md"),
    ("docs/en/play.md", "docs/fr/jouer.md"),
    ("docs/en/bot.md", "docs/fr/bot.md"),
    ("docs/en/champion.md", "docs/fr/champion.md"),
    ("docs/en/mistakes.md", "docs/fr/erreurs.md"),
    ("docs/en/why.md", "docs/fr/pourquoi.md"),
    ("docs/en/tournament.md", "docs/fr/tournoi.md"),
    ("docs/en/evening-before.md", "docs/fr/la-veille.md"),
    ("docs/en/ranking.md", "docs/fr/classement.md"),
    ("docs/en/course.md", "docs/fr/cours.md"),
    ("docs/en/hand-in.md", "docs/fr/deposer.md"),
    ("docs/en/pyrat.md", "docs/fr/pyrat.md"),
    ("docs/en/labs.md", "docs/fr/labos.md"),
    ("docs/en/flags.md", "docs/fr/options.md"),
    ("docs/en/performance.md", "docs/fr/performances.md"),
    ("docs/en/glossary.md", "docs/fr/glossaire.md"),
]
# The first pages of the archive for a room without internet, whose folder bin/ has the programs.
STICK = ("scripts/cle-usb/README.md", "scripts/cle-usb/LISEZMOI.md")
OTHERS = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "PROTOCOL.md", "python/README.md", "docs/dependencies.md"]
# Documents with tables of messages.
QUOTING = ["docs/en/mistakes.md", "docs/fr/erreurs.md"]
# The samples that are files, by their language.
SAMPLES = {"python": "exemples/bot.py", "rust": "exemples/mon_ia/mon_ia.rs"}
SAMPLES_SHOWN = "docs/en/bot.md"
OF_LIBRARIES = ["unexpected argument '--boue'"]
LINES = 80
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
# Commands that are not run here, by their first words, and why.
NOT_RUN = {
    "scripts/partie.sh": "server/tests/programs/main.rs runs it",
    "scripts/tournoi.sh": "contest/tournoi/tests/programs/local.rs runs it",
    "scripts/test.sh": "it runs this script",
    "scripts/portable.sh": "scripts/test.sh runs it",
    "scripts/page.sh": "scripts/test.sh runs it",
    "scripts/modules.sh": "scripts/test.sh runs it",
    "scripts/npm.sh": "scripts/page.sh runs it",
    "scripts/bench.sh": "long; it runs nightly",
    "scripts/fluidite.py": "a measurement, for which a browser draws ten seconds",
    "scripts/arene.py": "measurements, for which the page is made and a browser plays for minutes",
    "scripts/ecrans.sh": "a browser draws each screen for minutes",
    "scripts/regler.py": "it builds and plays for an hour",
    "scripts/learned.py": "it trains for half an hour",
    "scripts/site.py": "it installs mdBook; the workflow of the site runs it",
    "KILLS=": "long; the first one runs nightly, and both with fewer kills in scripts/test.sh",
    "cargo test -p bots": "scripts/test.sh runs this test with all others",
    "tournoi rapport tournoi.sqlite --partie": "a reader takes the key from games of his own; contest/tournoi/tests/programs/results.rs runs it",
    "tournoi rapport td1.sqlite td2.sqlite": "it takes two tournaments; contest/tournoi/tests/programs/results.rs runs it",
    "cargo run --profile jeu": "cargo would compile for minutes; exemples/mon_ia/tests/game.rs runs the program",
    "cargo build --release -p lab": "cargo would compile for minutes; scripts/test.sh compiles it",
    "cargo run --release -p measure": "measurements of minutes; tools/measure/tests runs the program",
    "cargo run --release -p bots": "a measurement of ten minutes; scripts/test.sh compiles it",
    "tournoi noter": "160 games of 200 turns; contest/tournoi/tests/programs/mark.rs runs shorter ones",
    "tournoi cours": "it needs a course and goes on for weeks; contest/tournoi/tests/programs/course runs it",
    "tournoi comparer finale.versions": "it needs a final; the same command runs on other folders",
    "curl": "it needs a course; contest/tournoi/tests/programs/course does the same",
    "python3 deposer.py": "it needs a course; contest/tournoi/tests/programs/course.rs runs it",
    "scripts/cours.sh": "contest/tournoi/tests/programs/course.rs runs it",
    "nats-server": "another project's; contest/tournoi/tests/programs/nats runs it",
    "sbatch": "another project's, for a cluster; `tournoi ouvrier` is run by itself",
    "pip install": "scripts/paquet.sh installs the package",
    "python -m pip": "scripts/paquet.sh installs the package",
    "python -m pacman_iuto.tutoriel.ppo": "an hour; python/tests/test_ppo.py runs shorter ones",
    "py -m": "only Windows has it; scripts/paquet.sh installs the package",
    "python -c import gymnasium": "python/tests/test_envs.py makes the environments",
    "python ada.py": "python/tests/test_docs.py runs the bot of python/README.md",
    "python3 -m venv": "scripts/paquet.sh makes such an environment",
    ". pacman/bin/activate": "scripts/paquet.sh uses such an environment",
    "git clone": "its address is a placeholder",
    "scripts/installer.sh": "server/tests/programs/scripts.rs runs it",
    "scripts/paquet.sh": "scripts/test.sh runs it",
    "scripts/cle-usb.sh": "scripts/test.sh runs it",
    "pacman-iuto": "python/tests/test_programs.py runs the programs of the package",
}
# They wait for people, or for another program, and have to be still there then.
STAYS = re.compile(r"server|afficheur|tournoi (lan|ouvrier|jouer .*--nats)")
# They need a server that waits for them: these flags make one that plays soon, or waits for others.
FILLED = ["--remplir", "prudent", "--attente", "0"]
SERVER = {"client": FILLED, "python3": FILLED, "pyrat": ["pyrat"], "afficheur": []}
PATIENCE = 4
# Commands of these programs run at the same time as others; others want the usual ports, of which there is one on each network.
WITHOUT_PORT = {"lab", "rejeu"}
network = threading.local()
SHARED_PORTS = threading.Lock()

failures = []


def fail(document, what):
    failures.append(f"{document}: {what}")


def prose_and_blocks(text):
    """The lines outside of code blocks, and the blocks as (language, lines)."""
    prose, blocks, block = [], [], None
    for line in text.splitlines():
        if line.startswith("```"):
            block = None if block is not None else []
            if block is not None:
                blocks.append((line[3:].strip(), block))
        elif block is None:
            prose.append(line)
        else:
            block.append(line)
    return prose, blocks


def anchor(heading):
    """The anchor of a heading, by the rules of GitHub."""
    text = re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    keep = [c for c in text if c in " -_" or unicodedata.category(c)[0] in "LNM"]
    return "".join(keep).replace(" ", "-")


def anchors(path):
    prose, _ = prose_and_blocks(path.read_text(encoding="utf-8"))
    return {anchor(line.lstrip("#")) for line in prose if re.match(r"#+ ", line)}


def check_links(document):
    path = ROOT / document
    prose, _ = prose_and_blocks(path.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", "\n".join(prose)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, part = target.partition("#")
        linked = (path.parent / name).resolve() if name else path
        if not linked.exists():
            fail(document, f"the link {target} leads nowhere")
        elif part and part not in anchors(linked):
            fail(document, f"there is no heading for the link {target}")


def commands(text):
    """The commands of the shell blocks, as lists of words, without comments. Those of the folder bin/ of the archive are programs."""
    _, blocks = prose_and_blocks(text)
    lines = "\n".join("\n".join(block) for language, block in blocks if language == "sh")
    for line in lines.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words:
            yield [words[0].removeprefix("bin/"), *words[1:]]


def inline_commands(text):
    """The commands within sentences, as lists of words."""
    prose, _ = prose_and_blocks(text)
    for line in re.findall(rf"`((?:{'|'.join(PROGRAMS)}) [^`]+)`", "\n".join(prose)):
        yield shlex.split(line.replace("\\|", "|"))


def flag_names():
    """One name for all names of a flag, as `--seed` and `--graine`, by each of them: those of a row of the page of flags, and those of
    the programs that are not on that page. A name that stands for different flags of two programs joins their names."""
    page = (ROOT / flags.DOCUMENTS["en"]).read_text(encoding="utf-8")
    alikes = [FLAG.findall(row) for row in re.findall(r"^\| (`--.*?`) \| ", page, re.MULTILINE)]
    for source in (ROOT / "python/pacman_iuto").rglob("*.py"):
        alikes += re.findall(r'"(--[a-z-]+)", "(--[a-z-]+)"', source.read_text(encoding="utf-8"))
    field = re.compile(r'#\[arg\((?:(?!\)\]\n).)*?visible_alias = "([a-z-]+)".*?\)\]\n\s*(\w+):', re.DOTALL)
    for source in (ROOT / "tools/measure/src").rglob("*.rs"):
        pairs = field.findall(source.read_text(encoding="utf-8"))
        alikes += [(f"--{english}", f"--{french.replace('_', '-')}") for english, french in pairs]
    names = {}
    for found in alikes:
        alike = {name for flag in found for name in {flag, *names.get(flag, ())}}
        names.update(dict.fromkeys(alike, alike))
    return {flag: min(alike) for flag, alike in names.items()}


def french_names(attribute):
    """The French name of a command, or of the value of a flag, by its English one, from the sources of the programs."""
    variant = re.compile(rf'#\[{attribute} = "([\w-]+)".*?\)\]\n\s*([A-Z]\w*)', re.DOTALL)
    found = [pair for pattern in ["*/src", "*/*/src"] for folder in ROOT.glob(pattern) for path in folder.rglob("*.rs")
             for pair in variant.findall(path.read_text(encoding="utf-8"))]
    return {english: re.sub(r"(?<!^)([A-Z])", r"-\1", french).lower() for english, french in found}


FLAG_NAMES = flag_names()
COMMAND_NAMES, VALUE_NAMES = french_names(r"command\(\s*visible_alias"), french_names(r"value\(alias")
PACKAGE = (ROOT / "python/pacman_iuto/__main__.py").read_text(encoding="utf-8")
COMMAND_NAMES.update(ast.literal_eval(re.search(r"^ALIASES = (.*)$", PACKAGE, re.MULTILINE)[1]))


def in_french(words):
    """A command of one of the programs with the French name of what it does, as `tournoi jouer` for `tournoi play`."""
    places = [place + step for place, word in enumerate(words) if word in (*PROGRAMS, "pacman-iuto") for step in (1, 2)]
    return [COMMAND_NAMES.get(word, word) if place in places else word for place, word in enumerate(words)]


def alike(words):
    """A command with the same names in both languages: those of commands in French, one name for each flag and for each of its values."""
    words = in_french(words)
    values = {place + 1 for place, word in enumerate(words) if FLAG.fullmatch(word)}
    return [FLAG_NAMES.get(word, VALUE_NAMES.get(word, word) if place in values else word) for place, word in enumerate(words)]


def shape(words):
    """The words of a command that both languages share: without names of flags, of commands and of the files that it writes."""
    kept = [word for word in alike(words) if FLAG.fullmatch(word) or re.fullmatch(r"[a-z_|./]{3,}", word)]
    return [word for word in kept if not re.search(r"\.(csv|html|sqlite)$", word)]


def check_twins(english, french):
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in (english, french)]
    levels = [
        [line.split()[0] for line in prose_and_blocks(text)[0] if re.match(r"#+ ", line)] for text in texts
    ]
    if levels[0] != levels[1]:
        fail(french, f"its headings are {levels[1]}, those of {english} {levels[0]}")
    found = [{FLAG_NAMES.get(flag, flag) for flag in FLAG.findall(text)} for text in texts]
    if found[0] != found[1]:
        fail(french, f"flags that stand only here or in {english}: {sorted(found[0] ^ found[1])}")
    shapes = [[shape(words) for words in commands(text)] for text in texts]
    for one, other in zip(*shapes, strict=False):
        if one != other:
            fail(french, f"{other}, in {english} {one}")
    if len(shapes[0]) != len(shapes[1]):
        fail(french, f"{len(shapes[1])} commands, in {english} {len(shapes[0])}")
    for one, other in zip_longest(*map(samples, texts), fillvalue=""):
        lines = [line for line in ndiff(one.splitlines(), other.splitlines()) if line[0] in "+-"]
        if lines:
            fail(french, "\n  ".join([f"a sample differs from that of {english} by more than comments and names:", *lines]))


def samples(text):
    """The code of the samples, without comments and docstrings, and with the English one of two names in Python."""
    for language, lines in prose_and_blocks(text)[1]:
        if language == "python":
            yield re.sub(r"\w+", lambda name: PYTHON_NAMES.get(name[0], name[0]), without_docstrings("\n".join(lines)))
        elif language in ("js", "rust"):
            code = (re.sub(r"(^|\s)//.*", "", line).rstrip() for line in lines)
            yield "\n".join(line for line in code if line)


def without_docstrings(source):
    """Code in Python without docstrings and comments."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.unparse(tree)


def python_names():
    """The English name of each argument and method of the package that has a French one as well."""
    text = "".join((ROOT / "python/pacman_iuto" / name).read_text(encoding="utf-8") for name in ("bot.py", "seul.py"))
    pairs = [pair for words in re.findall(r"^@aliases\((.*)\)", text, re.MULTILINE) for pair in re.findall(r'(\w+)="(\w+)"', words)]
    methods = re.findall(r'def (\w+)\([^"]*"""The course\'s name of :meth:`(\w+)`', text)
    return {**{french: english for english, french in pairs}, **dict(methods)}


PYTHON_NAMES = python_names()


def check_samples():
    """The English page shows the samples that are files as they are."""
    text = (ROOT / SAMPLES_SHOWN).read_text(encoding="utf-8")
    for language, file in SAMPLES.items():
        if f"```{language}\n{(ROOT / file).read_text(encoding='utf-8')}```\n" not in text:
            fail(SAMPLES_SHOWN, f"it does not show {file} as it is")


def check_flags(document, words, programs, known):
    """The flags of a command are those of its program, or of its subcommand."""
    subcommand = [word for word in words[1:3] if re.fullmatch(r"[a-z]+(-[a-z]+)*", word)]
    while True:
        command = (words[0], *subcommand)
        if command not in known:
            run = subprocess.run([programs / words[0], *subcommand, "--help"], capture_output=True, text=True)
            usage = f" {' '.join(in_french(command))}"
            known[command] = set(FLAG.findall(run.stdout)) if run.returncode == 0 and usage in run.stdout else None
        if known[command] is not None or not subcommand:
            break
        subcommand.pop()
    unknown = {word.split("=")[0] for word in words if FLAG.match(word)} - (known[command] or set())
    if unknown:
        fail(document, f"{' '.join(words)}: {' '.join(command)} --help does not name {sorted(unknown)}")


def take_network():
    """Gives this thread, and what it starts, a network of its own with nothing but the loopback. Only root may do that, on Linux:
    others share the network of this machine, whose usual ports have to be free."""
    new_network, set_flags, up = 0x40000000, 0x8914, 1
    if sys.platform == "linux" and ctypes.CDLL(None).unshare(new_network) == 0:
        with socket.socket() as any_socket:
            fcntl.ioctl(any_socket, set_flags, struct.pack("16sh22x", b"lo", up))
        network.ports = nullcontext()
    else:
        network.ports = SHARED_PORTS


def run(document, line, folder, programs):
    """Runs a line of the shell, and kills it after a while."""
    words = shlex.split(line)
    server = None
    environment = dict(os.environ, PATH=f"{programs}{os.pathsep}{os.environ['PATH']}", HOME=str(folder))
    if words[0] == "client" or words == ["afficheur"] or words[:2] == ["python3", "exemples/bot.py"]:
        kind = "pyrat" if words[1:2] == ["pyrat"] else words[0]
        server = subprocess.Popen(
            [programs / "server", *SERVER[kind]], cwd=folder, env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )
        server.stdout.readline()
    # The viewer wants a terminal.
    ours, screen = os.openpty() if words[0] == "afficheur" else (None, subprocess.DEVNULL)
    shell = subprocess.Popen(
        ["bash", "-c", f"set -o pipefail; {line}"], cwd=folder, env=environment, start_new_session=True,
        stdin=screen, stdout=screen, stderr=subprocess.PIPE, text=True,
    )
    try:
        _, complaint = shell.communicate(timeout=PATIENCE)
        if shell.returncode != 0 or STAYS.match(" ".join(in_french(words))):
            fail(document, f"`{line}` ends with {shell.returncode}: {complaint.strip()[-400:]}")
    except subprocess.TimeoutExpired:
        os.killpg(shell.pid, signal.SIGKILL)
        shell.communicate()
    finally:
        if ours:
            os.close(ours)
            os.close(screen)
        if server:
            server.kill()
            server.communicate()


def run_commands(document, programs):
    """Runs the commands of a document but for those of NOT_RUN, in a folder of its own; their number."""
    number = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "sources"
        folder.mkdir()
        files(folder, programs)
        for words in commands((ROOT / document).read_text(encoding="utf-8")):
            line = re.sub(r"'([|>])'", r"\1", shlex.join(words)).replace("'rejeux/*'", "rejeux/*")
            line = line.replace("rejeux/FILE", "rejeux/game.rejeu").replace("nats://host:", "nats://localhost:")
            if not is_left_out(words):
                with nullcontext() if words[0] in WITHOUT_PORT else network.ports:
                    run(document, line, folder, programs)
                number += 1
    return number


def is_left_out(words):
    line = " ".join(alike(words))
    return any(line.startswith(" ".join(alike(start.split()))) for start in NOT_RUN)


def files(folder, programs):
    """Makes the files that the documents name: maps, examples, hand-ins, and a recorded game."""
    for name in ["cartes", "exemples"]:
        shutil.copytree(ROOT / name, folder / name)
    for name in ["ada.py", "old.py", "rendus/ada/main.py", "rendus/bob/main.py"]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "exemples/bot.py", folder / name)
    (folder / "eve").write_text("#!/bin/sh\nexec python3 exemples/bot.py Eve 127.0.0.1 $1\n")
    (folder / "eve").chmod(0o755)
    for name in ["client", "core", "Cargo.lock"]:
        (folder / name).symlink_to(ROOT / name)
    # Cargo would have compiled it.
    (folder / "target/jeu").mkdir(parents=True)
    shutil.copy(programs / "client", folder / "target/jeu/mon_ia")
    (folder / "rejeux").mkdir()
    game = ["--remplir", "prudent", "--attente", "0", "--port", "0", "--enregistrer", "rejeux/game.rejeu"]
    server = subprocess.Popen(
        [programs / "server", *game], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    port = re.search(r":(\d+) ", server.stdout.readline())[1]
    client = [programs / "client", "Ada", "--port", port, "--journal", "error"]
    subprocess.run(client, stdout=subprocess.DEVNULL, check=True)
    server.communicate()


def texts_of_programs():
    """The texts in the sources of the programs, as lists of characters; None stands for an argument."""
    sources = [path for pattern in ["*/src", "*/*/src"] for folder in ROOT.glob(pattern) for path in folder.rglob("*.rs")]
    sources += [*ROOT.glob("exemples/*.py"), *ROOT.glob("python/pacman_iuto/*.py"), *ROOT.glob("scripts/*.sh")]
    for source in sources:
        text = source.read_text(encoding="utf-8").split("#[cfg(test)]")[0]
        for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL):
            literal = re.sub(r"\\\n\s*", "", literal).replace('\\"', '"').replace("\\u{a0}", " ")
            parts = [re.split("", part)[1:-1] for part in re.split(r"\{[^{}]*\}", literal)]
            yield [character for part in parts for character in [None, *part]][1:]


def is_part(quoted, text):
    """Tells if a quotation is a part of a text with any arguments, and at least half of it is constant."""
    # For each place in the text that a beginning of the quotation may reach: the most constant characters on the way.
    reached = dict.fromkeys(range(len(text)), 0)
    for character in quoted:
        after = {}
        for place, constant in reached.items():
            # An argument may be empty, and may hold any number of characters.
            while place < len(text) and text[place] is None:
                after[place] = max(after.get(place, 0), constant)
                place += 1
            if place < len(text) and text[place] == character:
                after[place + 1] = max(after.get(place + 1, 0), constant + 1)
        reached = after
    return 2 * max(reached.values(), default=0) >= len(quoted)


def check_quotations(document, texts):
    """The messages in the first column of a table are those that programs print; an ellipsis stands for anything."""
    prose, _ = prose_and_blocks((ROOT / document).read_text(encoding="utf-8"))
    quoted = [quote for line in prose if line.startswith("| `") for quote in re.findall(r"`([^`]+)`", line.split(" | ")[0])]
    for quote in quoted:
        # A message may have another one after its colon.
        for part in re.split(r"…| ?: ", quote):
            part = part.strip(" :;,")
            words = set(re.findall(r"\w{3,}", part))
            if " " not in part or part in OF_LIBRARIES or any(is_part(part, text) for text, known in texts if 3 * len(words & known) >= len(words)):
                continue
            fail(document, f"no program prints {part!r}, of `{quote}`")


def check_dependencies(document):
    """The table names each crate that the workspace depends on, and no other one."""
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    section = manifest.split("[workspace.dependencies]")[1].split("\n[")[0]
    used = set(re.findall(r"^([\w-]+) = (?!\{ path)", section, re.MULTILINE))
    rows = re.findall(r"^\| ([\w, -]+) \|", (ROOT / document).read_text(encoding="utf-8"), re.MULTILINE)
    named = {name for row in rows[1:] for name in row.split(", ") if name != "---"}
    if used != named:
        fail(document, f"it lacks {sorted(used - named)}, and has {sorted(named - used)} that nothing needs")


def main():
    documents = [name for twins in TWINS for name in twins]
    for document in [*documents, *OTHERS, *STICK]:
        check_links(document)
    check_dependencies(OTHERS[-1])
    texts = [(text, set(re.findall(r"\w{3,}", "".join(letter or " " for letter in text)))) for text in texts_of_programs()]
    for document in QUOTING:
        check_quotations(document, texts)
    for twins in [*TWINS, STICK]:
        check_twins(*twins)
    check_samples()
    for document in TWINS[0]:
        lines = (ROOT / document).read_text(encoding="utf-8").count("\n")
        if lines > LINES:
            fail(document, f"it has {lines} lines, expected at most {LINES}")
    if len(sys.argv) > 1:
        programs, known = Path(sys.argv[1]).resolve(), {}
        for language, document in flags.DOCUMENTS.items():
            if flags.page(programs, language) != (ROOT / document).read_text(encoding="utf-8"):
                fail(document, "it does not tell the flags as they are; to write it anew: cargo build --bins && scripts/flags.py target/debug")
        for document in [*documents, *OTHERS, *STICK]:
            text = (ROOT / document).read_text(encoding="utf-8")
            for words in [*commands(text), *inline_commands(text)]:
                for part in shlex.join(words).split(" '|' "):
                    if part.split()[0] in PROGRAMS:
                        check_flags(document, shlex.split(part), programs, known)
        # The French ones are the same.
        shown = {document: list(commands((ROOT / document).read_text(encoding="utf-8")))
                 for document in [*(english for english, _ in TWINS), *OTHERS, STICK[0]]}
        left_out = sum(is_left_out(words) for lines in shown.values() for words in lines)
        runnable = [document for document, lines in shown.items() if not all(map(is_left_out, lines))]
        with ThreadPoolExecutor(initializer=take_network) as pool:
            number = sum(pool.map(lambda document: run_commands(document, programs), runnable))
        print(f"{number} commands were run, {left_out} were not, for the reasons in NOT_RUN")
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
