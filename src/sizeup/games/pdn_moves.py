"""Single moves of checkers as PDN texts: from an action to the squares it names, and back.

Which moves are legal is asked of the rules; what is here only finds the squares a capture went
over, to name it.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from sizeup.errors import IllegalAction
from sizeup.games import checkers
from sizeup.games.checkers import State
from sizeup.games.contract import View
from sizeup.games.fen import Span, shown, squares_of

__all__ = ["move_from_text", "move_to_text", "read_move"]

Path: TypeAlias = tuple[int, ...]
"""The squares a move goes through, from its first to its last, as bit numbers."""

_BOARD = 0xFFFFFFFF
_MOVE = re.compile(r"[0-9]{1,2}(?:[-xX:][0-9]{1,2})++[!?*]*+")


def _jumps_from(square: int) -> tuple[tuple[int, int], ...]:
    """Squares a piece could jump over and land on, by the board's geometry alone."""
    row, left = divmod(square, 4)
    column = 2 * left + (row + 1) % 2
    return tuple(
        (_square_at(row + up, column + right), _square_at(row + 2 * up, column + 2 * right))
        for up in (-1, 1)
        for right in (-1, 1)
        if 0 <= row + 2 * up < 8 and 0 <= column + 2 * right < 8
    )


def _square_at(row: int, column: int) -> int:
    return 4 * row + column // 2


_JUMPS = tuple(_jumps_from(square) for square in range(32))


def _routes(first: int, last: int, taken: int) -> list[Path]:
    """Every order in which a piece can jump over all of ``taken`` between two squares.

    Which squares are free is not asked: every route over the same pieces lands on the same
    squares, and the rules have found one.
    """
    routes = []
    unfinished: list[tuple[Path, int]] = [((first,), taken)]
    while unfinished:
        path, left = unfinished.pop()
        if not left and path[-1] == last:
            routes.append(path)
        unfinished.extend(
            ((*path, to), left ^ (1 << over)) for over, to in _JUMPS[path[-1]] if left >> over & 1
        )
    return sorted(routes)


def _paths(state: State, action: int) -> list[Path]:
    """Every path that is this legal action: one, or more if a capture can go either way round."""
    own = state.black if state.side == 0 else state.white
    changed, taken = action & _BOARD, action >> 32
    if not changed:  # a king that jumps in a circle; which king, only the geometry tells
        return [path for n in squares_of(own) for path in _routes(n, n, taken)]
    first = (changed & own).bit_length() - 1
    last = (changed & ~own).bit_length() - 1
    return _routes(first, last, taken) if taken else [(first, last)]


def _legal_paths(state: State) -> dict[int, list[Path]]:
    """Paths of each legal action."""
    return {action: _paths(state, action) for action in View(checkers).actions(state)}


def move_to_text(state: State, action: int) -> str:
    """Write a legal action: ``11-15``, ``15x22``, or ``1x10x19x26`` where less would not do.

    A capture is written with its whole path if another one has the same first and last square,
    or if these are the same.

    >>> from sizeup.games.checkers import State
    >>> move_to_text(State(black=0xFFF, white=0xFFF00000, kings=0, side=0), 0x4400)
    '11-15'
    """
    legal = _legal_paths(state)
    if action not in legal:
        raise IllegalAction(f"action {action!r} is not legal here; legal are {_listed(legal)}")
    return _written(action, legal)


def _written(action: int, legal: dict[int, list[Path]]) -> str:
    path = legal[action][0]
    if not action >> 32:
        return _joined(path, "-")
    same_ends = [one for one in legal.values() if _ends(one[0]) == _ends(path)]
    whole = len(same_ends) > 1 or path[0] == path[-1]
    return _joined(path if whole else _ends(path), "x")


def _ends(path: Path) -> Path:
    return path[0], path[-1]


def _joined(path: Path, separator: str) -> str:
    return separator.join(str(square + 1) for square in path)


def _listed(legal: dict[int, list[Path]]) -> str:
    return ", ".join(_written(action, legal) for action in legal) or "none: the game is over"


def move_from_text(state: State, text: str) -> int:
    """Read a move as the legal action it names.

    Between its first and last square a capture may name all squares it lands on, some, or none,
    if it is still clear which capture is meant; a text that is the whole path of one capture
    means that one. Two ways round over the same pieces are one action, and either is accepted.
    ``-``, ``x`` and ``:`` mean the same (old databases confuse them), and marks of strength
    (``!``, ``?``, ``*``) may follow.

    >>> from sizeup.games.checkers import State
    >>> start = State(black=0xFFF, white=0xFFF00000, kings=0, side=0)
    >>> hex(move_from_text(start, "11-15!"))
    '0x4400'
    """
    return read_move(state, Span.of(text).cut(0, 0))


def read_move(state: State, text: Span) -> int:
    """Read a move that stands within a longer text."""
    if not _MOVE.fullmatch(text.text):
        raise text.error(f"{shown(text.text)} is no move; expected one like 11-15 or 15x22")
    named = tuple(int(square) - 1 for square in re.findall(r"[0-9]+", text.text))
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
