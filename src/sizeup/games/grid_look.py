"""What the looks of grid worlds share: rows of tiles, words for directions, limits of a board."""

from collections.abc import Iterator, Sequence
from typing import Any

from sizeup.games.grid import MOST_COINS
from sizeup.games.look import Limit, Row, Tile, counts

PHRASES = {"N": "move north", "E": "move east", "S": "move south", "W": "move west"}
KEYS = {"N": "up", "E": "right", "S": "down", "W": "left"}


def rows_of_tiles(tiles: Sequence[Tile], width: int) -> tuple[Row, ...]:
    """Tiles that are counted row by row, as the rows of a scene."""
    return tuple(tuple(tiles[at : at + width]) for at in range(0, len(tiles), width))


def coins_left(coins: int, colour: str = "") -> str:
    """How many coins are left, in words."""
    count = int(coins).bit_count()
    return f"{count} {colour}coin{'' if count == 1 else 's'} left"


def grid_limits(params: Any, maps: Sequence[str], places: Sequence[str]) -> Iterator[Limit]:
    """Limits of a board of tiles row by row, with coins on some of them."""
    for name in ("width", "height"):
        yield Limit(name, getattr(params, name) >= 1, "a whole number of 1 or more")
    tiles = params.width * params.height
    for name in maps:
        yield Limit(
            name, len(getattr(params, name)) == tiles, f"a number for each of {tiles} tiles"
        )
    for name in places:
        yield Limit(name, 0 <= getattr(params, name) < tiles, f"a tile from 0 to {tiles - 1}")
    numbered = bool(((params.coin >= -1) & (params.coin < MOST_COINS)).all())
    yield Limit("coin", numbered, f"numbers of coins from 0 to {MOST_COINS - 1}, or -1 for none")
    yield from coin_limits(params, "all_coins")
    yield from counts(params, "most_turns")


def coin_limits(params: Any, *fields: str) -> Iterator[Limit]:
    """Limits of fields whose bits are coins."""
    for name in fields:
        fits = 0 <= getattr(params, name) < 2**MOST_COINS
        yield Limit(name, fits, f"the bits of {MOST_COINS} coins")
