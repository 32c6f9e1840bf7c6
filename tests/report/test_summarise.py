import dataclasses

import numpy as np
import pytest

from sizeup.errors import InvalidInput
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment, shipped
from sizeup.report.answer import commands
from sizeup.report.summary import Counts
from sizeup.statistics import RunningInterval, Tally, block_interval, decide, sequence_blocks_needed
from tests.report.made_up import (
    BELIEFS,
    ORIGIN,
    PARTNERS,
    experiment,
    fill,
    finished,
    outcome,
    summary_of,
)

MARGIN = 0.02  # of a score: 2 points


def entries(table):
    return {(entry.row, entry.arm): entry for entry in table.entries}


def ends(estimate):
    return [estimate.value, estimate.low, estimate.high]


def expected(scores, strata, bound=1.0, factor=100):
    found = block_interval(scores, strata, bound=bound)
    return [factor * x for x in (found.estimate, found.low, found.high)]


class TestScores:
    def test_rows_and_arms_stand_in_the_order_of_the_experiment(self, tmp_path):
        table = finished(tmp_path).tables[0]
        assert table.rows == ("2", "4", "total")
        assert table.arms == ("aware", "plain")
        assert [entry.row for entry in table.of("plain")] == ["2", "4", "total"]
        assert table.is_finished

    def test_wins_draws_and_losses_are_counted(self, tmp_path):
        found = entries(finished(tmp_path).tables[0])
        assert found["2", "aware"].tally == Tally(5, 1, 0)
        assert found["4", "aware"].tally == Tally(1, 1, 4)
        assert found["total", "plain"].tally == Tally(2, 5, 5)

    def test_a_score_and_its_interval_rest_on_blocks(self, tmp_path):
        found = entries(finished(tmp_path).tables[0])
        assert found["2", "aware"].value.value == pytest.approx(100 * 5 / 6)
        assert ends(found["2", "aware"].value) == pytest.approx(expected([1, 1, 0.5], "aaa"))
        both = expected([1, 1, 0.5, 0, -0.5, -1], "aaabbb")
        assert ends(found["total", "aware"].value) == pytest.approx(both)
        assert found["total", "aware"].blocks == 6

    def test_the_mean_reward_has_an_interval_of_its_own(self, tmp_path):
        found = entries(finished(tmp_path).tables[0])["4", "plain"].reward
        assert found.value == pytest.approx(2 * -4 / 6)
        widest = 2 * 2.0  # twice the largest block
        scaled = [-2 / widest, -1 / widest, -1 / widest]
        assert ends(found) == pytest.approx(expected(scaled, "aaa", factor=widest))

    def test_published_numbers_are_held_against_the_interval(self, tmp_path):
        found = entries(finished(tmp_path).tables[0])
        assert found["2", "aware"].agrees is True
        low = found["4", "aware"].value.low
        assert found["4", "aware"].agrees is (low <= -90)
        assert found["2", "plain"].published is None
        assert found["2", "plain"].agrees is None

    def test_cells_have_equal_weight_however_many_games_they_have(self, tmp_path):
        read = experiment(tmp_path)
        jobs = [j for j in plan(read, 5) if j.cell != "aware 4" or j.block == 0]
        found = entries(summary_of(read, fill(tmp_path / "games.db", jobs)).tables[0])
        assert found["total", "aware"].value.value == pytest.approx(100 * (5 / 6 + 0) / 2)


class TestCounts:
    def test_a_finished_experiment_misses_nothing(self, tmp_path):
        summary = finished(tmp_path)
        assert summary.counts == Counts(planned=24, played=24, counted=24, quarantined=0)
        assert summary.seconds == 12.0
        assert (summary.command, summary.store) == ("partners.toml", "games.db")

    def test_a_block_that_is_not_whole_does_not_count(self, tmp_path):
        read = experiment(tmp_path)
        summary = summary_of(read, fill(tmp_path / "games.db", list(plan(read, 5))[:9]))
        assert summary.counts == Counts(planned=24, played=9, counted=8, quarantined=0)
        assert summary.counts.missing == 15
        assert not summary.tables[0].is_finished
        found = entries(summary.tables[0])["2", "aware"]
        assert found.counts == Counts(planned=6, played=3, counted=2, quarantined=0)
        assert found.value.value == 100
        assert found.reward.low is None  # one block has no spread

    def test_a_row_says_how_many_of_its_cells_count(self, tmp_path):
        read = experiment(tmp_path)
        summary = summary_of(read, fill(tmp_path / "games.db", list(plan(read, 5))[:4]))
        found = entries(summary.tables[0])
        assert (found["total", "aware"].cells, found["total", "aware"].of_cells) == (1, 2)
        assert found["total", "aware"].agrees is None  # it is not what was published
        assert found["4", "aware"].cells == 0
        assert not found["4", "aware"].value.is_known

    def test_jobs_in_quarantine_are_named_and_counted_as_missing(self, tmp_path):
        read = experiment(tmp_path)
        jobs = list(plan(read, 5))
        path = fill(tmp_path / "games.db", jobs[1:], given_up=jobs[:1])
        summary = summary_of(read, path)
        assert summary.counts == Counts(planned=24, played=23, counted=22, quarantined=1)
        (given_up,) = summary.quarantine
        assert (given_up.job_id, given_up.cell) == (jobs[0].job_id, "aware 2")
        assert (given_up.attempt, given_up.error) == (2, "boom")

    def test_quarantine_of_another_configuration_is_left_out(self, tmp_path):
        read = experiment(tmp_path)
        jobs = list(plan(read, 5))
        stranger = dataclasses.replace(jobs[0], job_id="stranger")
        beyond = dataclasses.replace(jobs[0], job_id="beyond", index=99)
        path = fill(tmp_path / "games.db", jobs, given_up=[stranger, beyond])
        assert summary_of(read, path).quarantine == ()

    def test_no_game_at_all(self, tmp_path):
        read = experiment(tmp_path, PARTNERS + BELIEFS)
        summary = summary_of(read, fill(tmp_path / "games.db", []))
        assert summary.counts == Counts(planned=24)
        assert not any(e.value.is_known for table in summary.tables for e in table.entries)
        assert [found.verdict for found in summary.comparisons] == ["undecided", "undecided"]
        assert summary.examples == ()
        assert [source.games for source in summary.sources] == [0]

    def test_more_blocks_than_the_experiment_has_are_a_longer_plan(self, tmp_path):
        read = experiment(tmp_path)
        longer = fill(tmp_path / "games.db", plan(read, 5, blocks=4), lambda job: (outcome(1),))
        summary = summary_of(read, longer)
        assert summary.counts == Counts(planned=32, played=32, counted=32)
        assert commands(summary)[0].endswith("--store games.db --seed 5 --blocks 4")

    def test_games_of_several_root_seeds_add_up(self, tmp_path):
        read = experiment(tmp_path)
        path = fill(tmp_path / "games.db", plan(read, 5))
        fill(path, list(plan(read, 6))[:8], origin=dataclasses.replace(ORIGIN, seed=6))
        summary = summary_of(read, path)
        assert summary.counts == Counts(planned=48, played=32, counted=32)
        assert [(source.seed, source.games) for source in summary.sources] == [(5, 24), (6, 8)]
        assert entries(summary.tables[0])["2", "aware"].tally == Tally(7, 1, 0)


class TestForeignGames:
    def test_games_of_another_configuration_are_left_out(self, tmp_path):
        read = experiment(tmp_path)
        path = fill(tmp_path / "games.db", plan(read, 5))
        more = PARTNERS.replace("opponent = [2, 4]", "opponent = [2, 4, 6]")
        other = experiment(tmp_path, more.replace("blocks = 3", "blocks = 3\noutsiders = [6]"))
        strangers = [job for job in plan(other, 5) if job.cell == "aware 6"]
        fill(path, strangers, lambda job: (outcome(1),), dataclasses.replace(ORIGIN, name="other"))
        summary = summary_of(read, path)
        assert (summary.counts.played, summary.foreign) == (24, 6)
        assert [source.games for source in summary.sources] == [24]

    @pytest.mark.parametrize(
        ("change", "left_out"),
        [
            (("types = [2, 4]", "types = [2, 4, 6]"), 12),  # which concerns the aware only
            (('["sides"]', '["sides", "team"]'), 36),  # only the first of four games is the same
        ],
    )
    def test_what_another_version_of_the_file_has_played_otherwise(
        self, tmp_path, change, left_out
    ):
        other = experiment(tmp_path, PARTNERS.replace(*change))
        path = fill(tmp_path / "games.db", plan(other, 5), lambda job: (outcome(1),))
        summary = summary_of(experiment(tmp_path), path)
        assert (summary.foreign, summary.counts.played) == (left_out, 12)

    def test_a_store_of_something_else_is_refused(self, tmp_path):
        other = experiment(tmp_path, PARTNERS.replace("obl:2", "obl:4"))
        path = fill(tmp_path / "games.db", plan(other, 5), lambda job: (outcome(1),))
        with pytest.raises(InvalidInput, match="has no games of partners as it is defined now"):
            summary_of(experiment(tmp_path), path)


class TestComparisons:
    def test_a_score_against_zero(self, tmp_path):
        first, _ = finished(tmp_path).comparisons
        assert (first.arm, first.minus, first.blocks) == ("aware", None, 6)
        assert ends(first.difference) == pytest.approx(expected([1, 1, 0.5, 0, -0.5, -1], "aaabbb"))
        assert first.counts.played == 12

    def test_arms_are_paired_by_point_and_block(self, tmp_path):
        _, second = finished(tmp_path).comparisons
        assert (second.arm, second.minus) == ("aware", "plain")
        pairs = [0.5, 1, 0.5, 1, 0, -0.5]
        assert ends(second.difference) == pytest.approx(expected(pairs, "aaabbb", bound=2.0))
        assert second.counts.played == 24

    def test_the_test_sees_rounds_of_blocks(self, tmp_path):
        _, second = finished(tmp_path).comparisons
        rounds = np.array([[0.5, 1], [1, 0], [0.5, -0.5]])
        decision = decide(rounds, bound=2.0, smaller_than=MARGIN)
        assert second.verdict == decision.outcome == "undecided"
        assert (second.low, second.high) == (100 * decision.low, 100 * decision.high)
        assert second.decided_after == 24

    def test_games_that_are_still_needed(self, tmp_path):
        _, second = finished(tmp_path).comparisons
        rounds = np.array([[0.5, 1], [1, 0], [0.5, -0.5]])
        spread = np.sqrt(rounds.var(axis=0, ddof=1).mean() / 2)
        blocks = sequence_blocks_needed(0.02, spread, arms=2)
        assert second.more_for_margin == (-(-blocks // 2) - 3) * 8
        assert 0 < second.more_for_observed < second.more_for_margin

    @pytest.mark.parametrize(("sign", "verdict"), [(1, "positive"), (-1, "negative")])
    def test_a_clear_case_is_decided(self, tmp_path, sign, verdict):
        read = experiment(tmp_path)

        def clear(job):
            return (outcome(sign if job.cell.startswith("aware") else -sign),)

        path = fill(tmp_path / "games.db", plan(read, 5, blocks=20), clear)
        first, second = summary_of(read, path).comparisons
        rounds = decide(np.full((20, 2), sign), smaller_than=MARGIN).blocks // 2
        assert (first.verdict, first.decided_after) == (verdict, rounds * 4)
        assert second.difference.value == 200 * sign
        now = RunningInterval.start().seen(np.full((20, 2), sign))
        assert (first.low, first.high) == (100 * now.low, 100 * now.high)
        assert (first.more_for_observed, first.more_for_margin) == (None, None)

    def test_alike_within_the_margin(self, tmp_path):
        read = experiment(tmp_path)
        drawn = fill(tmp_path / "games.db", plan(read, 5, blocks=250), lambda job: (outcome(0),))
        first, _ = summary_of(read, drawn).comparisons
        assert first.verdict == "smaller"

    def test_without_any_spread_nobody_knows_how_many_more(self, tmp_path):
        read = experiment(tmp_path)
        path = fill(tmp_path / "games.db", plan(read, 5), lambda job: (outcome(0),))
        first, _ = summary_of(read, path).comparisons
        assert (first.verdict, first.more_for_observed) == ("undecided", None)

    def test_the_test_stops_at_a_gap_in_the_plan(self, tmp_path):
        read = experiment(tmp_path)
        jobs = [j for j in plan(read, 5) if (j.cell, j.block) != ("aware 4", 1)]
        first, _ = summary_of(read, fill(tmp_path / "games.db", jobs)).comparisons
        assert first.decided_after == 4  # one round, though two are there
        assert first.blocks == 5

    def test_the_test_passes_over_what_was_given_up(self, tmp_path):
        read = experiment(tmp_path)
        jobs = [j for j in plan(read, 5) if (j.cell, j.block, j.slot) != ("aware 4", 1, 0)]
        gone = plan(read, 5).job("aware 4", 1, 0)
        path = fill(tmp_path / "games.db", jobs, given_up=[gone])
        first, second = summary_of(read, path).comparisons
        assert (first.decided_after, second.decided_after) == (8, 16)


class TestRewards:
    @pytest.fixture
    def toy(self):
        return read_experiment("wall-of-fire")

    def play(self, job):
        rewards = {
            "novices": (0, 0, 0, 0, 0, 0, 9),
            "experts": (1490, 1490, 3, 1490, 1490, 1490, 1),
        }
        return (outcome(None, float(rewards.get(job.cell, (-2,) * 7)[job.block])),)

    def test_medians_and_how_often_the_published_number_came_out(self, toy, tmp_path):
        path = fill(tmp_path / "toy.db", plan(toy, 5, blocks=7), self.play)
        summary = summary_of(toy, path)
        found = {entry.arm: entry for entry in summary.tables[0].entries}
        assert ends(found["experts"].median) == [1490, 1, 1490]
        assert found["experts"].value.value == pytest.approx((5 * 1490 + 3 + 1) / 7)
        assert found["experts"].exact.value == pytest.approx(100 * 5 / 7)
        assert found["oblivious"].median.value == found["oblivious"].value.value == -2
        assert found["oblivious"].exact.value == 0
        assert found["oblivious"].agrees is False
        assert summary.command == "wall-of-fire"
        assert "wall-of-fire" in shipped()

    def test_five_runs_have_a_median_without_an_interval(self, toy, tmp_path):
        path = fill(tmp_path / "toy.db", plan(toy, 5), self.play)
        found = summary_of(toy, path).tables[0].entries[0]
        assert (found.median.value, found.median.low, found.agrees) == (0, None, None)

    def test_without_runs(self, toy, tmp_path):
        found = summary_of(toy, fill(tmp_path / "toy.db", [])).tables[0].entries[0]
        assert not found.value.is_known
        assert found.exact is None

    def test_without_a_published_number(self, tmp_path):
        text = PARTNERS[: PARTNERS.index("[[tables]]")] + '[[tables]]\nmeasure = "reward"\n'
        read = experiment(tmp_path, text)
        found = summary_of(read, fill(tmp_path / "games.db", plan(read, 5))).tables[0].entries[0]
        assert (found.median.value, found.exact) == (0.5, None)
        assert found.value.value == pytest.approx((5 / 3 - 1) / 2)  # cells have the same weight

    def test_rewards_that_are_all_nothing(self, tmp_path):
        read = experiment(tmp_path)
        path = fill(tmp_path / "games.db", plan(read, 5), lambda job: (outcome(0, 0.0),))
        found = summary_of(read, path).tables[0].entries[0].reward
        assert found.value == 0
        assert found.low < 0 < found.high

    def test_examples_are_one_game_of_each_reward(self, toy, tmp_path):
        jobs = plan(toy, 5, blocks=7)
        examples = summary_of(toy, fill(tmp_path / "toy.db", jobs, self.play)).examples
        novices = [(e.result, e.game_id) for e in examples if e.cell == "novices"]
        assert novices == [
            ("0", jobs.job("novices", 0, 0).game_id()),
            ("9", jobs.job("novices", 6, 0).game_id()),
        ]


def test_examples_are_the_first_won_drawn_and_lost_games(tmp_path):
    examples = finished(tmp_path).examples
    jobs = plan(experiment(tmp_path), 5)
    assert [(e.cell, e.result, e.game_id) for e in examples][:2] == [
        ("aware 2", "won", jobs.job("aware 2", 0, 0).game_id()),
        ("aware 2", "drawn", jobs.job("aware 2", 2, 1).game_id()),
    ]


def test_a_block_of_several_games_is_one_run_of_rewards(tmp_path):
    """Games of a block share their seed: two blocks of many games are no base for an interval."""
    text = PARTNERS.replace("[[tables]]", '[[tables]]\nmeasure = "reward"', 1)
    read = experiment(tmp_path, text)
    path = fill(tmp_path / "games.db", plan(read, 5), lambda job: (outcome(1, float(job.slot)),))
    for entry in summary_of(read, path).tables[0].entries:
        sizes = {len(cell.slots) for cell in read.cells}
        assert entry.value.value == sum(range(max(sizes))) / max(sizes)
        assert entry.counts.counted == entry.blocks * max(sizes)
        assert (entry.median.low is None) == (entry.blocks < 6)
