"""Bots: games in this process, views, mistakes, and the file that needs nothing."""
import importlib.util
import os
import pathlib
import random
import subprocess
import sys
import threading

import numpy
import pytest

import pacman_iuto
from pacman_iuto import BOTS, MAPS, Bot, Recording, play_local, run, seul
from test_programs import connected

MAP = "5;7\n#######\n#.....#\n#.#.#.#\n#...#&.\n#####.#\n"


class Nearest(Bot):
    def play(self, view):
        me = view.player
        found = view.nearest(me.pacman, view.objects)
        pacman = view.path(me.pacman, found[0])[:1] if found else ""
        return (pacman or "N") + (view.possible_directions(me.ghost) or "N")[0]


class Wanderer(Bot):
    def play(self, view):
        return "".join(self.random.choice("NESO") for _ in range(2))


def test_a_game_has_a_ranking_and_a_recording():
    result = play_local(Nearest, "glouton", "prudent", "dijkstra", turns=60, seed=3)
    assert [player.rank for player in result.ranking] == sorted(player.rank for player in result.ranking)
    assert list(result.points) == ["Nearest", "glouton", "prudent", "dijkstra"]
    assert result.winner.points == max(result.points.values())
    assert result.recording.verify() is None
    assert result.recording.is_complete and result.recording.turns == 60
    assert [int(points) for points in result.recording.points] == list(result.points.values())


def test_the_same_seed_gives_the_same_game_and_another_seed_another_one():
    games = [play_local(Wanderer, "prudent", turns=80, seed=seed).points for seed in (5, 5, 6)]
    assert games[0] == games[1] != games[2]


def test_equal_names_are_told_apart():
    assert play_local(Nearest, Nearest, "prudent", "prudent", turns=1).recording.names == [
        "Nearest", "Nearest_2", "prudent", "prudent_2",
    ]


def test_a_bot_that_fails_shows_its_traceback_once_and_pays_for_malformed_orders(capfd):
    class Broken(Bot):
        def play(self, view):
            return "N" * (1 // 0)

    class Silent(Bot):
        def play(self, view):
            return None

    result = play_local(Broken, Silent, turns=10, seed=1)
    told = capfd.readouterr().err
    assert told.count("ZeroDivisionError") == 1
    assert told.count("play() returned None, expected a text of two capitals of N, E, S, O (west), as 'NE' (file") == 1
    assert [player.failures for player in result.ranking] == [10, 10]
    table = result.recording.table()
    assert set(table["fault"]) == {"malformed"}
    assert all(points < 0 for points in table["points"][:2])


def test_an_interrupt_ends_the_game():
    class Interrupted(Bot):
        def play(self, view):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_local(Interrupted)


@pytest.mark.parametrize(
    ("bots", "options", "words"),
    [
        ([], {}, "expected 1 to 26 players, got 0"),
        (["glouton"] * 27, {}, "expected 1 to 26 players, got 27"),
        (["nobody"], {}, 'there is no bot "nobody", expected one of:'),
        (["glouton"], {"turns": 0}, "expected at least one turn, got 0"),
        (["glouton"], {"turns": -1}, "expected at least one turn, got -1"),
        (["glouton"], {"regles": "mine"}, 'there are no rules "mine", expected sujet or orleans2024'),
        (["glouton"] * 4, {"carte": "3;3\n###\n#.#\n###\n"}, "4 players need 8 empty cells, the board has 1"),
        (["glouton"], {"carte": "3;3\n###\n#x#\n###\n"}, "line 3, column 2"),
    ],
)
def test_what_is_wrong_is_said_in_the_words_of_the_engine(bots, options, words):
    with pytest.raises(ValueError) as error:
        play_local(*bots, **options)
    assert words in str(error.value)


def test_files_that_are_missing_are_os_errors(tmp_path):
    with pytest.raises(OSError, match="cannot read the map nowhere.txt.*plan1, petit, dense, "):
        play_local("glouton", map="nowhere.txt")
    with pytest.raises(FileNotFoundError, match="nowhere.rejeu"):
        Recording.open(tmp_path / "nowhere.rejeu")
    with pytest.raises(ValueError, match="this is no recording of a game"):
        Recording(b"something else")
    with pytest.raises(TypeError, match="expected a Bot or the name of a bot"):
        play_local(3)


def test_every_map_and_every_bot_that_is_named_is_there():
    for carte in MAPS:
        assert play_local(*BOTS, turns=2, map=carte).recording.turns == 2


def test_the_order_in_which_a_bot_is_told():
    told = []

    class Listener(Bot):
        def new_game(self, view):
            told.append(("new", view.turn))

        def play(self, view):
            told.append(("play", view.turn))
            return "NN"

    play_local(Listener, turns=3)
    assert told == [("new", 0), ("play", 0), ("play", 1), ("play", 2)]


def same(english, french):
    """The answer under the English name, which is that under the name of the course."""
    assert english == french
    return english


# Questions that both views answer alike.
def questions(view, random):
    def place():
        return random.randrange(view.rows), random.randrange(view.cols)

    for _ in range(6):
        here, there, steps = place(), place(), random.randrange(5)
        direction = random.choice("NESO")
        yield view.cell(here), view.is_wall(here)
        yield same(view.possible_directions(here), view.directions_possibles(here))
        yield same(view.possible_directions(here, wall_pass=True), view.directions_possibles(here, passe_muraille=True))
        far = random.randrange(12)
        english, french = view.analyse_board(here, direction, far), view.analyse_plateau(here, direction, far)
        words = {"objects": "objets", "pacmans": "pacmans", "ghosts": "fantomes"}
        yield same(english and {words[key]: value for key, value in english.items()}, french)
        yield same(view.next_junction(here, direction), view.prochaine_intersection(here, direction))
        yield same(view.north(here), view.pos_nord(here)), same(view.south(here), view.pos_sud(here))
        yield same(view.east(here), view.pos_est(here)), same(view.west(here), view.pos_ouest(here))
        distances = view.distances(here, steps)
        yield distances[there], len(distances.reached()), len(distances.path(there) or "")
        yield distances.first_step(there) is None
        yield len(view.path(here, there) or ""), view.all_pairs()[here, there]
        yield view.nearest(here, view.objects), view.nearest(here, [there])


def seen(view):
    players = [vars_of(player) for player in view.players.values()]
    return view.me, view.turn, view.turns, view.rows, view.cols, view.board, view.objects, players, str(view)


@pytest.mark.parametrize("carte", ["plan1", MAP])
def test_objects_and_players_are_made_once_a_view_and_can_only_be_read(carte):
    view = play_local("prudent", "glouton", turns=2, map=carte).recording.view(1, "B")
    for each in (view, seul.View(f"jeu;B\n{view}")):
        assert each.objects is each.objects and each.objects
        assert each.players is each.players
        assert each.player is each.player is each.players["B"]
        assert all(each.cell(cell) == letter for cell, letter in each.objects.items())
        for mapping in (each.objects, each.players):
            with pytest.raises(TypeError):
                mapping["A"] = None
            copy = dict(mapping)
            copy.popitem()
            assert len(copy) == len(mapping) - 1


def vars_of(player):
    names = "colour name points false_moves pacman ghost glutton freeze wall_pass".split()
    return [getattr(player, name) for name in names] + [repr(player)]


def test_the_file_that_needs_nothing_sees_and_searches_as_the_package_does():
    views = 0

    class Comparing(Bot):
        def play(self, view):
            nonlocal views
            views += 1
            plain = seul.View(f"jeu;{view.me}\n{view}")
            assert seen(view) == seen(plain)
            asked = [list(questions(each, random.Random(view.turn))) for each in (view, plain)]
            assert asked[0] == asked[1]
            return self.random.choice("NESO") + self.random.choice("NESO")

    result = play_local(Comparing, "glouton", "prudent", turns=25, seed=2, map="objets")
    assert views == 25
    assert all(player.failures == 0 for player in result.ranking)


class Careless(Bot):
    """Sends its pieces anywhere, now and then with letters that mean nothing."""

    def play(self, view):
        return "".join(self.random.choice("NNEESSOOX") for _ in range(self.random.choice((1, 2, 2, 2, 2, 3))))


# Few cells and more pieces, with objects among the walls' corners: draws fall back to what is left.
CROWDED = "5;5\n#####\n# ..#\n#.$ #\n#!.@#\n#####\n"


@pytest.mark.parametrize("regles", ["sujet", "orleans2024"])
@pytest.mark.parametrize(
    ("carte", "players"), [(None, 4), ("objets", 6), ("petit", 2), ("impasses", 4), ("dense", 26), (CROWDED, 3)]
)
def test_the_file_that_needs_nothing_plays_the_same_games(carte, players, regles):
    start = play_local("aleatoire", turns=1, map=carte).recording.view(0)
    text = "\n".join([f"{start.rows};{start.cols}", *start.board, ""]) if carte else None
    for seed in (0, 1, (1 << 64) - 30):
        options = {"turns": 150, "seed": seed, "regles": regles}
        game = play_local(*[Careless] * players, map=carte, **options)
        plain = seul.play_local(*[Careless] * players, map=text, **options)
        assert plain.recording.states == [str(game.recording.view(turn)) for turn in range(151)]
        assert (plain.ranking, str(plain), plain.points) == (game.ranking, str(game), game.points)
        assert str(plain.recording.view(9, "B")) == str(game.recording.view(9, "B"))


@pytest.mark.parametrize(
    ("bots", "options", "error", "words"),
    [
        ([], {}, ValueError, "expected 1 to 26 players, got 0"),
        ([Careless], {"turns": 0}, ValueError, "expected at least one turn, got 0"),
        ([Careless], {"turns": -1}, ValueError, "expected at least one turn, got -1"),
        ([Careless], {"regles": "mine"}, ValueError, "there are no rules 'mine', expected sujet or orleans2024"),
        ([Careless] * 4, {"carte": "3;3\n###\n#.#\n###\n"}, ValueError, "4 players need 8 empty cells, the board has 1"),
        ([Careless], {"carte": "3;3\n###\n#x#\n###\n"}, ValueError, "line 3, column 2 of the map"),
        ([Careless], {"carte": "3;3\n###\n#.\n###\n"}, ValueError, "line 3 of the map: expected 3 characters, got 2"),
        ([Careless], {"carte": "3;3\n###\n# #"}, ValueError, "expected 3 rows, got 2"),
        ([Careless], {"carte": "3x3\n"}, ValueError, "line 1 of the map: expected ROWS;COLS, got '3x3'"),
        ([Careless], {"carte": "nowhere.txt"}, OSError, "no such map; a file is expected, or plan1.*nowhere.txt"),
        ([Careless], {"seed": -1}, OverflowError, "seed"),
        ([3], {}, TypeError, "expected a Bot, got 3"),
    ],
)
def test_games_that_cannot_be_played_without_the_package_are_errors(bots, options, error, words):
    with pytest.raises(error, match=words):
        seul.play_local(*bots, **options)


@pytest.mark.parametrize(("language", "words"), [("en_GB.UTF-8", "is not on the board"), ("fr_FR.UTF-8", "n'est pas sur le plateau")])
def test_exceptions_are_in_the_language_of_the_environment(language, words):
    lines = [
        "import pacman_iuto, pacman_iuto.seul as seul",
        "view = pacman_iuto.play_local('prudent', turns=1).recording.view(0)",
        "print(pacman_iuto.play_local('prudent', turns=1))",
        "for each in (view, seul.View(f'jeu;A\\n{view}')):",
        "    try: each.cell((0, 99))",
        "    except ValueError as error: print(error)",
    ]
    environment = {**os.environ, "LC_ALL": language, "PYTHONUTF8": "1"}
    told = subprocess.run([sys.executable, "-c", "\n".join(lines)], env=environment, capture_output=True, text=True, check=True)
    ranking, compiled, plain = told.stdout.splitlines()
    assert compiled == plain and words in plain
    assert ("(A) : " in ranking) == language.startswith("fr")


def test_no_value_makes_the_compiled_module_panic():
    native = pacman_iuto._native
    recording = play_local("prudent", "glouton", turns=2).recording
    view = recording.view(1, "A")
    with connected(native.Line) as (line, _):
        objects = [view, view.distances((1, 1)), view.all_pairs(), recording, line]
    options = {
        "rivals": ["glouton"], "width": 5, "height": 5, "cells": 90.0, "walls": 50.0, "mud": 20.0, "mud_turns": (2, 3), "holes": "big",
        "cheese": 1, "start": "centre", "turns": 10,
    }
    arenas = [native.Arena(["glouton", None]), native.BatchArena(2, ["glouton", None]), native.RatArena(2, options)]
    objects += [*arenas, pacman_iuto.BatchEnv(1), pacman_iuto.env.PyRatBatchEnv(1)]
    methods = [getattr(owner, name) for owner in objects for name in dir(owner) if name == "__getitem__" or name[0] != "_"]
    makers = [native.Arena, native.BatchArena, native.RatArena, pacman_iuto.BatchEnv, play_local, native.registration]
    makers += [lambda *value: native.RatArena(1, {**options, **dict(zip(draw.sample(list(options), len(value)), value))})]
    odd = [None, -1, 0, 1, 3, 10**30, 0.5, float("nan"), "", "A", "\ud800", "3;3\n###\n#.#\n###\n", b"jeu;A\n"]
    odd += [(1, 1), (-1, 0), ((1, 1), (0, 0)), [], [(1, 1)], {}, {"B": 3}, ["glouton", None], ["glouton"]]
    odd += [numpy.zeros(0, int), numpy.array([1, 2]), numpy.array([3, 99])]
    far = [255, 1 << 16, 1 << 32, (1 << 63) - 1, (1 << 64) - 1]
    draw = random.Random(1)
    for number in range(10_000):
        call, values = (draw.choice(methods), odd + far) if number % 4 else (draw.choice(makers), odd)
        if not callable(call) or call.__name__ == "save":
            continue
        try:
            # A panic is no Exception.
            call(*(draw.choice(values) for _ in range(draw.choice((1, 1, 1, 2, 3)))))
        except Exception as error:
            assert str(error) or isinstance(error, (MemoryError, OverflowError))


@pytest.mark.parametrize("orders", ["ne", "N", "", "N9", "WE"])
@pytest.mark.parametrize("play", [play_local, seul.play_local])
def test_malformed_orders_are_told_once_in_plain_words(orders, play, capfd):
    class Ada(Bot):
        def play(self, view):
            return orders if view.turn else "NEX"

    assert play(Ada, turns=5).winner.failures == 0
    told = capfd.readouterr().err
    line = Ada.play.__code__.co_firstlineno
    expected = f"two capitals of N, E, S, O (west), as 'NE' (file {__file__}, line {line}); this is shown once\n"
    assert told == f"Ada: play() returned {orders!r}, expected a text of {expected}"


def test_a_wrong_name_in_play_is_shown_at_its_line_without_frames_of_the_kit(capfd):
    class Ada(Bot):
        def play(self, view):
            return view.posible_directions(view.player.pacman)

    play_local(Ada, turns=3)
    told = capfd.readouterr().err
    assert told.count("File ") == 1 and f'File "{__file__}", line {Ada.play.__code__.co_firstlineno + 1}, in play' in told
    if sys.version_info >= (3, 10):
        assert "Did you mean: 'possible_directions'?" in told


class Nameless(Bot):
    def plya(self, view):
        return "NE"


class Selfless(Bot):
    def play(view):
        return "NE"


class Unrelated:
    def play(self, view):
        return "NE"


@pytest.mark.parametrize(("bot", "expected"), [
    (Nameless, "Nameless has no method play(self, view)"),
    (Selfless, "Selfless.play: expected the parameters (self, view) (file "),
    (Unrelated, "expected a bot, as class Ada(Bot), got <"),
])
def test_a_bot_that_cannot_be_asked_never_looks_for_a_server(bot, expected, capfd):
    for start in (run, seul.run):
        with pytest.raises(SystemExit) as end:
            start(bot, ["--port", "1"])
        told = capfd.readouterr().err
        assert end.value.code == 2 and told.startswith(f"error: {expected}")


def test_a_bot_without_play_is_refused_before_the_first_turn():
    for play in (play_local, seul.play_local):
        with pytest.raises(TypeError, match="Nameless has no method play"):
            play(Nameless)


def test_a_bot_that_thinks_too_long_is_shown_where_it_is(capfd, monkeypatch):
    monkeypatch.setattr(seul, "PATIENCE", 0.01)
    thinks, may_answer = threading.Event(), threading.Event()

    class Slow(Bot):
        def play(self, view):
            thinks.set()
            may_answer.wait()
            return "NE"

    game = threading.Thread(target=lambda: answers.append(seat.play(play_local("prudent", turns=1).recording.view(0))))
    seat, answers = seul.Seat(Slow), []
    game.start()
    thinks.wait()
    seat.watch(game.ident)
    may_answer.set()
    game.join()
    told = capfd.readouterr().err
    assert answers == ["NE"]
    assert f'File "{__file__}", line {Slow.play.__code__.co_firstlineno + 2}, in play' in told
    assert told.endswith("Slow: play() has not returned for more than 0.01 seconds in turn 1; this is where it is\n")


def test_bots_think_aloud():
    class Ada(Bot):
        def play(self, view):
            if view.turn == 2:
                self.say("to the", "cherry;", 3)
                self.mark((1, 2), "mine")
                self.mark((1, 2), 4.5)
                self.path((1, 2), "NNE")
                self.path((1, 2), "")
                self.publish()
            return "NE"

    lines = [line for line in play_local(Ada, "prudent", turns=5, seed=1).recording.lines() if "turn" in line]
    thoughts = {line["turn"]: line["answers"][0]["thought"] for line in lines if "thought" in line["answers"][0]}
    assert thoughts == {3: "text to the cherry, 3;cell 1,2 mine;value 1,2 4.5;path 1,2 NNE;public"}
    assert play_local(Ada, turns=5).winner.failures == seul.play_local(Ada, turns=5).winner.failures == 0


def test_a_long_thought_is_cut_between_letters():
    class Ada(Bot):
        def play(self, view):
            self.say("é" * 600)
            return "NE"

    seat = seul.Seat(Ada)
    assert seat.play(None) == "NE;text " + "é" * 497
    assert len(seat.play(None).encode()) <= 1003


def test_letters_that_cannot_be_sent_are_a_mistake_of_the_bot(capfd):
    class Odd(Bot):
        def play(self, view):
            return "\ud800N"

    for play in (play_local, seul.play_local):
        assert play(Odd, turns=2).winner.failures == 2
        assert "UnicodeEncodeError" in capfd.readouterr().err


def test_paths_lead_where_they_say_and_are_shortest():
    view = play_local("prudent", turns=1, map="impasses").recording.view(0)
    distances = view.distances((1, 1)) if not view.is_wall((1, 1)) else view.distances(next(iter(view.objects)))
    start = distances.reached()[0]
    steps = {"N": view.north, "E": view.east, "S": view.south, "O": view.west}
    for goal in distances.reached():
        cell = start
        for letter in distances.path(goal):
            assert letter in view.possible_directions(cell)
            cell = steps[letter](cell)
        assert (cell, len(distances.path(goal))) == (goal, distances[goal])
    array = distances.array()
    assert array.shape == (view.rows, view.cols)
    assert all(array[cell] == distances[cell] for cell in distances.reached())
    assert (array >= 0).sum() == len(distances.reached())
    table = view.all_pairs()
    row = table.array()[start[0] * view.cols + start[1]]
    assert (row.reshape(view.rows, view.cols) == array).all()


@pytest.mark.parametrize("bad", [(-1, 0), (0, -1), (20, 0), (0, 30), (10**30, 0)])
def test_places_beyond_the_board_are_errors_in_both(bad):
    view = play_local("prudent", turns=1).recording.view(0)
    plain = seul.View(f"jeu;A\n{view}")
    for each in (view, plain):
        with pytest.raises((ValueError, OverflowError)):
            each.cell(bad)


def test_wrong_directions_are_errors_in_both():
    view = play_local("prudent", turns=1).recording.view(0)
    for each in (view, seul.View(f"jeu;A\n{view}")):
        for letter in ("W", "", "NN", "é", "n", 9, None):
            with pytest.raises(ValueError, match="is no direction"):
                each.analyse_plateau((0, 0), letter, 3)


def test_the_file_beside_a_bot_does_not_hide_the_package(tmp_path):
    (tmp_path / "pacman_iuto.py").write_bytes(pathlib.Path(seul.__file__).read_bytes())
    (tmp_path / "ada.py").write_text(
        "import pacman_iuto\nfrom pacman_iuto import play_local\n"
        "print(play_local('glouton', turns=1).winner.name, pacman_iuto.__file__)\n"
    )
    told = subprocess.run([sys.executable, "ada.py"], cwd=tmp_path, capture_output=True, text=True)
    assert told.stdout == f"glouton {pacman_iuto.__file__}\n", told.stderr


def test_the_file_that_needs_nothing_works_alone(tmp_path):
    copy = tmp_path / "pacman_iuto.py"
    copy.write_bytes(pathlib.Path(seul.__file__).read_bytes())
    spec = importlib.util.spec_from_file_location("alone", copy)
    alone = importlib.util.module_from_spec(spec)
    sys.modules["alone"] = alone
    spec.loader.exec_module(alone)
    assert set(alone.__all__) <= set(dir(pacman_iuto))
    with pytest.raises(ValueError, match="pip install pacman-iuto.*pacman-iuto server --fill glouton"):
        alone.play_local("glouton")
    standard = sys.stdlib_module_names if sys.version_info >= (3, 10) else ()
    source = copy.read_text(encoding="utf-8")
    names = [line.split()[1] for line in source.splitlines() if line.startswith(("import ", "from "))]
    assert all(name == "__future__" or not standard or name.split(".")[0] in standard for name in names)


@pytest.mark.parametrize("secret", ["short", "with-dash-in-it", "é" * 10, "a" * 65])
def test_secrets_that_a_server_would_publish_are_refused(secret):
    for registration in (seul.registration, pacman_iuto._native.registration):
        with pytest.raises(ValueError, match="8 to 64 letters and digits"):
            registration("Ada", secret)
        assert registration("Ada", "correcthorse42") == "joueur;Ada#correcthorse42"
        assert registration("Ada#1") == "joueur;Ada#1"
        with pytest.raises(ValueError, match="would be taken for a secret"):
            registration("Ada#correcthorse42")
