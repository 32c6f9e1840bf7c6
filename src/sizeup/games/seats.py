"""Cooperative seats: a game with as many players in each team as there are people to play it.

A game with one player on each of two sides becomes one between teams whose members take turns. So
does a game of one team whose ``INFO.shared_turns`` is set: its players take turns at the same
thing, and which of them moves makes no difference to what can be done, what comes of it and what it
pays. Where each player has something of its own, such as an avatar, that is not so: the game says
itself who moves, and keeps the seats it has unless its ``with_players`` makes room for others.

Members move in turn. In a tag team chance draws who moves whenever the team is to move: that is
another game, ``tag:checkers`` for checkers, made by :func:`sizeup.games.contract.tag_team`.
"""

from __future__ import annotations

import types
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from sizeup.errors import InvalidInput
from sizeup.games.contract import GameInfo, View, view_here
from sizeup.jit import bind

__all__ = ["SeatedParams", "SeatedState", "seat", "seated_params", "teams_to_seat"]

MOST_MEMBERS = 4
UNDRAWN = -1
"""Which member of a tag team moves next, before chance has drawn one."""


# These stand here and not in the kernel: compiled code is cached under the classes it was compiled
# for, and a kernel's own classes would be new ones each time it is bound.
class SeatedState(NamedTuple):
    """The game's own state, and which member of each team moves next (or :data:`UNDRAWN`)."""

    base: Any
    first: int
    second: int


class SeatedParams(NamedTuple):
    """The game's own parameters, and how many members each team has."""

    base: Any
    first_size: int
    second_size: int


def seat(
    game: types.ModuleType, first: int = 2, second: int = 2, params: Any = None
) -> types.ModuleType:
    """Make a game of the contract in which ``first`` players share side 0, ``second`` side 1.

    A game of one team has no second side: ``second`` is 0.

    Parameters
    ----------
    game
        A game of two players against each other, or of one team whose turns are shared or that has
        ``with_players``.
    first, second
        Members of each team, 1 to 4; 0 for a team that the game does not have.
    params
        Parameters of the game, if not its own.

    Examples
    --------
    >>> from sizeup.games import connect_four, wall_of_fire
    >>> from sizeup.games.contract import View
    >>> board = View(seat(connect_four, first=2, second=1))
    >>> state, order = board.start(), []
    >>> for column in (0, 1, 2, 3, 4):
    ...     order.append(board.actor(state))
    ...     state, _ = board.apply(state, column)
    >>> order
    [0, 2, 1, 2, 0]
    >>> seat(wall_of_fire, first=3, second=0).INFO.teams
    (0, 0, 0)
    """
    _check_sizes(game, first, second)
    if params is None:
        return _own_seats(game, first, second)
    return _seats(game, first, second, params)


def seated_params(game: types.ModuleType, first: int, second: int, params: Any) -> SeatedParams:
    """Parameters of a game for teams of these sizes.

    >>> from sizeup.games import foraging
    >>> seated_params(foraging, 3, 0, foraging.board()).base.foragers
    3
    """
    return SeatedParams(with_players(game, params, first), first, second)


def with_players(game: types.ModuleType, params: Any, players: int) -> Any:
    """Parameters for so many players, where the game's have to know."""
    adapt = getattr(game, "with_players", None)
    return params if adapt is None else adapt(params, players)


@lru_cache(maxsize=64)
def _own_seats(game: types.ModuleType, first: int, second: int) -> types.ModuleType:
    """Seats at a game as it is, made once: kernels are kept for every module they are bound to."""
    return _seats(game, first, second, game.INFO.params)


def _seats(game: types.ModuleType, first: int, second: int, params: Any) -> types.ModuleType:
    info: GameInfo = game.INFO
    rules = bind("sizeup.games.tagged" if info.drawn_turns else "sizeup.games.seated", game)
    seated = types.ModuleType(f"{game.__name__}_{first}_{second}")
    seated.__dict__.update({k: v for k, v in vars(rules).items() if not k.startswith("__")})
    seated.__dict__.update(_texts(game, info), BASE=game)
    if hasattr(game, "adjourned"):
        adjourned = game.adjourned
        seated.__dict__["adjourned"] = lambda n, quiet, params: adjourned(n, quiet, params.base)
    bounds, least = info.state_bounds, UNDRAWN if info.drawn_turns else 0
    members = max(first, second) if info.drawn_turns else 1
    seated.__dict__["INFO"] = replace(
        info,
        name=f"{info.name} {first}v{second}",
        teams=(0,) * first + (1,) * second,
        params=seated_params(game, first, second, params),
        max_actions=max(info.max_actions, members),
        action_bounds=(min(0, info.action_bounds[0]), max(members - 1, info.action_bounds[1])),
        shared_turns=False,  # it has the seats it was given
        drawn_turns=False,
        state_bounds={
            "base": bounds,
            "first": (least, first - 1),
            "second": (least, max(second, 1) - 1),
        },
    )
    return seated


def teams_to_seat(game: types.ModuleType) -> int:
    """How many teams of a game can have other sizes: two, one, or none.

    >>> from sizeup.games import checkers, narrow_tunnel, wall_of_fire
    >>> [teams_to_seat(game) for game in (checkers, wall_of_fire, narrow_tunnel)]
    [2, 1, 0]
    """
    teams = game.INFO.teams
    if teams == (0, 1):
        return 2
    is_free = game.INFO.shared_turns or hasattr(game, "with_players")
    return int(set(teams) == {0} and is_free and not hasattr(game, "BASE"))


def _check_sizes(game: types.ModuleType, first: int, second: int) -> None:
    name, teams = game.INFO.name, teams_to_seat(game)
    if teams == 0:
        raise InvalidInput(
            f"{name} has teams {game.INFO.teams} and keeps its seats; others can be had in a game "
            "with one player on each of two sides, or of one team whose players take turns at the "
            "same thing and whose INFO says so with shared_turns=True, or that has with_players"
        )
    for size in (first, second)[:teams]:
        if type(size) is not int or not 1 <= size <= MOST_MEMBERS:
            raise InvalidInput(f"a team has 1 to {MOST_MEMBERS} members, got {size!r}")
    if teams == 1 and (type(second) is not int or second != 0):
        raise InvalidInput(f"{name} is a game of one team: expected second=0, got {second!r}")


def _texts(game: types.ModuleType, info: GameInfo) -> dict[str, Any]:
    """Texts of the game itself; a state's is followed by the member of each team that is next."""

    def base(params: SeatedParams) -> View:
        return view_here(game, params.base)

    def action_text(state: SeatedState, action: int, params: SeatedParams) -> str:
        drawn = _draws(base(params), state, params)
        return drawn[action] if drawn else base(params).action_text(state.base, action)

    def action_from_text(state: SeatedState, text: str, params: SeatedParams) -> int:
        drawn = _draws(base(params), state, params)
        read = base(params).action_from_text
        return _draw_named(text, drawn) if drawn else read(state.base, text)

    def state_text(state: SeatedState, params: SeatedParams) -> str:
        first, second = ("?" if n == UNDRAWN else n for n in (state.first, state.second))
        return f"{base(params).state_text(state.base)} next {first},{second}"

    def state_from_text(text: str, params: SeatedParams) -> SeatedState:
        position, _, members = str(text).rpartition(" next ")
        try:
            first, second = (int(n.replace("?", str(UNDRAWN))) for n in members.split(","))
        except ValueError:
            raise InvalidInput(
                f"{text!r} is not a state of {info.name} with seats; expected a text like "
                f"{state_text(SeatedState(base(params).start(), 0, 0), params)!r}"
            ) from None
        return SeatedState(base(params).state_from_text(position), first, second)

    return {f.__name__: f for f in (action_text, action_from_text, state_text, state_from_text)}


def _draws(base: View, state: SeatedState, params: SeatedParams) -> list[str]:
    """Texts of whom chance may draw in a state of a tag team; none where it draws nobody."""
    if UNDRAWN not in (state.first, state.second):
        return []
    player = base.acting(state.base)
    if player < 0:
        return []
    side = base.teams[player]
    if (state.first, state.second)[side] != UNDRAWN:
        return []
    first = (0, params.first_size)[side]
    size = (params.first_size, params.second_size)[side]
    return [f"player {seat} is drawn" for seat in range(first, first + size)]


def _draw_named(text: str, drawn: list[str]) -> int:
    wanted = str(text).strip().lower()
    if wanted not in drawn:
        raise InvalidInput(f"{text!r} is not an outcome here; these are {', '.join(drawn)}")
    return drawn.index(wanted)
