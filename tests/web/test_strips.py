"""The two games of the home page are the ones that the library plays."""

import pytest

import sizeup
from sizeup.play.match import play_at
from sizeup.play.record import SCHEMA, Record
from sizeup.play.table import set_table
from sizeup.web import hub

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", hub.STRIPS)
def test_the_records_that_come_with_the_package_are_those_of_today(name, tmp_path, monkeypatch):
    """If not: python -c "from sizeup.web.hub import record_strips; record_strips()"."""
    _, team = hub.STRIPS[name]
    monkeypatch.setattr(hub, "STRIPS", {name: hub.STRIPS[name]})
    hub.record_strips(tmp_path / "again")
    again = Record.load(tmp_path / "again" / f"{name}.json")
    kept = Record.load(hub._FOLDER / f"{name}.json")
    assert again.moves == kept.moves
    assert again.players == tuple(team.split("+"))
    written = (hub._FOLDER / f"{name}.json").read_text()
    assert f'"schema":"{SCHEMA}"' in written
    assert len(written) < 10_000  # with the counts, samples and error of every observation


def test_the_home_page_shows_both(visitor):
    shown = visitor.get("/api/about")["showcase"]
    assert (shown["game"], shown["title"]) == ("wall-of-fire", "Wall of Fire")
    strips = [shown[name] for name in ("oblivious", "aware")]
    assert [strip["total"] for strip in strips] == [-20.0, -2.0]
    for strip in strips:
        assert len(strip["states"]) == len(strip["moves"]) + 1 == 21
        tiles = [tile for state in strip["states"] for row in state["rows"] for tile in row]
        assert {tile["ground"] for tile in tiles} <= set(strip["art"])


def test_records_without_searches_are_the_same_games(tmp_path):
    table = set_table("connect-four", ["obl:1", "obl:1"])
    bare = play_at(table, seed=1, searches=False)
    whole = sizeup.play("connect-four", ["obl:1", "obl:1"], seed=1)
    assert [m.action for m in bare.moves] == [m.action for m in whole.moves]
