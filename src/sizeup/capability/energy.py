"""A belief is an energy: the array operations that everything else is made of.

``energy[..., c] >= 0`` over the ranks of the types, ``inf`` where a type is ruled out, and
``P(c) ∝ prior(c) · exp(-energy[c] / T)``. These functions take any leading axes and check
nothing; :mod:`sizeup.capability.beliefs` is the checked door to them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sizeup.capability.arrays import BoolArray, FloatArray, IntArray
from sizeup.capability.elementary import exp

__all__ = ["feasible", "log_weights", "normalised", "one_hot", "reduced"]


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
