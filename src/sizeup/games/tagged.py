"""Kernel: teams of any size, and chance draws who of a team moves; see :mod:`sizeup.games.seats`.

Whenever a team of several is to move, chance first draws one of its members, each as likely as the
others. That is so even where the team turns out to have no move: whoever is drawn has none.
"""

from typing import Any

from sizeup.games.contract import CHANCE
from sizeup.games.rng import below
from sizeup.games.seats import UNDRAWN, SeatedParams, SeatedState
from sizeup.jit import injected, jit

GAME: Any = injected()
ONE_TEAM = GAME is not None and 1 not in GAME.INFO.teams


@jit
def _before_draw(size: int) -> int:
    """Nobody yet, of several; a team of one has nothing to draw."""
    return UNDRAWN if size > 1 else 0


@jit
def start(params: SeatedParams) -> SeatedState:
    """The game's start; nobody is drawn."""
    return SeatedState(
        GAME.start(params.base), _before_draw(params.first_size), _before_draw(params.second_size)
    )


@jit
def _side(state: SeatedState, params: SeatedParams) -> int:
    """The team that acts, or chance."""
    player = GAME.actor(state.base, params.base)
    return min(player, 0) if ONE_TEAM else player


@jit
def _members_to_draw(state: SeatedState, params: SeatedParams) -> int:
    """Of how many members chance draws one here; 0 where it draws nobody."""
    side = _side(state, params)
    if side == 0 and state.first == UNDRAWN:
        return params.first_size
    if side == 1 and state.second == UNDRAWN:
        return params.second_size
    return 0


@jit
def actor(state: SeatedState, params: SeatedParams) -> int:
    """Chance, or the member that was drawn; the second team's count on from the first's."""
    side = _side(state, params)
    if _members_to_draw(state, params):
        return CHANCE
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
    """The members of a team that one is drawn of; else as in the game."""
    members = _members_to_draw(state, params)
    if members == 0 or is_terminal(state, params):
        return GAME.legal_actions(state.base, params.base, out)
    for member in range(members):
        out[member] = member
    return members


@jit
def apply(state: SeatedState, action: int, params: SeatedParams) -> SeatedState:
    """Whoever is drawn moves next; of a team that has moved, somebody is drawn anew."""
    side = _side(state, params)
    if _members_to_draw(state, params):
        if side == 0:
            return SeatedState(state.base, action, state.second)
        return SeatedState(state.base, state.first, action)
    first = _before_draw(params.first_size) if side == 0 else state.first
    second = _before_draw(params.second_size) if side == 1 else state.second
    return SeatedState(GAME.apply(state.base, action, params.base), first, second)


@jit
def reward(state: SeatedState, action: int, after: SeatedState, params: SeatedParams) -> float:
    """A draw pays nothing; else as in the game."""
    if _members_to_draw(state, params):
        return 0.0
    return GAME.reward(state.base, action, after.base, params.base)


if hasattr(GAME, "probabilities"):

    @jit
    def probabilities(state: SeatedState, params: SeatedParams, out: Any) -> None:
        """Every member alike; else as in the game."""
        members = _members_to_draw(state, params)
        if members == 0:
            GAME.probabilities(state.base, params.base, out)
        for member in range(members):
            out[member] = 1.0 / members

else:

    @jit
    def probabilities(state: SeatedState, params: SeatedParams, out: Any) -> None:
        """Every member alike."""
        members = _members_to_draw(state, params)
        for member in range(members):
            out[member] = 1.0 / members


if hasattr(GAME, "random_action"):

    @jit
    def random_action(state: SeatedState, params: SeatedParams, rng: Any, out: Any) -> int:
        """A member that is drawn; else as in the game."""
        members = _members_to_draw(state, params)
        if members and not is_terminal(state, params):
            return out[below(rng, legal_actions(state, params, out))]
        return GAME.random_action(state.base, params.base, rng, out)
