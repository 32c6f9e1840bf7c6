"""Looking at an experiment while it runs: an interval and two tests that stay right at every look.

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

A claim (:class:`Weighing`) is weighed by two bettors with the same money, one against a mean of 0
(or of the other sign), the other against a mean as claimed (or larger). Whoever has multiplied the
money by 20 has excluded that at 95 %, however often one looked. Both stake the fraction that earns
most if one of the two is true: the claimed effect over the mean square of the blocks so far. So the
test takes about as many blocks as a likelihood ratio test of normal scores would (Wald, 1945) and,
unlike that, keeps its promise for blocks of any distribution; it takes about half of the blocks
after which the confidence sequence has excluded one of the two.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, exp, log, sqrt
from operator import itemgetter
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sizeup.statistics import checks
from sizeup.statistics.checks import Floats, number_within, require
from sizeup.statistics.intervals import normal_quantile

Verdict = Literal["positive", "negative", "smaller", "undecided"]
Choice = Literal["claimed", "none", "undecided"]

FRACTIONS = 0.96 * 0.5 ** np.arange(10)  # of its money that a bettor stakes on each block
SHARES = 0.75 ** np.arange(10) / (0.75 ** np.arange(10)).sum()  # of the money at the start
STEPS = 2000  # the range of scores is searched in this many steps
CHUNK = 1 << 16  # numbers held at a time
MOST_BLOCKS = 1e12  # a question that takes more is refused
_MOST = 0.96  # of the money that is ever staked on a block of a claim


class Trail(NamedTuple):
    """Ends of the interval after each round, two arrays of shape (rounds,)."""

    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class RunningInterval:
    """The interval so far, and what is needed to go on.

    The chance that it ever misses the truth, whenever one looks, is at most 1 - level. The ends
    themselves are excluded. It never widens and is never narrower than a 2000th of the range, so
    blocks that drift away from it leave that much of it, at the end where they left.

    >>> later = RunningInterval.start().seen([0.5, 0.25, 0.75, 0.5, 0.5] * 4)
    >>> later.rounds, round(later.low, 2), round(later.high, 2)
    (20, 0.16, 0.63)
    """

    level: float
    bound: float  # of scores: 1, or 2 for differences of two arms block by block
    rounds: int
    first: int  # the last step that is excluded from below
    above: Floats  # (fractions, steps left): money bet on scores above that of the step
    below: Floats  # the same, bet on scores below

    @classmethod
    def start(cls, level: float = 0.95, bound: float = 1.0) -> RunningInterval:
        """The interval before any block, for scores from ``-bound`` to ``bound``."""
        checks.check_level(level)
        checks.check_bound(bound)
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
        """The interval after more rounds of blocks in plan order.

        Scores of one cell have shape (rounds,), those of several cells, whose means are averaged,
        (rounds, cells): row r holds the r-th block of every cell.
        """
        return self.followed(scores)[0]

    def followed(self, scores: ArrayLike) -> tuple[RunningInterval, Trail]:
        """The interval after more rounds, and what it was after each of them."""
        todo = _as_rounds(scores, self.bound)
        now, parts = self, [Trail(np.zeros(0), np.zeros(0))]
        while len(todo):
            room = max(1, CHUNK // (now.above.size * todo.shape[1] + 1))
            now, part = _played(now, todo[:room])
            todo = todo[room:]
            parts.append(part)
        return now, Trail(*(np.concatenate(ends) for ends in zip(*parts, strict=True)))


def _as_rounds(scores: ArrayLike, bound: float) -> Floats:
    """Scores of shape (rounds, cells)."""
    array = checks.scores_within(scores, bound, "block scores")
    wanted = "of shape (rounds,) or (rounds, cells)"
    require(array.ndim in (1, 2), f"block scores must be {wanted}, got {array.shape}")
    return array[:, None] if array.ndim == 1 else array


def _played(now: RunningInterval, rounds: Floats) -> tuple[RunningInterval, Trail]:
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
    cut_before, kept_before = np.append(0, cut[:-1]), np.append(len(steps), kept[:-1])
    cut, kept = np.minimum(cut, kept_before), np.maximum(kept, cut_before)
    last = np.append(np.flatnonzero(cut >= kept), len(rounds) - 1)[0]
    played = np.minimum(np.arange(len(rounds)), last)
    cut, kept = cut[played], kept[played]

    above, below = (money[-1][:, cut[-1] : kept[-1]] for money in (above, below))
    seen, first = now.rounds + len(rounds), now.first + int(cut[-1])
    later = RunningInterval(now.level, now.bound, seen, first, above, below)
    low, high = now.first + cut, now.first + kept + 1
    return later, Trail(_score(low, now.bound), _score(high, now.bound))


def _money(money: Floats, blocks: Floats, fair: Floats) -> Floats:
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


def _score(step: NDArray[np.int64], bound: float) -> Floats:
    return bound * (2.0 * step - STEPS) / STEPS


@dataclass(frozen=True)
class Decision:
    """What was decided, after how many blocks, and the interval of the sequence then.

    >>> Decision("undecided", blocks=40, low=-0.125, high=0.25).is_final
    False
    """

    outcome: Verdict
    blocks: int
    low: float
    high: float

    @property
    def is_final(self) -> bool:
        """Whether more blocks would not change it."""
        return self.outcome != "undecided"


def decide(
    scores: ArrayLike, *, smaller_than: float | None = None, bound: float = 1.0, level: float = 0.95
) -> Decision:
    """First decision that blocks in plan order allow.

    "positive" and "negative" when the confidence sequence leaves zero behind, "smaller" when all
    of it lies within ``smaller_than`` of zero (a score: 0.03 is 3 points). At a mean of zero one of
    the first two is said with a chance of at most 1 - level, however often one looks; the shapes
    of ``scores`` and ``bound`` are those of :class:`RunningInterval`.

    >>> decide([0.5, 0.25, -0.25, 0.5, 0.5] * 8)
    Decision(outcome='positive', blocks=22, low=0.008, high=0.485)
    """
    if smaller_than is not None:
        number_within(smaller_than, "smaller_than", 0, bound)
    running, trail = RunningInterval.start(level, bound).followed(scores)
    cells = _as_rounds(scores, bound).shape[1]
    x = -1.0 if smaller_than is None else smaller_than
    reached: dict[Verdict, NDArray[np.bool_]] = {
        "positive": trail.low >= 0,
        "negative": trail.high <= 0,
        "smaller": (trail.low >= -x) & (trail.high <= x),
    }
    firsts = [(int(hit.argmax()), outcome) for outcome, hit in reached.items() if hit.any()]
    if not firsts:
        return Decision("undecided", running.rounds * cells, running.low, running.high)
    row, outcome = min(firsts, key=itemgetter(0))  # of two at once, the sign
    return Decision(outcome, (row + 1) * cells, float(trail.low[row]), float(trail.high[row]))


@dataclass(frozen=True)
class Weighing:
    """What speaks for a claimed mean or for 0 so far, and what is needed to go on.

    If the mean is 0, or on the other side of it, the claim is accepted with a chance of at most
    1 - level; if it is as large as claimed, or larger, "none" has at most that chance. Cells of
    different means may be mixed, in rounds of one block each: their average counts. Once decided it
    stays so. A mean between 0 and the claim may be called either. ``claimed`` is a
    score (0.03 is 3 points) and may be negative; ``bound`` and ``level`` are those of
    :class:`RunningInterval`. ``outcome`` was decided after ``blocks``, or so many have been seen
    without. ``squares`` adds up the mean squares of all ``rounds``; ``against_none`` and
    ``against_claim`` are logarithms of the money of the two bettors.

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
        checks.check_level(self.level)
        checks.check_bound(self.bound)
        number_within(self.claimed, "a claimed effect", -self.bound, self.bound)
        require(self.claimed != 0, "a claimed effect of 0 cannot be told from none")

    @property
    def is_final(self) -> bool:
        """Whether more blocks would not change it."""
        return self.outcome != "undecided"

    def seen(self, scores: ArrayLike) -> Weighing:
        """What speaks for it after more rounds, of shape (rounds,) or (rounds, cells)."""
        rounds = _as_rounds(scores, self.bound)
        if self.is_final or not rounds.size:
            return self
        claimed, rounds = abs(self.claimed), rounds * np.sign(self.claimed)
        squares = self.squares + np.cumsum((rounds**2).mean(axis=1))
        stake = self._stakes(np.append(self.squares, squares[:-1]))[:, None]
        won, lost = (np.log1p(stake * x).sum(axis=1).cumsum() for x in (rounds, claimed - rounds))
        against_none, against_claim = self.against_none + won, self.against_claim + lost
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

    def _stakes(self, squares: Floats) -> Floats:
        """Fraction staked in each round, from what was seen before it."""
        rounds = self.rounds + np.arange(len(squares))
        # The first guess of the mean square counts as one round.
        mean_square = (self.bound**2 / 4 + squares) / (1 + rounds)
        claimed = abs(self.claimed)
        return np.minimum(claimed / (mean_square + claimed**2), _MOST / self.bound)


def sequence_blocks_needed(
    effect: float, sd: float, *, arms: int = 1, level: float = 0.95, power: float = 0.8
) -> int:
    """About the blocks an arm by which the sequence has left zero with a chance of ``power``.

    Effects are scores: 0.03 is 3 points. ``sd`` is the standard deviation of a block's score in one
    arm. ``arms=2`` is for the difference of two arms of as many blocks each, taken as independent.

    >>> sequence_blocks_needed(0.033, sd=0.322)
    1621
    """
    number_within(effect, "the effect", 0, arms)
    number_within(power, "the power", 0, 1)
    checks.check_level(level)
    require(arms in (1, 2), f"arms must be 1, or 2 for a difference, got {arms!r}")
    number_within(sd, "the standard deviation of a block", 0, 1, edges=True)
    spread, goal = float(sd) * sqrt(arms), log(2 / (1 - level))
    require(spread > 0, "blocks that do not vary need no plan: sd is 0")
    unlucky = normal_quantile(1 - power) * spread

    def is_decided(log_blocks: float) -> bool:
        blocks = exp(log_blocks)
        mean = min(effect + unlucky / sqrt(blocks), arms)
        return _log_money(blocks, (mean / arms + 1) / 2, spread / (2 * arms), 0.5) >= goal

    low, high = 0.0, log(MOST_BLOCKS)
    require(is_decided(high), f"an effect of {effect} takes more than {MOST_BLOCKS:g} blocks")
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if is_decided(middle) else (middle, high)
    return ceil(exp(high))


def _log_money(blocks: float, mean: float, sd: float, m: float) -> float:
    """Log of the money of bets above m, if half the blocks are sd above the mean, half below it.

    All on the scale from 0 to 1.
    """
    gains = 1 - FRACTIONS + FRACTIONS * mean / m
    squares = np.maximum(gains**2 - (FRACTIONS * sd / m) ** 2, 1e-300)
    return float(np.logaddexp.reduce(np.log(SHARES) + blocks / 2 * np.log(squares)))
