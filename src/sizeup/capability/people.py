"""Types for people: how far somebody looks, how well somebody judges, how often a move slips.

A person is no perfect searcher of some depth. A type of person is a depth together with

- *drop*: the share of features that are overlooked in judging a position,
- *precision*: how surely the better looking move is played, per point of value,
- *lapse*: how often a move is made without looking, any one being as likely.

A type is a policy, so a stronger player can simulate it, and the types of a set are ordered: by
depth first, then from dull to sharp. The posterior is over all of them together; what is said of a
depth is the sum over everything else, so that no move counts twice.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sizeup.capability.arrays import FloatArray, as_floats, require
from sizeup.capability.energy import exp, log
from sizeup.errors import InvalidInput

__all__ = ["PersonType", "PersonTypes", "fit_prior", "posterior"]


class PersonType(NamedTuple):
    """One type of person."""

    depth: int
    drop: float
    precision: float
    lapse: float


@dataclass(frozen=True)
class PersonTypes:
    """All combinations of some depths, drops, precisions and lapses, weakest first.

    Examples
    --------
    >>> types = PersonTypes(depths=(1, 2), drops=(0.5, 0.0), precisions=(1.0,), lapses=(0.1,))
    >>> [(one.depth, one.drop) for one in types]
    [(1, 0.5), (1, 0.0), (2, 0.5), (2, 0.0)]

    Two actions, of which the first looks better by a point to whoever looks 1 ahead and sees all;
    one search for each drop:

    >>> values = [[[0, 0], [1, 0]], [[0, 0], [0, 9]]]  # depths, searches, actions
    >>> types.chances(values, searches=(1, 1), action=0).round(2)
    array([0.5 , 0.71, 0.5 , 0.05])
    """

    depths: tuple[int, ...] = (1, 2, 3, 4, 5)
    drops: tuple[float, ...] = (0.3, 0.0)
    precisions: tuple[float, ...] = (0.3, 0.6, 1.2, 2.4)
    lapses: tuple[float, ...] = (0.25, 0.1, 0.03)

    def __post_init__(self) -> None:
        for name, low, high in (("drops", 0.0, 1.0), ("lapses", 0.0, 1.0), ("precisions", 0, 1e9)):
            given = getattr(self, name)
            require(
                len(given) > 0 and all(low <= value <= high for value in given),
                f"{name} are numbers from {low:g} to {high:g}, got {given!r}",
            )
        require(
            len(self.depths) > 0 and min(self.depths) >= 1
            and list(self.depths) == sorted(set(self.depths)),
            f"depths are whole numbers of 1 or more that ascend, got {self.depths!r}",
        )  # fmt: skip

    def __len__(self) -> int:
        return int(np.prod(self.shape))

    def __iter__(self) -> itertools.starmap[PersonType]:
        return itertools.starmap(
            PersonType,
            itertools.product(self.depths, self.drops, self.precisions, self.lapses),
        )

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """How many depths, drops, precisions and lapses there are."""
        return len(self.depths), len(self.drops), len(self.precisions), len(self.lapses)

    def policies(self, values: ArrayLike, searches: Sequence[int]) -> FloatArray:
        """``(types, actions)`` how likely each type plays each action.

        ``values (depths, searches, actions)`` is what actions are worth, in ``searches[i]``
        searches that overlook features at the rate ``drops[i]``, one after the other.
        """
        points = as_floats(values, "values")
        if points.ndim != 3 or points.shape[:2] != (len(self.depths), sum(searches)):
            raise InvalidInput(
                f"values must have shape ({len(self.depths)}, {sum(searches)}, actions), got "
                f"{points.shape}"
            )
        heated = points[:, :, None] * np.array(self.precisions)[:, None]
        looking = exp(heated - heated.max(axis=-1, keepdims=True))
        looking /= looking.sum(axis=-1, keepdims=True)
        ends = np.cumsum(searches)[:-1]
        parts = [part.mean(axis=1) for part in np.split(looking, ends, axis=1)]
        lapses = np.array(self.lapses)[:, None]
        chosen = np.stack(parts, axis=1)[:, :, :, None]  # depths, drops, precisions, 1, actions
        mixed = (1.0 - lapses) * chosen + lapses / points.shape[-1]
        return np.asarray(mixed.reshape(len(self), points.shape[-1]))

    def chances(self, values: ArrayLike, searches: Sequence[int], action: int) -> FloatArray:
        """``(types,)`` how likely each type plays one of the actions."""
        return np.asarray(self.policies(values, searches)[:, action])

    def depth_odds(self, odds: ArrayLike) -> FloatArray:
        """``(..., depths)`` probabilities of depths, everything else summed out."""
        given = as_floats(odds, "probabilities")
        return np.asarray(given.reshape(*given.shape[:-1], len(self.depths), -1).sum(axis=-1))

    def mean_depth(self, odds: ArrayLike) -> FloatArray:
        """``(...)`` posterior mean of the depth."""
        return np.asarray(self.depth_odds(odds) @ np.array(self.depths, dtype=np.float64))


def posterior(log_likelihoods: ArrayLike, prior: ArrayLike) -> FloatArray:
    """``(..., types)`` probabilities of types after moves of these log likelihoods.

    >>> posterior([0.0, -700.0, np.log(3)], [1 / 3, 1 / 3, 1 / 3]).round(2)
    array([0.25, 0.  , 0.75])
    """
    energy = as_floats(log_likelihoods, "log likelihoods") + log(as_floats(prior, "a prior"))
    odds = exp(energy - energy.max(axis=-1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=-1, keepdims=True))


def fit_prior(log_likelihoods: ArrayLike, rounds: int = 50, floor: float = 1.0) -> FloatArray:
    """``(types,)`` how common types are among people, from ``(people, types)``.

    The prior under which these people are likeliest, by expectation and maximisation, with
    ``floor`` more people spread over all types, so that nothing is ruled out for others.

    >>> fit_prior([[0.0, -9.0], [0.0, -9.0], [-9.0, 0.0]], floor=0.0).round(2)
    array([0.67, 0.33])
    """
    known = as_floats(log_likelihoods, "log likelihoods")
    people, types = known.shape
    prior = np.full(types, 1.0 / types)
    for _ in range(rounds):
        prior = (posterior(known, prior).sum(axis=0) + floor / types) / (people + floor)
    return prior
