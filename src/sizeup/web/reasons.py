"""Why an agent played its own move, as far as the record of its search says so."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sizeup.play.record import Move
from sizeup.web.words import action_words, figure, points

__all__ = ["reason"]

_A_LOOK = 0.1
"""Share of a search below which what it says of a move is mostly noise."""


def reason(move: Move) -> str:
    """What the mover's search expected of the move, beside the one that it tried most after it.

    Nothing for a move that was not the search's choice, or whose search is not recorded.

    >>> search = {"types": [2], "actions": ["E", "N"]}
    >>> search |= {"visits": [[70, 30]], "values": [[12.5, 1.0]]}
    >>> reason(Move(1, 0, "E", -2.0, search=search))
    ': looking 2 moves ahead, it expects 12.5 points of this, and 1 of its next choice, north'
    """
    found = _own_row(move.search)
    if found is None or move.action not in found.actions:
        return ""
    visits, values, played = found.visits, found.values, found.actions.index(move.action)
    if visits[played] < visits.max() or not np.isfinite(values[played]):
        return ""
    moves = "1 move" if found.depth == 1 else f"{found.depth} moves"
    looking = f": looking {moves} ahead, it"
    others = [at for at in np.argsort(-visits, kind="stable") if at != played]
    if not others or not np.isfinite(values[others[0]]):
        return f"{looking} expects {points(values[played])} of this"
    if visits[others[0]] < _A_LOOK * visits.sum():
        return f"{looking} expects {points(values[played])} of this, and hardly tried anything else"
    compared, other = _compared(values[played], values[others[0]]), found.actions[others[0]]
    return f"{looking} {compared} of its next choice, {action_words(other)}"


def _compared(value: float, other: float) -> str:
    """It plays what it tried most, which need not be what promises most."""
    this, that = points(value), figure(other)
    if that == figure(value):
        return f"expects {this} of this, and as much"
    if other > value:
        return f"tried this most, though it expects {this} of it, and {that}"
    return f"expects {this} of this, and {that}"


class _Row(NamedTuple):
    """What a search found for the depth of the mover itself."""

    depth: int
    actions: list[str]
    visits: NDArray[np.float64]
    values: NDArray[np.float64]


def _own_row(search: dict[str, Any] | None) -> _Row | None:
    """None if there is none that makes sense: a record may come from anywhere."""
    if search is None:
        return None
    try:
        row = _Row(
            int(search["types"][-1]),
            [str(action) for action in search["actions"]],
            np.array(search["visits"][-1], dtype=np.float64),
            np.array(search["values"][-1], dtype=np.float64),  # None becomes NaN
        )
    except (KeyError, IndexError, TypeError, ValueError, OverflowError):
        return None
    fits = row.visits.shape == row.values.shape == (len(row.actions),)
    return row if fits and row.actions else None
