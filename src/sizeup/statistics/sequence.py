"""A confidence sequence: an interval that stays right however often one looks at it.

Somebody who holds that the mean score is m is offered bets on every block, at odds that are fair
if m is true. At true odds money does not grow: the chance that it is ever multiplied by 40 is at
most 1 in 40. So a value of m at which the bets have earned that much is excluded for good. One
side bets that scores lie above m, the other that they lie below, and each may err with half of
1 - level.

Each side splits its money over a few fixed fractions (:data:`FRACTIONS`), because the best one
depends on the spread of blocks and on the effect. That they never change has two more uses. The
money does not depend on the order of the blocks. And cells of different means may be mixed: over
a round of one block a cell, the expected product of the gains is at most what it would be if all
cells had the average mean (geometric and arithmetic means), so the average is covered at the end
of each round.

The bets are those of Waudby-Smith and Ramdas (2024), "Estimating means of bounded random variables
by betting", with a mixture of constant fractions in place of their predicted ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sizeup.statistics.checks import (
    FloatArray,
    check_bound,
    check_level,
    require,
    scores_within,
)

__all__ = ["FRACTIONS", "SHARES", "RunningInterval", "Trail", "as_rounds", "confidence_sequence"]

FRACTIONS = 0.96 * 0.5 ** np.arange(10)  # of its money that a bettor stakes on each block
SHARES = 0.75 ** np.arange(10) / (0.75 ** np.arange(10)).sum()  # of the money at the start
STEPS = 2000  # the range of scores is searched in this many steps
CHUNK = 1 << 16  # numbers held at a time


class Trail(NamedTuple):
    """Ends of the interval after each round, two arrays of shape (rounds,)."""

    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, eq=False)
class RunningInterval:
    """The interval so far, and what is needed to go on.

    The chance that it ever misses the truth, whenever one looks, is at most 1 - level. The ends
    themselves are excluded. It never widens and is never narrower than a 2000th of the range, so
    blocks that drift away from it leave that much of it, at the end where they left.

    >>> running = RunningInterval.start()
    >>> running.low, running.high
    (-1.0, 1.0)
    >>> later = running.seen([0.5, 0.25, 0.75, 0.5, 0.5] * 4)
    >>> later.rounds, round(later.low, 2), round(later.high, 2)
    (20, 0.16, 0.63)
    """

    level: float
    bound: float
    rounds: int
    first: int  # the last step that is excluded from below
    above: FloatArray  # (fractions, steps left): money bet on scores above that of the step
    below: FloatArray  # the same, bet on scores below

    @classmethod
    def start(cls, level: float = 0.95, bound: float = 1.0) -> RunningInterval:
        """The interval before any block, for scores from ``-bound`` to ``bound``."""
        check_level(level)
        check_bound(bound)
        money = np.repeat(SHARES[:, None], STEPS - 1, axis=1)
        return cls(level, bound, 0, 0, money, money)

    @property
    def low(self) -> float:
        """Lower end."""
        return float(_score(np.array(self.first), self.bound))

    @property
    def high(self) -> float:
        """Upper end."""
        return float(_score(np.array(self.first + self.above.shape[1] + 1), self.bound))

    def seen(self, scores: ArrayLike) -> RunningInterval:
        """The interval after more rounds, with scores of shape (rounds,) or (rounds, cells)."""
        return self.followed(scores)[0]

    def followed(self, scores: ArrayLike) -> tuple[RunningInterval, Trail]:
        """The interval after more rounds, and what it was after each of them."""
        todo = as_rounds(scores, self.bound)
        now, parts = self, [Trail(np.zeros(0), np.zeros(0))]
        while len(todo):
            room = max(1, CHUNK // (now.above.size * todo.shape[1] + 1))
            now, part = _played(now, todo[:room])
            todo = todo[room:]
            parts.append(part)
        return now, Trail(*(np.concatenate(ends) for ends in zip(*parts, strict=True)))


def confidence_sequence(scores: ArrayLike, *, bound: float = 1.0, level: float = 0.95) -> Trail:
    """Ends of the interval after each round, for blocks in plan order.

    Scores of one cell have shape (rounds,), those of several cells, whose means are averaged,
    (rounds, cells): see :func:`~sizeup.statistics.rounds`. For differences of two arms block by
    block the bound is 2.

    >>> trail = confidence_sequence([0.5, 0.25, 0.75, 0.5, 0.5] * 4)
    >>> trail.low.round(2)[[0, 4, 19]], trail.high.round(2)[[0, 4, 19]]
    (array([-0.98, -0.45,  0.16]), array([1.  , 0.83, 0.63]))
    """
    return RunningInterval.start(level, bound).followed(scores)[1]


def as_rounds(scores: ArrayLike, bound: float) -> FloatArray:
    """Scores of shape (rounds, cells).

    >>> as_rounds([0.5, 0.25], bound=1.0).shape
    (2, 1)
    """
    array = scores_within(scores, bound, "block scores")
    require(
        array.ndim in (1, 2),
        f"block scores must be of shape (rounds,) or (rounds, cells), got {array.shape}",
    )
    return array[:, None] if array.ndim == 1 else array


def _played(now: RunningInterval, rounds: FloatArray) -> tuple[RunningInterval, Trail]:
    """Bet on some rounds at every step that is left, and drop the steps where a side won."""
    steps = now.first + 1 + np.arange(now.above.shape[1])
    blocks = (rounds / now.bound + 1) / 2
    above = _money(now.above, blocks, steps / STEPS)
    below = _money(now.below, 1 - blocks, 1 - steps / STEPS)

    # The upper side wins most at low steps and the lower side at high ones, so counts are ends.
    goal = 2 / (1 - now.level)
    cut = np.maximum.accumulate((above.sum(axis=1) >= goal).sum(axis=-1))
    kept = len(steps) - np.maximum.accumulate((below.sum(axis=1) >= goal).sum(axis=-1))
    # A side cannot win where the other had won before, and once no step is left nobody bets.
    cut, kept = (
        np.minimum(cut, np.append(len(steps), kept[:-1])),
        np.maximum(kept, np.append(0, cut[:-1])),
    )
    last = np.append(np.flatnonzero(cut >= kept), len(rounds) - 1)[0]
    played = np.minimum(np.arange(len(rounds)), last)
    cut, kept = cut[played], kept[played]

    left = slice(cut[-1], kept[-1])
    later = replace(
        now,
        rounds=now.rounds + len(rounds),
        first=now.first + int(cut[-1]),
        above=above[-1][:, left],
        below=below[-1][:, left],
    )
    low, high = now.first + cut, now.first + kept + 1
    return later, Trail(_score(low, now.bound), _score(high, now.bound))


def _money(money: FloatArray, blocks: FloatArray, fair: FloatArray) -> FloatArray:
    """Money after each round of blocks that pay x for every ``fair`` that was staked on them.

    Shapes: ``money`` (fractions, steps), ``blocks`` (rounds, cells), ``fair`` (steps,), the answer
    (rounds, fractions, steps).
    """
    stake = FRACTIONS[:, None]
    with np.errstate(over="ignore"):  # infinite money is a win like any other
        gains = (1 - stake) + (stake / fair) * blocks.reshape(-1, 1, 1)
        gains[0] *= money
        np.multiply.accumulate(gains, axis=0, out=gains)
    return gains[blocks.shape[1] - 1 :: blocks.shape[1]]


def _score(step: NDArray[np.int64], bound: float) -> FloatArray:
    return bound * (2.0 * step - STEPS) / STEPS
