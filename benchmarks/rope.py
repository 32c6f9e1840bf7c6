"""A game as a user would write it, for benchmarks: three friends at a cliff, one rope, and weather.

Whoever holds the rope takes a stone (1, for sure) and lets the rope down, or climbs a step, which
costs 1; then the weather decides. Three steps up lies a nest worth 20, which only a deep player
sees from below. (`examples/own_game.py` is the same game in plain Python.)
"""

from typing import NamedTuple

from sizeup.games.contract import CHANCE, GameInfo
from sizeup.jit import jit

STONE, CLIMB = 0, 1
STORM, CALM = 0, 1


class State(NamedTuple):
    """Turns played, steps climbed, and whether the weather has yet to decide."""

    turn: int
    height: int
    weather: int


class Params(NamedTuple):
    """How many turns there are."""

    turns: int


INFO = GameInfo(
    name="rope",
    teams=(0, 0, 0),
    max_actions=2,
    params=Params(30),
    action_bounds=(0, 1),
    state_bounds={"turn": (0, 1000), "height": (0, 3), "weather": (0, 1)},
    reward_bounds=(-1.0, 20.0),
)


@jit
def start(params):
    return State(0, 0, 0)


@jit
def actor(state, params):
    if state.weather:
        return CHANCE
    return state.turn % 3


@jit
def is_terminal(state, params):
    return state.turn >= params.turns and not state.weather


@jit
def legal_actions(state, params, out):
    if is_terminal(state, params):
        return 0
    out[0], out[1] = 0, 1
    return 2


@jit
def probabilities(state, params, out):
    out[0], out[1] = 0.1, 0.9


@jit
def apply(state, action, params):
    if state.weather:
        if action == STORM or state.height == 3:
            return State(state.turn, 0, 0)
        return State(state.turn, state.height, 0)
    if action == STONE:
        return State(state.turn + 1, 0, 0)
    return State(state.turn + 1, state.height + 1, 1)


@jit
def reward(state, action, after, params):
    if state.weather:
        if action == CALM and state.height == 3:
            return 20.0
        return 0.0
    if action == STONE:
        return 1.0
    return -1.0


def action_text(state, action, params):
    if state.weather:
        return ("storm", "calm")[action]
    return ("stone", "climb")[action]
