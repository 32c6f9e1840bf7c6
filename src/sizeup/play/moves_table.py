"""Tables of moves (CSV): one line for each position and what somebody played there.

No whole game is needed, and the lines need not follow each other. Cells are apart by commas,
semicolons or tabs, as spreadsheets write them. A table has one of two kinds of columns; any others
are left alone:

- ``player``, ``position`` and ``move``, of any game: a position as ``state_text`` writes it, a move
  as ``action_text`` does. Which game that is, a column ``game`` says, or whoever reads it;
- ``person``, ``black``, ``white``, ``to_move`` and ``move``, of four in a row
  (:mod:`~sizeup.games.four_in_a_row.people`).
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sizeup.errors import InvalidInput
from sizeup.games.four_in_a_row import people

__all__ = ["MovesTable", "TableRow", "is_moves_table", "read_moves_table"]

_PLAYER = ("player", "person")
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
    """Whether a text begins with names of columns, and ``move`` is one of them.

    >>> is_moves_table("person,black,white,to_move,move"), is_moves_table("1. 11-15 *")
    (True, False)
    """
    names, _ = _columns(text)
    return len(names) > 1 and "move" in names


def read_moves_table(text: str) -> list[MovesTable]:
    """Read a table, one for each game that it names; what is wrong is told with its line."""
    names, mark = _columns(text)
    if not set(names).intersection(_PLAYER):
        raise _no_table(names)
    if twice := [name for name in names if name and names.count(name) > 1]:
        raise InvalidInput(f"line 1: there are several columns {twice[0]}")
    if set(people.COLUMNS_OF_PEOPLE) <= set(names):
        read = people.read_row
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
        game = "four-in-a-row" if read is people.read_row else row.get("game", "").strip()
        games.setdefault(game, []).append(TableRow(line, player, position, move))
    return [MovesTable(game, tuple(rows)) for game, rows in games.items()]


def _read_plain(row: Mapping[str, str]) -> tuple[str, str]:
    return row["position"].strip(), row["move"].strip()


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
                    f"line {line}: there are {len(cells)} cells, expected {len(names)}, one for "
                    f"each of {', '.join(names)}"
                )
            yield line, dict(zip(names, cells, strict=True))
    except csv.Error as error:
        raise InvalidInput(f"line {reader.line_num + 1}: {error}") from None


def _no_table(names: list[str]) -> InvalidInput:
    return InvalidInput(
        "line 1: a table of moves has the columns player, position and move, or person, "
        f"{', '.join(people.COLUMNS_OF_PEOPLE)}; got {', '.join(names)}"
    )
