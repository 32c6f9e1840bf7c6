"""Positions of checkers as FEN texts, and the error that says where in a text something is wrong.

A FEN text is the side to move and the squares of either side, ``K`` before a king:
``B:W21,22,K24:B1,2,K3``. What it may hold is what a game can reach by the number and kind of its
pieces; whether it was ever reached is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sizeup.errors import InvalidInput
from sizeup.games.checkers import State, board_of, squares_of

__all__ = ["PdnError", "state_from_fen", "state_to_fen"]

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
    return repr(text[:most]) + (f" (and {rest} characters more)" if rest > 0 else "")


class _Piece(NamedTuple):
    square: int
    is_king: bool
    where: Span


def state_to_fen(state: State) -> str:
    """Write a position: the side to move, white's pieces, black's pieces.

    >>> from sizeup.games.checkers import State, board_of
    >>> state_to_fen(State(board_of([1, 2, 3]), board_of([21, 24]), board_of([3, 24]), side=0))
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


def state_from_fen(text: str) -> State:
    """Read a position.

    Accepts either order of the sides, a side with no pieces, ranges like ``W21-32``, white space,
    quotes around all of it and a dot at its end. Anything else is a :class:`PdnError`.

    >>> state_from_fen("W:B1,2,K3:W21-24.")
    State(black=7, white=62914560, kings=4, side=1)
    >>> state_to_fen(state_from_fen('"B : W : B K 32"'))
    'B:W:BK32'
    """
    return read_position(Span.of(text))


def read_position(text: Span) -> State:
    """Read a position that stands within a longer text."""
    turn, *sides = _sections(text)
    if turn.text not in ("B", "W"):
        raise turn.error(f"the side to move is {shown(turn.text)}; expected B or W")
    pieces = {side.text[:1]: list(_pieces(side)) for side in sides}
    if set(pieces) != {"B", "W"}:
        raise sides[1].error("the same side is given twice; expected one part for W, one for B")
    everything = [piece for side in pieces.values() for piece in side]
    _require_one_piece_per_square(everything)
    kings = _board([piece for piece in everything if piece.is_king])
    return State(_board(pieces["B"]), _board(pieces["W"]), kings, int(turn.text == "W"))


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
            f"{shown(body.text)} has {len(sections)} parts between colons; expected 3: the side to "
            "move, the pieces of one side and those of the other, like B:W21,22,K24:B1,2,K3"
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


def _require_one_piece_per_square(pieces: list[_Piece]) -> None:
    seen: set[int] = set()
    for piece in pieces:
        if piece.square in seen:
            raise piece.where.error(f"square {piece.square} is given twice; expected one piece")
        seen.add(piece.square)


def _board(pieces: list[_Piece]) -> int:
    return board_of(piece.square for piece in pieces)
