"""From an observed action to evidence about its author's type: exact, sampled, tempered updates.

Every rule reads a table with a row for each type and a column for each action, of a player in the
acting player's seat *if it were of type c*, with everybody's beliefs reduced to c. To the exact and
the tempered rule an entry is what the player sees in the action: its value. To the sampled one it
is how often the player took it, when its search was made again and again. Rows that the observer
cannot evaluate are NaN, and so is their evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from sizeup.capability.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    as_floats,
    number,
    require,
)
from sizeup.capability.beliefs import Beliefs, Temperature
from sizeup.capability.energy import exp, log, log_gamma, standard_errors
from sizeup.errors import IllegalAction, InvalidInput

__all__ = ["TIE_TOLERANCE", "Exact", "Sampled", "Tempered", "UpdateRule", "best_actions"]

TIE_TOLERANCE = 1e-9
"""Two values closer than this, relative to the best one (or 1 if that is larger), are a tie."""


class UpdateRule(Protocol):
    """How an action becomes evidence, and at which temperature the evidence is read."""

    @property
    def temperature(self) -> Temperature:
        """Temperature of the posterior."""
        ...

    def evidence(self, q: ArrayLike, action: ArrayLike) -> FloatArray:
        """``(..., types)`` energies to add, from ``q (..., types, actions)``."""
        ...


@dataclass(frozen=True)
class Exact:
    """The exact update: -log of the chance that a greedy player of each type acts like this.

    A greedy player chooses uniformly among its best actions (ties within ``tie_tolerance``).

    Examples
    --------
    >>> Exact().evidence([[1.0, 1.0, 0.0], [0.0, 2.0, 0.0]], action=0)
    array([0.69314718,        inf])
    """

    tie_tolerance: float = TIE_TOLERANCE

    def __post_init__(self) -> None:
        check_tolerance(self.tie_tolerance)

    @property
    def temperature(self) -> float:
        """Likelihoods are read as they are, at temperature 1."""
        return 1.0

    def evidence(self, q: ArrayLike, action: ArrayLike) -> FloatArray:
        """``(..., types)`` energies: log of the number of best actions, or inf."""
        values, chosen = _checked(q, action)
        best = best_actions(values, self.tie_tolerance)
        taken = np.take_along_axis(best, chosen, axis=-1)[..., 0]
        surprise = np.where(taken, log(best.sum(axis=-1, dtype=np.float64)), np.inf)
        return np.where(np.isnan(values).any(axis=-1), np.nan, surprise)


_SMOOTHING = 0.5  # of an action, spread over all of them, that is added to what was counted
_MOST_NOISE = 2.0  # variance of the log of a chance that is too small to be met in the samples
_FIRST = 4  # samples before the first look at whether they are enough


@dataclass(frozen=True)
class Sampled:
    """The sampled update: -log of how often a player of each type acts like this.

    A player that searches at random has no best action but a chance for each, and the way to know
    it is to let it choose K times. The estimate of the chance is ``(n + s/A) / (K + s)`` for an
    action, one of A, that was chosen n times, with s = 1/2. As K grows, this is the exact update
    for the players that really play. There is nothing in it to be fitted to a game.

    Parameters
    ----------
    accuracy
        The largest error that sampling may add to a probability.
    none
        Probability beforehand that a player is like none of the types.
    patience
        How many times longer than usual a single move may be searched for.

    Examples
    --------
    Of 8 players of one type 6 took the first action, of the other type none did:

    >>> rule, counts = Sampled(), [[6, 2], [0, 8]]
    >>> rule.evidence(counts, action=0).round(2)
    array([0.31, 3.53])
    >>> rule.noise(rule.evidence(counts, action=0), samples=8).round(2)
    array([0.04, 2.  ])
    """

    accuracy: float = 0.05
    none: float = 0.01
    patience: int = 1

    def __post_init__(self) -> None:
        require(
            0.005 <= number(self.accuracy, "the accuracy of a belief") <= 0.5,
            f"the accuracy of a belief is a probability from 0.005 to 0.5, got {self.accuracy}",
        )
        require(
            0 <= number(self.none, "the prior of none of these") < 1,
            f"the prior of none of these lies from 0 to below 1, got {self.none}",
        )
        require(self.patience >= 1, f"patience is a number of times, got {self.patience}")

    @property
    def temperature(self) -> float:
        """Likelihoods are read as they are, at temperature 1."""
        return 1.0

    @property
    def agreed(self) -> int:
        """How many samples players take who have to come to the same belief.

        How many one needs depends on what one believes, which weaker players cannot know. With so
        many, an action's chance has a standard error of twice the accuracy at the most.

        >>> Sampled(0.05).agreed, Sampled(0.1).agreed
        (32, 8)
        """
        samples = _FIRST
        while samples < 1.0 / (4.0 * self.accuracy) ** 2:
            samples *= 2
        return samples

    @property
    def looks(self) -> tuple[int, ...]:
        """After how many samples to ask whether they are enough; with the last there is an end.

        >>> Sampled(0.05).looks
        (4, 8, 16, 32, 64)
        """
        looks = [_FIRST]
        while looks[-1] < 2 * self.agreed:
            looks.append(2 * looks[-1])
        return tuple(looks)

    def evidence(self, q: ArrayLike, action: ArrayLike) -> FloatArray:
        """``(..., types)`` energies, from counts ``(..., types, actions)``."""
        return surprise(self.chances(q, action))

    def chances(self, counts: ArrayLike, action: ArrayLike) -> FloatArray:
        """``(..., types)`` how likely each type takes the action, each by its own counts."""
        rows, chosen = _checked_counts(counts, action)
        taken = np.take_along_axis(rows, chosen, axis=-1)[..., 0]
        return np.asarray((taken + _SMOOTHING / rows.shape[-1]) / (rows.sum(axis=-1) + _SMOOTHING))

    def pooled_chances(self, counts: ArrayLike, action: int) -> FloatArray:
        """``(types,)`` the same, where types that act alike lend each other their counts.

        Whether two neighbours act alike here is not known, but the counts speak for or against it:
        this is the mean over all ways to cut the ordered types into groups of one chance each,
        weighed by how well they explain the counts (all cuts being equally likely beforehand).
        Where types do act alike, counts that differ by accident then say little: without it, moves
        that tell nothing make beliefs wander off to certainty.

        >>> counts = [[5, 3], [3, 5], [0, 8]]
        >>> Sampled().chances(counts, 0).round(2), Sampled().pooled_chances(counts, 0).round(2)
        (array([0.62, 0.38, 0.03]), array([0.53, 0.45, 0.05]))
        """
        rows, chosen = _checked_counts(counts, action)
        known = ~np.isnan(rows[:, 0])
        taken = np.take_along_axis(rows, chosen, axis=-1)[known, 0]
        chances = np.full(len(rows), np.nan)
        chances[known] = _pooled(taken, rows[known].sum(axis=-1), 1.0 / rows.shape[-1])
        return chances

    def noise(self, evidence: FloatArray, samples: int) -> FloatArray:
        """``(types,)`` variances of evidence that was estimated from samples.

        Of an action that was never taken nobody knows how rare it is; it is rare enough.
        """
        chances = exp(-np.where(np.isnan(evidence), 0.0, evidence))
        return np.minimum((1.0 - chances) / (chances * (samples + 1.0)), _MOST_NOISE)

    def settles(self, beliefs: Beliefs, subject: int, noise: FloatArray) -> bool:
        """Whether a belief hangs on samples by no more than the accuracy.

        ``noise`` is that of the last move, whose samples are to be enough; and all the noise so far
        must not have made the belief look surer than it can be.
        """
        odds = beliefs.probabilities()[subject]
        hedged = beliefs.hedged()[subject]
        errors = standard_errors(odds, noise)
        return bool(max(errors.max(), np.abs(odds - hedged).max()) <= self.accuracy)


def surprise(chances: FloatArray) -> FloatArray:
    """-log of chances, NaN where they are."""
    unknown = np.isnan(chances)
    return np.where(unknown, np.nan, -log(np.where(unknown, 1.0, chances)))


def _pooled(taken: FloatArray, samples: FloatArray, prior: float) -> FloatArray:
    """Mean chance of each type over all cuts of the types into groups that act alike.

    ``prior`` is the chance before any sample. A group's chance has a Beta prior of weight
    ``_SMOOTHING``, so what its counts are worth is a ratio of Beta functions; sums over all cuts go
    forwards and backwards along the types, as in a chain.
    """
    count = len(taken)
    first, last = np.triu_indices(count)  # of all groups
    sums = [np.append(0.0, np.cumsum(numbers)) for numbers in (taken, samples)]
    did, made = (total[last + 1] - total[first] for total in sums)
    yes, no = did + _SMOOTHING * prior, made - did + _SMOOTHING * (1.0 - prior)
    worth = np.full((count, count), -np.inf)
    worth[first, last] = _log_beta(yes, no) - _log_beta(
        np.array(_SMOOTHING * prior), np.array(_SMOOTHING * (1.0 - prior))
    )
    before, after = np.zeros(count + 1), np.zeros(count + 1)
    for at in range(count):
        before[at + 1] = _log_sum(before[: at + 1] + worth[: at + 1, at])
    for at in reversed(range(count)):
        after[at] = _log_sum(worth[at, at:] + after[at + 1 :])
    weights = exp(np.minimum(before[first] + worth[first, last] + after[last + 1] - after[0], 0.0))
    means = weights * yes / (yes + no)
    inside = (first <= np.arange(count)[:, None]) & (np.arange(count)[:, None] <= last)
    return np.asarray((inside * means).sum(axis=1) / (inside * weights).sum(axis=1))


def _log_beta(a: FloatArray, b: FloatArray) -> FloatArray:
    return log_gamma(a) + log_gamma(b) - log_gamma(a + b)


def _log_sum(logs: FloatArray) -> FloatArray:
    top = logs.max()
    return np.asarray(top + log(exp(logs - top).sum()))


@dataclass(frozen=True)
class Tempered:
    """The tempered update: what the action lost, in the eyes of each type.

    Parameters
    ----------
    temperature
        A constant or one of :mod:`sizeup.capability.temperature`.
    clip
        Largest loss that one action may add; None for no limit.
    relative
        Whether losses are shares of the best action's value: of visits, how much less often than
        the most visited one it was tried.

    Examples
    --------
    >>> Tempered(temperature=0.1, clip=0.5).evidence([[1.0, 0.8], [0.0, 2.0]], action=0)
    array([0. , 0.5])
    >>> Tempered(temperature=0.1, relative=True).evidence([[0.2, 0.1], [0.4, 0.1]], action=1)
    array([0.5 , 0.75])
    """

    temperature: Temperature
    clip: float | None = None
    relative: bool = False

    def __post_init__(self) -> None:
        require(
            callable(self.temperature) or number(self.temperature, "a temperature") > 0,
            f"a temperature must be above 0, got {self.temperature}",
        )
        require(
            self.clip is None or number(self.clip, "the clip of a loss") > 0,
            f"the clip of a loss must be above 0, got {self.clip}",
        )

    def evidence(self, q: ArrayLike, action: ArrayLike) -> FloatArray:
        """``(..., types)`` energies: the (clipped) loss of the action."""
        values, chosen = _checked(q, action)
        best, taken = values.max(axis=-1), np.take_along_axis(values, chosen, axis=-1)[..., 0]
        loss: FloatArray = best - taken
        if self.relative:
            require(
                not (best <= 0).any(), "losses are shares of a best value, which must be above 0"
            )
            loss = loss / best
        return loss if self.clip is None else np.minimum(loss, self.clip)


def check_tolerance(tie_tolerance: float) -> None:
    """Raise :class:`InvalidInput` unless a tolerance for ties is a number of 0 or more."""
    require(
        number(tie_tolerance, "the tolerance for ties") >= 0,
        f"the tolerance for ties must be 0 or more, got {tie_tolerance}",
    )


def best_actions(q: ArrayLike, tie_tolerance: float = TIE_TOLERANCE) -> BoolArray:
    """Mask of the actions within the tolerance of the best one, along the last axis.

    >>> best_actions(np.array([1.0, 3.0, 3.0]))
    array([False,  True,  True])
    """
    values = np.asarray(q, dtype=np.float64)
    top = values.max(axis=-1, keepdims=True)
    mask: BoolArray = values >= top - tie_tolerance * np.maximum(1.0, np.abs(top))
    return mask


def _checked_counts(counts: ArrayLike, action: ArrayLike) -> tuple[FloatArray, IntArray]:
    """The same of counts, which are NaN in whole rows or not at all."""
    rows, chosen = _checked(counts, action)
    unknown = np.isnan(rows)
    require(
        np.array_equal(unknown.any(axis=-1), unknown.all(axis=-1)),
        "a type's counts are all known, or all NaN (not evaluated)",
    )
    fine = unknown | ((rows >= 0) & (rows < np.inf))
    require(fine.all(), f"counts must be 0 or more, and finite, got {rows.tolist()}")
    return rows, chosen


def _checked(q: ArrayLike, action: ArrayLike) -> tuple[FloatArray, IntArray]:
    """Return the values, and the action's index shaped to pick from every row of them."""
    values, chosen = as_floats(q, "values"), np.asarray(action)
    require(
        values.ndim >= 2,
        f"values must have shape (..., types, actions), got shape {values.shape}",
    )
    if chosen.dtype.kind not in "iu" or np.any((chosen < 0) | (chosen >= values.shape[-1])):
        raise IllegalAction(
            f"action {chosen.tolist()!r} is not one of the {values.shape[-1]} legal actions; "
            f"expected an index from 0 to {values.shape[-1] - 1}"
        )
    try:
        rows = np.broadcast_to(chosen[..., None], values.shape[:-1])
    except ValueError:
        raise InvalidInput(
            f"actions of shape {chosen.shape} do not fit values of shape {values.shape}"
        ) from None
    return values, rows[..., None].astype(np.int64)
