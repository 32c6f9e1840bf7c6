"""Means of seed blocks with their intervals, whatever the range of what is measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sizeup.report.games import FloatArray
from sizeup.report.summary import Estimate
from sizeup.statistics import block_interval
from sizeup.statistics.block_interval import Moments, limits, moments_of, weighted

__all__ = ["curve_of_means", "mean", "mean_of_any_size"]

LEVEL = 0.95


def mean(
    cells: Sequence[FloatArray], low: float = -1.0, high: float = 1.0, factor: float = 1.0
) -> Estimate:
    """Mean of cells of equal weight, from their blocks' means, which lie from ``low`` to ``high``.

    >>> mean([np.array([0.5, 0.25]), np.array([0.0, 0.25])], factor=100).value
    25.0
    """
    cells = [cell for cell in cells if len(cell)]
    if not cells:
        return Estimate()
    middle, half = (low + high) / 2, (high - low) / 2
    strata = [number for number, cell in enumerate(cells) for _ in cell]
    found = block_interval((np.concatenate(cells) - middle) / half, strata, level=LEVEL)
    value, least, most = (
        factor * (middle + half * end) for end in (found.estimate, found.low, found.high)
    )
    return Estimate(value, least, most)


def mean_of_any_size(cells: Sequence[FloatArray]) -> Estimate:
    """The same for numbers without a known range, which is taken to be twice what was seen.

    Simulated with normal blocks, 95 % intervals cover the truth with 95.7 to 97.7 % from 20
    blocks on and with 99 % on 3 to 5. Where no cell has two blocks there is no interval.
    """
    most = max((float(np.abs(cell).max()) for cell in cells if len(cell)), default=0.0) or 1.0
    found = mean(cells, -2 * most, 2 * most)
    return found if any(len(cell) > 1 for cell in cells) else Estimate(found.value)


def curve_of_means(
    cells: Sequence[FloatArray], low: float, high: float, length: int
) -> list[Estimate]:
    """The same at each place of a curve, from curves ``(blocks, length)`` of the cells' blocks."""
    cells = [cell for cell in cells if len(cell)]
    if not cells:
        return [Estimate()] * length
    middle, half = (low + high) / 2, (high - low) / 2
    by_cell = [moments_of((cell.T - middle) / half) for cell in cells]
    moments = Moments(*(np.stack(part, axis=-1) for part in zip(*by_cell, strict=True)))
    counts = np.array([len(cell) for cell in cells])
    weights = np.full(len(cells), 1 / len(cells))
    ends = limits(counts, moments, weights, LEVEL)
    values, lows, highs = (
        middle + half * part for part in (weighted(moments.mean, weights), *ends)
    )
    return [Estimate(*map(float, one)) for one in zip(values, lows, highs, strict=True)]
