"""Quantiles of the normal and of Student's distribution, in NumPy alone."""

from __future__ import annotations

from math import lgamma, log, pi
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from sizeup.statistics.checks import FloatArray

__all__ = ["normal_quantile", "normal_reach", "student_reach"]

NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(40)
LARGEST_DF = 1e6  # beyond it Student's distribution is the normal one to six digits
BISECTIONS = 50

_lgamma = np.frompyfunc(lgamma, 1, 1)


def normal_quantile(probability: float) -> float:
    """Value that a standard normal variable stays below with this probability."""
    return NormalDist().inv_cdf(probability)


def normal_reach(level: float) -> float:
    """Distance from 0 that a standard normal variable keeps within with probability ``level``.

    >>> round(normal_reach(0.95), 3)
    1.96
    """
    return normal_quantile((1 + level) / 2)


def student_reach(level: float, df: ArrayLike) -> FloatArray:
    """The same for Student's distribution with ``df`` degrees of freedom, at least 1.

    With T = √df·tan(θ), the probability of staying within is an integral of cos^(df-1) from 0 to
    θ; the angle is bisected. Good to eight digits for levels up to 0.99, to three at 0.999.

    >>> student_reach(0.95, [1, 10]).round(3)
    array([12.706,  2.228])
    """
    shape = np.shape(df)
    df, where = np.unique(np.clip(df, 1.0, LARGEST_DF), return_inverse=True)
    log_scale = np.asarray(_lgamma((df + 1) / 2) - _lgamma(df / 2), dtype=np.float64) - log(pi) / 2
    wallace = normal_reach(level) * (8 * df + 3) / (8 * df + 1)  # his approximation, to start near
    high = np.minimum(1.1 * np.arccos(np.exp(-(wallace**2) / df / 2)), pi / 2)
    low = np.zeros_like(high)
    for _ in range(BISECTIONS):
        angle = (low + high) / 2
        inner = np.multiply.outer(angle, (NODES + 1) / 2)
        density = np.exp((df[..., None] - 1) * np.log(np.cos(inner)) + log_scale[..., None])
        inside = angle * (density @ NODE_WEIGHTS) < level
        low, high = np.where(inside, angle, low), np.where(inside, high, angle)
    return np.asarray((np.sqrt(df) * np.tan((low + high) / 2))[where].reshape(shape))
