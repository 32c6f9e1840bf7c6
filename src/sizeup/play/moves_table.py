"""Tables of moves (CSV): one line for each position and what somebody played there.

No whole game is needed, and the lines need not follow each other. Cells are apart by commas,
semicolons or tabs, as spreadsheets write them. A table has one of two kinds of columns; any others
are left alone:

- ``player``, ``position`` and ``move``, of any game: a position as ``state_text`` writes it, a move
  as ``action_text`` does. Which game that is, a column ``game`` says, or whoever reads it;
- ``person``, ``black``, ``white``, ``to_move`` and ``move``, of people at four in a row, as data
  sets hold them: numbers whose bits are squares. The board has 4 rows and 9 columns, and bit
  ``9 * row + column`` is a square; ``black`` and ``white`` are the stones before the move, ``move``
  is the new stone. Ours are other bits, with one between columns
  (:mod:`~sizeup.games.four_in_a_row.rules`).
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sizeup.errors import InvalidInput
from sizeup.games.four_in_a_row.rules import INFO, FourInARowState, action_text, checked, state_text

__all__ = ["MovesTable", "TableRow", "is_moves_table", "read_moves_table"]

_PLAYER = ("player", "person")
_PEOPLE = ("black", "white", "to_move", "move")
_NAMES = {*_PLAYER, "position", "game", *_PEOPLE}
_SIDES = ("black", "white")
_HEIGHT, _WIDTH = INFO.params.rows, INFO.params.columns
_MARKS = ",;\t"  # between cells
_LONGEST = 10_000  # letters of a line that has names of columns


class TableRow(NamedTuple):
    """A move of a player in a position; ``line`` is where it stands in its file."""

    line: int
    player: str
    position: str
    move: str


@dataclass(frozen=True, repr=False)
class MovesTable:
    r"""Moves of one game in positions of their own.

    ``game`` is its name, empty if not known; ``source`` is the file that it was read from.

    >>> [table] = read_moves_table("player,position,move,game\nAnn,.x./.../... o,a1,my-game\n")
    >>> table, table.rows[0].move, table.players
    (<MovesTable of my-game: 1 move>, 'a1', ('Ann',))
    """

    game: str
    rows: tuple[TableRow, ...]
    source: str = ""

    def __repr__(self) -> str:
        moves = f"{len(self.rows)} move{'' if len(self.rows) == 1 else 's'}"
        return f"<MovesTable of {self.game or 'some game'}: {moves}>"

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody who moves, in the order in which they first do."""
        return tuple(dict.fromkeys(row.player for row in self.rows))


def is_moves_table(text: str) -> bool:
    """Whether a text begins with names of columns, and one of ours is among them.

    >>> is_moves_table("person,black,white,to_move,move"), is_moves_table("1. 11-15 *")
    (True, False)
    """
    names, _ = _columns(text)
    is_pdn = text.lstrip().startswith(("[", "{"))  # whose tags and comments may say anything
    return len(names) > 1 and not is_pdn and not _NAMES.isdisjoint(names)


def read_moves_table(text: str) -> list[MovesTable]:
    """Read a table, one for each game that it names; what is wrong is told with its line."""
    names, mark = _columns(text)
    if "move" not in names or not set(names).intersection(_PLAYER):
        raise _no_table(names)
    if twice := [name for name in names if name and names.count(name) > 1]:
        raise InvalidInput(f"line 1: there are several columns {twice[0]}")
    if set(_PEOPLE) <= set(names):
        read = _read_people
    elif "position" in names:
        read = _read_plain
    else:
        raise _no_table(names)
    games: dict[str, list[TableRow]] = {}
    for line, row in _rows(text, names, mark):
        player = next(row[name] for name in _PLAYER if name in row).strip()
        try:
            if not player:
                raise InvalidInput("there is no name of a player")
            position, move = read(row)
        except InvalidInput as error:
            raise InvalidInput(f"line {line}: {error}") from None
        game = "four-in-a-row" if read is _read_people else row.get("game", "").strip()
        games.setdefault(game, []).append(TableRow(line, player, position, move))
    return [MovesTable(game, tuple(rows)) for game, rows in games.items()]


def _read_plain(row: Mapping[str, str]) -> tuple[str, str]:
    return row["position"].strip(), row["move"].strip()


def _read_people(row: Mapping[str, str]) -> tuple[str, str]:
    """Position and move of one row, as texts of the game.

    >>> _read_people({"black": "2048", "white": "0", "to_move": "white", "move": "1"})
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
    state = checked(FourInARowState(_our_bits(black), _our_bits(white), side), INFO.params)
    return state_text(state, INFO.params), action_text(
        state, _our_bits(move).bit_length() - 1, INFO.params
    )


def _number(name: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 11:
        raise InvalidInput(f"{name} is {text!r}, expected the bits of squares as a whole number")
    value = int(text)
    if value >> _HEIGHT * _WIDTH:
        raise InvalidInput(f"{name} is {text}, expected bits of {_HEIGHT * _WIDTH} squares")
    return value


def _our_bits(stones: int) -> int:
    """Stones counted row by row, as our bits.

    >>> _our_bits(0b1), _our_bits(1 << 35) == 1 << 43
    (1, True)
    """
    return sum(
        1 << (_HEIGHT + 1) * column + row
        for row in range(_HEIGHT)
        for column in range(_WIDTH)
        if stones >> _WIDTH * row + column & 1
    )


def _columns(text: str) -> tuple[list[str], str]:
    """Names of the columns, from the first line, and what is between cells."""
    first = text[:_LONGEST].splitlines()[0] if text else ""
    if len(first) == _LONGEST:
        return [], ","
    read = [(_cells(first, mark), mark) for mark in _MARKS]
    return max(read, key=lambda names: len(names[0]))


def _cells(line: str, mark: str) -> list[str]:
    try:
        return [name.strip().lower() for name in next(csv.reader([line], delimiter=mark), [])]
    except csv.Error:
        return []


def _rows(text: str, names: list[str], mark: str) -> Iterator[tuple[int, dict[str, str]]]:
    reader = csv.reader(text.splitlines()[1:], delimiter=mark)
    try:
        for cells in reader:
            line = reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(names):
                raise InvalidInput(
                    f"line {line}: expected {len(names)} cells, one for each of "
                    f"{', '.join(names)}; got {len(cells)}"
                )
            yield line, dict(zip(names, cells, strict=True))
    except csv.Error as error:
        raise InvalidInput(f"line {reader.line_num + 1}: {error}") from None


def _no_table(names: list[str]) -> InvalidInput:
    return InvalidInput(
        "line 1: a table of moves has the columns player, position and move, or person, "
        f"{', '.join(_PEOPLE)}; got {', '.join(names)}"
    )
