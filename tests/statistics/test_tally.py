from math import isnan, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.simulate_statistics import exact_coverage
from sizeup.errors import InvalidInput
from sizeup.statistics import Tally, interval

counts = st.integers(0, 40)
tallies = st.builds(Tally, counts, counts, counts)


def test_a_tally_counts_and_adds():
    tally = sum([Tally(wins=1), Tally(draws=2), Tally(losses=4)], Tally(wins=2))
    assert tally == Tally(3, 2, 4)
    assert tally.n == 9
    assert tally.score == pytest.approx(-1 / 9)


def test_by_hand():
    """90 % of 3 wins, 2 draws, 1 loss: z^2/4 = 0.6764 and t(6) = 1.9432."""
    weight = 6 + 2 * 0.676386
    centre = 2 / weight
    half = 1.943180 * sqrt(((4 + 2 * 0.676386) / weight - centre**2) / weight)
    found = interval(Tally(3, 2, 1), level=0.9)
    assert (found.low, found.high) == pytest.approx((centre - half, centre + half), abs=1e-5)
    assert found.estimate == pytest.approx(1 / 3)
    assert found.n == 6


def test_the_published_counts():
    """960 games with 17 % draws: +-5.8 points."""
    assert interval(Tally(415, 163, 382)).half_width == pytest.approx(0.058, abs=0.0005)


def test_without_games_everything_is_possible():
    found = interval(Tally())
    assert isnan(found.estimate)
    assert isnan(Tally().score)
    assert (found.low, found.high, found.n) == (-1, 1, 0)


@settings(max_examples=50)
@given(tallies.filter(lambda tally: tally.n))
def test_the_interval_holds_its_estimate_and_mirrors(tally):
    found = interval(tally)
    assert -1 <= found.low < found.high <= 1
    assert found.low <= found.estimate <= found.high
    mirrored = interval(Tally(tally.losses, tally.draws, tally.wins))
    assert (mirrored.low, mirrored.high) == pytest.approx((-found.high, -found.low))
    assert interval(tally, 0.99).half_width >= found.half_width


@pytest.mark.parametrize("n", range(1, 21))
def test_coverage_of_few_games(n):
    found = [
        exact_coverage(n, draws, lean)
        for draws in (0.0, 0.17, 0.6)
        for lean in np.linspace(0, 1, 41)
    ]
    assert min(found) > 0.925


def test_coverage_of_many_games():
    found = [exact_coverage(80, draws, lean) for draws in (0.0, 0.3) for lean in (0.5, 0.65, 0.9)]
    assert 0.94 < min(found) <= max(found) < 0.965


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Tally(wins=-1), "wins must be 0 or more, got -1"),
        (lambda: Tally(draws=1.0), "draws must be an integer, got 1.0"),
        (lambda: Tally(losses=True), "losses must be an integer, got True"),
        (lambda: interval(Tally(1), level=95), "strictly between 0 and 1, got 95"),
        (lambda: interval(Tally(1), level=float("nan")), "got nan"),
        (lambda: interval(Tally(1), level="95 %"), "strictly between 0 and 1, got '95 %'"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
