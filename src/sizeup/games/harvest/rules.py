"""Harvest: three farmers share a field; small enough for the exact planner.

In turn each farmer sows, reaps or rests. What is sown grows by one step if it rains, which chance
decides; a field reaped at growth g yields g². A season has a given number of turns. It uses every
part of the contract: three players in one team, chance, parameters that are arrays, an end.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE, GameInfo
from sizeup.jit import jit

__all__ = [
    "DRY", "INFO", "MOST_GROWTH", "RAIN", "REAP", "REST", "SOW", "HarvestParams", "HarvestState",
    "action_text", "actor", "apply", "is_terminal", "legal_actions", "probabilities", "reward",
    "season", "start",
]  # fmt: skip

REST, SOW, REAP = 0, 1, 2
DRY, RAIN = 0, 1
MOST_GROWTH = 4
_ACTIONS = ("rest", "sow", "reap")
_WEATHER = ("dry", "rain")


class HarvestState(NamedTuple):
    """Turns played, growth of the field, and whether the weather has yet to decide (1)."""

    turn: int
    growth: int
    sown: int


class HarvestParams(NamedTuple):
    """Chance of rain on each turn; the season is as long as this list."""

    rain: NDArray[np.float64]


def season(rain: ArrayLike) -> HarvestParams:
    """Parameters from the chance of rain on each turn.

    >>> len(season([0.5] * 6).rain)
    6
    """
    chances = np.array(rain, dtype=np.float64)
    if chances.ndim != 1 or not len(chances) or not ((chances >= 0) & (chances <= 1)).all():
        raise InvalidInput(f"rain is a list of probabilities, one for each turn; got {rain!r}")
    return HarvestParams(chances)


INFO = GameInfo(
    name="harvest",
    teams=(0, 0, 0),
    max_actions=3,
    params=season([0.7, 0.4] * 5),
    action_bounds=(0, 2),
    state_bounds={"turn": (0, 2**31), "growth": (0, MOST_GROWTH), "sown": (0, 1)},
    reward_bounds=(0.0, float(MOST_GROWTH**2)),
)


@jit
def start(params: HarvestParams) -> HarvestState:
    """A bare field."""
    return HarvestState(0, 0, 0)


@jit
def actor(state: HarvestState, params: HarvestParams) -> int:
    """The farmers in turn; chance after sowing."""
    if state.sown:
        return CHANCE
    return state.turn % 3


@jit
def is_terminal(state: HarvestState, params: HarvestParams) -> bool:
    """The season is over."""
    return state.turn >= len(params.rain) and not state.sown


@jit
def legal_actions(state: HarvestState, params: HarvestParams, out: Any) -> int:
    """Rest, sow unless the field is fully grown, reap if there is something; dry or rain."""
    if is_terminal(state, params):
        return 0
    if state.sown:
        out[0], out[1] = DRY, RAIN
        return 2
    out[0] = REST
    count = 1
    if state.growth < MOST_GROWTH:
        out[count] = SOW
        count += 1
    if state.growth > 0:
        out[count] = REAP
        count += 1
    return count


@jit
def probabilities(state: HarvestState, params: HarvestParams, out: Any) -> None:
    """Rain as likely as on the turn that was just played."""
    out[0] = 1.0 - params.rain[state.turn - 1]
    out[1] = params.rain[state.turn - 1]


@jit
def apply(state: HarvestState, action: int, params: HarvestParams) -> HarvestState:
    """Chance takes no turn."""
    if state.sown:
        return HarvestState(state.turn, state.growth + action, 0)
    if action == SOW:
        return HarvestState(state.turn + 1, state.growth, 1)
    return HarvestState(state.turn + 1, 0 if action == REAP else state.growth, 0)


@jit
def reward(state: HarvestState, action: int, after: HarvestState, params: HarvestParams) -> float:
    """What is reaped."""
    if state.sown == 0 and action == REAP:
        return float(state.growth * state.growth)
    return 0.0


def action_text(state: HarvestState, action: int, params: HarvestParams) -> str:
    """Rest, sow or reap; dry or rain."""
    return _WEATHER[action] if state.sown else _ACTIONS[action]
