"""The tutorials run as they are, and the learner learns."""
import json
import os
import pathlib
import sys

import pytest

import pacman_iuto

FOLDER = pathlib.Path(pacman_iuto.__file__).parent / "tutoriel"


def cells(name, kind):
    notebook = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


@pytest.mark.parametrize("name", ["tutorial.ipynb", "tutoriel.ipynb"])
def test_every_cell_runs(name, capsys, monkeypatch):
    # The commands that a notebook starts are those of its own environment.
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"])
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.delitem(sys.modules, "ada", raising=False)
    names = {"__name__": "__main__"}
    for code in cells(name, "code"):
        exec(compile(code, name, "exec"), names)
    assert names["wins"] >= 18, "the learner beats prudent"
    assert names["result"].winner.points > 0 and names["result"]._repr_html_()
    assert "Ada" in names["played"].stdout, names["played"]
    assert names["observations"]["planes"].shape == (256, 15, 20, 30)
    assert capsys.readouterr().out


def test_both_languages_show_the_same_code():
    def bare(name):
        words = {"poids :": "weights:", "parties gagnées": "games won", "} sur {": "} of {", "{nom}": "{name}", "{serveur}": "{server}"}
        for code in cells(name, "code"):
            for french, english in words.items():
                code = code.replace(french, english)
            yield [line for line in code.splitlines() if '"""' not in line]

    assert list(bare("tutoriel.ipynb")) == list(bare("tutorial.ipynb"))
    assert len(cells("tutoriel.ipynb", "markdown")) == len(cells("tutorial.ipynb", "markdown"))
