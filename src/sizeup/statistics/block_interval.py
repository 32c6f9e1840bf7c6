"""Intervals of means of blocks: one arm, cells of equal weight, and the difference of two arms.

Student's interval on blocks, with Welch's degrees of freedom over cells, and two pseudo-blocks
at the ends of the range so that it does not collapse when all blocks are alike. How much a
pseudo-block weighs is estimated too. A block of independent games varies little and needs
little; a block whose games all end alike is a single game and needs what a game needs, z²/4.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import nan
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sizeup.statistics.blocks import split
from sizeup.statistics.checks import ROUNDING, FloatArray, check_level, scores_within
from sizeup.statistics.quantiles import normal_reach, student_reach
from sizeup.statistics.tally import Interval

__all__ = ["Moments", "block_interval", "limits", "moments_of", "unpaired_interval", "weighted"]

IntArray: TypeAlias = NDArray[np.int64]


def block_interval(
    scores: ArrayLike,
    strata: Sequence[Hashable] | None = None,
    *,
    bound: float = 1.0,
    level: float = 0.95,
) -> Interval:
    """Interval of the mean of block scores, each from ``-bound`` to ``bound``.

    With ``strata``, the cell of each block, it is the mean of the cells' means. For the
    differences of two arms that share their seeds, see :func:`~sizeup.statistics.pair`, the bound
    is 2. One block a cell says nothing about their spread, and the interval is the whole range.

    How often it covers the truth is simulated in ``benchmarks/simulate_statistics.py``.

    >>> found = block_interval([0.25, 0.0, 0.5, 0.125, 0.25, -0.125, 0.375, 0.0])
    >>> round(found.estimate, 3), round(found.low, 3), round(found.high, 3), found.n
    (0.172, -0.066, 0.397, 8)
    >>> round(block_interval([1.0] * 20).low, 2)
    0.73
    >>> block_interval([0.25, 0.5, -0.25, 0.0], ["2+4", "2+4", "2+8", "2+8"]).estimate
    0.125
    """
    cells = split(scores_within(scores, bound, "block scores") / bound, strata).values()
    return _interval([(cell, 1 / len(cells)) for cell in cells], bound, level)


def unpaired_interval(
    first: ArrayLike,
    second: ArrayLike,
    first_strata: Sequence[Hashable] | None = None,
    second_strata: Sequence[Hashable] | None = None,
    *,
    level: float = 0.95,
) -> Interval:
    """Interval of the difference, first minus second, of two arms that share no seeds.

    >>> found = unpaired_interval([0.5, 0.25, 0.75, 0.5], [0.0, -0.25, 0.25])
    >>> found.estimate, found.n
    (0.5, 7)
    """
    arms = []
    for scores, strata, sign in ((first, first_strata, 0.5), (second, second_strata, -0.5)):
        cells = split(scores_within(scores, 1.0, "block scores"), strata)
        arms += [(cell, sign / len(cells)) for cell in cells.values()]
    return _interval(arms, 2.0, level)


def _interval(cells: list[tuple[FloatArray, float]], scale: float, level: float) -> Interval:
    """Interval of ``scale`` times a weighted mean of cells; the weights' sizes add up to 1."""
    check_level(level)
    counts = np.array([len(cell) for cell, _ in cells], dtype=np.int64)
    n = int(counts.sum())
    if not (counts.size and counts.all()):
        return Interval(nan, -scale, scale, n)
    moments = Moments(*np.array([moments_of(cell) for cell, _ in cells]).T)
    weights = np.array([weight for _, weight in cells])
    low, high = limits(counts, moments, weights, level)
    return Interval(
        scale * float(weighted(moments.mean, weights)), scale * float(low), scale * float(high), n
    )


def weighted(values: FloatArray, weights: FloatArray | IntArray) -> FloatArray:
    """Weighted sum over the last axis.

    Not a matrix product, whose last bit depends on the processor: a mean of games is often half-way
    between two numbers that a table can show.

    >>> float(weighted(np.array([1.0, 0.5]), np.array([0.5, 0.5])))
    0.75
    """
    total: FloatArray = (values * weights).sum(axis=-1)
    return total


class Moments(NamedTuple):
    """What the interval needs to know of the blocks of each cell, arrays of shape (..., cells)."""

    mean: FloatArray
    variance: FloatArray
    single: FloatArray  # at most the variance, if each block were one game


def moments_of(scores: FloatArray) -> Moments:
    """Moments of blocks of shape (..., blocks), each score from -1 to 1.

    One game of the mean μ varies by 1 - μ² at most, and by less if it is often drawn: no more than
    if each block that is not the median were a game as far from it as can be.

    >>> mean, variance, single = moments_of(np.array([0.0, 0.0, 0.0, 0.5, 0.0]))
    >>> float(mean), round(float(variance), 3), float(single)
    (0.1, 0.05, 0.2)
    """
    mean = scores.mean(axis=-1)
    variance = scores.var(axis=-1, ddof=1) if scores.shape[-1] > 1 else np.zeros_like(mean)
    median = np.median(scores, axis=-1, keepdims=True)
    others = (np.abs(scores - median) > ROUNDING).mean(axis=-1)
    single = np.minimum(1 - mean**2, others * (1 + np.abs(median[..., 0])) ** 2)
    return Moments(mean, variance, single)


def limits(
    counts: IntArray, moments: Moments, weights: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    """Ends of the interval of a weighted mean of cells.

    ``counts``, of blocks, and ``weights`` have shape (cells,).

    >>> moments = moments_of(np.array([[0.5, 0.25, 0.75, 0.5]]))
    >>> low, high = limits(np.array([4]), moments, np.array([1.0]), 0.95)
    >>> round(float(low), 3), round(float(high), 3)
    (-0.205, 1.0)
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
    likeness = np.minimum((squares + 1) / (singles + 1), 1.0)
    pseudo = normal_reach(level) ** 2 / 2 * likeness
    weight = blocks + pseudo
    variance = (squares + pseudo) / weight + mean**2 * blocks * pseudo / weight**2
    half = student_reach(level, _welch(share * variances, freedom)) * np.sqrt(variance / weight)
    centre = mean * blocks / weight
    return np.maximum(centre - half, -1.0), np.minimum(centre + half, 1.0)


def _welch(parts: FloatArray, freedom: IntArray) -> FloatArray:
    """Degrees of freedom of a sum of estimated variances, by Welch's second formula.

    The plain formula takes the squares of estimates for estimates of squares, and asks too much
    of cells of two or three blocks.
    """
    total = parts.sum(axis=-1)
    squares = (parts**2 / (freedom + 2)).sum(axis=-1)
    known = squares > 0
    df = np.where(known, total**2 / np.where(known, squares, 1.0) - 2, np.inf)
    return np.clip(df, 1.0, freedom.sum())
