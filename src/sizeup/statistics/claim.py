"""Which is it: the effect that somebody claims, or none? A test that may be looked at any time.

Two bettors with the money of :mod:`~sizeup.statistics.sequence`. One bets against a mean of 0 (or
of the other sign), the other against a mean as claimed (or larger); whoever has multiplied the
money by 20 has excluded that at 95 %, however often one looked. Both stake the fraction that earns
most if one of the two is true: the claimed effect over the mean square of the blocks so far. So
the test takes about as many blocks as a likelihood ratio test of normal scores would (Wald, 1945),
and, unlike that, keeps its promise for blocks of any distribution. To tell two effects apart takes
about half of the blocks after which the confidence sequence has excluded one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from sizeup.statistics.checks import (
    FloatArray,
    check_bound,
    check_level,
    number_within,
    require,
)
from sizeup.statistics.sequence import as_rounds

__all__ = ["Choice", "Weighing", "weigh"]

Choice = Literal["claimed", "none", "undecided"]

_MOST = 0.96  # of the money that is ever staked on a block


@dataclass(frozen=True)
class Weighing:
    """What speaks for a claim so far, and what is needed to go on.

    Once decided it stays so. A mean between 0 and the claim may be called either.

    Parameters
    ----------
    claimed
        The effect, a score: 0.03 is 3 points. It may be negative.
    bound, level
        As in :func:`~sizeup.statistics.confidence_sequence`.
    outcome, blocks
        What was decided, and after how many blocks (or how many have been seen without).
    squares, rounds
        Sum of the mean squares of all rounds, and their number.
    against_none, against_claim
        Logarithms of the money of the two bettors.

    Examples
    --------
    >>> begun = Weighing(claimed=0.3).seen([0.5, 0.25, -0.25, 0.5] * 3)
    >>> begun.outcome, begun.seen([0.5, 0.25, -0.25, 0.5] * 9).outcome
    ('undecided', 'claimed')
    """

    claimed: float
    bound: float = 1.0
    level: float = 0.95
    outcome: Choice = "undecided"
    blocks: int = 0
    squares: float = 0.0
    rounds: int = 0
    against_none: float = 0.0
    against_claim: float = 0.0

    def __post_init__(self) -> None:
        check_level(self.level)
        check_bound(self.bound)
        number_within(self.claimed, "a claimed effect", -self.bound, self.bound)
        require(self.claimed != 0, "a claimed effect of 0 cannot be told from none")

    @property
    def is_final(self) -> bool:
        """Whether more blocks would not change it."""
        return self.outcome != "undecided"

    def seen(self, scores: ArrayLike) -> Weighing:
        """What speaks for it after more rounds, of shape (rounds,) or (rounds, cells)."""
        rounds = as_rounds(scores, self.bound)
        if self.is_final or not rounds.size:
            return self
        claimed, rounds = abs(self.claimed), rounds * np.sign(self.claimed)
        squares = self.squares + np.cumsum((rounds**2).mean(axis=1))
        stake = self._stakes(np.append(self.squares, squares[:-1]))[:, None]
        against_none = self.against_none + np.log1p(stake * rounds).sum(axis=1).cumsum()
        against_claim = (
            self.against_claim + np.log1p(stake * (claimed - rounds)).sum(axis=1).cumsum()
        )
        goal = -np.log(1 - self.level)
        ended = np.flatnonzero((against_none >= goal) | (against_claim >= goal))
        last = int(ended[0]) if ended.size else len(rounds) - 1
        outcome: Choice = "undecided"
        if ended.size:
            outcome = "claimed" if against_none[last] >= goal else "none"
        return replace(
            self,
            outcome=outcome,
            blocks=self.blocks + (last + 1) * rounds.shape[1],
            squares=float(squares[last]),
            rounds=self.rounds + last + 1,
            against_none=float(against_none[last]),
            against_claim=float(against_claim[last]),
        )

    def _stakes(self, squares: FloatArray) -> FloatArray:
        """Fraction staked in each round, from what was seen before it.

        The first guess of the mean square counts as one round.
        """
        rounds = self.rounds + np.arange(len(squares))
        mean_square = (self.bound**2 / 4 + squares) / (1 + rounds)
        claimed = abs(self.claimed)
        return np.minimum(claimed / (mean_square + claimed**2), _MOST / self.bound)


def weigh(
    scores: ArrayLike, claimed: float, *, bound: float = 1.0, level: float = 0.95
) -> Weighing:
    """Decide between a claimed mean and 0, for blocks in plan order.

    If the mean is 0, or on the other side of it, the claim is accepted with a chance of at most
    1 - level; if it is as large as claimed, or larger, "none" has at most that chance. Cells of
    different means may be mixed, in rounds of one block each: their average counts.

    >>> found = weigh([0.5, 0.25, -0.25, 0.5] * 20, claimed=0.3)
    >>> found.outcome, found.blocks
    ('claimed', 17)
    >>> weigh([0.25, -0.25] * 40, claimed=0.3).outcome
    'none'
    """
    return Weighing(claimed, bound, level).seen(scores)
