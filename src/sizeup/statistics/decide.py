"""Is a score above or below zero, or too small to matter? A test that may be looked at any time."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sizeup.statistics.checks import number_within
from sizeup.statistics.sequence import RunningInterval, as_rounds

__all__ = ["Decision", "Outcome", "decide"]

Outcome = Literal["positive", "negative", "smaller", "undecided"]


@dataclass(frozen=True)
class Decision:
    """What was decided, after how many blocks, and the interval of the sequence then.

    >>> Decision("undecided", blocks=40, low=-0.125, high=0.25).is_final
    False
    """

    outcome: Outcome
    blocks: int
    low: float
    high: float

    @property
    def is_final(self) -> bool:
        """Whether more blocks would not change it."""
        return self.outcome != "undecided"


def decide(
    scores: ArrayLike,
    *,
    smaller_than: float | None = None,
    bound: float = 1.0,
    level: float = 0.95,
) -> Decision:
    """First decision that blocks in plan order allow.

    "positive" and "negative" when the confidence sequence leaves zero behind, "smaller" when all
    of it lies within ``smaller_than`` of zero (a score: 0.03 is 3 points). At a mean of zero one of
    the first two is said with a chance of at most 1 - level, however often one looks; the shapes
    of ``scores`` and ``bound`` are those of :func:`~sizeup.statistics.confidence_sequence`.

    >>> decide([0.5, 0.25, -0.25, 0.5, 0.5] * 8)
    Decision(outcome='positive', blocks=22, low=0.008, high=0.485)
    >>> decide([0.25, -0.25] * 300, smaller_than=0.05).outcome
    'smaller'
    """
    if smaller_than is not None:
        number_within(smaller_than, "smaller_than", 0, bound)
    running, trail = RunningInterval.start(level, bound).followed(scores)
    cells = as_rounds(scores, bound).shape[1]
    x = -1.0 if smaller_than is None else smaller_than
    reached: dict[Outcome, NDArray[np.bool_]] = {
        "positive": trail.low >= 0,
        "negative": trail.high <= 0,
        "smaller": (trail.low >= -x) & (trail.high <= x),
    }
    firsts = [(int(hit.argmax()), outcome) for outcome, hit in reached.items() if hit.any()]
    if not firsts:
        return Decision("undecided", running.rounds * cells, running.low, running.high)
    row, outcome = min(firsts, key=itemgetter(0))  # of two at once, the sign
    return Decision(outcome, (row + 1) * cells, float(trail.low[row]), float(trail.high[row]))
