"""Games of OpenSpiel as games of the contract: perfect information, one player acts at a time.

The rules are OpenSpiel's own, called in Python. Numba cannot compile them, so search runs over them
as plain Python: the same search, number for number, but more than a hundred times as slow.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import math
import types as python_types
from collections.abc import Sequence
from typing import Any

from sizeup.adapters.open_spiel_import import import_pyspiel
from sizeup.adapters.open_spiel_rules import (
    CHANCE_RULES,
    RULES,
    Params,
    State,
    first_state,
    reward_at_the_end,
    reward_of_the_move,
    state_after,
)
from sizeup.errors import InvalidInput
from sizeup.games.contract import GameInfo
from sizeup.games.seats import seat, teams_to_seat

__all__ = ["load_open_spiel", "open_spiel_game"]

_EXPECTED = {
    "dynamics": ("SEQUENTIAL",),
    "information": ("PERFECT_INFORMATION",),
    "chance_mode": ("DETERMINISTIC", "EXPLICIT_STOCHASTIC"),
}
"""Properties that a game must have, by OpenSpiel's names for them."""


def open_spiel_game(game: Any, teams: Sequence[int] | None = None) -> python_types.ModuleType:
    """Make a game of the contract of one of OpenSpiel's.

    It can have one player, two against each other, or any number with the same interests. Chance is
    welcome if its probabilities are known. Whatever takes a game takes what comes out.

    Parameters
    ----------
    game
        A name such as ``"pig"`` or ``"connect_four(rows=5)"``, or a ``pyspiel.Game``.
    teams
        How many players share each side and take turns at it, such as ``(2, 1)``; None for the
        players that OpenSpiel's game has. (A match seats its teams by itself.)

    Examples
    --------
    >>> from sizeup.games.contract import View
    >>> from sizeup.play import play
    >>> game = open_spiel_game("tic_tac_toe")
    >>> play(game, ["obl:2", "random"], seed=1).winner
    0
    >>> view = View(game)
    >>> state = view.state_from_text("4 0 8")
    >>> print(state.board)
    o..
    .x.
    ..x
    >>> view.actor(state), view.action_text(state, 2)
    (1, 'o(0,2)')
    >>> open_spiel_game("tic_tac_toe", teams=(2, 1)).INFO.teams
    (0, 0, 1)
    >>> open_spiel_game("kuhn_poker")
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: OpenSpiel's kuhn_poker cannot be played here: its information is
    imperfect_information, expected perfect_information
    """
    module = _module_by_name(game) if isinstance(game, str) else _module(load_open_spiel(game))
    its_teams = module.INFO.teams
    if teams is None or list(teams) == [its_teams.count(team) for team in sorted(set(its_teams))]:
        return module
    if len(teams) != teams_to_seat(module):
        raise InvalidInput(
            f"{module.INFO.name} has {teams_to_seat(module)} team(s) that can be of another size, "
            f"got teams={tuple(teams)}"
        )
    first, second = (*teams, 0)[:2]
    return seat(module, first=first, second=second)


def load_open_spiel(game: Any) -> Any:
    """Load a ``pyspiel.Game`` by its name; return one that is loaded already as it is.

    >>> load_open_spiel("pig").num_players()
    2
    >>> load_open_spiel("connect_for")
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: OpenSpiel has no game 'connect_for'; did you mean 'connect_four'?
    pyspiel.registered_names() lists them
    """
    pyspiel = import_pyspiel()
    if isinstance(game, pyspiel.Game):
        return game
    name = str(game).partition("(")[0].strip()
    if name not in pyspiel.registered_names():
        importlib.import_module("open_spiel.python.games")  # where games in Python sign on
    if name not in pyspiel.registered_names():
        close = difflib.get_close_matches(name, pyspiel.registered_names(), n=1)
        hint = f"; did you mean {close[0]!r}? " if close else "; "
        raise InvalidInput(
            f"OpenSpiel has no game {name!r}{hint}pyspiel.registered_names() lists them"
        )
    try:
        return pyspiel.load_game(str(game))
    except pyspiel.SpielError as error:
        raise InvalidInput(f"OpenSpiel cannot load {game!r}: {error}") from None


@functools.cache
def _module_by_name(name: str) -> python_types.ModuleType:
    return _module(load_open_spiel(name))


def _module(game: Any) -> python_types.ModuleType:
    """OpenSpiel's rules of a game under the names of the contract."""
    name, kind = str(game).removesuffix("()"), game.get_type()
    _check_kind(name, kind)
    teams = _teams(name, kind, game.num_players())
    pays_at_the_end = kind.reward_model.name == "TERMINAL"
    lowest, highest = game.min_utility(), game.max_utility()
    first = first_state(game.new_initial_state())

    def start(params: Params) -> State:
        return first

    def state_from_text(text: str, params: Params) -> State:
        return state_after(first, text, name)

    module = python_types.ModuleType(f"open_spiel_{kind.short_name}")
    module.__dict__.update(
        RULES,
        INFO=GameInfo(
            name=f"open_spiel:{name}",
            teams=teams,
            max_actions=max(game.num_distinct_actions(), game.max_chance_outcomes()),
            params=Params(),
            reward_bounds=(lowest, highest) if pays_at_the_end else (-math.inf, math.inf),
            value_scale="raw" if (lowest, highest) == (-1.0, 1.0) else "range",
        ),
        SHARED_TURNS=len(teams) == 1,  # players who share the seat of one all do the same thing
        start=start,
        reward=reward_at_the_end if pays_at_the_end else reward_of_the_move,
        state_from_text=state_from_text,
    )
    if kind.chance_mode.name != "DETERMINISTIC":
        module.__dict__.update(CHANCE_RULES)
    return module


def _check_kind(name: str, kind: Any) -> None:
    for quality, expected in _EXPECTED.items():
        given = getattr(kind, quality).name
        if given not in expected:
            raise InvalidInput(
                f"OpenSpiel's {name} cannot be played here: its {quality} is {given.lower()}, "
                f"expected {' or '.join(expected).lower()}"
            )


def _teams(name: str, kind: Any, players: int) -> tuple[int, ...]:
    utility = kind.utility.name
    if players == 1 or utility == "IDENTICAL":
        return (0,) * players
    if players == 2 and utility == "ZERO_SUM":
        return (0, 1)
    raise InvalidInput(
        f"OpenSpiel's {name} cannot be played here: its utility is {utility.lower()} and it has "
        f"{players} players, expected 1 player, 2 with zero_sum, or any number with identical"
    )
