"""Kernel: a game whose teams are of any size, members in turn; see :mod:`sizeup.games.seats`."""

from typing import Any

from sizeup.games.seats import SeatedParams, SeatedState
from sizeup.jit import injected, jit

GAME: Any = injected()
ONE_TEAM = GAME is not None and 1 not in GAME.INFO.teams
OWN_TURNS = ONE_TEAM and not GAME.INFO.shared_turns  # the game knows its players apart


@jit
def start(params: SeatedParams) -> SeatedState:
    """The game's start; the first member of each team begins."""
    return SeatedState(GAME.start(params.base), 0, 0)


@jit
def _side(state: SeatedState, params: SeatedParams) -> int:
    """The team that acts, or chance."""
    player = GAME.actor(state.base, params.base)
    return min(player, 0) if ONE_TEAM else player


@jit
def actor(state: SeatedState, params: SeatedParams) -> int:
    """The member whose turn it is; the second team's members count on from the first's."""
    if OWN_TURNS:
        return GAME.actor(state.base, params.base)
    side = _side(state, params)
    if side == 0:
        return state.first
    if side == 1:
        return params.first_size + state.second
    return side


@jit
def is_terminal(state: SeatedState, params: SeatedParams) -> bool:
    """As in the game."""
    return GAME.is_terminal(state.base, params.base)


@jit
def legal_actions(state: SeatedState, params: SeatedParams, out: Any) -> int:
    """As in the game."""
    return GAME.legal_actions(state.base, params.base, out)


@jit
def apply(state: SeatedState, action: int, params: SeatedParams) -> SeatedState:
    """The next member of the team that moved is up when the team moves again."""
    side = _side(state, params)
    first, second = state.first, state.second
    if side == 0 and not OWN_TURNS:
        first = first + 1 if first + 1 < params.first_size else 0  # a division takes longer
    elif side == 1:
        second = second + 1 if second + 1 < params.second_size else 0
    return SeatedState(GAME.apply(state.base, action, params.base), first, second)


@jit
def reward(state: SeatedState, action: int, after: SeatedState, params: SeatedParams) -> float:
    """As in the game."""
    return GAME.reward(state.base, action, after.base, params.base)


if hasattr(GAME, "probabilities"):

    @jit
    def probabilities(state: SeatedState, params: SeatedParams, out: Any) -> None:
        """As in the game."""
        GAME.probabilities(state.base, params.base, out)


if hasattr(GAME, "random_action"):

    @jit
    def random_action(state: SeatedState, params: SeatedParams, rng: Any, out: Any) -> int:
        """As in the game."""
        return GAME.random_action(state.base, params.base, rng, out)
