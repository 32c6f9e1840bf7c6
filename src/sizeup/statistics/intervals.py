"""Counts of games, and intervals for a fixed number of runs: of a share, and of the middle.

Runs must be independent of each other; for games that share a seed see
:mod:`~sizeup.statistics.block_interval`. Quantiles are computed in NumPy alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, comb, inf, lgamma, log, log2, nan, pi, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from sizeup.statistics.checks import Floats, check_level, finite, require

NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(40)
LARGEST_DF = 1e6  # beyond it Student's distribution is the normal one to six digits
BISECTIONS = 50
QUANTILES = 200  # between the quartiles, whose mean is taken

_lgamma = np.frompyfunc(lgamma, 1, 1)


@dataclass(frozen=True)
class Interval:
    """An estimate with the ends of its interval, from ``n`` independent units.

    Without data the estimate is NaN and the interval spans every possible value.

    >>> Interval(estimate=0.25, low=0.125, high=0.375, n=40).half_width
    0.125
    """

    estimate: float
    low: float
    high: float
    n: int

    @property
    def half_width(self) -> float:
        """Half the distance between the ends."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Tally:
    """Results of games, counted for one team.

    >>> Tally(wins=5, draws=2, losses=3).score
    0.2
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def n(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """(wins - losses) / games, NaN without games."""
        return (self.wins - self.losses) / self.n if self.n else nan


@dataclass(frozen=True)
class Median:
    """A median and its interval, whose ends are None with fewer runs than it takes."""

    estimate: float
    low: float | None
    high: float | None


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
    Median(estimate=4.0, low=None, high=None)
    >>> median(range(10))
    Median(estimate=4.5, low=1.0, high=8.0)
    """
    fewest = runs_for_median(level)
    runs = np.sort(_runs(values))
    n = len(runs)
    require(n > 0, "a median needs at least one run, got none")
    estimate = float(np.median(runs))
    if n < fewest:
        return Median(estimate, None, None)
    # The largest k such that fewer than k of n coins fall on some side with at most this chance.
    rank, chance = 0, 2.0 * 0.5**n
    while chance <= 1 - level:
        rank += 1
        chance += 2.0 * comb(n, rank) * 0.5**n
    return Median(estimate, float(runs[rank - 1]), float(runs[n - rank]))


def interquartile_mean(
    values: ArrayLike, *, low: float = -inf, high: float = inf, level: float = 0.95
) -> Interval:
    """Mean of the middle half of the runs, each from ``low`` to ``high``, with its interval.

    A quarter of the runs (rounded down) is left out at either end, as in ``rliable``, so that a few
    runs far away do not count. What is estimated is the mean of the quantiles from 1/4 to 3/4. Each
    of them lies between two runs that are found by counting, as for a :func:`median`; the ends are
    the means of these runs. That asks nothing of the distribution: runs may be tied, or far apart.
    Where there are too few, the ends of the range stand for the runs that are missing.

    >>> found = interquartile_mean([0, 1, 1, 2, 2, 2, 3, 3, 4, 100] * 8)
    >>> found.estimate, round(found.low, 2), round(found.high, 2), found.n
    (2.2, 1.74, 2.67, 80)
    >>> interquartile_mean([3, 4, 5], low=0, high=10)
    Interval(estimate=4.0, low=0.0, high=10.0, n=3)
    """
    z = normal_reach(check_level(level))
    runs = np.sort(_runs(values))
    n = len(runs)
    if n == 0:
        return Interval(nan, low, high, 0)
    estimate = float(runs[n // 4 : n - n // 4].mean())
    places = (np.arange(QUANTILES) + 0.5) / (2 * QUANTILES) + 0.25
    reach = z * np.sqrt(n * places * (1 - places))
    held = np.concatenate([[low], runs, [high]])
    first = np.clip(np.floor(n * places - reach), 0, n + 1).astype(np.int64)
    last = np.clip(np.ceil(n * places + reach) + 1, 0, n + 1).astype(np.int64)
    below, above = float(held[first].mean()), float(held[last].mean())
    return Interval(estimate, min(below, estimate), max(above, estimate), n)


def runs_for_median(level: float = 0.95) -> int:
    """Fewest runs from which a median has an interval.

    >>> runs_for_median(), runs_for_median(0.99)
    (6, 8)
    """
    return max(2, ceil(1 - log2(1 - check_level(level)) - 1e-12))


def _runs(values: ArrayLike) -> Floats:
    runs = finite(values, "runs")
    require(runs.ndim == 1, f"runs must be in one row, got the shape {runs.shape}")
    return runs


normal_quantile = NormalDist().inv_cdf
"""Value that a standard normal variable stays below with a probability."""


def normal_reach(level: float) -> float:
    """Distance from 0 that a standard normal variable keeps within with probability ``level``."""
    return normal_quantile((1 + level) / 2)


def student_reach(level: float, df: ArrayLike) -> Floats:
    """The same for Student's distribution with ``df`` degrees of freedom, at least 1.

    With T = √df·tan(θ), the probability of staying within is an integral of cos^(df-1) from 0 to
    θ; the angle is bisected. Good to eight digits for levels up to 0.99, to three at 0.999.
    """
    shape = np.shape(df)
    df, where = np.unique(np.clip(df, 1.0, LARGEST_DF), return_inverse=True)
    log_scale = np.asarray(_lgamma((df + 1) / 2) - _lgamma(df / 2), dtype=np.float64) - log(pi) / 2
    wallace = normal_reach(level) * (8 * df + 3) / (8 * df + 1)  # his approximation, to start near
    high = np.minimum(1.1 * np.arccos(np.exp(-(wallace**2) / df / 2)), pi / 2)
    low = np.zeros_like(high)
    for _ in range(BISECTIONS):
        angle = (low + high) / 2
        inner = np.multiply.outer(angle, (NODES + 1) / 2)
        density = np.exp((df[..., None] - 1) * np.log(np.cos(inner)) + log_scale[..., None])
        inside = angle * (density @ NODE_WEIGHTS) < level
        low, high = np.where(inside, angle, low), np.where(inside, high, angle)
    return np.asarray((np.sqrt(df) * np.tan((low + high) / 2))[where].reshape(shape))
