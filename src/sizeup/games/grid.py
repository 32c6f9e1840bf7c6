"""Boards as text for the grid worlds: read, checked, and turned into arrays."""

from __future__ import annotations

from sizeup.errors import InvalidInput

__all__ = ["find_one", "read_board"]


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
