"""From an observed action to evidence about its author's type: exact and tempered updates.

Both rules read the same table: ``q[..., c, a]``, the value of action ``a`` to a player of the
acting player's seat *if it were of type c*, with everybody's beliefs reduced to c. Rows that the
observer cannot evaluate are NaN, and so is their evidence.
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
from sizeup.capability.beliefs import Temperature
from sizeup.capability.elementary import log
from sizeup.errors import IllegalAction, InvalidInput

__all__ = ["TIE_TOLERANCE", "Exact", "Tempered", "UpdateRule", "best_actions"]

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


@dataclass(frozen=True)
class Tempered:
    """The tempered update: what the action lost, in the eyes of each type.

    Parameters
    ----------
    temperature
        A constant or one of :mod:`sizeup.capability.temperature`.
    clip
        Largest loss that one action may add; None for no limit.

    Examples
    --------
    >>> Tempered(temperature=0.1, clip=0.5).evidence([[1.0, 0.8], [0.0, 2.0]], action=0)
    array([0. , 0.5])
    """

    temperature: Temperature
    clip: float | None = None

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
        loss: FloatArray = values.max(axis=-1) - np.take_along_axis(values, chosen, axis=-1)[..., 0]
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
