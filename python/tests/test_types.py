"""The types of what is public say what a value is."""
import ast
import inspect
import pathlib

import pytest

import pacman_iuto
from pacman_iuto import _native, play_local, seul

FOLDER = pathlib.Path(pacman_iuto.__file__).parent
FILES = sorted(str(path.relative_to(FOLDER)) for kind in ("*.py", "*.pyi") for path in FOLDER.rglob(kind))


def annotations(owner, where):
    """The annotations of what is public in a module or a class, each with its place."""
    for item in owner.body:
        if isinstance(item, ast.If):
            yield from annotations(item, where)
        elif isinstance(item, ast.ClassDef) and not item.name.startswith("_"):
            yield from ((f"{where}.{item.name}", base) for base in item.bases)
            yield from annotations(item, f"{where}.{item.name}")
        elif isinstance(item, ast.AnnAssign) and not item.target.id.startswith("_"):
            yield f"{where}.{item.target.id}", item.annotation
        elif isinstance(item, ast.Assign):
            yield from ((f"{where}.{ast.unparse(target)}", item.value) for target in item.targets)
        elif isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) and is_public(item.name):
            taken = item.args
            every = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs, taken.vararg, taken.kwarg]
            found = [*(argument.annotation for argument in every if argument), item.returns]
            # The attributes that a method sets.
            found += [each.annotation for each in ast.walk(item) if is_public_attribute(each)]
            yield from ((f"{where}.{item.name}", annotation) for annotation in found if annotation)


def is_public(name):
    return not name.startswith("_") or name.endswith("__")


def is_public_attribute(node):
    target = getattr(node, "target", None)
    return isinstance(node, ast.AnnAssign) and isinstance(target, ast.Attribute) and is_public(target.attr)


def vague(source, file):
    """The places in which a public annotation is, or contains, ``Any``."""
    for where, annotation in annotations(ast.parse(source), file):
        names = {each.id for each in ast.walk(annotation) if isinstance(each, ast.Name)}
        names |= {each.attr for each in ast.walk(annotation) if isinstance(each, ast.Attribute)}
        quoted = [each.value for each in ast.walk(annotation) if isinstance(each, ast.Constant)]
        if "Any" in names or any(isinstance(text, str) and "Any" in text.replace(",", " ").split() for text in quoted):
            yield where


@pytest.mark.parametrize("file", FILES)
def test_nothing_public_is_of_any_type(file):
    assert list(vague((FOLDER / file).read_text(encoding="utf-8"), file)) == []


@pytest.mark.parametrize(
    "line",
    [
        "def play(view: Any): ...",
        "def play(**options: Any): ...",
        "def play() -> Dict[str, typing.Any]: ...",
        "def play(view: 'Any'): ...",
        "player: Any = None",
        "Info = Dict[str, Any]",
        "class Bot(Generic[Any]): ...",
        "class Bot:\n    def __init__(self):\n        self.name: Any = 1",
        "if TYPE_CHECKING:\n    def play(view: Any): ...",
    ],
)
def test_any_is_found_wherever_it_is_public(line):
    assert len(list(vague(line, "here"))) == 1


def test_what_is_private_may_be_of_any_type():
    source = "def _play(view: Any): ...\nclass _Bot:\n    name: Any\ndef play():\n    told: Any = 1"
    assert list(vague(source, "here")) == []


def texts(owner, where):
    """The documentation of a class and of its public members in a stub, each by its place."""
    yield where, ast.get_docstring(owner)
    members = [item for item in owner.body if isinstance(item, ast.FunctionDef) and not item.name.startswith("_")]
    yield from ((f"{where}.{item.name}", ast.get_docstring(item)) for item in members)


def test_editors_show_what_the_compiled_classes_say():
    # They read the stub, not the compiled module.
    stub = ast.parse((FOLDER / "_native.pyi").read_text(encoding="utf-8"))
    classes = [item for item in stub.body if isinstance(item, ast.ClassDef) and item.name in pacman_iuto.__all__]
    shown = {where: text for owner in classes for where, text in texts(owner, owner.name)}
    assert {"View", "View.turn", "Player.freeze", "Distances.array", "DistanceTable", "Recording.table"} <= shown.keys()
    for where, text in shown.items():
        name, _, member = where.partition(".")
        compiled = getattr(_native, name)
        assert text == inspect.getdoc(getattr(compiled, member) if member else compiled), where


def test_a_view_of_nobody_has_no_player():
    view = play_local("prudent", turns=1).recording.view(0)
    for each in (view, seul.View(f"jeu;\n{view}")):
        assert each.me is None
        with pytest.raises(ValueError, match="a view of nobody has no player"):
            _ = each.player
