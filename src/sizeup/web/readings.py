"""How deep a visitor looks, from all moves of a game taken together.

A partner makes up its mind move by move, by the published rule, which leans to shallow depths: one
that does not care which of some moves to play fits whatever is played. The fitted choice model
(:mod:`sizeup.play.infer`) asks how likely each depth was to play every move, so that not to care
counts against a depth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sizeup.play.infer import Look, conclude, look
from sizeup.play.record import Record
from sizeup.web.players import YOU
from sizeup.web.searchers import Cancelled

__all__ = ["reading_data"]


def reading_data(
    record: Record, types: Sequence[int], is_stopped: Callable[[], bool]
) -> dict[str, Any] | None:
    """Probabilities of each depth; None if there is nothing to tell apart or to tell it from.

    Parameters
    ----------
    record
        Of a game that a visitor played.
    types
        The depths to tell apart.
    is_stopped
        Asked before every search whether anybody still wants to know.

    Examples
    --------
    >>> from sizeup.play import play
    >>> def you(view, state, seed):
    ...     return view.actions(state)[0]
    >>> record = play("wall-of-fire", [["obl:2", you]], seed=1)
    >>> reading = reading_data(record, (1, 2), lambda: False)
    >>> reading["types"], reading["moves"], round(sum(reading["probabilities"]), 6)
    ([1, 2], 10, 1.0)
    """
    if len(types) < 2:
        return None
    looks = list(_while_wanted(look([record], types, players=[YOU]), is_stopped))
    (you,) = conclude(looks, types).players
    if not you.steps:
        return None  # every move was forced
    return {
        "types": list(types),
        "probabilities": [float(p) for p in you.posterior],
        "moves": len(you.steps),
    }


def _while_wanted(looks: Iterator[Look], is_stopped: Callable[[], bool]) -> Iterator[Look]:
    while not is_stopped():
        try:
            yield next(looks)
        except StopIteration:
            return
    raise Cancelled("nobody waits for the end of the game any more")
