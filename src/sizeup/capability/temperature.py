"""Temperatures of the tempered update, and the bounds they buy.

How far two players' beliefs can drift apart when each sees its own noisy values, at most
``epsilon`` apart on a scale where values span 1:

- :class:`Adversarial`, T = 6tN: never more than :func:`adversarial_bound`;
- :class:`Stochastic`, T = √d·t^(2/3): with probability 1 - delta never more than
  :func:`stochastic_bound`, if d is at least :func:`smallest_d`.

t counts the updates about one subject. At t = 0 there is no evidence yet; the temperature is
infinite there, so that the posterior is the prior.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from sizeup.capability.arrays import FloatArray, IntArray, as_floats, number, require, whole

__all__ = [
    "Adversarial",
    "Constant",
    "Stochastic",
    "adversarial_bound",
    "paper_d",
    "smallest_d",
    "stochastic_bound",
    "union_bound",
]


@dataclass(frozen=True)
class Constant:
    """The same temperature at every update.

    >>> Constant(0.1)(np.array([0, 5]))
    array([0.1, 0.1])
    """

    value: float

    def __post_init__(self) -> None:
        require(
            number(self.value, "a temperature") > 0,
            f"a temperature must be above 0, got {self.value}",
        )

    def __call__(self, updates: IntArray) -> FloatArray:
        """The same at any number of updates."""
        return np.full(np.shape(updates), self.value)


@dataclass(frozen=True)
class Adversarial:
    """T = 6tN, for noise that is only known to be bounded.

    >>> Adversarial(players=2)(np.array([0, 1, 2]))
    array([inf, 12., 24.])
    """

    players: int

    def __post_init__(self) -> None:
        _require_team(self.players)

    def __call__(self, updates: IntArray) -> FloatArray:
        """6tN after t updates."""
        return _prior_at_zero(6.0 * self.players * np.asarray(updates, dtype=np.float64))


@dataclass(frozen=True)
class Stochastic:
    """T = √d·t^(2/3), for noise that is drawn anew at each evaluation.

    >>> Stochastic(d=9.0)(np.array([0, 1, 8]))
    array([inf,  3., 12.])
    """

    d: float

    def __post_init__(self) -> None:
        require(
            number(self.d, "the constant d") > 0, f"the constant d must be above 0, got {self.d}"
        )

    def __call__(self, updates: IntArray) -> FloatArray:
        """√d·t^(2/3) after t updates."""
        return _prior_at_zero(np.sqrt(self.d) * np.cbrt(updates) ** 2)


def adversarial_bound(epsilon: float, updates: ArrayLike) -> FloatArray:
    """Largest difference of two players' energies after t updates, 3·epsilon·t.

    >>> adversarial_bound(0.01, 5)
    array(0.15)
    """
    _require_noise(epsilon)
    return np.asarray(3.0 * epsilon * _counts(updates))


def stochastic_bound(epsilon: float, updates: ArrayLike, d: float, players: int) -> FloatArray:
    """Return √d·epsilon·t^(2/3) / 2N: not exceeded at any t, with probability 1 - delta.

    >>> stochastic_bound(0.01, 8, d=3600.0, players=3)
    array(0.4)
    """
    _require_noise(epsilon)
    _require_team(players)
    temperature = np.sqrt(Stochastic(d).d) * np.cbrt(_counts(updates)) ** 2
    return np.asarray(temperature * epsilon / (2 * players))


def smallest_d(players: int, types: int, delta: float) -> float:
    """Smallest d for which the union bound over all beliefs and times holds.

    Solves Σ_t 2·exp(-d'·t^(1/3)) ≤ delta / (N²·types) for d' = d / 72N² by bisection; ``types``
    is the largest number of types that a player can evaluate. The result errs upwards only, by
    less than one part in 10⁹.

    >>> round(smallest_d(players=2, types=2, delta=0.2) / paper_d(2, 2, 0.2), 3)
    1.075
    """
    share = _failure_share(players, types, delta)
    low, high = 1e-3, 1.0
    while union_bound(high) > share:
        low, high = high, 2 * high
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if union_bound(middle) <= share else (middle, high)
    return 72.0 * players**2 * high


def paper_d(players: int, types: int, delta: float) -> float:
    """Return the paper's closed form, 72N²·ln(20N²·types / 9·delta); not always large enough.

    At N = 2, two types and delta = 0.2 the sum it must bound is 1.48 times too large, and for
    tiny delta it asks for more than needed. Kept for comparison: use :func:`smallest_d`.

    >>> round(paper_d(players=2, types=2, delta=0.2), 1)
    1292.4
    """
    share = _failure_share(players, types, delta)
    return 72.0 * players**2 * float(np.log(20.0 / (9.0 * share)))


def union_bound(d_prime: float) -> float:
    """Σ_{t ≥ 1} 2·exp(-d'·t^(1/3)), from above: a partial sum and the integral of its tail.

    >>> 0.02 < union_bound(5.0) < 0.04
    True
    """
    require(d_prime > 0, f"d' must be above 0, got {d_prime}")
    terms = 4096
    partial = np.exp(-d_prime * np.cbrt(np.arange(1, terms + 1))).sum()
    edge = d_prime * np.cbrt(terms)
    tail = 3.0 * np.exp(-edge) * (edge**2 + 2.0 * edge + 2.0) / d_prime**3
    return float(2.0 * (partial + tail))


def _prior_at_zero(temperature: FloatArray) -> FloatArray:
    return np.where(temperature > 0, temperature, np.inf)


def _failure_share(players: int, types: int, delta: float) -> float:
    """Return the part of delta that each single belief entry may use up."""
    _require_team(players)
    whole(types, "the number of types", least=1)
    require(
        0 < number(delta, "delta") < 1,
        f"delta is a probability strictly between 0 and 1, got {delta}",
    )
    return delta / (players**2 * types)


def _counts(updates: ArrayLike) -> FloatArray:
    counts = as_floats(updates, "numbers of updates")
    require(np.all(counts >= 0), f"numbers of updates must be >= 0, got {updates!r}")
    return counts


def _require_team(players: int) -> None:
    whole(players, "the number of players", least=2)


def _require_noise(epsilon: float) -> None:
    require(
        number(epsilon, "epsilon") >= 0, f"epsilon bounds the noise and must be >= 0, got {epsilon}"
    )
