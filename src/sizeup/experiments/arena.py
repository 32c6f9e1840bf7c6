"""Where an experiment's games are played: its game, with its parameters and enough seats."""

from __future__ import annotations

import inspect
import json
import types as python_types
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sizeup.errors import InvalidInput
from sizeup.games.contract import View, load_game
from sizeup.games.seats import MOST_MEMBERS, seat, teams_to_seat

__all__ = ["arena", "check_sizes", "params_of"]


def params_of(game: python_types.ModuleType, given: Mapping[str, Any]) -> Any:
    """Parameters of a game, with some that differ from its own.

    A game whose module has a function ``board`` takes that function's arguments, such as ``text``.

    >>> from sizeup.games import checkers, wall_of_fire
    >>> params_of(checkers, {"most_plies": 60})
    Params(king_value=1.0, most_plies=60, most_quiet_plies=40)
    >>> params_of(wall_of_fire, {"text": "SFC"}).width
    3
    """
    own = game.INFO.params
    make = getattr(game, "board", None)
    if make is None:
        defaults, make = own._asdict(), own._replace
    else:
        defaults = {name: p.default for name, p in inspect.signature(make).parameters.items()}
    return make(**{name: _like(name, value, defaults) for name, value in given.items()})


def _like(name: str, value: Any, defaults: Mapping[str, Any]) -> Any:
    """A value of the kind that the parameter has: compiled rules tell 2 from 2.0."""
    if name not in defaults:
        raise InvalidInput(f"there is no parameter {name!r}; parameters are {', '.join(defaults)}")
    kind = type(defaults[name])
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise InvalidInput(f"{name} is like {defaults[name]!r}, got {value!r}")
    return value


def check_sizes(game: python_types.ModuleType, sizes: Sequence[int]) -> None:
    """Whether teams of these sizes can play a game; it is said which can.

    >>> from sizeup.games import checkers
    >>> check_sizes(checkers, [2])
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: checkers is for 2 team(s), got 1
    """
    info = game.INFO
    wanted = [info.teams.count(team) for team in sorted(set(info.teams))]
    if len(sizes) != len(wanted):
        raise InvalidInput(f"{info.name} is for {len(wanted)} team(s), got {len(sizes)}")
    if list(sizes) == wanted:
        return
    if not teams_to_seat(game):
        described = " against ".join(map(str, wanted))
        raise InvalidInput(f"{info.name} is for {described} player(s), got {list(sizes)}")
    if max(sizes) > MOST_MEMBERS:
        raise InvalidInput(f"a team has 1 to {MOST_MEMBERS} members, got {max(sizes)}")


def arena(game: str, params: Mapping[str, Any], sizes: Sequence[int]) -> View:
    """A game with a seat for every member; what takes long is done once in a process.

    >>> arena("checkers", {}, (2, 1)).info.name
    'checkers 2v1'
    """
    module, own = _seated(game, json.dumps(params, sort_keys=True), tuple(sizes))
    return View(module, own)


@lru_cache(maxsize=64)
def _seated(game: str, params: str, sizes: tuple[int, ...]) -> tuple[python_types.ModuleType, Any]:
    module = load_game(game)
    check_sizes(module, sizes)
    given = json.loads(params)
    own = params_of(module, given) if given else module.INFO.params
    wanted = [module.INFO.teams.count(team) for team in sorted(set(module.INFO.teams))]
    if list(sizes) == wanted:
        return module, own
    first, second = (*sizes, 0)[:2]
    seated = seat(module, first=first, second=second, params=own)
    return seated, seated.INFO.params
