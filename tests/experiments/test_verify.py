"""Stored games are played again, and whatever was changed is found."""

import sqlite3
from pathlib import Path

import pytest

from sizeup.errors import InvalidInput
from sizeup.experiments.export import to_parquet
from sizeup.experiments.job import Outcome
from sizeup.experiments.merge import merge, open_rows
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.store import Played, Store, StoreError
from sizeup.experiments.stored import code_changes, game_of, sample, verify
from sizeup.games import connect_four
from tests.experiments import tiny


@pytest.fixture
def planned(tmp_path):
    return tiny.planned(tmp_path)


@pytest.fixture
def path(tmp_path, planned):
    return tiny.filled(tmp_path / "tiny.db", planned)


def names(drawn):
    return [row["game_id"] for one in drawn for row in one.rows]


def verified(path, games=99, seed=0):
    with Store.read(path) as store:
        return list(verify(sample(store, games, seed)))


def change(path, game, assignment):
    with sqlite3.connect(path) as database:
        database.execute(f"UPDATE games SET {assignment} WHERE game_id = ?", (game,))
    database.close()


def test_a_sample_is_drawn_by_its_seed(path, planned):
    with Store.read(path) as store:
        five = names(sample(store, 5, seed=1))
        assert len(set(five)) == 5
        assert five == names(sample(store, 5, seed=1)) != names(sample(store, 5, seed=2))
        assert set(names(sample(store, 99))) == {job.game_id() for job in planned}
        with pytest.raises(InvalidInput, match="--games must be 1 or more, got 0"):
            sample(store, 0)


def test_games_go_as_they_are_stored(path):
    found = verified(path, games=6)
    assert len(found) == 6
    assert all(one.has_moves and not one.differences for one in found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("assignment", "columns"),
    [
        ("score = 1 - score", ("score",)),
        ("total = total + 1e-9", ("total",)),
        ("reason = 'boredom', plies = plies + 1", ("reason", "plies")),
        ("moves = json_insert(moves, '$[#]', '1-5')", ("moves",)),
        ("rewards = json_set(rewards, '$[0]', 0.5)", ("rewards",)),
        ("posteriors = json_set(posteriors, '$.0[1][0]', 0.123)", ("posteriors",)),
        ("deviations = json_set(deviations, '$.0.1[0]', 0.123)", ("deviations",)),
    ],
)
def test_every_change_is_found(path, planned, assignment, columns):
    changed = planned[1].game_id()
    change(path, changed, assignment)
    assert [(one.game_id, one.differences) for one in verified(path) if one.differences] == [
        (changed, columns)
    ]


@pytest.mark.slow
def test_compact_rows_are_compared_as_far_as_they_go(tmp_path, path, planned):
    with Store.read(path) as store:
        to_parquet(store, tmp_path / "rows.parquet")
    bare = tmp_path / "bare.db"
    merge(bare, [open_rows(tmp_path / "rows.parquet")], planned.experiment)
    assert not any(one.differences or one.has_moves for one in verified(bare))
    change(bare, planned[0].game_id(), "deviations = json_set(deviations, '$.0.1[0]', 0.123)")
    assert [one.differences for one in verified(bare) if one.differences] == [("deviations",)]


@pytest.mark.slow
def test_a_series_is_verified_whole(tmp_path):
    series = tiny.planned(tmp_path, ("rounds = 1", "rounds = 2"))
    path = tiny.filled(tmp_path / "series.db", series, series[:2])
    found = verified(path, games=1)
    assert [one.game_id[-2:] for one in found] == ["-0", "-1"]
    change(path, found[1].game_id, "total = 77")
    assert [one.differences for one in verified(path, games=1)] == [(), ("total",)]


def test_code_that_changed_is_named(path, monkeypatch):
    with Store.read(path) as store:
        assert code_changes(store) == []
        monkeypatch.setattr(
            "sizeup.experiments.stored.code_parts", lambda *_: {"search": "other", "new": "x"}
        )
        changed = code_changes(store)
    assert {"search", "new", "play"} <= set(changed)


def test_a_game_of_ones_own_is_found_again(tmp_path, monkeypatch):
    """Where one stands, beside the store, or beside an experiment's file that is found."""
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    rules = home / "own.py"
    rules.write_text(Path(connect_four.rules.__file__).read_text())
    file = tiny.written(home, ("checkers", "own.py"), ("params = { most_plies = 14 }", ""))
    planned = plan(read_experiment(file))
    over = Outcome(1, 1.0, "over", 1, (1.0,), ("a",), {}, {})
    monkeypatch.chdir(elsewhere)
    for place, found in ((home, rules), (elsewhere, None)):
        with Store.open(place / "own.db", planned.origin) as store:
            store.add([Played(planned[0], (over,), 0.1, "here", 1, "2026-01-01")])
            if found is None:
                with pytest.raises(StoreError, match="neither here nor next to the store"):
                    sample(store, 1)
            else:
                ((job, rows),) = sample(store, 1)
                assert (Path(job.game), job.config["game"]) == (found, "own.py")
                assert rows[0]["config"] == planned[0].config
    monkeypatch.chdir(home)
    with Store.read(elsewhere / "own.db") as store:
        assert game_of(store, "own.py") == "own.py"
    monkeypatch.chdir(elsewhere)
    (elsewhere / "tiny.toml").write_text(f'extends = "{file}"\nname = "tiny"\n')
    with Store.read(elsewhere / "own.db") as store:
        assert Path(game_of(store, "own.py")) == rules
        assert game_of(store, "checkers") == "checkers"
