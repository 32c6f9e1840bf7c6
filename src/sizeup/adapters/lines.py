"""How did one position come from another? A line of play between two that are not far apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from sizeup.games.contract import View

__all__ = ["line_between", "pieces_apart"]

_Line: TypeAlias = tuple[int, tuple[int, ...]]
"""How many plies have passed since the last capture, and all actions."""


def line_between(rules: View, known: Any, wanted: Any, most_plies: int) -> tuple[int, ...] | None:
    """Actions that lead from one position to another; None if there is no line of so few plies.

    Of several lines it is one that leaves the fewest plies since its last capture: whoever counts
    those for a draw does not count more of them than were played.

    Parameters
    ----------
    rules
        A game in which two sides take turns, each move brings one piece to one new square, and the
        first two fields of a state are the squares of either side's pieces.
    known, wanted
        The two positions.
    most_plies
        How many plies may lie between them.

    Examples
    --------
    >>> from sizeup.games import connect_four
    >>> rules = View(connect_four)
    >>> wanted = rules.state_from_text("......./......./......./......./..o..../..xx... o")
    >>> line_between(rules, rules.start(), wanted, most_plies=42)
    (2, 2, 3)
    >>> line_between(rules, rules.start(), wanted, most_plies=2) is None
    True
    """
    met: dict[tuple[Any, int], _Line | None] = {}
    lengths = range(int(known.side != wanted.side), most_plies + 1, 2)
    found = (_best_line(rules, known, wanted, plies, met) for plies in lengths)
    best = _best(found, known, wanted)
    return None if best is None else best[1]


def pieces_apart(position: Any, other: Any) -> int:
    """On how many squares two positions differ, counted for each side.

    >>> from sizeup.games.connect_four import State
    >>> pieces_apart(State(0b101, 0, side=1), State(0b001, 0b100, side=0))
    2
    """
    return sum((position[side] ^ other[side]).bit_count() for side in (0, 1))


def _best_line(
    rules: View, now: Any, wanted: Any, plies: int, met: dict[tuple[Any, int], _Line | None]
) -> _Line | None:
    if plies == 0:
        return (0, ()) if now == wanted else None
    if not _is_within(now, wanted, plies):
        return None
    if (now, plies) not in met:
        found = _longer_lines(rules, now, wanted, plies, met)
        met[now, plies] = _best(found, now, wanted)
    return met[now, plies]


def _longer_lines(
    rules: View, now: Any, wanted: Any, plies: int, met: dict[tuple[Any, int], _Line | None]
) -> Iterator[_Line]:
    """The best line after each action that leads on."""
    for action in rules.actions(now):
        after, _ = rules.apply(now, action)
        found = _best_line(rules, after, wanted, plies - 1, met)
        if found is not None:
            quiet, rest = found
            is_quiet = quiet == len(rest) and _pieces(after) >= _pieces(now)
            yield quiet + is_quiet, (action, *rest)


def _best(lines: Iterator[_Line | None], now: Any, wanted: Any) -> _Line | None:
    """The line with the fewest plies since a capture; the first one, if there is no capture."""
    found = (line for line in lines if line is not None)
    if _pieces(now) <= _pieces(wanted):
        return next(found, None)
    return min(found, default=None)


def _pieces(position: Any) -> int:
    """How many pieces there are; the first two fields of a state are the squares of either side."""
    return int(position[0] | position[1]).bit_count()


def _is_within(now: Any, wanted: Any, plies: int) -> bool:
    """Whether so many plies could do: each brings one piece of its side to one new square."""
    return all(
        (wanted[side] & ~now[side]).bit_count() <= (plies + (now.side == side)) // 2
        for side in (0, 1)
    )
