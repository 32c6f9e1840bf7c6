"""The array alias and the checks of arguments that every file of this room shares."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sizeup.errors import InvalidInput

Floats: TypeAlias = NDArray[np.float64]

ROUNDING = 1e-9  # a mean of games may be this far outside its range


def require(condition: bool | np.bool_, message: str) -> None:
    """Raise :class:`InvalidInput` with ``message`` unless ``condition`` holds."""
    if not condition:
        raise InvalidInput(message)


def number_within(
    value: float, what: str, low: float, high: float, *, edges: bool = False
) -> float:
    """Return a number between two others, which it may equal only if ``edges``."""
    try:
        inside = low <= value <= high if edges else low < value < high
    except TypeError:
        inside = False
    wanted = f"from {low:g} to {high:g}" if edges else f"strictly between {low:g} and {high:g}"
    require(inside, f"{what} must be {wanted}, got {value!r}")
    return float(value)


def check_level(level: float) -> float:
    """Return a level of confidence, such as 0.95."""
    return number_within(level, "a level of confidence", 0, 1)


def check_bound(bound: float) -> None:
    """Require a bound of scores: 1, or 2 for differences."""
    require(0 < bound < np.inf, f"the bound of scores must be above 0, got {bound}")


def finite(values: ArrayLike, what: str) -> Floats:
    """Return an array of finite numbers; text and ragged lists are refused."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidInput(f"{what} must be numbers, got {values!r}") from None
    broken = ~np.isfinite(array)
    require(not broken.any(), f"{what} must be finite, got {array[broken][:1]}")
    return array


def scores_within(values: ArrayLike, bound: float, what: str) -> Floats:
    """Return scores, each from ``-bound`` to ``bound``."""
    scores = finite(values, what)
    check_bound(bound)
    outside = np.abs(scores) > bound + ROUNDING
    require(
        not outside.any(),
        f"{what} must lie from {-bound:g} to {bound:g}, got {scores[outside][:1]}; scores are "
        "(wins - losses) / games, not points, and differences need bound=2",
    )
    return np.clip(scores, -bound, bound)
