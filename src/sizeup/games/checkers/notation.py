"""Positions and moves of checkers as people write them: FEN texts, and moves as in PDN.

A FEN text is the side to move and the squares of either side, ``K`` before a king:
``B:W21,22,K24:B1,2,K3``. What it may hold is what a game can reach by the number and kind of its
pieces; whether it was ever reached is not asked. Which moves are legal is asked of the rules; what
is here only finds the squares a capture went over, to name it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games import checkers
from sizeup.games.checkers.rules import CheckersState, board_of, captured, changed, squares_of
from sizeup.games.contract import view_here
from sizeup.words import counted

MOST_PIECES = 12
_CROWNING = {"B": range(29, 33), "W": range(1, 5)}
_PIECES = re.compile(r"(?P<king>K?)\s*(?P<first>[0-9]+)(?:\s*-\s*(?P<last>[0-9]+))?")
_LINE_END = re.compile(r"\r\n|\r|\n")


class PdnError(InvalidInput):
    """A text is not PDN (or not FEN); the message says where, and what was expected.

    Parameters
    ----------
    problem
        What is wrong and what was expected.
    line, column
        Where in the text, both counted from 1.

    Examples
    --------
    >>> try:
    ...     state_from_fen("B:W21,99:B1")
    ... except PdnError as error:
    ...     print(error)
    line 1, column 7: there is no square 99; expected 1 to 32
    """

    def __init__(self, problem: str, line: int = 1, column: int = 1) -> None:
        super().__init__(problem, line, column)  # all of it, so that the error can be pickled
        self.problem, self.line, self.column = problem, line, column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.problem}"


class Span(NamedTuple):
    """A part of a text that knows where it stands, for errors that can point at it."""

    source: str
    start: int
    end: int

    @classmethod
    def of(cls, text: str) -> Span:
        """All of a text from a caller."""
        if not isinstance(text, str):
            raise InvalidInput(f"expected a text (str), got {type(text).__name__}")
        return cls(text, 0, len(text))

    @property
    def text(self) -> str:
        """The part itself."""
        return self.source[self.start : self.end]

    def cut(self, left: int, right: int) -> Span:
        """Leave out so many characters at either end, and white space."""
        text = self.source[self.start + left : self.end - right]
        start = self.start + left + len(text) - len(text.lstrip())
        return Span(self.source, start, start + len(text.strip()))

    def split(self, separator: str) -> list[Span]:
        """Parts between separators, without white space around them."""
        parts, start = [], self.start
        for text in self.text.split(separator):
            parts.append(Span(self.source, start, start + len(text)).cut(0, 0))
            start += len(text) + len(separator)
        return parts

    def error(self, problem: str) -> PdnError:
        """An error that points at the first character of this part."""
        lines = _LINE_END.split(self.source[: self.start])
        return PdnError(problem, len(lines), len(lines[-1]) + 1)


def shown(text: str, most: int = 40) -> str:
    """Any text as an error can show it: short, on one line, printable."""
    rest = len(text) - most
    return repr(text[:most]) + (f" (and {counted(rest, 'character')} more)" if rest > 0 else "")


class _Piece(NamedTuple):
    square: int
    is_king: bool
    where: Span


def state_to_fen(state: CheckersState) -> str:
    """Write a position: the side to move, white's pieces, black's pieces.

    >>> from sizeup.games.checkers import CheckersState, board_of
    >>> state = CheckersState(board_of([1, 2, 3]), board_of([21, 24]), board_of([3, 24]), side=0)
    >>> state_to_fen(state)
    'B:W21,K24:B1,2,K3'
    """
    turn = "W" if state.side == 1 else "B"
    text = f"{turn}:W{_listed(state.white, state.kings)}:B{_listed(state.black, state.kings)}"
    if state_from_fen(text) != state:
        raise InvalidInput(f"{state!r} is not a position of checkers: it would read back as {text}")
    return text


def _listed(pieces: int, kings: int) -> str:
    crowned = set(squares_of(kings))
    return ",".join(f"{'K' * (square in crowned)}{square}" for square in squares_of(pieces))


def state_from_fen(text: str) -> CheckersState:
    """Read a position.

    Accepts either order of the sides, a side with no pieces, ranges like ``W21-32``, white space,
    quotes around all of it and a dot at its end. Anything else is a :class:`PdnError`.

    >>> state_from_fen("W:B1,2,K3:W21-24.")
    CheckersState(black=7, white=62914560, kings=4, side=1)
    >>> state_to_fen(state_from_fen('"B : W : B K 32"'))
    'B:W:BK32'
    """
    return read_position(Span.of(text))


def read_position(text: Span) -> CheckersState:
    """Read a position that stands within a longer text."""
    turn, *sides = _sections(text)
    if turn.text not in ("B", "W"):
        raise turn.error(f"the side to move is {shown(turn.text)}; expected B or W")
    pieces = {side.text[:1]: list(_pieces(side)) for side in sides}
    if set(pieces) != {"B", "W"}:
        raise sides[1].error("the same side is given twice; expected one part for W, one for B")
    everything = [piece for side in pieces.values() for piece in side]
    seen: set[int] = set()
    for piece in everything:
        if piece.square in seen:
            raise piece.where.error(f"square {piece.square} is given twice; expected one piece")
        seen.add(piece.square)
    kings = _board([piece for piece in everything if piece.is_king])
    return CheckersState(_board(pieces["B"]), _board(pieces["W"]), kings, int(turn.text == "W"))


def _sections(text: Span) -> list[Span]:
    """Side to move and the two sides, without quotes and the dot at the end."""
    body = text.cut(0, 0)
    if len(body.text) > 1 and body.text[0] == body.text[-1] == '"':
        body = body.cut(1, 1)
    if body.text.endswith("."):
        body = body.cut(0, 1)
    sections = body.split(":")
    if len(sections) != 3:
        raise body.error(
            f"{shown(body.text)} has {counted(len(sections), 'part')} between colons; expected 3: "
            "the side to move, the pieces of one side and those of the other, like "
            "B:W21,22,K24:B1,2,K3"
        )
    return sections


def _pieces(side: Span) -> Iterator[_Piece]:
    """The pieces of one side, each on a square where that side may have such a piece."""
    colour = side.text[:1]
    if colour not in _CROWNING:
        raise side.error(f"{shown(side.text)} names no side; expected W or B before its squares")
    squares = side.cut(1, 0)
    count = 0
    for where in squares.split(",") if squares.text else ():
        for piece in _range(where):
            count += 1
            if count > MOST_PIECES:
                raise where.error(f"{colour} has more than {MOST_PIECES} pieces")
            if not piece.is_king and piece.square in _CROWNING[colour]:
                raise where.error(
                    f"a man of {colour} on {piece.square}, where it would have been crowned; "
                    f"expected K{piece.square}"
                )
            yield piece


def _range(where: Span) -> Iterator[_Piece]:
    """One piece, or the pieces on a range of squares."""
    match = _PIECES.fullmatch(where.text)
    if match is None:
        raise where.error(
            f"{shown(where.text)} is no piece; expected a square like 21, a king like K21, or a "
            "range like 21-24"
        )
    first = _square(where, match["first"])
    last = _square(where, match["last"] or match["first"])
    if last < first:
        raise where.error(f"the range {first}-{last} runs backwards; expected {last}-{first}")
    return (_Piece(square, match["king"] == "K", where) for square in range(first, last + 1))


def _square(where: Span, digits: str) -> int:
    # Python refuses to make an int of thousands of digits, so look at how many there are first.
    significant = digits.lstrip("0")
    square = int(significant) if 0 < len(significant) <= 2 else 0
    if not 1 <= square <= 32:
        raise where.error(f"there is no square {digits[:12]}; expected 1 to 32")
    return square


def _board(pieces: list[_Piece]) -> int:
    return board_of(piece.square for piece in pieces)


Route: TypeAlias = tuple[int, ...]
"""The squares a move goes through, from its first to its last, numbered from 1."""

_MOVE = re.compile(r"[0-9]{1,2}(?:[-xX:][0-9]{1,2})++[!?*]*+")


def _jumps_from(square: int) -> tuple[tuple[int, int], ...]:
    """Squares a piece could jump over and land on, by the board's geometry alone."""
    row, column = place_of(square)
    return tuple(
        (square_at(row + up, column + right), square_at(row + 2 * up, column + 2 * right))
        for up in (-1, 1)
        for right in (-1, 1)
        if 0 <= row + 2 * up < 8 and 0 <= column + 2 * right < 8
    )


def square_at(row: int, column: int) -> int:
    """Number of the square in a row from the top and a column from the left, both from 0."""
    return 4 * row + column // 2 + 1


def place_of(square: int) -> tuple[int, int]:
    """Row and column of a square."""
    row, left = divmod(square - 1, 4)
    return row, 2 * left + (row + 1) % 2


_JUMPS = {square: _jumps_from(square) for square in range(1, 33)}


def _routes(first: int, last: int, taken: frozenset[int]) -> list[Route]:
    """Every order in which a piece can jump over all of ``taken`` between two squares.

    Which squares are free is not asked: every route over the same pieces lands on the same
    squares, and the rules have found one.
    """
    routes = []
    unfinished: list[tuple[Route, frozenset[int]]] = [((first,), taken)]
    while unfinished:
        path, left = unfinished.pop()
        if not left and path[-1] == last:
            routes.append(path)
        unfinished.extend(
            ((*path, to), left - {over}) for over, to in _JUMPS[path[-1]] if over in left
        )
    return sorted(routes)


def _paths(state: CheckersState, action: int) -> list[Route]:
    """Every path that is this legal action: one, or more if a capture can go either way round."""
    own = state.black if state.side == 0 else state.white
    moved, taken = changed(action), frozenset(squares_of(captured(action)))
    if not moved:  # a king that jumps in a circle; which king, only the geometry tells
        return [path for square in squares_of(own) for path in _routes(square, square, taken)]
    (first,), (last,) = squares_of(moved & own), squares_of(moved & ~own)
    return _routes(first, last, taken) if taken else [(first, last)]


def _legal_paths(state: CheckersState) -> dict[int, list[Route]]:
    """Routes of each legal action."""
    return {action: _paths(state, action) for action in view_here(checkers).actions(state)}


def route_of(state: CheckersState, action: int) -> Route:
    """The squares a legal action goes through: where it starts, every landing, where it ends."""
    return _paths(state, action)[0]


def move_to_text(state: CheckersState, action: int) -> str:
    """Write a legal action: ``11-15``, ``15x22``, or ``1x10x19x26`` where less would not do.

    A capture is written with its whole path if another one has the same first and last square,
    or if these are the same.

    >>> from sizeup.games.checkers import board_of
    >>> move_to_text(view_here(checkers).start(), board_of([11, 15]))
    '11-15'
    """
    if not captured(action) and action in view_here(checkers).actions(state):
        return _joined(_paths(state, action)[0], "-")  # whatever the other moves are
    legal = _legal_paths(state)
    if action not in legal:
        raise IllegalAction(f"action {action!r} is not legal here; legal are {_legal_texts(legal)}")
    return _written(action, legal)


def _written(action: int, legal: dict[int, list[Route]]) -> str:
    path = legal[action][0]
    if not captured(action):
        return _joined(path, "-")
    same_ends = [one for one in legal.values() if _ends(one[0]) == _ends(path)]
    whole = len(same_ends) > 1 or path[0] == path[-1]
    return _joined(path if whole else _ends(path), "x")


def _ends(path: Route) -> Route:
    return path[0], path[-1]


def _joined(path: Route, separator: str) -> str:
    return separator.join(map(str, path))


def _legal_texts(legal: dict[int, list[Route]]) -> str:
    return ", ".join(_written(action, legal) for action in legal) or "none: the game is over"


def move_from_text(state: CheckersState, text: str) -> int:
    """Read a move as the legal action it names.

    Between its first and last square a capture may name all squares it lands on, some, or none,
    if it is still clear which capture is meant; a text that is the whole path of one capture
    means that one. Two ways round over the same pieces are one action, and either is accepted.
    ``-``, ``x`` and ``:`` mean the same (old databases confuse them), and marks of strength
    (``!``, ``?``, ``*``) may follow.

    >>> from sizeup.games.checkers import board_of
    >>> move_from_text(view_here(checkers).start(), "11-15!") == board_of([11, 15])
    True
    """
    return read_move(state, Span.of(text).cut(0, 0))


def read_move(state: CheckersState, text: Span) -> int:
    """Read a move that stands within a longer text."""
    if not _MOVE.fullmatch(text.text):
        raise text.error(f"{shown(text.text)} is not a move; expected one like 11-15 or 15x22")
    named = tuple(int(square) for square in re.findall(r"[0-9]+", text.text))
    if (action := _only_one_between(state, named)) is not None:
        return action
    legal = _legal_paths(state)
    meant = [action for action, paths in legal.items() if named in paths] or [
        action for action, paths in legal.items() if any(_agree(named, path) for path in paths)
    ]
    if len(meant) == 1:
        return meant[0]
    if meant:
        options = ", ".join(_joined(legal[action][0], "x") for action in meant)
        raise text.error(f"{shown(text.text)} is ambiguous; expected one of {options}")
    raise text.error(f"{shown(text.text)} is not legal here; legal are {_legal_texts(legal)}")


def _only_one_between(state: CheckersState, named: Route) -> int | None:
    """The action between two squares, if there is but one: no need to find anybody's path."""
    if len(named) != 2 or named[0] == named[1] or not all(1 <= n <= 32 for n in named):
        return None
    first, both = board_of(named[:1]), board_of(named)
    if not first & (state.white if state.side else state.black):
        return None
    meant = [a for a in view_here(checkers).actions(state) if changed(a) == both]
    return meant[0] if len(meant) == 1 else None


def _agree(named: Route, path: Route) -> bool:
    """Whether the named squares are a path's first, last, and some between, in its order."""
    rest = iter(path)
    return _ends(named) == _ends(path) and all(square in rest for square in named)
