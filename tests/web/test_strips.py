"""The two games of the home page are the ones that the library plays."""

import pytest

import sizeup
from sizeup.play.match import play_at, set_table
from sizeup.play.record import Record
from sizeup.web import strips


@pytest.mark.parametrize("name", strips.STRIPS)
def test_the_records_that_come_with_the_package_are_those_of_today(name, tmp_path, monkeypatch):
    """If not: python -c "from sizeup.web.strips import *; record_strips()"."""
    _, team = strips.STRIPS[name]
    monkeypatch.setattr(strips, "STRIPS", {name: strips.STRIPS[name]})
    strips.record_strips(tmp_path / "again")
    again = Record.load(tmp_path / "again" / f"{name}.json")
    kept = Record.load(strips._FOLDER / f"{name}.json")
    assert again.moves == kept.moves
    assert again.players == tuple(team.split("+"))


def test_the_home_page_shows_both(visitor):
    shown = visitor.get("/api/about")["fire"]
    assert [shown[name]["total"] for name in ("oblivious", "aware")] == [-20.0, -2.0]
    for strip in shown.values():
        assert len(strip["states"]) == len(strip["moves"]) + 1 == 21


def test_records_without_searches_are_the_same_games(tmp_path):
    table = set_table("connect-four", ["obl:1", "obl:1"])
    bare = play_at(table, seed=1, searches=False)
    whole = sizeup.play("connect-four", ["obl:1", "obl:1"], seed=1)
    assert [m.action for m in bare.moves] == [m.action for m in whole.moves]
