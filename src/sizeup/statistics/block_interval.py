"""Intervals of means of seed blocks, in cells of equal weight.

Games of one seed (with sides and seats exchanged) are correlated, so a block's mean is one
observation and blocks are the independent units. The interval is Student's on blocks, with Welch's
degrees of freedom over cells, and two pseudo-blocks at the ends of the range so that it does not
collapse when all blocks are alike. How much a pseudo-block weighs is estimated too. A block of
independent games varies little and needs little; a block whose games all end alike is a single
game and needs what a game needs, z²/4.

Rewards are another matter. Among a hundred blocks that are nearly alike there may be one in fifty,
not seen yet, that pays a thousand times as much: nothing about a reward says that a block which
varies little is the mean of many games. So for them (``rare``) a pseudo-block always weighs what a
game needs.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sizeup.statistics import checks
from sizeup.statistics.checks import Floats, require
from sizeup.statistics.intervals import Interval, normal_reach, student_reach


def block_interval(
    scores: ArrayLike,
    strata: Sequence[Hashable] | None = None,
    *,
    bound: float = 1.0,
    level: float = 0.95,
    rare: bool = False,
) -> Interval:
    """Interval of the mean of block scores, each from ``-bound`` to ``bound``.

    With ``strata``, the cell of each block, it is the mean of the cells' means. For the
    differences of two arms block by block the bound is 2. One block a cell says nothing about their
    spread, and the interval is the whole range. ``rare`` is for rewards: some blocks may be far
    from all that were seen.

    How often it covers the truth is simulated in ``benchmarks/simulate_statistics.py``
    and, for rewards, in ``benchmarks/simulate_rewards.py``.

    >>> found = block_interval([0.25, 0.0, 0.5, 0.125, 0.25, -0.125, 0.375, 0.0])
    >>> round(found.estimate, 3), round(found.low, 3), round(found.high, 3), found.n
    (0.172, -0.066, 0.397, 8)
    >>> block_interval([0.25, 0.5, -0.25, 0.0], ["2+4", "2+4", "2+8", "2+8"]).estimate
    0.125
    """
    cells = _split(checks.scores_within(scores, bound, "block scores") / bound, strata)
    checks.check_level(level)
    counts = np.array([len(cell) for cell in cells], dtype=np.int64)
    n = int(counts.sum())
    if n == 0:
        return Interval(nan, -bound, bound, n)
    moments = Moments(*np.array([moments_of(cell) for cell in cells]).T)
    weights = np.full(len(cells), 1 / len(cells))
    low, high = limits(counts, moments, weights, level, rare)
    mean = weighted(moments.mean, weights)
    return Interval(bound * float(mean), bound * float(low), bound * float(high), n)


def weighted(values: Floats, weights: Floats | NDArray[np.int64]) -> Floats:
    """Weighted sum over the last axis.

    Not a matrix product, whose last bit depends on the processor: a mean of games is often half-way
    between two numbers that a table can show.
    """
    total: Floats = (values * weights).sum(axis=-1)
    return total


class Moments(NamedTuple):
    """What the interval needs to know of the blocks of each cell, arrays of shape (..., cells)."""

    mean: Floats
    variance: Floats
    single: Floats  # at most the variance, if each block were one game


def moments_of(scores: Floats) -> Moments:
    """Moments of blocks of shape (..., blocks), each score from -1 to 1.

    One game of the mean μ varies by 1 - μ² at most, and by less if it is often drawn: no more than
    if each block that is not the median were a game as far from it as can be.
    """
    mean = scores.mean(axis=-1)
    variance = scores.var(axis=-1, ddof=1) if scores.shape[-1] > 1 else np.zeros_like(mean)
    median = np.median(scores, axis=-1, keepdims=True)
    others = (np.abs(scores - median) > checks.ROUNDING).mean(axis=-1)
    single = np.minimum(1 - mean**2, others * (1 + np.abs(median[..., 0])) ** 2)
    return Moments(mean, variance, single)


def limits(
    counts: NDArray[np.int64],
    moments: Moments,
    weights: Floats,
    level: float,
    rare: bool = False,
) -> tuple[Floats, Floats]:
    """Ends of the interval of a weighted mean of cells.

    ``counts``, of blocks, and ``weights`` have shape (cells,).
    """
    freedom = counts - 1
    mean = weighted(moments.mean, weights)
    if not freedom.any():
        return np.full_like(mean, -1.0), np.full_like(mean, 1.0)
    pooled = (weighted(moments.variance, freedom) / freedom.sum())[..., None]
    variances = np.where(freedom > 0, moments.variance, pooled)

    share = weights**2 / counts
    blocks = 1 / share.sum()  # a plain mean of this many blocks would be as precise
    squares, singles = (blocks**2 * weighted(part, share) for part in (variances, moments.single))
    # How much a block varies like a single game, from 0 to 1. One more block counts that does, so
    # that blocks all alike, which show nothing, are taken for games.
    likeness = 1.0 if rare else np.minimum((squares + 1) / (singles + 1), 1.0)
    pseudo = normal_reach(level) ** 2 / 2 * likeness
    weight = blocks + pseudo
    variance = (squares + pseudo) / weight + mean**2 * blocks * pseudo / weight**2
    half = student_reach(level, _welch(share * variances, freedom)) * np.sqrt(variance / weight)
    centre = mean * blocks / weight
    return np.maximum(centre - half, -1.0), np.minimum(centre + half, 1.0)


def _welch(parts: Floats, freedom: NDArray[np.int64]) -> Floats:
    """Degrees of freedom of a sum of estimated variances, by Welch's second formula.

    The plain formula takes the squares of estimates for estimates of squares, and asks too much
    of cells of two or three blocks.
    """
    total = parts.sum(axis=-1)
    squares = (parts**2 / (freedom + 2)).sum(axis=-1)
    known = squares > 0
    df = np.where(known, total**2 / np.where(known, squares, 1.0) - 2, np.inf)
    return np.clip(df, 1.0, freedom.sum())


def _split(scores: Floats, strata: Sequence[Hashable] | None) -> list[Floats]:
    """Scores of each cell, cells in the order of their first block; one cell without strata."""
    require(scores.ndim == 1, f"block scores must be in one row, got the shape {scores.shape}")
    if strata is None:
        return [scores]
    n = len(scores)
    require(len(strata) == n, f"one cell is needed for each block: got {len(strata)} for {n}")
    found: dict[Hashable, list[float]] = {}
    for score, cell in zip(scores, strata, strict=True):
        found.setdefault(cell, []).append(score)
    return [np.array(values) for values in found.values()]
