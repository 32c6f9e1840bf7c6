"""Cooperative seats: any two-side game as a game between teams whose members take turns."""

from __future__ import annotations

import types
from dataclasses import replace
from typing import Any, NamedTuple

from sizeup.errors import InvalidInput
from sizeup.games.contract import GameInfo, View
from sizeup.jit import bind

__all__ = ["Params", "State", "seat"]

MOST_MEMBERS = 4


# These stand here and not in the kernel: compiled code is cached under the classes it was compiled
# for, and a kernel's own classes would be new ones each time it is bound.
class State(NamedTuple):
    """The game's own state, and which member of each side moves next."""

    base: Any
    first: int
    second: int


class Params(NamedTuple):
    """The game's own parameters, and how many members each side has."""

    base: Any
    first_size: int
    second_size: int


def seat(
    game: types.ModuleType, first: int = 2, second: int = 2, params: Any = None
) -> types.ModuleType:
    """Make a game of the contract in which ``first`` players share side 0, ``second`` side 1.

    >>> from sizeup.games import connect_four
    >>> from sizeup.games.contract import View
    >>> board = View(seat(connect_four, first=2, second=1))
    >>> state, order = board.start(), []
    >>> for column in (0, 1, 2, 3, 4):
    ...     order.append(board.actor(state))
    ...     state, _ = board.apply(state, column)
    >>> order
    [0, 2, 1, 2, 0]
    """
    info: GameInfo = game.INFO
    if info.teams != (0, 1):
        raise InvalidInput(
            f"only a game with one player on each of two sides can be seated; {info.name} has "
            f"teams {info.teams}"
        )
    for size in (first, second):
        if type(size) is not int or not 1 <= size <= MOST_MEMBERS:
            raise InvalidInput(f"a side has 1 to {MOST_MEMBERS} members, got {size!r}")
    rules = bind("sizeup.games.seated", game)
    seated = types.ModuleType(f"{game.__name__}_{first}_{second}")
    seated.__dict__.update({k: v for k, v in vars(rules).items() if not k.startswith("__")})
    seated.__dict__.update(_texts(game, info), **_ends(game))
    bounds = info.state_bounds
    seated.__dict__["INFO"] = replace(
        info,
        name=f"{info.name} {first}v{second}",
        teams=(0,) * first + (1,) * second,
        params=Params(info.params if params is None else params, first, second),
        state_bounds={"base": bounds, "first": (0, first - 1), "second": (0, second - 1)},
    )
    return seated


def _texts(game: types.ModuleType, info: GameInfo) -> dict[str, Any]:
    """Texts of the game itself; a state's is followed by the member of each side that is next."""

    def base(params: Params) -> View:
        return View(game, params.base)

    def action_text(state: State, action: int, params: Params) -> str:
        return base(params).action_text(state.base, action)

    def action_from_text(state: State, text: str, params: Params) -> int:
        return base(params).action_from_text(state.base, text)

    def state_text(state: State, params: Params) -> str:
        return f"{base(params).state_text(state.base)} next {state.first},{state.second}"

    def state_from_text(text: str, params: Params) -> State:
        position, _, members = str(text).rpartition(" next ")
        try:
            first, second = map(int, members.split(","))
        except ValueError:
            raise InvalidInput(
                f"{text!r} is no state of {info.name} with seats; expected a text like "
                f"{state_text(State(base(params).start(), 0, 0), params)!r}"
            ) from None
        return State(base(params).state_from_text(position), first, second)

    return {f.__name__: f for f in (action_text, action_from_text, state_text, state_from_text)}


def _ends(game: types.ModuleType) -> dict[str, Any]:
    """When a match ends and who has lost, as in the game."""
    rules: dict[str, Any] = {"NO_MOVE_LOSES": getattr(game, "NO_MOVE_LOSES", False)}
    if hasattr(game, "adjourned"):
        rules["adjourned"] = lambda plies, quiet, params: game.adjourned(plies, quiet, params.base)
    return rules
