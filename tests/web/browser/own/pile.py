"""Pile: two sides take one to three stones from a pile in turn; whoever takes the last one wins."""

from typing import NamedTuple

from sizeup.games.contract import GameInfo
from sizeup.jit import jit


class State(NamedTuple):
    """Stones left, and the side to move."""

    stones: int
    side: int


class Params(NamedTuple):
    """How large the pile is."""

    stones: int = 11


INFO = GameInfo(
    name="pile",
    teams=(0, 1),
    max_actions=3,
    params=Params(),
    action_bounds=(1, 3),
    state_bounds={"stones": (0, 100), "side": (0, 1)},
    reward_bounds=(-1.0, 1.0),
)


@jit
def start(params):
    """All stones."""
    return State(params.stones, 0)


@jit
def actor(state, params):
    """Sides take turns."""
    return state.side


@jit
def is_terminal(state, params):
    """No stone left."""
    return state.stones == 0


@jit
def legal_actions(state, params, out):
    """One to three stones."""
    count = min(3, state.stones)
    for take in range(count):
        out[take] = take + 1
    return count


@jit
def apply(state, action, params):
    """Fewer stones."""
    return State(state.stones - action, 1 - state.side)


@jit
def reward(state, action, after, params):
    """The last stone wins."""
    if after.stones > 0:
        return 0.0
    return 1.0 if state.side == 0 else -1.0


def action_text(state, action, params):
    """In words."""
    return f"take {action}"
