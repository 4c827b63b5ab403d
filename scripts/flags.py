#!/usr/bin/env python3
"""Writes the flags of all programs into docs/en/flags.md and docs/fr/options.md, as `--help` tells them.

    scripts/flags.py PROGRAMS    the folder of the programs
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ["server", "client", "afficheur", "rejeu", "tournoi", "lab"]
DOCUMENTS = {"en": "docs/en/flags.md", "fr": "docs/fr/options.md"}
# Text above this mark is written by hand.
MARK = "<!-- scripts/flags.py -->\n"
VALUES = {"en": "Possible values:", "fr": "Valeurs possibles :"}
# Stands for a line break within a cell.
BREAK = "\0"
SHARED = {"en": "As above:", "fr": "Comme plus haut :"}
HEADS = {"en": "| flag | meaning | default |", "fr": "| option | sens | défaut |"}
# Every command has them; the texts above the mark tell of them.
COMMON = {"--help", "--version", "--langue"}
SECTION = re.compile(r"^(Usage|Utilisation|Commands|Commandes|Arguments|Options)\s?:\s*(.*)$")
# A flag or an argument, and what is said of it on the same line.
ENTRY = re.compile(r"^ {2,6}(?P<names>(?:-\w(?:, )?|--[\w-]+|[<\[])(?:\S| (?! ))*)(?: {2,}(?P<text>.*))?$")
COMMAND = re.compile(r"^  ([a-z][\w-]*)( |$)")
NOTE = re.compile(r"\[(default|défaut|aliases|alias|synonymes|synonyme)\s?: ((?:[^\[\]]|\[[^\]]*\])*)\]")
CHOICES = re.compile(r"\[(?:possible values|valeurs possibles)\s?: ([^\]]*)\]")


def help_of(programs, command, language):
    name, *rest = command
    environment = dict(os.environ, NO_COLOR="1")
    run = subprocess.run(
        [programs / name, *rest, "--help", "--langue", language],
        capture_output=True, text=True, check=True, env=environment,
    )
    return run.stdout.replace("\u00a0", " ").replace("\u202f", " ")


def sections(text):
    """The parts of a help text by their headings; what stands above them is `about`, what follows them `after`."""
    parts, name = {"about": []}, "about"
    for line in text.splitlines():
        if heading := SECTION.match(line):
            name = {"Utilisation": "Usage", "Commandes": "Commands"}.get(heading[1], heading[1])
            parts[name] = [heading[2]] if heading[2] else []
        elif name not in ("about", "Usage") and line and not line.startswith(" "):
            name = "after"
            parts.setdefault(name, []).append(line)
        else:
            parts[name].append(line)
    return parts


def cell(text):
    return re.sub(r"\s+", " ", text).strip().replace("|", "\\|").replace("<", "&lt;")


def rows(lines, language):
    """The rows of a table: names, meaning and default of each flag."""
    entries = []
    for line in lines:
        if entry := ENTRY.match(line):
            entries.append([entry["names"], [entry["text"] or ""]])
        elif entries:
            entries[-1][1].append(line.strip())
    for names, lines in entries:
        if COMMON & set(re.findall(r"--[\w-]+", names)):
            continue
        text, default = "\n".join(lines), ""
        for kind, value in NOTE.findall(text):
            value = " ".join(value.split())
            if kind.startswith("d"):
                default = f"`{value}`"
            else:
                names += ", " + value
        text = NOTE.sub("", text)
        text = CHOICES.sub(lambda found: f"{VALUES[language]} `{'`, `'.join(found[1].split(', '))}`", text)
        # A list of values, each with what it means.
        space = " " if language == "fr" else ""
        text = re.sub(r"^- (\S+?)(?:\s?(:\s.*))?$", rf"{BREAK}`\1`{space}\2", text, flags=re.M)
        # Its value is that of this moment.
        text = re.sub(r"\[env: (\w+)(=[^\]]*)?\]", r"(`\1`)", text)
        text = cell(text.replace(VALUES[language], BREAK + VALUES[language])).replace(f" {BREAK}", "<br>")
        names = ", ".join(f"`{name}`" for name in names.split(", "))
        yield f"| {names.replace('|', chr(92) + '|')} | {text} | {default.replace('|', chr(92) + '|')} |"


def paragraphs(lines):
    return [" ".join(part.split()) for part in "\n".join(lines).split("\n\n") if part.strip()]


def described(programs, command, language, above=()):
    """The section of a command without what stands `above` already, and those of its own commands."""
    parts = sections(help_of(programs, command, language))
    usage = next(line.strip() for line in parts["Usage"] if line.strip())
    yield f"{'#' * (len(command) + 1)} {' '.join(command)}"
    yield from paragraphs(parts["about"])
    yield f"`{usage}`"
    found = [*rows(parts.get("Arguments", []), language), *rows(parts.get("Options", []), language)]
    new = [row for row in found if row not in above]
    if new:
        yield "\n".join([HEADS[language], "| --- | --- | --- |", *new])
    if shared := [row.split(",")[0].split(" | ")[0][2:] for row in found if row in above]:
        yield f"{SHARED[language]} {', '.join(shared)}".replace("\\|", "|")
    after = paragraphs(parts.get("after", []))
    yield from (text for text in after if text not in above)
    names = [match[1] for line in parts.get("Commands", []) if (match := COMMAND.match(line))]
    for name in names:
        if name != "help":
            yield from described(programs, [*command, name], language, [*above, *found, *after])


def page(programs, language):
    """A page as it should be: what is written by hand, then the flags."""
    text = (ROOT / DOCUMENTS[language]).read_text(encoding="utf-8")
    by_hand = text.split(MARK)[0]
    flags = [part for name in PROGRAMS for part in described(programs, [name], language)]
    return by_hand + MARK + "\n" + "\n\n".join(flags) + "\n"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    programs = Path(sys.argv[1]).resolve()
    for language, document in DOCUMENTS.items():
        (ROOT / document).write_text(page(programs, language), encoding="utf-8")


if __name__ == "__main__":
    main()
