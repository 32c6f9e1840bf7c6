"""Connect four: rules only. Two sides drop stones; four in a row win 1.

Seven bits a column, bottom first; the seventh stays empty and keeps columns apart::

     5 12 19 26 33 40 47
     ...
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sizeup.games.contract import GameInfo
from sizeup.jit import jit

__all__ = ["INFO", "Params", "State"]


class State(NamedTuple):
    """Stones of each side, and the side to move."""

    first: int
    second: int
    side: int


class Params(NamedTuple):
    """What a win is worth."""

    win: float = 1.0


_STONES = (0, 2**49 - 1)

INFO = GameInfo(
    name="connect-four",
    teams=(0, 1),
    max_actions=7,
    params=Params(),
    action_bounds=(0, 6),
    state_bounds={"first": _STONES, "second": _STONES, "side": (0, 1)},
    reward_bounds=(-1.0, 1.0),
)

_COLUMN = 0x3F


@jit
def _four_in_a_row(stones: int) -> bool:
    for step in (1, 6, 7, 8):
        pairs = stones & (stones >> step)
        if pairs & (pairs >> (2 * step)):
            return True
    return False


@jit
def start(params: Params) -> State:
    """An empty board."""
    return State(0, 0, 0)


@jit
def actor(state: State, params: Params) -> int:
    """Side to move."""
    return state.side


@jit
def is_terminal(state: State, params: Params) -> bool:
    """Only the last mover can have won; a full board has no legal action."""
    return _four_in_a_row(state.second if state.side == 0 else state.first)


@jit
def legal_actions(state: State, params: Params, out: Any) -> int:
    """Columns that are not full."""
    count = 0
    if is_terminal(state, params):
        return count
    for column in range(7):
        if not (state.first | state.second) & (0x20 << (7 * column)):
            out[count] = column
            count += 1
    return count


@jit
def apply(state: State, action: int, params: Params) -> State:
    """Drop a stone on the lowest free square of a column."""
    stones = state.first | state.second
    square = (stones + (1 << (7 * action))) & ~stones & (_COLUMN << (7 * action))
    if state.side == 0:
        return State(state.first | square, state.second, 1)
    return State(state.first, state.second | square, 0)


@jit
def reward(state: State, action: int, after: State, params: Params) -> float:
    """The win, to the first side."""
    if state.side == 0:
        return params.win if _four_in_a_row(after.first) else 0.0
    return -params.win if _four_in_a_row(after.second) else 0.0
