"""A belief is an energy: the array operations that everything else is made of.

``energy[..., c] >= 0`` over the ranks of the types, ``inf`` where a type is ruled out, and
``P(c) ∝ prior(c) · exp(-energy[c] / T)``. These functions take any leading axes and check
nothing; :mod:`sizeup.capability.beliefs` is the checked door to them.

Exponential and logarithm are our own. NumPy's take whatever instructions the processor has, and
differ in their last bit from one processor to the next; so would beliefs, and a game that was
stored on one machine would not be the one that another plays from its seed. :func:`exp` and
:func:`log` only add, multiply, divide and scale by powers of two, which every machine rounds
alike. They are right to three units in the last place.
"""

from __future__ import annotations

from math import factorial

import numpy as np
from numpy.typing import ArrayLike

from sizeup.capability.arrays import BoolArray, FloatArray, IntArray

__all__ = [
    "exp",
    "feasible",
    "hedged",
    "log",
    "log_gamma",
    "log_weights",
    "none_shares",
    "normalised",
    "one_hot",
    "reduced",
    "standard_errors",
]

_LOG2_E = 1.4426950408889634
_LN2_HIGH = 0.693147180369123816490  # its last 32 bits are 0: times a small integer it is exact
_LN2_LOW = 1.90821492927058770002e-10
_LEAST = -746.0  # below it there is nothing but 0
_LOG_ROOT = 0.9189385332046727  # log √(2π)
_EXP = [1.0 / factorial(n) for n in range(13, -1, -1)]
_LOG = [2.0 / n for n in range(25, 0, -2)]


def feasible(rank: ArrayLike, types: int) -> BoolArray:
    """Mask ``(..., types)`` of the types that a player of the given rank can evaluate."""
    mask: BoolArray = np.arange(types) <= np.asarray(rank)[..., None]
    return mask


def one_hot(rank: ArrayLike, types: int) -> BoolArray:
    """Mask ``(..., types)`` that is true at one rank only."""
    mask: BoolArray = np.arange(types) == np.asarray(rank)[..., None]
    return mask


def reduced(energy: FloatArray, rank: IntArray) -> FloatArray:
    """Rule out every type above ``rank``: the reduction ↓c of ``(..., players, types)``."""
    return np.where(feasible(rank, energy.shape[-1])[..., None, :], energy, np.inf)


def log_weights(energy: FloatArray, log_prior: FloatArray, heat: FloatArray) -> FloatArray:
    """Log of the unnormalised posterior; ``heat`` is a number or ``(..., players)``.

    An infinite temperature leaves the prior, restricted to the types not ruled out.
    """
    with np.errstate(invalid="ignore"):  # inf / inf, overwritten on the next line
        tempered = log_prior - energy / heat[..., None]
    return np.where(energy == np.inf, -np.inf, tempered)


def normalised(logs: FloatArray, fallback: ArrayLike) -> tuple[FloatArray, BoolArray]:
    """Probabilities over the last axis, and which rows had any mass.

    A row with no mass goes wholly to its ``fallback`` rank.
    """
    top = logs.max(axis=-1, keepdims=True)
    has_mass = top > -np.inf
    if not has_mass.all():
        certain = np.where(one_hot(fallback, logs.shape[-1]), 0.0, -np.inf)
        logs, top = np.where(has_mass, logs, certain), np.where(has_mass, top, 0.0)
    mass = exp(logs - top)
    mass /= mass.sum(axis=-1, keepdims=True)
    return mass, has_mass[..., 0]


def none_shares(logs: FloatArray, none: FloatArray) -> FloatArray:
    """Share of an entry of log weight ``none`` beside the types' ``logs``, along the last axis."""
    top = logs.max(axis=-1)
    least = np.where(top > -np.inf, top, 0.0)
    sums = np.where(top > -np.inf, least + log(exp(logs - least[..., None]).sum(axis=-1)), -np.inf)
    with np.errstate(invalid="ignore"):  # -inf beside -inf: nothing there, and so no share
        ahead = none - sums
    odds = exp(-np.abs(np.where(np.isnan(ahead), -np.inf, ahead)))
    return np.asarray(np.where(ahead > 0, 1.0, odds) / (1.0 + odds))


def standard_errors(probabilities: FloatArray, variances: FloatArray) -> FloatArray:
    """Standard errors of probabilities whose energies, at T = 1, have these variances.

    By the derivative of the probabilities, with errors of different types taken as independent:
    those of one progressive pass rise and fall together, so this is rather too large.
    """
    weighed = probabilities**2 * variances
    rest = weighed.sum(axis=-1, keepdims=True) - weighed
    return np.asarray(np.sqrt(probabilities**2 * ((1.0 - probabilities) ** 2 * variances + rest)))


def hedged(logs: FloatArray, variances: FloatArray) -> FloatArray:
    """Log weights that allow for sampling errors: nearer to the heaviest one, the noisier they are.

    A log ratio x whose error has variance v is, on average over the error, worth about
    x / √(1 + πv/8) (MacKay's approximation of a logistic function's mean).
    """
    best = logs.argmax(axis=-1)[..., None]
    top, its = np.take_along_axis(logs, best, -1), np.take_along_axis(variances, best, -1)
    with np.errstate(invalid="ignore"):  # -inf - -inf where nothing has any weight
        behind = np.where(logs == -np.inf, -np.inf, logs - top)
    return np.asarray(behind / np.sqrt(1.0 + (np.pi / 8.0) * (variances + its)))


def exp(x: FloatArray) -> FloatArray:
    """Return e to the power of each ``x <= 0``; ``-inf`` gives 0.

    >>> exp(np.array([0.0, -1.0, -np.inf]))
    array([1.        , 0.36787944, 0.        ])
    """
    x = np.maximum(x, _LEAST)
    twos = np.rint(x * _LOG2_E)
    rest = (x - twos * _LN2_HIGH) - twos * _LN2_LOW
    return np.ldexp(_polynomial(_EXP, rest), twos.astype(np.int32))


def log(x: FloatArray) -> FloatArray:
    """Return the natural logarithm of each finite ``x >= 0``; 0 gives ``-inf``.

    >>> log(np.array([1.0, 0.5, 0.0]))
    array([ 0.        , -0.69314718,        -inf])
    """
    part, twos = np.frexp(x)
    low = part < np.sqrt(0.5)
    part, twos = np.where(low, 2.0 * part, part), twos - low
    ratio = (part - 1.0) / (part + 1.0)
    rest = ratio * _polynomial(_LOG, ratio * ratio)
    return np.where(x == 0.0, -np.inf, twos * _LN2_HIGH + (rest + twos * _LN2_LOW))


def log_gamma(x: FloatArray) -> FloatArray:
    """Logarithm of the gamma function of each ``x > 0``, to ten digits.

    >>> log_gamma(np.array([0.5, 1.0, 5.0])).round(6)
    array([0.572365, 0.      , 3.178054])
    """
    product, shifted = np.ones_like(x), x
    for _ in range(8):  # Stirling's series wants a large argument
        product, shifted = product * shifted, shifted + 1.0
    inverse = 1.0 / shifted
    series = inverse * (1 / 12 - inverse**2 * (1 / 360 - inverse**2 / 1260))
    return np.asarray((shifted - 0.5) * log(shifted) - shifted + _LOG_ROOT + series - log(product))


def _polynomial(coefficients: list[float], x: FloatArray) -> FloatArray:
    value = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        value = value * x + coefficient
    return value
