"""How many blocks does it take? Half-widths before anything is played, and their inverse.

Effects and half-widths are scores: 0.03 is 3 points. ``sd`` is the standard deviation of a block's
score in one arm, by :func:`block_sd` or from blocks that were played. ``arms=2`` is for the
difference of two arms of as many blocks each, taken as independent; arms that share their seeds
may need fewer.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, exp, log, sqrt

import numpy as np

from sizeup.errors import InvalidInput
from sizeup.statistics.checks import check_level, number_within, require, whole
from sizeup.statistics.quantiles import normal_quantile, normal_reach
from sizeup.statistics.sequence import FRACTIONS, SHARES

__all__ = [
    "block_sd",
    "blocks_needed",
    "half_width",
    "sequence_blocks_needed",
    "sequence_half_width",
]

MOST_BLOCKS = 1e12


def block_sd(
    draws: float, *, games: int = 8, score: float = 0.0, correlation: float = 0.0
) -> float:
    """Standard deviation of the score of a block of games, by the share of draws among them.

    ``correlation`` is that of two games of the same block.

    >>> round(block_sd(0.17), 3), round(block_sd(0.17, correlation=0.1), 3)
    (0.322, 0.42)
    """
    whole(games, "games a block", least=1)
    number_within(draws, "the share of draws", 0, 1, edges=True)
    number_within(score, "the score", draws - 1, 1 - draws, edges=True)
    number_within(correlation, "the correlation", -1 / max(games - 1, 1), 1, edges=True)
    return sqrt((1 - draws - score**2) * (1 + (games - 1) * correlation) / games)


def half_width(blocks: int, sd: float, *, arms: int = 1, level: float = 0.95) -> float:
    """Half-width of the interval after a number of blocks that is fixed beforehand.

    >>> round(100 * half_width(960 // 8, block_sd(0.17)), 1)
    5.8
    >>> round(100 * half_width(1200 // 8, block_sd(0.17), arms=2), 1)
    7.3
    """
    whole(blocks, "the number of blocks", least=1)
    return normal_reach(check_level(level)) * _total_sd(sd, arms) / sqrt(blocks)


def blocks_needed(
    effect: float, sd: float, *, arms: int = 1, level: float = 0.95, power: float = 0.8
) -> int:
    """Blocks an arm after which an effect is told from zero with a chance of ``power``.

    >>> 8 * blocks_needed(0.033, block_sd(0.17)), 8 * blocks_needed(0.037, block_sd(0.17), arms=2)
    (5984, 9520)
    """
    _check_effect(effect, arms, power)
    reach = normal_reach(check_level(level)) + normal_quantile(power)
    return max(1, ceil((reach * _total_sd(sd, arms) / effect) ** 2))


def sequence_half_width(blocks: int, sd: float, *, arms: int = 1, level: float = 0.95) -> float:
    """About the half-width of the confidence sequence near a score of zero.

    From 50 blocks on it is about one and a half times that of a fixed number of blocks.

    >>> round(100 * sequence_half_width(120, block_sd(0.17)), 1)
    8.9
    """
    whole(blocks, "the number of blocks", least=1)
    unit_sd, goal = _total_sd(sd, arms) / (2 * arms), log(2 / (1 - check_level(level)))

    def is_excluded(distance: float) -> bool:
        return _log_money(blocks, 0.5, unit_sd, 0.5 - distance) >= goal

    return 2 * arms * _smallest(is_excluded, 0.0, 0.5 - 1e-9, 1e-9)


def sequence_blocks_needed(
    effect: float, sd: float, *, arms: int = 1, level: float = 0.95, power: float = 0.8
) -> int:
    """About the blocks an arm by which the sequence has left zero with a chance of ``power``.

    >>> 8 * sequence_blocks_needed(0.033, block_sd(0.17))
    12968
    """
    _check_effect(effect, arms, power)
    total_sd, goal = _total_sd(sd, arms), log(2 / (1 - check_level(level)))
    require(total_sd > 0, "blocks that do not vary need no plan: sd is 0")
    unlucky = normal_quantile(1 - power) * total_sd

    def is_decided(log_blocks: float) -> bool:
        blocks = exp(log_blocks)
        mean = min(effect + unlucky / sqrt(blocks), arms)
        return _log_money(blocks, (mean / arms + 1) / 2, total_sd / (2 * arms), 0.5) >= goal

    if not is_decided(log(MOST_BLOCKS)):
        raise InvalidInput(f"an effect of {effect} takes more than {MOST_BLOCKS:g} blocks")
    return ceil(exp(_smallest(is_decided, 0.0, log(MOST_BLOCKS), 1e-9)))


def _log_money(blocks: float, mean: float, sd: float, m: float) -> float:
    """Log of the money that bets above m have become, if half the blocks are sd above the mean.

    All on the scale from 0 to 1. The other half are as far below it.
    """
    gains = 1 - FRACTIONS + FRACTIONS * mean / m
    squares = np.maximum(gains**2 - (FRACTIONS * sd / m) ** 2, 1e-300)
    return float(np.logaddexp.reduce(np.log(SHARES) + blocks / 2 * np.log(squares)))


def _smallest(holds: Callable[[float], bool], low: float, high: float, precision: float) -> float:
    """Smallest value for which a condition holds that holds from somewhere on."""
    while high - low > precision:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _total_sd(sd: float, arms: int) -> float:
    require(arms in (1, 2), f"arms must be 1, or 2 for a difference, got {arms!r}")
    return number_within(sd, "the standard deviation of a block", 0, 1, edges=True) * sqrt(arms)


def _check_effect(effect: float, arms: int, power: float) -> None:
    number_within(effect, "the effect", 0, arms)
    number_within(power, "the power", 0, 1)
