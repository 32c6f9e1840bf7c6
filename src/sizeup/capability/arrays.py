"""Array aliases and the door checks that every part of the theory shares."""

from __future__ import annotations

from operator import index as as_integer
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sizeup.errors import InvalidInput

__all__ = [
    "BoolArray",
    "FloatArray",
    "IntArray",
    "as_floats",
    "as_integers",
    "check_player",
    "frozen",
    "number",
    "require",
    "whole",
]

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]

Array = TypeVar("Array", bound=NDArray[Any])


def require(condition: bool | np.bool_, message: str) -> None:
    """Raise :class:`InvalidInput` with ``message`` unless ``condition`` holds."""
    if not condition:
        raise InvalidInput(message)


def whole(value: object, what: str, least: int) -> int:
    """Return an integer of at least ``least``; True, 2.0 and "2" are none."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        result = as_integer(value)  # type: ignore[arg-type]  # the TypeError is the check
    except TypeError:
        raise InvalidInput(f"{what} must be an integer, got {value!r}") from None
    require(result >= least, f"{what} must be {least} or more, got {result}")
    return result


def number(value: object, what: str) -> float:
    """Return a number that is not NaN."""
    if isinstance(value, (bool, str)) or not np.isscalar(value) or value != value:
        raise InvalidInput(f"{what} must be a number, got {value!r}")
    try:
        return float(value)  # type: ignore[arg-type]  # complex numbers fail here
    except TypeError:
        raise InvalidInput(f"{what} must be a number, got {value!r}") from None


def as_floats(values: ArrayLike, what: str) -> FloatArray:
    """Return an array of numbers; text and ragged lists are none."""
    return _as_array(values, what, "iuf", "numbers").astype(np.float64, copy=False)


def as_integers(values: ArrayLike, what: str) -> IntArray:
    """Return an array of integers; floats and booleans are none."""
    return _as_array(values, what, "iu", "integers").astype(np.int64, copy=False)


def _as_array(values: ArrayLike, what: str, kinds: str, wanted: str) -> NDArray[Any]:
    try:
        array = np.asarray(values)
    except ValueError:
        raise InvalidInput(f"{what}: expected {wanted} in even rows, got {values!r}") from None
    if array.dtype.kind not in kinds and array.size:
        raise InvalidInput(f"{what}: expected {wanted}, got {values!r}")
    return array


def check_player(player: int | ArrayLike, players: int) -> IntArray:
    """Return player indices as an array, or say which one is not a player."""
    if type(player) is int and 0 <= player < players:
        return np.asarray(player)  # the common case, at a tenth of the cost
    index = as_integers(player, f"a player from 0 to {players - 1}")
    outside = (index < 0) | (index >= players)
    if outside.any():
        raise InvalidInput(
            f"player {index[outside].flat[0]} is out of range, expected 0 to {players - 1}"
        )
    return index


def frozen(array: Array) -> Array:
    """Make an array read-only, so that data which crosses a door stays what it was."""
    array.setflags(write=False)
    return array
