"""Everybody with everybody: the teams, the matrix by hand, and what is written of it."""

import csv
import io
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import Teammates
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.status import Live
from sizeup.experiments.store import Played, Store
from sizeup.report import to_csv, to_html, to_text
from sizeup.report.answer import answer
from sizeup.report.crossplay import _iqm, _mean_of, _resampled
from sizeup.report.frames import crossplay_frame
from tests.report.made_up import finished, outcome, summary_of

MATES = """
name = "mates"
title = "Everybody with everybody"
question = "Who gets on with whom?"
game = "wall-of-fire"
types = [1, 2]
blocks = 3
balance = ["team"]
[teammates]
version = 2
agents = ["{third}", "obl:2", "obl:1"]
"""


def experiment(folder, third="ora:2", *changes):
    text = MATES.replace("{third}", third)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "mates.toml"
    path.write_text(text)
    return read_experiment(path)


WORTH = {"tenfold:2": 30.0, "ora:2": 30.0, "nu:2": 30.0, "obl:2": 20.0, "obl:1": 10.0}


def earned(job):
    """The sum of what members are worth, and the number of the block; seats make no difference."""
    return sum(WORTH[m.partition("@")[0]] for m in job.config["team"]["members"]) + job.block


def filled(folder, read, blocks=3, score=None):
    path = folder / "mates.db"
    planned = plan(read, 5, blocks)
    with Store.open(path, planned.origin) as store:
        store.add(
            Played(job, (outcome(score, earned(job)),), 0.5, "here", 1, "2026-01-01")
            for job in planned
        )
    return path


@pytest.fixture
def summary(tmp_path):
    read = experiment(tmp_path)
    return summary_of(read, filled(tmp_path, read))


def test_teams_of_two_are_each_there_once(tmp_path):
    read = experiment(tmp_path)
    assert [arm.name for arm in read.arms] == [
        "ora:2+ora:2", "ora:2+obl:2", "ora:2+obl:1", "obl:2+obl:2", "obl:2+obl:1", "obl:1+obl:1",
    ]  # fmt: skip
    assert [len(cell.slots) for cell in read.cells] == [1, 2, 2, 1, 2, 1]


def test_larger_teams_have_one_agent_and_mates_that_are_alike(tmp_path):
    read = experiment(tmp_path, "ora:2", ("version = 2", "version = 2\nsize = 3"))
    assert len(read.arms) == 9
    assert read.arms[1].team == "ora:2+obl:2+obl:2"
    assert Teammates(("a", "b"), 4, 1).team("b", "a") == ("b", "a", "a", "a")


def test_the_matrix_by_hand(summary):
    found = summary.crossplay
    assert (found.teammates.version, found.measure) == (2, "reward")
    assert found.of("obl:1", "ora:2").value.value == 40 + 1
    assert found.of("ora:2", "obl:1").value == found.of("obl:1", "ora:2").value
    assert found.of("obl:1", "obl:2").regret.value == 20  # ora:2 earns 50 with obl:2, and not 30
    assert found.of("ora:2", "obl:2").regret.low is None
    assert found.of("obl:2", "obl:1").blocks == 3
    assert found.bound == "ora:2, which is told"


def test_what_it_comes_to(summary):
    found = {one.agent: one for one in summary.crossplay.overall}
    assert found["obl:1"].mean.value == pytest.approx((40 + 30) / 2 + 1)
    runs = summary.crossplay.runs["obl:1"]
    assert runs.tolist() == [[40, 30], [41, 31], [42, 32]]  # with ora:2 and obl:2
    assert found["obl:1"].iqm.value == np.mean([31, 32, 40, 41])
    assert found["obl:1"].mean.low is None  # of three blocks
    assert found["obl:1"].regret.value == 20
    assert found["ora:2"].regret.value == 0
    assert _iqm(np.array([[0.0, 1, 2, 3], [4, 5, 6, 100]])) == 3.5


@pytest.mark.slow
def test_bootstrap_intervals_of_few_blocks_are_wider_than_plain_percentiles():
    rng, covered = np.random.default_rng(7), 0
    for _ in range(200):
        found = _resampled(rng.normal(10.0, 2.0, (5, 3)), _mean_of)
        assert found.low < found.value < found.high
        covered += found.low <= 10 <= found.high
    assert covered >= 176  # of plain percentiles 162 do
    assert _resampled(np.ones((4, 3)), _mean_of).low is None


def test_without_somebody_who_is_told_the_best_of_the_set_is_the_bound(tmp_path):
    read = experiment(tmp_path, "nu:2")
    found = summary_of(read, filled(tmp_path, read)).crossplay
    assert found.bound == "the best of the set with that teammate"
    assert found.of("obl:1", "obl:2").regret.value == 20


@pytest.mark.parametrize(
    ("third", "bound", "words"),
    [
        ("tenfold:2", "tenfold:2", "tenfold:2, a search with ten times the budget"),
        ("ora:2", "ora:2", "ora:2, which is told"),
        ("ora:2", "obl:2", "obl:2, which the set names as its bound"),
    ],
)
def test_a_set_names_its_bound(tmp_path, third, bound, words):
    read = experiment(tmp_path, third, ("version = 2", f'version = 2\nbound = "{bound}"'))
    found = summary_of(read, filled(tmp_path, read)).crossplay
    assert found.bound == words
    assert found.of(bound, "obl:1").regret.value == 0
    lost = WORTH[bound] - WORTH["obl:1"]
    assert found.of("obl:1", "obl:1").regret.value == lost
    assert f"how much less than {words}." in " ".join(
        to_text(summary_of(read, tmp_path / "mates.db")).split()
    )


def test_the_optimum_is_a_bound_where_it_is_known(tmp_path):
    changes = (('"wall-of-fire"', '"harvest"'), ("version = 2", "version = 2\nsize = 3"))
    read = experiment(
        tmp_path, "nu:2", *changes, ("blocks = 3", "blocks = 3\ntotal_bounds = [0, 99]")
    )
    found = summary_of(read, filled(tmp_path, read)).crossplay
    assert found.bound == "the optimum, as the exact planner found"


def test_it_is_said_drawn_and_written(summary, tmp_path):
    assert answer(summary).startswith(
        "ora:2 (46.00 a game, too few seed blocks for an interval) has the highest mean"
    )
    text, page = to_text(summary), to_html(summary)
    assert "Agents with the teammates of mates, version 2" in text
    assert re.search(r"obl:1 +ora:2 +41.00 ", text)
    picture = ElementTree.fromstring(summary.figures()["crossplay"].svg)
    assert len(picture.findall(".//{*}rect")) == 9
    assert "obl:1 with ora:2: 41.0" in picture.find("{*}desc").text
    assert 'aria-labelledby="crossplay-title' in page
    rows = [r for r in csv.DictReader(io.StringIO(to_csv(summary))) if r["table"] == "crossplay"]
    assert [(r["arm"], r["row"], r["value"]) for r in rows][5:7] == [
        ("obl:2", "obl:1", "31"), ("obl:1", "ora:2", "41"),
    ]  # fmt: skip


def test_two_agents_with_the_same_mean_are_both_named(summary):
    found = summary.crossplay
    even = tuple(replace(one, mean=found.overall[0].mean) for one in found.overall)
    said = answer(replace(summary, crossplay=replace(found, overall=even)))
    assert " has the highest mean with the other teammates of the set, as has obl:2 (" in said


def test_orderings_are_tested_block_by_block(summary):
    found = {(one.agent, one.other): one for one in summary.crossplay.orders}
    assert set(found) == {("ora:2", "obl:2"), ("ora:2", "obl:1"), ("obl:2", "obl:1")}
    one = found["ora:2", "obl:1"]  # with obl:2 alone: 50 and 30
    assert (one.difference.value, one.blocks, one.more, one.less) == (20, 3, 3, 0)
    assert (one.by_mean, one.by_seed, summary.crossplay.decided) == ("undecided", "undecided", ())
    assert answer(summary).endswith(
        "None of the 3 orderings of agents is decided after 3 seed blocks."
    )
    assert "Orderings that are decided" not in to_text(summary)


def test_an_answer_from_few_games_says_so(tmp_path):
    read = experiment(tmp_path)
    found = summary_of(read, filled(tmp_path, read, blocks=1))
    assert answer(found).startswith("ora:2 (45.00 a game, too few seed blocks")
    path = tmp_path / "fewer.db"
    planned = plan(read, 5)
    first = [job for job in planned if job.block == 0 and "ora:2" in job.cell]
    with Store.open(path, planned.origin) as store:
        store.add(
            Played(job, (outcome(None, earned(job)),), 0.5, "here", 1, "2026-01-01")
            for job in first
        )
    said = answer(summary_of(read, path))
    assert "2 of the 3 agents have no complete seed block yet." in said


def test_orderings_that_are_decided_name_the_better_agent_first(tmp_path):
    read = experiment(tmp_path, "nu:2", ('"obl:2", "obl:1"', '"obl:1", "obl:2"'))
    found = summary_of(read, filled(tmp_path, read, blocks=30))
    decided = found.crossplay.decided
    assert [(one.agent, one.other) for one in decided] == [
        ("nu:2", "obl:1"), ("nu:2", "obl:2"), ("obl:2", "obl:1"),
    ]  # fmt: skip
    # 10 of 2,040 that can be paid says nothing of the mean, but it is so on every seed.
    last = decided[-1]
    assert (last.by_mean, last.by_seed) == ("undecided", "positive")
    assert (last.more, last.less, last.difference.value) == (30, 0, 10)
    assert last.turned.turned == last
    assert ") does best with the other teammates of the set, before obl:2 (" in answer(found)
    assert "3 of the 3 orderings of agents are decided after 30 seed blocks" in answer(found)
    rows = [r for r in csv.DictReader(io.StringIO(to_csv(found))) if "ordering" in r["table"]]
    assert [(r["arm"], r["minus"], r["value"], r["verdict"]) for r in rows] == [
        ("nu:2", "obl:1", "20", "positive"),
        ("nu:2", "obl:2", "10", "positive"),
        ("obl:1", "obl:2", "-10", "negative"),
    ]
    assert re.search(r"obl:2 +obl:1 +\+10\.00 .* 30 of 30 +how often", to_text(found))
    assert "Orderings that are decided" in to_html(found)


def test_the_mean_decides_where_it_can(tmp_path):
    read = experiment(tmp_path, "nu:2", ("blocks = 3", "blocks = 3\ntotal_bounds = [0, 120]"))
    found = summary_of(read, filled(tmp_path, read, blocks=60)).crossplay
    assert [one.by_mean for one in found.decided] == ["undecided", "positive", "undecided"]


def test_two_agents_have_no_third_one_to_play_with(tmp_path):
    read = experiment(tmp_path, "nu:2", ('"obl:2", "obl:1"', '"obl:1"'))
    found = summary_of(read, filled(tmp_path, read))
    assert found.crossplay.orders == ()
    assert "orderings" not in answer(found)


def test_what_rliable_and_pandas_read(summary, tmp_path):
    summary.crossplay.save_rliable(tmp_path / "scores.npz")
    with np.load(tmp_path / "scores.npz") as scores:
        assert sorted(scores) == ["obl:1", "obl:2", "ora:2"]
        assert scores["obl:1"].shape == (3, 2)  # runs and tasks
    frame = crossplay_frame(summary)
    assert frame.query("agent == 'obl:1' and teammate == 'obl:2'")["value"].tolist() == [30, 31, 32]
    with pytest.raises(InvalidInput, match=r"ends in \.npz, got 'scores\.csv'"):
        summary.crossplay.save_rliable("scores.csv")


def test_scores_of_two_teams(tmp_path):
    changes = (
        ('"wall-of-fire"', '"connect-four"'),
        ("blocks = 3", "blocks = 3\nagainst = 'random'"),
    )
    read = experiment(tmp_path, "nu:2", *changes)
    found = summary_of(read, filled(tmp_path, read, score=1))
    assert found.crossplay.measure == "score"
    assert found.crossplay.of("obl:1", "obl:2").value.value == 100
    assert "100.0 points" in answer(found)


def test_no_games_yet(tmp_path):
    read = experiment(tmp_path)
    filled(tmp_path, read, blocks=1)
    empty = tmp_path / "empty.db"
    with Store.open(empty, plan(read, 5).origin):
        pass
    found = summary_of(read, empty)
    assert to_html(found)
    assert "crossplay" not in found.figures()
    with pytest.raises(InvalidInput, match="no seed block is complete for all teams"):
        found.crossplay.save_rliable(tmp_path / "scores.npz")


def test_others_have_no_matrix(tmp_path):
    other = finished(tmp_path)
    assert other.crossplay is None
    with pytest.raises(InvalidInput, match="partners is not on a set of teammates"):
        crossplay_frame(other)


def test_live_figures_are_left_out_and_nothing_is_decided(tmp_path):
    read = experiment(tmp_path)
    assert list(Live(read).lines()) == []
    with pytest.raises(InvalidInput, match="mates compares nothing"):
        Live(read, until_decided=True)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (('balance = ["team"]', "balance = []"), "balance: teammates need balanced seats"),
        (("version = 2", ""), "teammates: version is missing; expected a whole number"),
        (
            ('"obl:2", "obl:1"', '"obl:1", "obl:1"'),
            "teammates.agents: expected a list of 2 or more",
        ),
        (('"obl:1"]', '"obl:9"]'), "teammates.agents: depth 9 is not among types"),
        (
            ("version = 2", "version = 2\nsize = 5"),
            "teammates.size: expected a whole number from 2",
        ),
        (("[teammates]", "comparisons = ['a']\n[teammates]"), "comparisons: teammates all play"),
        (("[teammates]", "against = 'obl:1'\n[teammates]"), "against: leave it out"),
        (('"wall-of-fire"', '"connect-four"'), "against: expected the opponents"),
    ],
)
def test_a_set_that_cannot_be_played_is_refused(tmp_path, change, problem):
    with pytest.raises(InvalidInput, match=re.escape(problem)):
        experiment(tmp_path, "ora:2", change)
