from math import isnan

import numpy as np
import pytest

from sizeup.errors import InvalidInput
from sizeup.statistics import median, runs_for_median, share


def test_wilson_by_hand():
    """Wilson's interval of 8 in 10 at 95 %: 0.490 to 0.943."""
    found = share([4] * 8 + [0, 90], 4)
    assert (found.estimate, found.n) == (0.8, 10)
    assert (found.low, found.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_all_or_none_of_the_runs():
    assert (share([4] * 5, 4).low, share([4] * 5, 4).high) == pytest.approx((0.5655, 1.0), abs=1e-4)
    none = share([4] * 5, 90)
    assert (none.low, none.high) == pytest.approx((0.0, 0.4345), abs=1e-4)
    nothing = share([], 4)
    assert isnan(nothing.estimate)
    assert (nothing.low, nothing.high, nothing.n) == (0, 1, 0)


@pytest.mark.parametrize(("n", "rank"), [(6, 1), (8, 1), (9, 2), (10, 2), (20, 6), (50, 18)])
def test_the_ranks_in_the_tables(n, rank):
    """Ranks of the distribution-free interval of a median at 95 %, as in published tables."""
    found = median(np.random.default_rng(1).permutation(n))
    assert (found.low, found.high) == (rank - 1, n - rank)


def test_five_runs_are_too_few():
    found = median([1490, 1490, -20, 1490, 0])
    assert (found.estimate, found.low, found.high) == (1490, None, None)


@pytest.mark.parametrize(("level", "needed"), [(0.5, 2), (0.9, 5), (0.95, 6), (0.99, 8), (0.3, 2)])
def test_the_fewest_runs(level, needed):
    assert runs_for_median(level) == needed
    assert median(range(needed), level).low == 0
    assert median(range(needed - 1), level).low is None


def test_coverage():
    rng = np.random.default_rng(2)
    samples = rng.exponential(size=(2000, 15))
    found = [median(sample) for sample in samples]
    hit = np.mean([interval.low <= np.log(2) <= interval.high for interval in found])
    assert 0.95 < hit < 0.98  # 0.965 by the binomial


def test_the_median_of_an_even_number_is_between():
    assert median([1, 2, 3, 10]).estimate == 2.5


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: median([]), "at least one run, got none"),
        (lambda: median([[1, 2]]), r"in one row, got the shape \(1, 2\)"),
        (lambda: median([1, np.inf]), "runs must be finite, got"),
        (lambda: share(["x"], 1), "runs must be numbers, got"),
        (lambda: runs_for_median(1.0), "strictly between 0 and 1, got 1.0"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
