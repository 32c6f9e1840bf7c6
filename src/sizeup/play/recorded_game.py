"""The game of a record: its module, its seats and its parameters, each of them checked."""

from __future__ import annotations

import re
import types as python_types

from sizeup.errors import InvalidInput
from sizeup.games.contract import GAMES, View, load_game
from sizeup.games.seats import Params as SeatedParams
from sizeup.games.seats import seat
from sizeup.play.record import Record
from sizeup.play.recorded_params import params_like

__all__ = ["view_of"]


def view_of(record: Record, game: python_types.ModuleType | None = None) -> View:
    """The game of a record, with its seats and parameters.

    Parameters
    ----------
    record
        A match.
    game
        The game's module, if it is not one of ours.

    Examples
    --------
    >>> from sizeup.play import play
    >>> record = play("connect-four", ["random+random", "random"], seed=3)
    >>> view_of(record).info.name
    'connect-four 2v1'
    """
    module, sizes = _module_of(record.game, game)
    view = _plain(record, module) if sizes is None else _seated(record, module, sizes)
    if tuple(record.teams) != tuple(view.teams) or len(record.players) != len(view.teams):
        raise InvalidInput(
            f"the record has players {record.players} in teams {record.teams}, but {record.game} "
            f"has teams {tuple(view.teams)}"
        )
    return view


def _plain(record: Record, module: python_types.ModuleType) -> View:
    return View(module, params_like(module.INFO.params, record.params))


def _seated(record: Record, module: python_types.ModuleType, sizes: tuple[int, int]) -> View:
    params = params_like(SeatedParams(module.INFO.params, *sizes), record.params)
    if params[1:] != sizes:
        raise InvalidInput(
            f"the record is of {record.game}, but its params are for {params[1]}v{params[2]}"
        )
    return View(seat(module, first=sizes[0], second=sizes[1]), params)


def _module_of(
    name: str, game: python_types.ModuleType | None
) -> tuple[python_types.ModuleType, tuple[int, int] | None]:
    """The module of a record's game, and how many sit on each side if the game was seated.

    A record may come from anywhere: what is imported is one of ours, or what the caller gave.
    """
    if game is not None and game.INFO.name == name:
        return game, None
    match = re.fullmatch(r"(.+) (\d)v(\d)", name)
    plain = match[1] if match else name
    if game is None:
        if plain.replace("-", "_") not in GAMES:
            raise InvalidInput(
                f"{name!r} is not a game of ours; pass the game's module: game=my_game in Python, "
                "--game my_game.py on the command line"
            )
        game = load_game(plain)
    elif game.INFO.name != plain:
        raise InvalidInput(f"the record is of {name!r}, but the given game is {game.INFO.name!r}")
    return game, (int(match[2]), int(match[3])) if match else None
