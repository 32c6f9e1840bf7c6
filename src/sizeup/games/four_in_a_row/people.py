"""Moves of people at four in a row, as data sets hold them: numbers whose bits are squares.

The board has 4 rows and 9 columns, and bit ``9 * row + column`` is a square; ``black`` and
``white`` are the stones before the move, ``move`` is the new stone. Ours are other bits, with one
between columns (:mod:`~sizeup.games.four_in_a_row.rules`).
"""

from __future__ import annotations

from collections.abc import Mapping

from sizeup.errors import InvalidInput
from sizeup.games.four_in_a_row.rules import INFO, FourInARowState, action_text, checked, state_text

__all__ = ["COLUMNS_OF_PEOPLE", "from_bits", "read_row"]

COLUMNS_OF_PEOPLE = ("black", "white", "to_move", "move")
"""The columns that such a table has beside the person's."""

_SIDES = ("black", "white")
_ROWS, _COLUMNS = INFO.params.rows, INFO.params.columns


def read_row(row: Mapping[str, str]) -> tuple[str, str]:
    """Position and move of one row, as texts of the game.

    >>> read_row({"black": "2048", "white": "0", "to_move": "white", "move": "1"})
    ('........./........./..x....../......... o', 'a1')
    """
    to_move = row["to_move"].strip().lower()
    if to_move not in _SIDES:
        raise InvalidInput(f"to_move is {row['to_move']!r}, expected black or white")
    black, white, move = (_number(name, row[name].strip()) for name in ("black", "white", "move"))
    if black & white:
        raise InvalidInput(f"black {black} and white {white} have stones on the same squares")
    if move.bit_count() != 1 or move & (black | white):
        raise InvalidInput(f"move is {move}, expected one bit, of a square that is empty")
    side = _SIDES.index(to_move)
    state = checked(FourInARowState(from_bits(black), from_bits(white), side), INFO.params)
    return state_text(state, INFO.params), action_text(
        state, from_bits(move).bit_length() - 1, INFO.params
    )


def _number(name: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 11:
        raise InvalidInput(f"{name} is {text!r}, expected the bits of squares as a whole number")
    value = int(text)
    if value >> _ROWS * _COLUMNS:
        raise InvalidInput(f"{name} is {text}, expected bits of {_ROWS * _COLUMNS} squares")
    return value


def from_bits(stones: int) -> int:
    """Stones counted row by row, as our bits.

    >>> from_bits(0b1), from_bits(1 << 35) == 1 << 43
    (1, True)
    """
    return sum(
        1 << (_ROWS + 1) * column + row
        for row in range(_ROWS)
        for column in range(_COLUMNS)
        if stones >> _COLUMNS * row + column & 1
    )
