"""Recordings as objects, tables and pages."""
import html
import random

import pytest

from pacman_iuto import Recording, play_local


@pytest.fixture(scope="module")
def recording():
    return play_local("glouton", "dijkstra", "prudent", "aleatoire", turns=45, seed=7).recording


def test_a_file_comes_back(recording, tmp_path):
    path = tmp_path / "partie.rejeu"
    recording.save(path)
    again = Recording.open(path)
    assert again.to_bytes() == recording.to_bytes()
    assert (again.names, again.seed, again.turns, again.points) == (
        recording.names, 7, 45, recording.points,
    )
    assert "45 turns" in repr(again)


def test_lines_and_events_tell_the_game(recording):
    first, *turns = recording.lines()
    assert first["game"] == "pacman" and first["players"] == recording.names
    assert [line["turn"] for line in turns] == list(range(1, 46))
    moved = [event for event in recording.events() if event["event"] == "moved"]
    assert moved and all(1 <= event["turn"] <= 45 for event in moved)


def test_a_table_has_a_row_a_turn_and_player(recording):
    table = recording.table()
    assert {len(column) for column in table.values()} == {45 * 4}
    assert list(table["turn"][:5]) == [1, 1, 1, 1, 2]
    assert table["player"][:4] == ["A", "B", "C", "D"]
    assert [float(points) for points in table["points"][-4:]] == recording.points
    last = recording.view(45)
    for index, player in enumerate(last.players.values()):
        row = len(table["turn"]) - 4 + index
        assert (table["row"][row], table["column"][row]) == player.pacman
        assert (table["ghost_row"][row], table["ghost_column"][row]) == player.ghost
        assert table["false_moves"][row] == player.false_moves


def test_pandas_takes_the_table(recording):
    frame = recording.frame()
    assert list(frame[frame.turn == 45].points) == recording.points


def test_views_of_any_turn(recording):
    assert recording.view(0, "B").me == "B"
    assert [recording.view(turn).turn for turn in (0, 1, 45)] == [0, 1, 45]
    with pytest.raises(ValueError, match="expected a turn from 0 to 45, got 46"):
        recording.view(46)
    with pytest.raises(ValueError, match="there is no player 'E'"):
        recording.view(0, "E")


def test_a_notebook_shows_the_page_without_being_able_to_run_it_elsewhere(recording):
    shown = recording._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and 'sandbox="allow-scripts"' in shown
    assert html.escape(recording.html(), quote=True) in shown
    assert shown.count("<") == 2, "the page is inside an attribute"


def test_a_damaged_file_is_read_as_far_as_it_goes_and_never_crashes(recording):
    data = recording.to_bytes()
    cut = Recording(data[: len(data) // 2])
    assert 0 < cut.turns < 45 and not cut.is_complete and cut.damage
    draw = random.Random(1)
    for _ in range(300):
        broken = bytearray(data[: draw.randrange(len(data))])
        for _ in range(draw.randrange(4)):
            if broken:
                broken[draw.randrange(len(broken))] = draw.randrange(256)
        try:
            again = Recording(bytes(broken))
        except ValueError:
            continue
        again.verify(), again.table(), again.points
