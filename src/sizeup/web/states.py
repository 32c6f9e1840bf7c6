"""States for the page: the board, whose turn it is, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sizeup.games.contract import View
from sizeup.web.cells import captures, cells_of
from sizeup.web.tiles import rows_of

__all__ = ["scores", "state_data"]


def state_data(
    view: View, state: Any, *, ply: int, total: float, last: Sequence[Any] | None, over: bool
) -> dict[str, Any]:
    """A state as plain data.

    Parameters
    ----------
    view, state
        The game and its state.
    ply, total
        Moves made so far, and what they were worth to team 0.
    last
        Cells of the move that led here.
    over
        Whether the match has ended, which it may while the rules would go on.

    Examples
    --------
    >>> from sizeup.games import wall_of_fire
    >>> world = View(wall_of_fire, wall_of_fire.board("SFC"))
    >>> state = state_data(world, world.start(), ply=0, total=0.0, last=None, over=False)
    >>> state["actor"], state["legal"]
    (0, [{'action': 'E', 'cells': [(0, 0), (0, 1)]}])
    """
    actor = view.actor(state)
    actions = () if over else view.actions(state)
    return {
        "ply": ply,
        "text": view.state_text(state),
        "actor": actor if actor >= 0 and not over else None,
        "rows": rows_of(view, state),
        "legal": [
            {"action": view.action_text(state, a), "cells": cells_of(view, state, a)}
            for a in actions
        ],
        "captures": not over and captures(view, state),
        "score": scores(total, view.teams),
        "last": None if last is None else list(last),
    }


def scores(total: float, teams: Sequence[int]) -> list[float]:
    """Reward by team: what one wins the other loses.

    >>> scores(3.0, (0, 0, 1)), scores(-2.0, (0, 0))
    ([3.0, -3.0], [-2.0])
    """
    return [total + 0.0, 0.0 - total] if len(set(teams)) > 1 else [total + 0.0]
