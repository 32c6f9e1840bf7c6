"""A game of somebody's own: chance pays before and between moves, and no bounds are declared."""

from typing import NamedTuple

from sizeup.games.contract import CHANCE, GameInfo
from sizeup.jit import jit


class State(NamedTuple):
    turn: int
    luck: int


class Params(NamedTuple):
    turns: int = 4


INFO = GameInfo(name="lottery", teams=(0, 1), max_actions=2, params=Params())


@jit
def start(params):
    return State(-1, 0)


@jit
def actor(state, params):
    if state.turn in (-1, 1):
        return CHANCE
    return 1 if state.turn == 2 else 0


@jit
def is_terminal(state, params):
    return state.turn >= params.turns


@jit
def legal_actions(state, params, out):
    if state.turn >= params.turns:
        return 0
    out[0], out[1] = -(10**12), 10**12
    return 2


@jit
def probabilities(state, params, out):
    out[0], out[1] = 0.25, 0.75


@jit
def apply(state, action, params):
    return State(state.turn + 1, state.luck + action)


@jit
def reward(state, action, after, params):
    if state.turn in (-1, 1):
        paid = 7.0 if state.turn < 0 else 3.0
        return paid if action > 0 else -paid
    return -2.0 if state.turn == 2 else 1.0
