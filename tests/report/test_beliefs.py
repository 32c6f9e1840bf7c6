import numpy as np
import pytest

from sizeup.errors import InvalidInput
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.report import to_html, to_text
from sizeup.report.summary import Counts, FinalBelief
from sizeup.report.tables import sights
from tests.report.made_up import BELIEFS, PARTNERS, experiment, fill, outcome, summary_of

SERIES = {"aware 2": [2.0, 1.0, 0.5], "aware 4": [2.0, 1.5]}


def play(job):
    """Beliefs of an aware first member about the second; those of block 2 are two thirds as far."""
    series = SERIES.get(job.cell)
    if series is None:
        return (outcome(0),)
    if job.block == 2:
        series = [2 / 3 * away for away in series]
    return (outcome(0, 0.0, {"0": [[0, 1], [0.75, 0.25]]}, {"0": {"1": series}}),)


@pytest.fixture
def read(tmp_path):
    return experiment(tmp_path, PARTNERS + BELIEFS)


class TestDeviations:
    def test_the_last_deviation_of_those_that_learn(self, read, tmp_path):
        table = summary_of(read, fill(tmp_path / "games.db", plan(read, 5), play)).tables[1]
        (total,) = table.entries
        assert (total.arm, total.counts) == ("aware", Counts(planned=12, played=12, counted=12))
        means = [np.mean([0.5, 0.5, 1 / 3]), np.mean([1.5, 1.5, 1.0])]
        assert total.value.value == pytest.approx(np.mean(means))
        assert 0 <= total.value.low < total.value.value < total.value.high <= 2

    def test_a_game_that_has_ended_stays_where_it_was(self, read, tmp_path):
        table = summary_of(read, fill(tmp_path / "games.db", plan(read, 5), play)).tables[2]
        assert table.rows == ("0", "1", "2")
        shrunk = (2 + 2 / 3) / 3
        values = [entry.value.value for entry in table.entries]
        assert values == pytest.approx([2 * shrunk, 1.25 * shrunk, 1.0 * shrunk])
        assert table.going == (100, 100, 50)

    def test_few_games_do_not_make_the_curve_longer(self, read, tmp_path):
        def long_once(job):
            if job.cell == "aware 2" and job.block == 0 and job.slot == 0:
                return (outcome(0, 0.0, {}, {"0": {"1": [2.0] * 50}}),)
            return play(job)

        path = fill(tmp_path / "games.db", plan(read, 5, blocks=3), long_once)
        assert len(summary_of(read, path).tables[2].rows) == 3

    def test_beliefs_may_be_read_from_the_first_games_only(self, read, tmp_path):
        path = fill(tmp_path / "games.db", plan(read, 5), play)
        summary = summary_of(read, path, beliefs_from=9)
        (total,) = summary.tables[1].entries
        assert total.counts == Counts(planned=12, played=12, counted=4)
        assert total.value.value == pytest.approx((0.5 + 1.5) / 2)
        assert summary.counts.counted == 24  # scores are those of all games
        assert sum(belief.games for belief in summary.beliefs) == 4
        assert to_text(summary).count("Beliefs are from the first 9 games only.") == 2
        assert "Beliefs are from the first 9 games only." in to_html(summary)

    def test_of_fewer_games_than_may_be_read_all_count(self, read, tmp_path):
        path = fill(tmp_path / "games.db", plan(read, 5), play)
        assert summary_of(read, path, beliefs_from=24).beliefs_from is None
        assert summary_of(read, path, beliefs_from=None).beliefs_from is None

    def test_games_without_beliefs_are_left_out(self, read, tmp_path):
        def forgetful(job):
            return (outcome(0),) if job.block == 0 else play(job)

        summary = summary_of(read, fill(tmp_path / "games.db", plan(read, 5), forgetful))
        means = [np.mean([0.5, 1 / 3]), np.mean([1.5, 1.0])]
        assert summary.tables[1].entries[0].value.value == pytest.approx(np.mean(means))
        assert summary.beliefs[0].games == 8

    def test_nobody_learns(self, tmp_path):
        """A table that could only be empty is refused."""
        with pytest.raises(InvalidInput, match="member 0 learns nothing in any arm"):
            experiment(tmp_path, (PARTNERS + BELIEFS).replace("ca:4", "nu:4"))

    def test_nobody_learns_and_nobody_asks(self, tmp_path):
        read = experiment(tmp_path, PARTNERS.replace("ca:4", "nu:4"))
        summary = summary_of(read, fill(tmp_path / "games.db", plan(read, 5), play))
        assert (summary.beliefs, summary.beliefs_from) == ((), None)

    def test_about_several_teammates(self, tmp_path):
        text = (PARTNERS + BELIEFS).replace("ca:4+obl:2", "ca:4+obl:2+obl:4")
        read = experiment(tmp_path, text.replace("obl:4+obl:2", "obl:4+obl:2+obl:2"))

        def two(job):
            return (outcome(0, 0.0, {}, {"0": {"1": [2.0, 1.0], "2": [1.0, 0.0]}}),)

        summary = summary_of(read, fill(tmp_path / "games.db", plan(read, 5), two))
        assert summary.tables[1].entries[0].value.value == 0.5
        assert [entry.value.value for entry in summary.tables[2].entries] == [1.5, 0.5]


class TestSeries:
    def test_rows_are_games_of_the_series(self, tmp_path):
        tables = '[[tables]]\nby = "round"\n[[tables]]\nby = "round"\nmeasure = "deviation"\n'
        text = PARTNERS.replace("blocks = 3", "blocks = 3\nrounds = 2")
        read = experiment(tmp_path, text + tables)

        def better(job):
            first = outcome(-1, -1.0, {"0": [[0, 1], [0.5, 0.5]]}, {"0": {"1": [2.0, 1.0]}})
            second = outcome(1, 3.0, {"0": [[0, 1], [1.0, 0.0]]}, {"0": {"1": [1.0, 0.0]}})
            return first, second

        summary = summary_of(read, fill(tmp_path / "games.db", plan(read, 5), better))
        score, away = summary.tables[1:]
        assert [(e.row, e.value.value) for e in score.of("aware")] == [
            ("1", -100), ("2", 100), ("total", 0),
        ]  # fmt: skip
        assert score.entries[0].counts == Counts(planned=12, played=12, counted=12)
        assert score.of("aware")[2].counts == Counts(planned=24, played=24, counted=24)
        assert [(e.row, e.value.value) for e in away.entries] == [
            ("1", 1.0), ("2", 0.0), ("total", 0.5),
        ]  # fmt: skip
        assert [(b.round, b.right) for b in summary.beliefs] == [(1, 0.5), (2, 1.0)]
        assert summary.comparisons[0].difference.value == 0


class TestPosteriors:
    def test_the_mean_by_who_believes_and_what_is_true(self, read, tmp_path):
        (belief,) = summary_of(read, fill(tmp_path / "games.db", plan(read, 5), play)).beliefs
        assert belief == FinalBelief("aware", 0, 1, 2, 1, 12, ((2, 0.75), (4, 0.25)))
        assert belief.right == 0.75

    def test_a_truth_that_was_not_thought_possible_has_no_probability(self):
        assert FinalBelief("aware", 0, 1, 3, 1, 12, ((2, 0.75), (4, 0.25))).right == 0


class TestSights:
    def test_of_a_partner_that_changes_the_last_depth_counts(self):
        cell = read_experiment("checkers-change").cell("ca 2,8")
        (sight,) = sights(cell, 0)
        assert (sight.truth, sight.most) == (8, 6)

    def test_random_partners_have_no_depth(self):
        assert sights(read_experiment("checkers-outsider").cell("ca random"), 0) == []

    def test_only_those_about_one_teammate(self):
        cell = read_experiment("checkers-three").cell("ma 2<4<6")
        assert [sight.mate for sight in sights(cell, 0)] == [1, 2]
        assert [sight.mate for sight in sights(cell, 0, about=2)] == [2]
        assert sights(cell, 9) == []
