from dataclasses import replace

import pytest

from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.report.answer import answer, progress
from sizeup.report.numbers import MINUS
from tests.report.made_up import PARTNERS, experiment, fill, finished, outcome, summary_of


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
        ("smaller", "Aware wins and loses alike within 2 points"),
    ],
)
def test_one_score(summary, verdict, claim):
    said = answer(decided(summary, verdict))
    assert said.startswith(f"{claim} (+16.7 points, 95 % interval ")
    assert said.endswith("; the sequential test told so after 12 games.")


def test_one_score_that_is_undecided(summary):
    said = answer(decided(summary, "undecided"))
    assert said.startswith(
        f"Not decided yet: after 12 games Aware {MINUS} its opponents is at +16.7 points, 95 %"
    )
    more = summary.comparisons[0].more_for_observed
    assert said.endswith(f"if that is the truth, about {more:,} more games would show it.")
    lost = replace(summary.comparisons[0], more_for_observed=None)
    said = answer(replace(summary, comparisons=(lost,)))
    assert said.endswith("how many more games would show it cannot be said yet.")


def chosen(summary, *choices):
    """The same summary with no sign told, but perhaps whether it is as published."""
    pairs = zip(summary.comparisons, choices, strict=False)
    found = tuple(replace(c, verdict="undecided", choice=o, chosen_after=8) for c, o in pairs)
    return replace(summary, comparisons=found)


@pytest.mark.parametrize(
    ("choice", "said"),
    [("claimed", "rather the published +3.5 than 0"), ("none", "rather 0 than the published +3.5")],
)
def test_one_score_as_published_or_not(summary, choice, said):
    text = answer(chosen(summary, choice))
    assert text.startswith(f"Aware {MINUS} its opponents is {said} (+16.7 points, 95 % interval ")
    assert text.endswith("; told after 8 games.")


def test_several_as_published_or_not(summary):
    assert answer(chosen(summary, "undecided", "none")) == (
        f"After 24 games Aware {MINUS} Plain is rather 0 than the published +7.5 (+41.7 points); "
        "one comparison is undecided."
    )


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (
            ("positive", "positive"),
            "After 24 games Aware wins more often than it loses (+16.7 points) and Aware scores "
            "more than Plain (+41.7 points).",
        ),
        (
            ("undecided", "negative"),
            "After 24 games Aware scores less than Plain (+41.7 points); one comparison is "
            "undecided.",
        ),
        (
            ("undecided", "smaller"),
            "After 24 games Aware and Plain score alike within 2 points (+41.7 points); one "
            "comparison is undecided.",
        ),
    ],
)
def test_several(summary, verdicts, said):
    assert answer(decided(summary, *verdicts)) == said


def test_several_undecided(summary):
    said = answer(decided(summary, "undecided", "undecided"))
    assert said.startswith(
        "Not decided yet: after 24 games none of the 2 comparisons is settled; "
        f"Aware {MINUS} its opponents is at +16.7"
    )
    assert answer(
        decided(
            replace(summary, comparisons=summary.comparisons * 2), "positive", *["undecided"] * 3
        )
    ).endswith("; 3 are undecided.")


class TestBesidePublished:
    def toy(self, tmp_path, rewards):
        read = read_experiment("wall-of-fire")
        path = fill(tmp_path / "toy.db", plan(read, 5), lambda j: (outcome(None, rewards[j.cell]),))
        return answer(summary_of(read, path))

    def test_the_same_medians(self, tmp_path):
        rewards = {"novices": 0.0, "experts": 1490.0, "oblivious": -20.0, "aware": -2.0}
        said = self.toy(tmp_path, rewards)
        assert said == "Our median is the published one for 4 of 4 teams."

    def test_one_that_is_not(self, tmp_path):
        rewards = {"novices": 0.0, "experts": 1490.0, "oblivious": -18.0, "aware": -2.0}
        assert self.toy(tmp_path, rewards) == (
            "Our median is the published one for 3 of 4 teams, but not for oblivious expert + "
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
        assert said == "All 24 games are played; nothing was published to set beside them."


def test_progress(tmp_path):
    read = experiment(tmp_path)
    jobs = list(plan(read, 5))
    path = fill(tmp_path / "games.db", jobs[:8])
    assert progress(summary_of(read, path)) == "unfinished: 8 of 24 games are played"
    fill(path, [], given_up=jobs[8:9])
    found = summary_of(read, path)
    assert progress(found) == "unfinished: 8 of 24 games are played, 1 in quarantine"
