"""Array aliases and the door checks that every part of the theory shares."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sizeup.errors import InvalidInput

__all__ = ["BoolArray", "FloatArray", "IntArray", "check_player", "frozen", "require"]

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]


def require(condition: bool | np.bool_, message: str) -> None:
    """Raise :class:`InvalidInput` with ``message`` unless ``condition`` holds."""
    if not condition:
        raise InvalidInput(message)


def check_player(player: int | ArrayLike, players: int) -> IntArray:
    """Return player indices as an array, or say which one is not a player."""
    index = np.asarray(player)
    if type(player) is int and 0 <= player < players:
        return index  # the common case, at a tenth of the cost
    require(
        index.dtype.kind in "iu", f"a player is an integer from 0 to {players - 1}, got {player!r}"
    )
    outside = (index < 0) | (index >= players)
    if outside.any():
        raise InvalidInput(
            f"player {index[outside].flat[0]} is out of range, expected 0 to {players - 1}"
        )
    return index.astype(np.int64, copy=False)


def frozen(array: FloatArray) -> FloatArray:
    """Make an array read-only, so that data which crosses a door stays what it was."""
    array.setflags(write=False)
    return array
