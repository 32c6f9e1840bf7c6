"""Rewards of one team: every number by hand, and the same one wherever it is shown."""

import csv
import io
import json
import re

import numpy as np
import pytest

from sizeup.errors import InvalidInput
from sizeup.experiments import stakes
from sizeup.experiments.driver import Block
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.status import Live
from sizeup.experiments.store import Played, Store
from sizeup.report import to_csv, to_html, to_text
from sizeup.report.answer import answer
from sizeup.report.frames import games_frame
from sizeup.report.numbers import decimal, interval, signed
from sizeup.report.summary import Estimate
from sizeup.statistics import block_interval, decide, interquartile_mean, sequence_blocks_needed
from sizeup.web.results import Results
from tests.report.made_up import outcome, summary_of
from tests.web.clients import OURS

SEASONS = """
name = "seasons"
title = "Three farmers"
question = "Does it pay to know one's neighbours?"
game = "harvest"
types = [1, 2]
blocks = 4
balance = []
comparisons = ["aware - plain"]
[arms.aware]
title = "Aware"
team = "ca:2+obl:1+obl:1"
[arms.plain]
title = "Plain"
team = "obl:2+obl:1+obl:1"
[arms.told]
title = "Told"
team = "ora:2+obl:1+obl:1"
"""
LOW, HIGH, BEST = 0.0, 32.0, 16.597904  # what the exact planner finds of this game
REWARDS = {"aware": (4.0, 1.0, 9.0, 4.0), "plain": (4.0, 0.0, 1.0, 9.0), "told": (8.0,) * 4}


def experiment(folder, *changes):
    text = SEASONS
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "seasons.toml"
    path.write_text(text)
    return read_experiment(path)


def filled(folder, read, rewards, blocks=None):
    """A store in which every block of an arm earned what is written."""
    path = folder / "seasons.db"
    planned = plan(read, 5, blocks)
    with Store.open(path, planned.origin) as store:
        store.add(
            Played(
                job, (outcome(None, rewards[job.cell][job.block]),), 0.5, "here", 1, "2026-01-01"
            )
            for job in planned
        )
    return path


@pytest.fixture
def read(tmp_path):
    return experiment(tmp_path)


@pytest.fixture
def store(tmp_path, read):
    return filled(tmp_path, read, REWARDS)


@pytest.fixture
def summary(read, store):
    return summary_of(read, store)


def test_what_a_match_can_pay_is_found(summary):
    found = summary.stakes
    assert (found.low, found.high, found.best) == (LOW, HIGH, pytest.approx(BEST))
    assert summary.margin == 0.32


def test_means_medians_and_the_middle_half(summary):
    (table,) = summary.tables
    assert (table.title, table.measure) == ("Reward", "reward")  # which nobody had to ask for
    aware = table.entries[0]
    runs = np.array(REWARDS["aware"])
    found = block_interval((runs - 16) / 16, rare=True)
    assert aware.value.value == runs.mean()
    assert aware.value.low == pytest.approx(16 + 16 * found.low)
    assert aware.value.high == pytest.approx(min(16 + 16 * found.high, BEST))
    assert (aware.median.value, aware.median.low) == (4, None)
    middle = interquartile_mean(runs, low=LOW, high=HIGH)
    assert (aware.iqm.value, aware.iqm.low, aware.iqm.high) == (4, middle.low, middle.high)
    assert aware.spread == ((1.0, 1), (4.0, 2), (9.0, 1))


def test_differences_are_taken_seed_by_seed(summary):
    (found,) = summary.comparisons
    differences = np.array([0.0, 1.0, 8.0, -5.0])
    wanted = block_interval(differences / 16, bound=2, rare=True)
    assert found.difference.value == 1
    assert (found.difference.low, found.difference.high) == pytest.approx(
        (16 * wanted.low, 16 * wanted.high)
    )
    assert (found.by_seed.more, found.by_seed.same, found.by_seed.less) == (2, 1, 1)
    decision = decide(differences / 16, bound=2, smaller_than=0.02)
    assert (found.low, found.high) == pytest.approx((16 * decision.low, 16 * decision.high))
    assert (found.verdict, found.decided_after) == ("undecided", 8)


def test_games_that_are_still_needed(summary):
    (found,) = summary.comparisons
    sd = np.std([0.0, 1.0, 8.0, -5.0], ddof=1) / 16 / np.sqrt(2)
    assert found.more_for_observed == 2 * (sequence_blocks_needed(1 / 16, sd, arms=2) - 4)
    assert found.more_for_margin == 2 * (sequence_blocks_needed(0.02, sd, arms=2) - 4)


def test_regret_to_who_is_told_and_to_the_optimum(summary):
    found = {(one.arm, one.to): one for one in summary.regrets}
    assert set(found) == {
        ("aware", "told"), ("plain", "told"), ("aware", None), ("plain", None), ("told", None),
    }  # fmt: skip
    assert found["aware", "told"].value.value == 8 - 4.5
    assert found["told", None].value.value == pytest.approx(BEST - 8)
    assert all(one.value.low >= 0 for one in summary.regrets if one.to is None)


def test_no_interval_leaves_what_can_be(tmp_path, read):
    for rewards in ((LOW,) * 4, (HIGH,) * 4, (LOW, HIGH, LOW, HIGH)):
        paid = {"aware": rewards, "plain": rewards[::-1], "told": (LOW, LOW, LOW, HIGH)}
        folder = tmp_path / f"{rewards[:2]}"
        folder.mkdir()
        found = summary_of(read, filled(folder, read, paid))
        for entry in found.tables[0].entries:
            for one in (entry.value, entry.iqm):
                assert LOW <= one.low <= one.value <= one.high <= HIGH
        (compared,) = found.comparisons
        for one in (
            compared.difference,
            compared.typical,
            Estimate(0, compared.low, compared.high),
        ):
            assert LOW - HIGH <= one.low <= one.high <= HIGH - LOW


def test_a_clear_difference_is_decided_and_said(tmp_path, read):
    rewards = {"aware": (20.0,) * 60, "plain": (2.0,) * 60, "told": (20.0,) * 60}
    found = summary_of(read, filled(tmp_path, read, rewards, blocks=60))
    after = 2 * decide([18 / 16] * 60, bound=2).blocks
    ends = interval(found.comparisons[0].difference, 2, is_signed=True)
    assert answer(found) == (
        f"Aware earns more than Plain: +18.00 a game (95 % interval {ends}, 120 games; more on 60 "
        f"of 60 seeds, less on 0), decided after {after} games."
    )


def test_an_open_question_is_called_open(summary):
    (found,) = summary.comparisons
    ends = interval(found.difference, 2, is_signed=True)
    assert answer(summary) == (
        f"Not decided yet whether Aware earns more than Plain: +1.00 a game (95 % interval {ends}, "
        f"8 games; more on 2 of 4 seeds, less on 1); about {found.more_for_observed:,} more games "
        "would decide it if that is the true difference."
    )


def test_without_comparisons_teams_are_ranked(tmp_path):
    read = experiment(tmp_path, ('comparisons = ["aware - plain"]', ""))
    found = summary_of(read, filled(tmp_path, read, REWARDS))
    told, aware, plain = (
        interval(e.value, 2) for e in sorted(found.tables[0].entries, key=lambda e: -e.value.value)
    )
    assert answer(found) == (
        f"Told earns 8.00 a game (95 % interval {told}), Aware earns 4.50 a game (95 % interval "
        f"{aware}), Plain earns 3.50 a game (95 % interval {plain}); the experiment compares no "
        "teams."
    )


def test_an_unknown_range_is_said_and_seeds_decide(tmp_path, monkeypatch):
    monkeypatch.setattr(stakes, "_MOST_STATES", 5)
    stakes._rewards.cache_clear()
    read = experiment(tmp_path)
    rewards = {"aware": (20.0,) * 30, "plain": (2.0,) * 30, "told": (20.0,) * 30}
    found = summary_of(read, filled(tmp_path, read, rewards, blocks=30))
    stakes._rewards.cache_clear()
    (compared,) = found.comparisons
    assert (compared.low, compared.verdict) == (None, "positive")
    written = to_text(found)
    assert "What a match can pay is not known: harvest has no total_bounds and too many" in written
    assert "sequential interval" not in written
    assert "Aware earns more than Plain on more seeds than less: +18.00 a game" in answer(found)
    to_html(found)


def test_a_match_that_paid_too_much_is_named(tmp_path):
    read = experiment(tmp_path, ("balance = []", "balance = []\ntotal_bounds = [0, 5]"))
    path = filled(tmp_path, read, REWARDS)
    found = summary_of(read, path)
    assert not found.stakes.is_known
    game = plan(read, 5).job("told", 0, 0).game_id()
    assert f"as the experiment's file says, but game {game} paid 8" in found.stakes.source


def test_the_margin_of_the_file_counts(tmp_path):
    read = experiment(tmp_path, ("balance = []", "balance = []\nmargin = 3"))
    found = summary_of(read, filled(tmp_path, read, REWARDS))
    assert found.margin == 3
    assert "more games (3)" in to_text(found)
    assert summary_of(read, tmp_path / "seasons.db", margin=4.0).margin == 4


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (('"aware - plain"', '"aware"'), "comparisons: 'aware' has nobody to be compared with"),
        (("balance = []", "balance = []\nmargin = 40"), "margin must be above 0 and at most 16 of"),
        (("balance = []", "balance = []\nmargin = 0"), "margin: expected a number above 0, got 0"),
        (
            ("balance = []", "balance = []\ntotal_bounds = [3, 3]"),
            "total_bounds: expected two numb",
        ),
        (("[arms.plain]", "[[tables]]\nmember = 1\n[arms.plain]"), "only measure = 'deviation' is"),
        (
            (
                "[arms.plain]",
                "[[tables]]\nmeasure = 'deviation'\nby = 'update'\npublished.aware = 1\n"
                "[arms.plain]",
            ),
            "a curve by update has no row to put it beside",
        ),
    ],
)
def test_what_a_report_cannot_honour_is_refused(tmp_path, change, problem):
    with pytest.raises(InvalidInput, match=re.escape(problem)):
        experiment(tmp_path, change)


def test_scores_have_bounds_already(tmp_path):
    path = tmp_path / "two.toml"
    path.write_text(
        "name = 'two'\ntitle = 'x'\nquestion = 'x'\ngame = 'connect-four'\ntypes = [1]\n"
        "blocks = 1\nbalance = []\nagainst = 'random'\ntotal_bounds = [0, 1]\n"
        "[arms.a]\nteam = 'obl:1'\n"
    )
    with pytest.raises(InvalidInput, match="scores always lie from -100 to 100: leave it out"):
        read_experiment(path)


def test_examples_are_few_and_the_rest_is_counted(tmp_path, read):
    rewards = {arm: tuple(map(float, range(12))) for arm in REWARDS}
    found = summary_of(read, filled(tmp_path, read, rewards, blocks=12))
    aware = [one.result for one in found.examples if one.cell == "aware"]
    assert aware == ["0", "3", "6", "8", "11"]
    assert found.left_out == 3 * 7
    assert "21 other results are left out" in to_html(found)


def test_one_store_gives_the_same_numbers_everywhere(read, store, summary):
    """Live, text, HTML, CSV, web and pandas: the same digits of the same means and differences."""
    frame = games_frame(store)
    by_seed = frame.groupby(["arm", "block"])["total"].mean().unstack("arm")
    means, difference = by_seed.mean(), (by_seed["aware"] - by_seed["plain"]).mean()
    rows = list(csv.DictReader(io.StringIO(to_csv(summary))))
    web = Results(store, OURS).summary("seasons")
    json.dumps(web)  # nothing that a browser could not read
    text, page = to_text(summary), to_html(summary)

    for arm, entry in zip(web["tables"][0]["arms"], summary.tables[0].entries, strict=True):
        (shown,) = arm["entries"]
        (row,) = (r for r in rows if r["table"] == "Reward" and r["arm"] == arm["arm"])
        assert shown["mean"] == pytest.approx(means[arm["arm"]], abs=1e-12)
        assert float(row["value"]) == pytest.approx(shown["mean"], rel=1e-5)
        for name in ("low", "high"):
            assert float(row[name]) == pytest.approx(shown[name], rel=1e-5)
        line = [decimal(shown["mean"], 2), interval(Estimate(0, shown["low"], shown["high"]), 2)]
        assert re.search(rf"{arm['title']} +{line[0]} +{line[1]} ", text)
        assert f"<td>{line[0]}</td><td>{line[1]}</td>" in page
        assert entry.value.value == shown["mean"]

    (compared,), (row,) = web["comparisons"], [r for r in rows if r["table"] == "comparisons"]
    assert compared["mean"] == pytest.approx(difference, abs=1e-12)
    assert float(row["value"]) == pytest.approx(difference, rel=1e-5)
    shown = signed(compared["mean"], 2)
    ends = interval(Estimate(0, compared["low"], compared["high"]), 2)
    assert f": {shown} a game, 95 % interval {ends}, after 8 games" in compared["sentence"]
    assert shown in text
    assert f"<td>{shown}</td>" in page

    live = Live(read)
    for number, paid in enumerate(zip(*REWARDS.values(), strict=True)):
        for arm, reward in zip(REWARDS, paid, strict=True):
            live(Block(arm, number, (None,), (reward,)))
    sequence = interval(Estimate(0, *live.scores[0].ends), 2, is_signed=True)
    assert sequence == interval(
        Estimate(0, float(row["sequence_low"]), float(row["sequence_high"])), 2, is_signed=True
    )
    assert sequence in text
    assert sequence in page
    (line,) = live.lines()
    plain_signs = sequence.replace("\N{MINUS SIGN}", "-")
    assert line == f"aware - plain: mean reward {shown} ({plain_signs}) after 4 rounds"
