"""Studies as files, who gets which place, and what is kept of whom."""

import sqlite3
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from sizeup.errors import InvalidInput
from sizeup.experiments.job import Outcome
from sizeup.experiments.repair import repair
from sizeup.experiments.store import Store
from sizeup.experiments.stored import find_experiment, record_in, rows_as_dicts
from sizeup.experiments.study import read_study, williams
from sizeup.experiments.study_log import COLUMNS, Elsewhere, StudyLog, study_frames, study_rows
from sizeup.experiments.worker import outcome_at, record_by_people, seated
from sizeup.play.match import Match
from sizeup.report import report

STUDY = """
name = "small"
title = "A small study"
question = "Does it work?"
participants = {participants}
design = "{design}"
types = [2, 4]
consent = "Agree?"
completion_code = "DONE"

[conditions.aware]
game = "wall-of-fire"
partner = "ca:4"

[conditions.oblivious]
game = "wall-of-fire"
partner = "obl:4"

[[questions]]
when = "end"
ask = "Choose red."
options = ["red", "blue"]
expected = "red"
"""


class Clock:
    """Says what time it is."""

    def __init__(self):
        self.time = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self):
        self.time += timedelta(seconds=1)
        return self.time


@pytest.fixture
def clock():
    return Clock()


def written(folder, participants=4, design="within", text=STUDY):
    path = folder / "small.toml"
    path.write_text(text.format(participants=participants, design=design))
    return path


def finish(log, one, answer="red"):
    """Go through all that is left; every game is over after two moves."""
    while (step := log.step(one)) is not None:
        if step.kind == "game":
            job = log.job(one)
            for ply, action in enumerate(("E", "W")[len(one.moves) :], start=len(one.moves)):
                one = log.move(one, job, ply, ply, action, 1.0)
            over = Outcome(None, -2.0, "the game is over", 2, (0.0, -2.0), ("E", "W"), {}, {})
            one = log.end_game(one, job, over, 1)
        else:
            one = log.answer(one, one.done, {"q1": answer}, 2.0)
    return one


def orders(log):
    return Counter(one.place.conditions for one in log.people)


@pytest.mark.parametrize("count", range(1, 8))
def test_orders_are_balanced(count):
    rows = williams(count)
    follows = Counter(pair for row in rows for pair in pairwise(row))
    assert all(sorted(row) == list(range(count)) for row in rows)
    assert len(follows) == count * (count - 1)
    assert len(set(follows.values())) <= 1
    for place in range(count):
        assert len(set(Counter(row[place] for row in rows).values())) == 1


@pytest.mark.parametrize(("design", "each"), [("within", 2), ("between", 2)])
def test_places_are_given_in_balance(tmp_path, clock, design, each):
    log = StudyLog(read_study(written(tmp_path, design=design)), tmp_path / "s.db", clock)
    people = [log.come(f"v{n}") for n in range(4)]
    assert set(orders(log).values()) == {each}
    assert log.come("v5") is None
    assert log.come("v1") == people[1]  # who comes again is not somebody else
    log.close()


def test_a_place_that_is_given_up_is_given_to_another(tmp_path, clock):
    log = StudyLog(read_study(written(tmp_path, 2)), tmp_path / "s.db", clock)
    first, second = log.come("a"), log.come("b")
    finish(log, second, answer="blue")  # which does not count
    clock.time += timedelta(minutes=121)  # the first one is not there any more
    third, fourth = log.come("c"), log.come("d")
    assert [one.place.number for one in (third, fourth)] == [0, 1]
    finish(log, third)
    finish(log, fourth)
    finish(log, first)  # who comes back may finish, but another one counts in that place
    log.close()
    again = StudyLog(read_study(written(tmp_path, 2)), tmp_path / "s.db", clock)
    assert again.come("e") is None
    again.close()
    rows = study_rows(tmp_path / "s.db")
    assert {r["participant"]: r["counted"] for r in rows["participants"]} == {
        "p0001": False, "p0002": False, "p0003": True, "p0004": True,
    }  # fmt: skip
    assert sum(row["counted"] for row in rows["games"]) == 4
    assert len(rows["games"]) == 8
    found = report(tmp_path / "s.db")
    assert found.counts.played == 4
    assert found.comparisons[0].blocks == 2


def test_who_leaves_is_deleted_and_gives_the_place_back(tmp_path, clock):
    study = read_study(written(tmp_path, 1))
    log = StudyLog(study, tmp_path / "s.db", clock)
    one = log.come("a")
    log.move(one, log.job(one), 0, 0, "E", None)
    log.leave(log.of_visitor("a"))
    assert log.of_visitor("a") is None
    assert log.come("b").name == "p0002"
    log.close()
    log = StudyLog(study, tmp_path / "s.db", clock)
    assert [one.name for one in log.people] == ["p0002"]
    log.close()
    assert b'"visitor": "a"' not in (tmp_path / "s.db").read_bytes()
    assert {row["participant"] for row in study_rows(tmp_path / "s.db")["participants"]} == {
        "p0002"
    }


def test_moves_are_kept_once_and_in_order(tmp_path, clock):
    log = StudyLog(read_study(written(tmp_path)), tmp_path / "s.db", clock)
    one = log.come("a")
    job = log.job(one)
    one = log.move(one, job, 0, 0, "E", None)
    assert log.move(one, job, 0, 0, "E", None) is one  # the same from another window
    with pytest.raises(Elsewhere, match="another window"):
        log.move(one, job, 0, 0, "W", None)
    with pytest.raises(Elsewhere, match="another window"):
        log.move(one, job, 2, 0, "W", None)
    with pytest.raises(Elsewhere, match="no question"):
        log.answer(one, one.done, {}, 0.0)
    log.close()


def test_answers_must_be_possible(tmp_path, clock):
    log = StudyLog(read_study(written(tmp_path, design="between")), tmp_path / "s.db", clock)
    one = log.come("a")
    job = log.job(one)
    one = log.end_game(one, job, Outcome(None, 0.0, "over", 0, (), (), {}, {}), 1)
    for answers, problem in (
        ({}, "missing: Choose red"),
        ({"q1": "green"}, "q1: expected one of red, blue, got 'green'"),
        ({"q1": "red", "q2": "x"}, "not asked"),
    ):
        with pytest.raises(InvalidInput, match=problem):
            log.answer(one, one.done, answers, 0.0)
    assert log.answer(one, 0, {"q1": "red"}, 0.0) is one  # that step is over
    assert log.answer(one, 1, {"q1": "red"}, 0.0).counts
    log.close()


def test_a_changed_study_is_not_continued(tmp_path, clock):
    study = read_study(written(tmp_path))
    StudyLog(study, tmp_path / "s.db", clock).close()
    StudyLog(read_study(written(tmp_path, 9)), tmp_path / "s.db", clock).close()  # may grow
    with pytest.raises(InvalidInput, match=r"another study.*\(design\)"):
        StudyLog(read_study(written(tmp_path, design="between")), tmp_path / "s.db", clock)
    StudyLog(study, tmp_path / "s.db", clock).close()  # which has let go of the store


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('partner = "ca:4"', 'partner = "cx:4"', "line 13: conditions.aware.partner: there is no"),
        ('partner = "ca:4"', 'partner = "person"', "expected an agent such as ca:8"),
        ('game = "wall-of-fire"\npartner = "ca:4"', 'game = "go"\npartner = "ca:4"', "line 12"),
        ('expected = "red"', 'expected = "green"', "which are red, blue"),
        ('when = "end"', 'when = "later"', "one of begin, game, end"),
        ('consent = "Agree?"', "", "consent is missing"),
        ('partner = "ca:4"', 'partner = "ca:4"\nopponent = 4', "a game for one team"),
        ("types = [2, 4]", 'types = [2, 4]\ncomparisons = ["aware - other"]', "no condition"),
        ("types = [2, 4]", 'types = [2, 4]\ncomparisons = ["aware"]', "no opponents"),
        ("types = [2, 4]", "typos = [2, 4]", "did you mean 'types'"),
    ],
)
def test_mistakes_are_said_in_one_line(tmp_path, old, new, problem):
    assert old in STUDY
    with pytest.raises(InvalidInput) as found:
        read_study(written(tmp_path, text=STUDY.replace(old, new, 1)))
    assert problem in str(found.value)
    assert "\n" not in str(found.value)


TWO_GAMES = STUDY.replace(
    '[conditions.oblivious]\ngame = "wall-of-fire"\npartner = "obl:4"',
    '[conditions.four]\ngame = "connect-four"\npartner = "obl:2"\nopponent = 2\nside = 1\n'
    'you = "first"\ngames = 2',
)


@pytest.mark.slow
def test_a_study_of_two_games_has_two_reports(tmp_path, clock):
    path = written(tmp_path, 1, text=TWO_GAMES)
    log = StudyLog(study := read_study(path), tmp_path / "s.db", clock)
    one = log.come("a")
    while (step := log.step(one)) is not None:
        if step.kind == "questions":
            one = log.answer(one, one.done, {"q1": "red"}, 1.0)
            continue
        job = log.job(one)
        match, seat = played(job)
        one = log.end_game(one, job, outcome_at(job, match.table, match.record()), seat)
    log.close()
    with pytest.raises(InvalidInput, match="choose one with --experiment"):
        report(tmp_path / "s.db")
    fire, four = (report(tmp_path / "s.db", f"small-{game}") for game in study.games)
    assert (fire.counts.played, four.counts.played) == (1, 2)
    with Store.read(tmp_path / "s.db") as store:
        origins = store.origins().values()
        four_in = find_experiment(origins, "small-connect-four", [tmp_path])
        assert four_in == find_experiment(
            [one for one in origins if one.name == four_in.name], str(path)
        )
        for row in rows_as_dicts(store):  # every game can be replayed, though by a person
            assert [move.action for move in record_in(store, row).moves] == row["moves"]


def played(job):
    """A game in which the person takes the first legal move, and the person's seat."""
    match = Match(seated(job, lambda view, state, seed: view.actions(state)[0]), job.seed)
    while not match.finished:
        match.step()
    return match, next(n for n, one in enumerate(match.table.seats) if one.config is None)


@pytest.mark.slow
def test_a_game_of_a_person_is_replayed_from_its_moves(tmp_path):
    study = read_study(written(tmp_path))
    job = study.job(study.places[0], study.steps(study.places[0])[0])
    match, seat = played(job)
    record = record_by_people(job, [move.action for move in match.moves])
    assert record.moves == match.record().moves
    assert seat == 1


def test_frames_have_the_same_columns_whatever_is_in_them(tmp_path, clock):
    pytest.importorskip("pandas")
    log = StudyLog(read_study(written(tmp_path)), tmp_path / "s.db", clock)
    empty = study_frames(tmp_path / "s.db")
    finish(log, log.come("a"))
    log.close()
    full = study_frames(tmp_path / "s.db")
    for name, columns in COLUMNS.items():
        assert {key: str(kind) for key, kind in full[name].dtypes.items()} == dict(columns)
        assert (empty[name].dtypes == full[name].dtypes).all()
    assert full["moves"]["thought"].tolist() == [1.0] * 4
    assert full["games"]["counted"].tolist() == [True, True]


@pytest.mark.parametrize("is_finished", [True, False])
def test_repair_keeps_what_people_did(tmp_path, clock, is_finished):
    path = tmp_path / "s.db"
    study = read_study(written(tmp_path))
    log = StudyLog(study, path, clock)
    one = log.come("a")
    log.move(one, log.job(one), 0, 0, "E", 0.5)
    if is_finished:
        finish(log, log.of_visitor("a"))
    log.close()
    before = study_rows(path)
    with closing(sqlite3.connect(path)) as database:  # somebody spoils the games
        database.execute("UPDATE games SET total = 5")
        database.execute(
            "INSERT INTO games SELECT 'x', 'x', 0, 0, 'c', 0, 0, '0', 77, 0, 0, '', 0, "
            "0, '', 0, '', 1, '', '', '', '', ''"
        )
        database.commit()
    first, *_ = repair(path)
    assert "as it was" in first
    after = study_rows(path)
    assert after["moves"] == before["moves"]
    assert after["participants"] == before["participants"]
    again = StudyLog(study, path, clock)
    assert again.of_visitor("a").completed == is_finished
    again.close()
