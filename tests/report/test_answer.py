from dataclasses import replace

import pytest

from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.report.answer import answer, choice_text, progress
from sizeup.report.numbers import MINUS
from sizeup.report.summary import Estimate
from tests.report.made_up import PARTNERS, experiment, fill, finished, outcome, summary_of

MEASURED = (
    f"Aware {MINUS} its opponents: +16.7 points (95 % interval {MINUS}41.5 to +70.4, 12 games)."
)


@pytest.fixture
def summary(tmp_path):
    return finished(tmp_path)


def decided(summary, *verdicts):
    """The same summary with other verdicts."""
    pairs = zip(summary.comparisons, verdicts, strict=False)
    return replace(summary, comparisons=tuple(replace(c, verdict=v) for c, v in pairs))


def test_nothing_yet(tmp_path):
    read = experiment(tmp_path)
    found = summary_of(read, fill(tmp_path / "games.db", list(plan(read, 5))[:1]))
    assert answer(found) == "No answer yet: no seed block is complete."


@pytest.mark.parametrize(
    ("verdict", "claim"),
    [
        ("positive", "Aware wins more often than it loses"),
        ("negative", "Aware loses more often than it wins"),
        ("smaller", "Aware wins as often as it loses, within 2 points"),
    ],
)
def test_one_score(summary, verdict, claim):
    said = answer(decided(summary, verdict))
    assert said == f"{MEASURED} Decided after 12 games: {claim}."


def test_one_score_that_is_undecided(summary):
    said = answer(decided(summary, "undecided"))
    more = summary.comparisons[0].more_for_observed
    assert said == (
        f"{MEASURED} Not decided yet: about {more:,} more games would decide it if the true "
        "difference is +16.7 points."
    )
    lost = replace(summary.comparisons[0], more_for_observed=None)
    said = answer(replace(summary, comparisons=(lost,)))
    assert said == (
        f"{MEASURED} Not decided yet; how many more games it takes cannot be estimated."
    )


def test_one_score_without_a_complete_block(summary):
    unknown = replace(summary.comparisons[0], difference=Estimate())
    said = answer(replace(summary, comparisons=(unknown,)))
    assert said == f"Aware {MINUS} its opponents: no complete seed block yet."


def chosen(summary, *choices):
    """The same summary with no sign told, but perhaps whether it is as published."""
    pairs = zip(summary.comparisons, choices, strict=False)
    found = tuple(replace(c, verdict="undecided", choice=o, chosen_after=8) for c, o in pairs)
    return replace(summary, comparisons=found)


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("claimed", "+3.5 or more, as published, not 0"),
        ("none", "0 or less, not the published +3.5"),
    ],
)
def test_one_score_as_published_or_not(summary, choice, said):
    assert answer(chosen(summary, choice)) == f"{MEASURED} Decided after 8 games: {said}."


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("claimed", f"{MINUS}3.5 or less, as published, not 0"),
        ("none", f"0 or more, not the published {MINUS}3.5"),
    ],
)
def test_a_published_loss(summary, choice, said):
    found = replace(chosen(summary, choice).comparisons[0], published=-3.5)
    assert choice_text(found) == said


def test_several_as_published_or_not(summary):
    assert answer(chosen(summary, "undecided", "none")) == (
        f"After 24 games: Aware {MINUS} Plain is 0 or less, not the published +7.5 "
        "(+41.7 points). 1 comparison is undecided."
    )


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (
            ("positive", "positive"),
            "After 24 games: Aware wins more often than it loses (+16.7 points); Aware scores "
            "higher than Plain (+41.7 points).",
        ),
        (
            ("undecided", "negative"),
            "After 24 games: Aware scores lower than Plain (+41.7 points). 1 comparison is "
            "undecided.",
        ),
        (
            ("undecided", "smaller"),
            "After 24 games: Aware and Plain score the same, within 2 points (+41.7 points). 1 "
            "comparison is undecided.",
        ),
    ],
)
def test_several(summary, verdicts, said):
    assert answer(decided(summary, *verdicts)) == said


def test_several_undecided(summary):
    said = answer(decided(summary, "undecided", "undecided"))
    assert said == (
        "None of the 2 comparisons is decided after 24 games. "
        f"Aware {MINUS} its opponents: +16.7 points (95 % interval {MINUS}41.5 to +70.4)."
    )
    assert answer(
        decided(
            replace(summary, comparisons=summary.comparisons * 2), "positive", *["undecided"] * 3
        )
    ).endswith(" 3 comparisons are undecided.")


class TestBesidePublished:
    def toy(self, tmp_path, rewards):
        read = read_experiment("wall-of-fire")
        path = fill(tmp_path / "toy.db", plan(read, 5), lambda j: (outcome(None, rewards[j.cell]),))
        return answer(summary_of(read, path))

    def test_the_same_medians(self, tmp_path):
        rewards = {"novices": 0.0, "experts": 1490.0, "oblivious": -20.0, "aware": -2.0}
        said = self.toy(tmp_path, rewards)
        assert said.endswith(" Our median matches the published one for 4 of 4 teams.")
        assert said.startswith(
            "Not decided yet whether aware expert + novice earns more than oblivious expert + "
            "novice: +18.00 a game (95 % interval "
        )

    def test_one_that_is_not(self, tmp_path):
        rewards = {"novices": 0.0, "experts": 1490.0, "oblivious": -18.0, "aware": -2.0}
        assert self.toy(tmp_path, rewards).endswith(
            "Our median matches the published one for 3 of 4 teams, but not for oblivious expert + "
            f"novice ({MINUS}18, published {MINUS}20)."
        )

    def test_scores(self, summary):
        inside = sum(bool(e.agrees) for e in summary.tables[0].entries)
        said = answer(replace(summary, comparisons=()))
        assert said == f"{inside} of 4 published numbers lie within our 95 % intervals."

    def test_nothing_published(self, tmp_path):
        text = PARTNERS[: PARTNERS.index("[[tables]]")].replace('["aware", "aware - plain"]', "[]")
        read = experiment(tmp_path, text)
        said = answer(summary_of(read, fill(tmp_path / "games.db", plan(read, 5))))
        assert said == "All 24 games played; no published numbers to compare them with."


def test_progress(tmp_path):
    read = experiment(tmp_path)
    jobs = list(plan(read, 5))
    path = fill(tmp_path / "games.db", jobs[:8])
    assert progress(summary_of(read, path)) == "unfinished: 8 of 24 games played"
    fill(path, [], given_up=jobs[8:9])
    found = summary_of(read, path)
    assert progress(found) == "unfinished: 8 of 24 games played, 1 in quarantine"
