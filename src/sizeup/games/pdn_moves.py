"""Single moves of checkers as PDN texts: from an action to the squares it names, and back.

Which moves are legal is asked of the rules; what is here only finds the squares a capture went
over, to name it.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from sizeup.errors import IllegalAction
from sizeup.games import checkers
from sizeup.games.checkers import State, captured, changed, squares_of
from sizeup.games.contract import View
from sizeup.games.fen import Span, shown

__all__ = ["move_from_text", "move_to_text", "read_move"]

Path: TypeAlias = tuple[int, ...]
"""The squares a move goes through, from its first to its last, numbered from 1."""

_MOVE = re.compile(r"[0-9]{1,2}(?:[-xX:][0-9]{1,2})++[!?*]*+")


def _jumps_from(square: int) -> tuple[tuple[int, int], ...]:
    """Squares a piece could jump over and land on, by the board's geometry alone."""
    row, left = divmod(square - 1, 4)
    column = 2 * left + (row + 1) % 2
    return tuple(
        (_square_at(row + up, column + right), _square_at(row + 2 * up, column + 2 * right))
        for up in (-1, 1)
        for right in (-1, 1)
        if 0 <= row + 2 * up < 8 and 0 <= column + 2 * right < 8
    )


def _square_at(row: int, column: int) -> int:
    return 4 * row + column // 2 + 1


_JUMPS = {square: _jumps_from(square) for square in range(1, 33)}


def _routes(first: int, last: int, taken: frozenset[int]) -> list[Path]:
    """Every order in which a piece can jump over all of ``taken`` between two squares.

    Which squares are free is not asked: every route over the same pieces lands on the same
    squares, and the rules have found one.
    """
    routes = []
    unfinished: list[tuple[Path, frozenset[int]]] = [((first,), taken)]
    while unfinished:
        path, left = unfinished.pop()
        if not left and path[-1] == last:
            routes.append(path)
        unfinished.extend(
            ((*path, to), left - {over}) for over, to in _JUMPS[path[-1]] if over in left
        )
    return sorted(routes)


def _paths(state: State, action: int) -> list[Path]:
    """Every path that is this legal action: one, or more if a capture can go either way round."""
    own = state.black if state.side == 0 else state.white
    moved, taken = changed(action), frozenset(squares_of(captured(action)))
    if not moved:  # a king that jumps in a circle; which king, only the geometry tells
        return [path for square in squares_of(own) for path in _routes(square, square, taken)]
    (first,), (last,) = squares_of(moved & own), squares_of(moved & ~own)
    return _routes(first, last, taken) if taken else [(first, last)]


def _legal_paths(state: State) -> dict[int, list[Path]]:
    """Paths of each legal action."""
    return {action: _paths(state, action) for action in View(checkers).actions(state)}


def move_to_text(state: State, action: int) -> str:
    """Write a legal action: ``11-15``, ``15x22``, or ``1x10x19x26`` where less would not do.

    A capture is written with its whole path if another one has the same first and last square,
    or if these are the same.

    >>> from sizeup.games.checkers import board_of
    >>> move_to_text(View(checkers).start(), board_of([11, 15]))
    '11-15'
    """
    if not captured(action) and action in View(checkers).actions(state):
        return _joined(_paths(state, action)[0], "-")  # whatever the other moves are
    legal = _legal_paths(state)
    if action not in legal:
        raise IllegalAction(f"action {action!r} is not legal here; legal are {_listed(legal)}")
    return _written(action, legal)


def _written(action: int, legal: dict[int, list[Path]]) -> str:
    path = legal[action][0]
    if not captured(action):
        return _joined(path, "-")
    same_ends = [one for one in legal.values() if _ends(one[0]) == _ends(path)]
    whole = len(same_ends) > 1 or path[0] == path[-1]
    return _joined(path if whole else _ends(path), "x")


def _ends(path: Path) -> Path:
    return path[0], path[-1]


def _joined(path: Path, separator: str) -> str:
    return separator.join(map(str, path))


def _listed(legal: dict[int, list[Path]]) -> str:
    return ", ".join(_written(action, legal) for action in legal) or "none: the game is over"


def move_from_text(state: State, text: str) -> int:
    """Read a move as the legal action it names.

    Between its first and last square a capture may name all squares it lands on, some, or none,
    if it is still clear which capture is meant; a text that is the whole path of one capture
    means that one. Two ways round over the same pieces are one action, and either is accepted.
    ``-``, ``x`` and ``:`` mean the same (old databases confuse them), and marks of strength
    (``!``, ``?``, ``*``) may follow.

    >>> from sizeup.games.checkers import board_of
    >>> move_from_text(View(checkers).start(), "11-15!") == board_of([11, 15])
    True
    """
    return read_move(state, Span.of(text).cut(0, 0))


def read_move(state: State, text: Span) -> int:
    """Read a move that stands within a longer text."""
    if not _MOVE.fullmatch(text.text):
        raise text.error(f"{shown(text.text)} is no move; expected one like 11-15 or 15x22")
    named = tuple(int(square) for square in re.findall(r"[0-9]+", text.text))
    legal = _legal_paths(state)
    meant = [action for action, paths in legal.items() if named in paths] or [
        action for action, paths in legal.items() if any(_agree(named, path) for path in paths)
    ]
    if len(meant) == 1:
        return meant[0]
    if meant:
        options = ", ".join(_joined(legal[action][0], "x") for action in meant)
        raise text.error(f"{shown(text.text)} is ambiguous; expected one of {options}")
    raise text.error(f"{shown(text.text)} is not legal here; legal are {_listed(legal)}")


def _agree(named: Path, path: Path) -> bool:
    """Whether the named squares are a path's first, last, and some between, in its order."""
    rest = iter(path)
    return _ends(named) == _ends(path) and all(square in rest for square in named)
