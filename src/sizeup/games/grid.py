"""What the grid worlds share: turns, directions, coins; boards as text, read, checked, written."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizeup.errors import InvalidInput
from sizeup.jit import jit

NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
DIRECTIONS = "NESW"

MOST_COINS = 62
"""Coins are bits of one int64."""


@jit
def actor(state: Any, params: Any) -> int:
    """The two players in turn."""
    return state.player


@jit
def is_terminal(state: Any, params: Any) -> bool:
    """Never, for those who plan."""
    return False


@jit
def moved(at: int, direction: int, width: int) -> int:
    """Tile in a direction that stays on the board; tiles are counted row by row."""
    if direction == NORTH:
        return at - width
    if direction == EAST:
        return at + 1
    if direction == SOUTH:
        return at + width
    return at - 1


@jit
def neighbour(at: int, direction: int, width: int, height: int) -> int:
    """Tile in a direction, or -1 off the board."""
    row, column = at // width, at % width
    if direction == NORTH:
        inside = row > 0
    elif direction == EAST:
        inside = column < width - 1
    elif direction == SOUTH:
        inside = row < height - 1
    else:
        inside = column > 0
    return moved(at, direction, width) if inside else -1


@jit
def without_coin(coins: int, coin: NDArray[np.int64], at: int) -> int:
    """Bits of the coins that are left when the one on a tile, if it has one, is taken."""
    return coins & ~(1 << coin[at]) if coin[at] >= 0 else coins


def has_coin(coins: int, coin: NDArray[np.int64], at: int) -> bool:
    """Whether the coin of a tile is left."""
    return bool(coin[at] >= 0 and coins >> int(coin[at]) & 1)


def read_board(text: str, allowed: str, what: str) -> list[str]:
    """Rows of a board, all of one width, made of ``allowed`` characters only."""
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
    """Number of each tile's coin, row by row, -1 where there is none."""
    coins = np.array([tile in kinds for tile in "".join(rows)])
    if coins.sum() > MOST_COINS:
        raise InvalidInput(f"{what} holds at most {MOST_COINS} coins, got {coins.sum()}")
    return np.where(coins, np.cumsum(coins) - 1, -1).astype(np.int64)


def split_state(text: str, players: str, what: str) -> tuple[str, int]:
    """Tiles of a state written as rows with ``/`` between them, and the player named after them."""
    rows, _, player = str(text).strip().partition(" ")
    if len(player) != 1 or player not in players:
        raise InvalidInput(
            f"{text!r} is not a state of {what}; expected rows with / between them, a space, and "
            f"who moves ({' or '.join(players)})"
        )
    return rows.replace("/", ""), players.index(player)


def join_state(tiles: str, width: int, player: str) -> str:
    """Write what :func:`split_state` reads, such as ``..C/@.. 1``."""
    rows = (tiles[at : at + width] for at in range(0, len(tiles), width))
    return f"{'/'.join(rows)} {player}"


def coins_shown(tiles: str, kinds: str, coin: NDArray[np.int64]) -> int:
    """Bits of the coins that are shown where the board has them."""
    places = zip(tiles, coin.tolist(), strict=False)
    return sum(1 << number for tile, number in places if number >= 0 and tile in kinds)
