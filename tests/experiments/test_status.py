"""What a store holds, and whose games they are."""

import pytest

from sizeup.errors import InvalidInput
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.status import expected_seconds, status
from sizeup.experiments.store import Played, Store
from sizeup.experiments.stored import find_experiment
from sizeup.statistics import Tally
from tests.experiments import tiny


@pytest.fixture
def planned(tmp_path):
    return tiny.planned(tmp_path)


def scores(jobs):
    scores = [tiny.outcomes(job)[0].score for job in jobs]
    return Tally(*map(scores.count, (1, 0, -1)))


@pytest.mark.slow
def test_games_are_counted_while_they_are_played(tmp_path, planned):
    path = tmp_path / "tiny.db"
    with Store.open(path, planned.origin) as writer:
        for job in planned[:5]:
            writer.add(
                [Played(job, tiny.outcomes(job), 0.5, "here", 1, f"2026-01-0{job.slot + 1}")]
            )
        writer.add_failure(planned[6], 1, "ValueError", "", "now", quarantined=False)
        writer.add_failure(planned[6], 4, "ValueError: again", "", "now", quarantined=True)
        with Store.read(path) as store:
            now = status(store, planned.experiment)
    assert (now.played, now.planned, now.seconds, now.finished) == (5, 16, 2.5, "2026-01-04")
    assert now.games == {"aware": 4, "oblivious": 1}
    assert now.tallies == {"aware": scores(planned[:4]), "oblivious": scores(planned[4:5])}
    assert now.rewards == {}
    assert (now.failures, [one.job_id for one in now.quarantined]) == (2, [planned[6].job_id])
    assert now.origins == ((planned.origin, 5),)


def test_without_the_experiment_the_plan_is_not_known(tmp_path, planned):
    with Store.read(tiny.filled(tmp_path / "tiny.db", planned, planned[:5])) as store:
        now = status(store)
    assert (now.played, now.planned) == (5, None)
    assert now.games == {"aware": 4, "oblivious": 1}


def test_who_went_beyond_the_plan_has_planned_more(tmp_path, planned):
    longer = tiny.planned(tmp_path, blocks=7)
    with Store.read(tiny.filled(tmp_path / "tiny.db", longer, [longer[40]])) as store:
        assert status(store, planned.experiment).planned == 48


def test_games_of_another_configuration_are_not_counted(tmp_path, planned):
    """They are in the store of somebody who changed the file and allowed it."""
    other = tiny.planned(tmp_path, ("iterations = ", "iterations = 1"))
    path = tiny.filled(tmp_path / "tiny.db", planned, planned[:5])
    with Store.open(path, other.origin, allow_changes=True) as store:
        store.add([Played(other[0], tiny.outcomes(other[0]), 0.5, "here", 1, "2026-01-01")])
        now = status(store, planned.experiment)
        assert (now.played, now.foreign, now.games["aware"]) == (5, 1, 4)
        assert now.origins == ((planned.origin, 5), (other.origin, 1))
        later = status(store, other.experiment)
        assert (later.played, later.foreign) == (1, 5)


def test_one_team_has_rewards(tmp_path):
    toy = read_experiment("wall-of-fire")
    path = tiny.filled(tmp_path / "toy.db", plan(toy), plan(toy)[:1])
    with Store.read(path) as store:
        now = status(store, toy)
    assert (now.tallies, now.rewards) == ({}, {"novices": {0.0: 1}})


def test_time_is_told_by_cell(tmp_path, planned):
    with Store.open(tmp_path / "tiny.db", planned.origin) as store:
        assert expected_seconds(store, planned) is None
        for job, seconds in ((planned[0], 1.0), (planned[1], 3.0)):
            store.add([Played(job, tiny.outcomes(job), seconds, "here", 1, "now")])
        assert expected_seconds(store, planned) == 16 * 2.0
        store.add([Played(planned[4], tiny.outcomes(planned[4]), 10.0, "here", 1, "now")])
        assert expected_seconds(store, planned) == 8 * 2.0 + 8 * 10.0


def test_an_experiment_is_found_by_name_or_in_a_folder(tmp_path, planned, monkeypatch):
    origins = [planned.origin]
    for broken in ("x = ", "y = 1"):
        (tmp_path / f"{broken[0]}.toml").write_text(broken)
    assert find_experiment(origins, folders=[tmp_path]) == planned.experiment
    monkeypatch.chdir(tmp_path)
    assert find_experiment(origins) == planned.experiment
    assert find_experiment(origins, "wall-of-fire").name == "wall-of-fire"
    toy = plan(read_experiment("wall-of-fire"))
    assert find_experiment([toy.origin]) == toy.experiment


def test_of_several_it_is_the_one_that_was_played(tmp_path, planned):
    tiny.written(tmp_path, ("iterations = 4", "iterations = 5"), name="another.toml")
    assert find_experiment([planned.origin], folders=[tmp_path]) == planned.experiment
    (tmp_path / "tiny.toml").unlink()
    other = find_experiment([planned.origin], folders=[tmp_path])
    assert other.cells[0].team.search["iterations"] == 5


def test_a_file_that_is_wrong_matters_only_if_there_is_no_other(tmp_path, planned):
    tiny.written(tmp_path, ("iterations = 4", "iterations = 0"), name="another.toml")
    assert find_experiment([planned.origin], folders=[tmp_path]) == planned.experiment
    (tmp_path / "tiny.toml").unlink()
    with pytest.raises(InvalidInput, match=r"another.toml: line 12: search.iterations"):
        find_experiment([planned.origin], folders=[tmp_path])


def test_what_is_not_found_is_said(tmp_path, planned, monkeypatch):
    toy = plan(read_experiment("wall-of-fire"))
    with pytest.raises(InvalidInput, match="there are games of tiny, wall-of-fire: choose one"):
        find_experiment([planned.origin, toy.origin])
    (tmp_path / "tiny.toml").unlink()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match="cannot find the file of experiment 'tiny'"):
        find_experiment([planned.origin])
    with pytest.raises(InvalidInput, match="there are no games"):
        find_experiment([])
