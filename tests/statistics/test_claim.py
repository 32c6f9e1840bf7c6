import numpy as np
import pytest

from benchmarks.simulate_statistics import blocks
from sizeup.errors import InvalidInput
from sizeup.statistics import Weighing, decide


def weigh(scores, claimed, **options):
    return Weighing(claimed, **options).seen(scores)


def shares(sample, claimed, **options):
    """Of many runs, the share that ends in each outcome."""
    found = [weigh(one, claimed, **options).outcome for one in sample]
    return {name: found.count(name) / len(found) for name in ("claimed", "none", "undecided")}


def lopsided(rng, shape, mean):
    """Scores of 1 that are rare, and of slightly less than 0 otherwise: far from normal."""
    low = -0.02
    rare = (mean - low) / (1 - low)
    return np.where(rng.random(shape) < rare, 1.0, low)


def test_the_first_round_that_tells_decides():
    scores = blocks(np.random.default_rng(1), (200,), 0.17, 0.6)
    found = weigh(scores, 0.2)
    assert found.outcome == "claimed"
    assert found.is_final
    assert weigh(scores[: found.blocks - 1], 0.2).outcome == "undecided"
    assert weigh(scores[: found.blocks], 0.2) == found


def test_it_can_go_on_and_then_stays():
    scores = blocks(np.random.default_rng(2), (120, 3), 0.17, 0.5)
    found = weigh(scores, 0.2)
    assert found.outcome == "none"
    piecewise = Weighing(0.2)
    for start in range(0, 120, 7):
        piecewise = piecewise.seen(scores[start : start + 7])
    assert (piecewise.outcome, piecewise.blocks) == (found.outcome, found.blocks)
    assert piecewise.against_claim == pytest.approx(found.against_claim)
    assert found.seen(np.ones((99, 3))) is found
    assert found.blocks % 3 == 0
    assert Weighing(0.2).seen([]) == Weighing(0.2)


def test_a_claim_below_zero_is_the_mirror_image():
    scores = blocks(np.random.default_rng(3), (300,), 0.17, 0.55)
    there, back = weigh(scores, 0.1), weigh(-scores, -0.1)
    assert there.is_final
    assert (there.outcome, there.blocks) == (back.outcome, back.blocks)


def test_what_lies_outside_of_both_is_told_sooner():
    below, at_zero = np.full(200, -0.5), np.full(200, 0.0)
    assert weigh(below, 0.1).outcome == weigh(at_zero, 0.1).outcome == "none"
    assert weigh(np.full(200, 0.9), 0.1).outcome == "claimed"


@pytest.mark.slow
@pytest.mark.parametrize("cells", [1, 6])
def test_errors_on_both_sides_are_as_rare_as_promised(cells):
    rng = np.random.default_rng(4)
    nothing = blocks(rng, (600, 300, cells), 0.2, 0.5, correlation=0.1)
    assert shares(nothing, 0.15 / cells**0.5)["claimed"] <= 0.05
    win = 0.5 + 0.15 / cells**0.5 / (2 * (1 - 0.2))
    something = blocks(rng, (600, 300, cells), 0.2, win, correlation=0.1)
    assert something.mean() == pytest.approx(0.15 / cells**0.5, abs=0.01)
    assert shares(something, 0.15 / cells**0.5)["none"] <= 0.05


def test_scores_of_any_distribution_keep_the_promise():
    """A likelihood ratio of normal scores with the variance seen so far errs far more often."""
    rng = np.random.default_rng(5)
    runs = 1000
    chance = 3 * (0.05 * 0.95 / runs) ** 0.5  # such scores use up nearly all of the 5 %
    assert shares(lopsided(rng, (runs, 400), 0.0), 0.05)["claimed"] <= 0.05 + chance
    something = lopsided(rng, (runs, 400), 0.05)
    assert shares(something, 0.05)["none"] <= 0.05 + chance
    assert np.mean([normal_ratio(one, 0.05) == "none" for one in something]) > 0.15


def normal_ratio(scores, claimed):
    """What is chosen by the usual sequential likelihood ratio, after ten blocks at least."""
    n = np.arange(1, len(scores) + 1)
    mean = scores.cumsum() / n
    variance = (scores**2).cumsum() / n - mean**2 + 1e-12
    log_ratio = (n * claimed * (mean - claimed / 2) / variance)[9:]
    ends = np.flatnonzero(abs(log_ratio) >= np.log(19))
    return ("claimed" if log_ratio[ends[0]] > 0 else "none") if ends.size else "undecided"


def test_cells_of_different_means_count_by_their_average():
    rng = np.random.default_rng(6)
    apart = [blocks(rng, (400, 200), 0.2, 0.5 + side * 0.2) for side in (-1, 1)]
    assert shares(np.stack(apart, axis=-1), 0.1)["claimed"] <= 0.05


@pytest.mark.slow
def test_it_takes_fewer_blocks_than_an_interval():
    sample = blocks(np.random.default_rng(7), (60, 600), 0.2, 0.5 + 0.1 / 1.6)
    weighed = [weigh(one, 0.1) for one in sample]
    assert sum(one.outcome == "claimed" for one in weighed) >= 54
    by_interval = [decide(one).blocks for one in sample]
    assert np.mean([one.blocks for one in weighed]) < 0.7 * np.mean(by_interval)


@pytest.mark.parametrize(
    ("claimed", "options", "message"),
    [
        (0.0, {}, "a claimed effect of 0 cannot be told from none"),
        (3.3, {}, "a claimed effect must be strictly between -1 and 1, got 3.3"),
        (0.1, {"bound": 0}, "the bound of scores must be above 0, got 0"),
        (0.1, {"level": 95}, "a level of confidence must be strictly between 0 and 1, got 95"),
    ],
)
def test_bad_input(claimed, options, message):
    with pytest.raises(InvalidInput, match=message):
        weigh([0.5], claimed, **options)


def test_differences_need_their_bound():
    with pytest.raises(InvalidInput, match="bound=2"):
        weigh([1.5], 0.1)
    assert weigh([1.5], 0.1, bound=2).blocks == 1
