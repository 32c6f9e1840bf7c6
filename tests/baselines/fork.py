"""A fork: one player takes 1 point for sure, or trusts its partner, who may not look far enough.

SAFE pays 1 and ends it. After RISK the partner is GREEDY, which pays 2 now and costs 10 three moves
later, or PATIENT, which pays nothing now and 6 three moves later. All other moves are forced.
"""

from typing import NamedTuple

from sizeup.games.contract import GameInfo
from sizeup.jit import jit

SAFE, RISK = 0, 1
PATIENT, GREEDY = 0, 1
DISCOUNT = 0.9


class State(NamedTuple):
    """Moves made, and whether the partner was greedy; 9 moves when it is over."""

    moves: int
    greedy: int


class Params(NamedTuple):
    """What was sown."""

    good: float = 6.0
    bad: float = -10.0


INFO = GameInfo(
    name="fork",
    teams=(0, 0),
    max_actions=2,
    params=Params(),
    action_bounds=(0, 1),
    state_bounds={"moves": (0, 9), "greedy": (0, 1)},
    reward_bounds=(-10.0, 6.0),
    discount=DISCOUNT,
)


@jit
def start(params):
    return State(0, 0)


@jit
def actor(state, params):
    return state.moves % 2


@jit
def is_terminal(state, params):
    return state.moves == 9


@jit
def legal_actions(state, params, out):
    out[0], out[1] = 0, 1
    return 2 if state.moves < 2 else 1


@jit
def apply(state, action, params):
    if state.moves == 0:
        return State(9 if action == SAFE else 1, 0)
    if state.moves == 1:
        return State(2, action)
    return State(state.moves + 1 if state.moves < 4 else 9, state.greedy)


@jit
def reward(state, action, after, params):
    if state.moves == 0:
        return 1.0 if action == SAFE else 0.0
    if state.moves == 1:
        return 2.0 if action == GREEDY else 0.0
    if state.moves == 4:
        return params.bad if state.greedy else params.good
    return 0.0
