"""Few runs of a small world: how often they gave a number, and their median."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, comb, log2, nan, sqrt

import numpy as np
from numpy.typing import ArrayLike

from sizeup.errors import InvalidInput
from sizeup.statistics.checks import FloatArray, check_level, finite
from sizeup.statistics.quantiles import normal_reach
from sizeup.statistics.tally import Interval

__all__ = ["Median", "median", "runs_for_median", "share"]


@dataclass(frozen=True)
class Median:
    """A median and its interval, whose ends are None where there are too few runs for one.

    ``needed`` is the smallest number of runs that has an interval.

    >>> Median(estimate=90.0, low=None, high=None, n=5, needed=6).has_interval
    False
    """

    estimate: float
    low: float | None
    high: float | None
    n: int
    needed: int

    @property
    def has_interval(self) -> bool:
        """Whether there were enough runs."""
        return self.n >= self.needed


def share(values: ArrayLike, number: float, level: float = 0.95) -> Interval:
    """Share of runs that gave a number, with Wilson's interval.

    >>> found = share([90] * 46 + [4] * 4, 90)
    >>> found.estimate, round(found.low, 3), round(found.high, 3)
    (0.92, 0.812, 0.968)
    """
    z = normal_reach(check_level(level))
    runs = _runs(values)
    n = len(runs)
    if n == 0:
        return Interval(nan, 0.0, 1.0, 0)
    hits = float((runs == number).mean())
    centre = (hits + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * sqrt(hits * (1 - hits) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    return Interval(hits, max(centre - half, 0.0), min(centre + half, 1.0), n)


def median(values: ArrayLike, level: float = 0.95) -> Median:
    """Median of runs and the interval between two of them that needs no other assumption.

    The k-th smallest and the k-th largest run enclose the true median unless fewer than k runs
    fall on one side of it, which happens as often as with fair coins.

    >>> median([4, 4, 90, 4, 4])
    Median(estimate=4.0, low=None, high=None, n=5, needed=6)
    >>> median(range(10))
    Median(estimate=4.5, low=1.0, high=8.0, n=10, needed=6)
    """
    needed = runs_for_median(level)
    runs = np.sort(_runs(values))
    n = len(runs)
    if n == 0:
        raise InvalidInput("a median needs at least one run, got none")
    estimate = float(np.median(runs))
    if n < needed:
        return Median(estimate, None, None, n, needed)
    rank = _rank(n, 1 - level)
    return Median(estimate, float(runs[rank - 1]), float(runs[n - rank]), n, needed)


def runs_for_median(level: float = 0.95) -> int:
    """Fewest runs from which a median has an interval.

    >>> runs_for_median(), runs_for_median(0.99)
    (6, 8)
    """
    return max(2, ceil(1 - log2(1 - check_level(level)) - 1e-12))


def _rank(n: int, error: float) -> int:
    """Largest k such that fewer than k of n coins fall on some side with at most this chance."""
    rank, chance = 0, 2.0 * 0.5**n
    while chance <= error:
        rank += 1
        chance += 2.0 * comb(n, rank) * 0.5**n
    return rank


def _runs(values: ArrayLike) -> FloatArray:
    runs = finite(values, "runs")
    if runs.ndim != 1:
        raise InvalidInput(f"runs must be in one row, got the shape {runs.shape}")
    return runs
