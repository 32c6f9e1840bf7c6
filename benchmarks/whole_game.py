"""Checkers to the end, drawn after 40 quiet plies: what OpenSpiel's search plays out.

The rules are those of :mod:`sizeup.games.checkers`; a counter of quiet plies is all that is added.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from sizeup.games import checkers
from sizeup.games.contract import NO_ACTION
from sizeup.jit import jit

__all__ = ["INFO", "State"]

MOST_QUIET_PLIES = 40


class State(NamedTuple):
    """A position, and how many plies ago something was captured."""

    base: checkers.CheckersState
    quiet: int


INFO = replace(
    checkers.INFO,
    name="checkers to the end",
    state_bounds={"base": checkers.INFO.state_bounds, "quiet": (0, MOST_QUIET_PLIES)},
)


@jit
def start(params: Any) -> State:
    """As in checkers."""
    return State(checkers.start(params), 0)


@jit
def actor(state: State, params: Any) -> int:
    """As in checkers."""
    return checkers.actor(state.base, params)


@jit
def is_terminal(state: State, params: Any) -> bool:
    """As in checkers, or too long without a capture."""
    return state.quiet >= MOST_QUIET_PLIES or checkers.is_terminal(state.base, params)


@jit
def legal_actions(state: State, params: Any, out: Any) -> int:
    """As in checkers."""
    if state.quiet >= MOST_QUIET_PLIES:
        return 0
    return checkers.legal_actions(state.base, params, out)


@jit
def random_action(state: State, params: Any, rng: Any, out: Any) -> int:
    """As in checkers."""
    if state.quiet >= MOST_QUIET_PLIES:
        return NO_ACTION
    return checkers.random_action(state.base, params, rng, out)


@jit
def apply(state: State, action: int, params: Any) -> State:
    """As in checkers; a capture starts the count anew."""
    quiet = 0 if checkers.captured(action) else state.quiet + 1
    return State(checkers.apply(state.base, action, params), quiet)


@jit
def reward(state: State, action: int, after: State, params: Any) -> float:
    """As in checkers."""
    return checkers.reward(state.base, action, after.base, params)
