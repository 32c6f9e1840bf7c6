"""Boards as text for the grid worlds: read, checked, and turned into arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sizeup.errors import InvalidInput

__all__ = ["MOST_COINS", "coins_shown", "find_one", "number_coins", "read_board", "split_state"]

MOST_COINS = 62
"""Coins are bits of one int64."""


def read_board(text: str, allowed: str, what: str) -> list[str]:
    r"""Rows of a board, all of one width, made of ``allowed`` characters only.

    >>> read_board("..F\n.SF", allowed=".SF", what="a board")
    ['..F', '.SF']
    """
    rows = text.strip("\n").splitlines()
    if not rows or not rows[0]:
        raise InvalidInput(f"{what} is empty; expected rows of {' '.join(allowed)}")
    for line, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise InvalidInput(
                f"{what}: line {line} has {len(row)} tiles, expected {len(rows[0])} like line 1"
            )
        for column, tile in enumerate(row, start=1):
            if tile not in allowed:
                raise InvalidInput(
                    f"{what}: line {line}, column {column} is {tile!r}, expected one of "
                    f"{' '.join(allowed)}"
                )
    return rows


def find_one(rows: list[str], tile: str, what: str) -> int:
    """Index of the only tile of its kind, counting row by row."""
    found = [index for index, other in enumerate("".join(rows)) if other == tile]
    if len(found) != 1:
        raise InvalidInput(f"{what} needs exactly one {tile!r}, found {len(found)}")
    return found[0]


def number_coins(rows: list[str], kinds: str, what: str) -> NDArray[np.int64]:
    """Number of each tile's coin, row by row, -1 where there is none.

    >>> number_coins(["C.C"], "C", "a board")
    array([ 0, -1,  1])
    """
    coins = np.array([tile in kinds for tile in "".join(rows)])
    if coins.sum() > MOST_COINS:
        raise InvalidInput(f"{what} holds at most {MOST_COINS} coins, got {coins.sum()}")
    return np.where(coins, np.cumsum(coins) - 1, -1).astype(np.int64)


def split_state(text: str, players: str, what: str) -> tuple[str, int]:
    """Tiles of a state written as rows with ``/`` between them, and the player named after them."""
    rows, _, player = str(text).strip().partition(" ")
    if len(player) != 1 or player not in players:
        raise InvalidInput(
            f"{text!r} is no state of {what}; expected rows with / between them, a space, and "
            f"who moves ({' or '.join(players)})"
        )
    return rows.replace("/", ""), players.index(player)


def coins_shown(tiles: str, kinds: str, coin: NDArray[np.int64]) -> int:
    """Bits of the coins that are shown where the board has them.

    >>> coins_shown("C..", "C", number_coins(["C.C"], "C", "a board"))
    1
    """
    places = zip(tiles, coin.tolist(), strict=False)
    return sum(1 << number for tile, number in places if number >= 0 and tile in kinds)
