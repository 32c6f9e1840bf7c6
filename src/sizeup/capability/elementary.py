"""Exponential and logarithm with the same bits on every machine.

NumPy's own take whatever instructions the processor has, and differ in their last bit from one
processor to the next; so would beliefs, and a game that was stored on one machine would not be the
one that another plays from its seed. These two only add, multiply, divide and scale by powers of
two, which every machine rounds alike. They are right to three units in the last place.
"""

from __future__ import annotations

from math import factorial

import numpy as np

from sizeup.capability.arrays import FloatArray

__all__ = ["exp", "log"]

_LOG2_E = 1.4426950408889634
_LN2_HIGH = 0.693147180369123816490  # its last 32 bits are 0: times a small integer it is exact
_LN2_LOW = 1.90821492927058770002e-10
_LEAST = -746.0  # below it there is nothing but 0
_EXP = [1.0 / factorial(n) for n in range(13, -1, -1)]
_LOG = [2.0 / n for n in range(25, 0, -2)]


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


def _polynomial(coefficients: list[float], x: FloatArray) -> FloatArray:
    value = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        value = value * x + coefficient
    return value
