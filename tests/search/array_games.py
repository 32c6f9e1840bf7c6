"""Games written down as arrays, as games of the contract: what is planned exactly can be searched.

The arrays are parameters, so all of them with the same teams share one compiled game.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sizeup.games.contract import TERMINAL, GameInfo, View
from sizeup.jit import jit

_MOST_ACTIONS = 64


class ArrayGame(Protocol):
    """A game as arrays; :class:`sizeup.planning.TabularGame` is one."""

    @property
    def teams(self) -> Sequence[int]:
        """Team of each player."""

    @property
    def actor(self) -> NDArray[np.int64]:
        """``(states,)`` player to act, chance (-1) or nobody (-2)."""

    @property
    def successor(self) -> NDArray[np.int64]:
        """``(states, actions)`` next state, -1 where an action is not legal."""

    @property
    def reward(self) -> NDArray[np.float64]:
        """``(states, actions)`` reward to team 0."""

    @property
    def chance(self) -> NDArray[np.float64]:
        """``(states, actions)`` probability of each outcome in chance states."""

    @property
    def start(self) -> int:
        """First state."""


class State(NamedTuple):
    """A row of the game."""

    at: int


class Params(NamedTuple):
    """The game."""

    actor: NDArray[np.int64]
    successor: NDArray[np.int64]
    reward: NDArray[np.float64]
    chance: NDArray[np.float64]
    first: int


@jit
def start(params: Params) -> State:
    """The arrays' first state."""
    return State(params.first)


@jit
def actor(state: State, params: Params) -> int:
    """As in the game."""
    return params.actor[state.at]


@jit
def is_terminal(state: State, params: Params) -> bool:
    """Nobody acts."""
    return params.actor[state.at] == TERMINAL


@jit
def legal_actions(state: State, params: Params, out: Any) -> int:
    """Columns with a successor."""
    count = 0
    for action in range(params.successor.shape[1]):
        if params.successor[state.at, action] >= 0:
            out[count] = action
            count += 1
    return count


@jit
def probabilities(state: State, params: Params, out: Any) -> None:
    """As in the game."""
    count = 0
    for action in range(params.successor.shape[1]):
        if params.successor[state.at, action] >= 0:
            out[count] = params.chance[state.at, action]
            count += 1


@jit
def apply(state: State, action: int, params: Params) -> State:
    """As in the game."""
    return State(params.successor[state.at, action])


@jit
def reward(state: State, action: int, after: State, params: Params) -> float:
    """As in the game."""
    return params.reward[state.at, action]


@functools.cache
def _module(teams: tuple[int, ...]) -> types.ModuleType:
    module = types.ModuleType("array_game")
    module.__dict__.update({k: v for k, v in globals().items() if not k.startswith("__")})
    empty = np.zeros((1, 1))
    module.__dict__["INFO"] = GameInfo(
        name="array-game",
        teams=teams,
        max_actions=_MOST_ACTIONS,
        params=Params(np.full(1, TERMINAL), np.full((1, 1), -1), empty, empty, 0),
        action_bounds=(0, _MOST_ACTIONS - 1),
        state_bounds=(0, 2**31),
    )
    return module


def view_of_arrays(game: ArrayGame) -> View:
    """View a game written down as arrays as one of the contract.

    >>> from sizeup.planning import random_game
    >>> view = view_of_arrays(random_game(seed=1))
    >>> view.actor(view.start()), view.actions(view.start())
    (0, (1, 2))
    """
    return View(
        _module(tuple(game.teams)),
        Params(
            np.array(game.actor, dtype=np.int64),
            np.array(game.successor, dtype=np.int64),
            np.array(game.reward, dtype=np.float64),
            np.array(game.chance, dtype=np.float64),
            int(game.start),
        ),
    )
