#!/usr/bin/env python3
"""Makes a site of the documents, an English book and a French one, and checks that every link in it leads somewhere.

    scripts/site.py [FOLDER]    by default target/site

mdBook builds the books; when it is missing, cargo installs it first. With SOURCES, links to folders of sources lead there,
as in SOURCES=https://github.com/ada/pacman-iuto/tree/main; without it they become plain text.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from documents import ROOT, TWINS

MDBOOK = "0.5.4"
# In both books, in English.
REFERENCE = ["PROTOCOL.md", "python/README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md",
             "docs/dependencies.md"]
BOOKS = {
    "en": {"title": "Pacman IUT'O", "pages": [english for english, _ in TWINS], "reference": "In detail"},
    "fr": {"title": "Pacman IUT'O", "pages": [french for _, french in TWINS], "reference": "En détail (en anglais)"},
}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
CHOICE = """<!doctype html>
<meta charset="utf-8">
<title>Pacman IUT'O</title>
<script>location.replace((navigator.language.startsWith("fr") ? "fr" : "en") + "/index.html")</script>
<p><a href="en/index.html">English</a> · <a href="fr/index.html">Français</a>
"""


def place(page):
    """The path of a document in a book: a README is its first page."""
    return re.sub(r"(README|LISEZMOI)\.md$", "index.md", page)


def html(page):
    return place(page).removesuffix(".md") + ".html"


def rewritten(page, language, files):
    """A document whose links lead to pages of the books, to `files` beside them, or to the sources."""
    folder, up = (ROOT / page).parent, "../" * page.count("/")
    here = BOOKS[language]["pages"] + REFERENCE
    other = next(code for code in BOOKS if code != language)

    def target(match):
        mark, text, link = match.groups()
        name, _, part = link.partition("#")
        if re.match(r"[a-z]+:", link) or not name:
            return match[0]
        linked = (folder / name).resolve().relative_to(ROOT)
        part = part and f"#{part}"
        if str(linked) in here:
            return f"[{text}]({up}{place(str(linked))}{part})"
        if str(linked) in BOOKS[other]["pages"]:
            return f"[{text}]({up}../{other}/{html(str(linked))}{part})"
        if (ROOT / linked).is_file():
            files.add(linked)
            return match[0]
        sources = os.environ.get("SOURCES")
        return f"[{text}]({sources}/{linked})" if sources else text

    # Between fences, nothing is a link.
    parts = re.split(r"(^```.*?^```$)", (folder / Path(page).name).read_text(encoding="utf-8"), flags=re.M | re.S)
    return "".join(part if part.startswith("```") else LINK.sub(target, part) for part in parts)


def title(page):
    heading = re.search(r"^# (.*)$", (ROOT / page).read_text(encoding="utf-8"), re.M)[1]
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)


def build(language, scratch, site):
    book = BOOKS[language]
    source = scratch / language / "src"
    source.mkdir(parents=True)
    files = set()
    for page in book["pages"] + REFERENCE:
        path = source / place(page)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rewritten(page, language, files), encoding="utf-8")
    for file in files:
        (source / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, source / file)
    first, *pages = [f"[{title(page)}]({place(page)})" for page in book["pages"]]
    reference = [f"- [{title(page)}]({place(page)})" for page in REFERENCE]
    pages = [f"- {page}" for page in pages]
    summary = ["# Summary", "", first, "", *pages, "", f"# {book['reference']}", "", *reference, ""]
    (source / "SUMMARY.md").write_text("\n".join(summary), encoding="utf-8")
    (scratch / language / "book.toml").write_text(
        f'[book]\ntitle = "{book["title"]}"\nlanguage = "{language}"\n'
        '[output.html]\nadditional-css = ["site.css"]\n[output.html.print]\nenable = false\n',
        encoding="utf-8",
    )
    # A flag stays on one line.
    (scratch / language / "site.css").write_text("td:first-child code { white-space: nowrap }\n", encoding="utf-8")
    subprocess.run(["mdbook", "build", scratch / language, "--dest-dir", site / language], check=True)


class Links(HTMLParser):
    """The links of a page, and the places in it that can be linked to."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.places.add(value)
            if name in ("href", "src") and value:
                self.links.append(value)


def broken(site):
    """The links of a site that lead nowhere, as texts."""
    pages = {path: Links(path) for path in sorted(site.rglob("*.html"))}
    count = 0
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            linked = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if linked.is_dir():
                linked /= "index.html"
            # A page that cannot be found may be asked for under any address.
            if path.name == "404.html":
                continue
            if not linked.is_file():
                yield f"{path.relative_to(site)}: the link {link} leads nowhere"
            elif linked in pages and parts.fragment and unquote(parts.fragment) not in pages[linked].places:
                yield f"{path.relative_to(site)}: there is no heading for the link {link}"
    print(f"{len(pages)} pages, {count} links within the site")


def main():
    site = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/site").resolve()
    if not shutil.which("mdbook"):
        print(f"mdbook is missing: cargo installs mdbook {MDBOOK}, which takes some minutes", file=sys.stderr)
        features = ["--no-default-features", "--features", "search"]
        subprocess.run(["cargo", "install", "--locked", *features, f"mdbook@{MDBOOK}"], check=True)
    if site.exists():
        if not (site / "index.html").exists() and any(site.iterdir()):
            sys.exit(f"{site} holds something else than a site; it is left as it is")
        shutil.rmtree(site)
    site.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        for language in BOOKS:
            build(language, Path(scratch), site)
    (site / "index.html").write_text(CHOICE, encoding="utf-8")
    failures = list(broken(site))
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
