"""Records played back: the game of a record, and its moves checked against the rules."""

from __future__ import annotations

import math
import re
import types as python_types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE, GAMES, View, load_game
from sizeup.games.seats import Params as SeatedParams
from sizeup.games.seats import seat
from sizeup.play.match import winner
from sizeup.play.record import Move, Record
from sizeup.play.words import types_of

__all__ = ["replay", "view_of"]


def replay(
    record: Record, game: python_types.ModuleType | None = None
) -> Iterator[tuple[Any, Move]]:
    """Every move of a record with the state before it, checked against the rules as it goes.

    Parameters
    ----------
    record
        A match.
    game
        The game's module, if it is not one of ours.

    Examples
    --------
    >>> from sizeup.play import play
    >>> record = play("connect-four", ["random", "random"], seed=3)
    >>> [move.action for _, move in replay(record)] == [move.action for move in record.moves]
    True
    >>> from dataclasses import replace
    >>> list(replay(replace(record, total=5.0)))
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: the record's total is 5, but its moves are worth -1
    """
    view = view_of(record, game)
    if tuple(record.teams) != tuple(view.teams) or len(record.players) != len(view.teams):
        raise InvalidInput(
            f"the record has players {record.players} in teams {record.teams}, but {record.game} "
            f"has teams {tuple(view.teams)}"
        )
    first_beliefs(record)
    start = view.state_text(view.start())
    if record.start != start:
        raise InvalidInput(f"the record starts at {record.start!r}, but the game at {start!r}")
    return _steps(record, view)


def _steps(record: Record, view: View) -> Iterator[tuple[Any, Move]]:
    state, total, ply = view.start(), 0.0, 0
    for move in record.moves:
        ply += move.player != CHANCE
        try:
            after = _checked(view, state, move, ply)
            _check_seen(record, move)
        except InvalidInput as error:
            raise InvalidInput(f"ply {ply} of the record: {error}") from None
        yield state, move
        state, total = after, total + move.reward
    _check_end(record, view, state, total)


def _checked(view: View, state: Any, move: Move, ply: int) -> Any:
    """The state after a move that follows the rules."""
    actor = view.actor(state)
    if move.ply != ply:
        raise InvalidInput(f"it is numbered {move.ply}")
    if move.player != actor:
        turn = "chance's" if actor == CHANCE else f"player {actor}'s" if actor >= 0 else "nobody's"
        raise InvalidInput(f"player {move.player} moves, but it is {turn} turn")
    after, reward = view.apply(state, view.action_from_text(state, move.action))
    if not _same(reward, move.reward):
        raise InvalidInput(f"{move.action} is worth {reward:g}, not {move.reward:g}")
    return after


def _check_seen(record: Record, move: Move) -> None:
    """Whoever learnt from a move sits at the table, and learnt about this move."""
    for player, seen in move.seen.items():
        if player not in record.first_beliefs or seen.actor != move.player:
            raise InvalidInput(
                f"player {player} learnt about player {seen.actor}, but player {move.player} moved "
                f"and the players that learn are {sorted(record.first_beliefs)}"
            )
        count = len(types_of(record.players[player], record.types))
        _check_numbers([0.0 if e is None else e for e in seen.evidence], count, player)
        _check_numbers(seen.before, count, player)
        _check_numbers(seen.after, count, player)


def _check_numbers(numbers: Sequence[Any], count: int, player: int) -> None:
    if len(numbers) != count or not all(isinstance(n, (int, float)) for n in numbers):
        raise InvalidInput(
            f"player {player} considers {count} types; expected a number for each, got "
            f"{list(numbers)}"
        )


def _check_end(record: Record, view: View, state: Any, total: float) -> None:
    if not _same(total, record.total):
        raise InvalidInput(
            f"the record's total is {record.total:g}, but its moves are worth {total:g}"
        )
    over = not view.actions(state)
    if over != (record.reason == "the game is over"):
        after = record.moves[-1].ply if record.moves else 0
        raise InvalidInput(
            f"the record ends after ply {after} with {record.reason!r}, but the game is "
            f"{'over' if over else 'not over'}"
        )
    won = winner(view, state, total)
    if record.winner != won:
        raise InvalidInput(f"the record's winner is {record.winner}, but the moves say {won}")


def _same(value: float, other: float) -> bool:
    return math.isclose(value, other, rel_tol=1e-9, abs_tol=1e-9)


def first_beliefs(record: Record) -> dict[int, list[Any]]:
    """Beliefs before the first move, checked."""
    beliefs: dict[int, list[Any]] = {}
    for player, rows in record.first_beliefs.items():
        seated = player in range(len(record.players))
        count = len(types_of(record.players[player], record.types)) if seated else 0
        try:
            shape = np.asarray(rows, dtype=np.float64).shape
        except (TypeError, ValueError):
            shape = ()
        if len(shape) != 2 or shape[0] < len(record.players) or shape[1] != count:
            raise InvalidInput(
                f"the record's first beliefs of player {player} are {rows!r}; expected a row of "
                "probabilities for each player"
            )
        beliefs[player] = list(rows)
    return beliefs


def view_of(record: Record, game: python_types.ModuleType | None = None) -> View:
    """The game of a record, with its seats and parameters; the parameters of :func:`replay`.

    Examples
    --------
    >>> from sizeup.play import play
    >>> record = play("connect-four", ["random+random", "random"], seed=3)
    >>> view_of(record).info.name
    'connect-four 2v1'
    """
    module, sizes = _module_of(record.game, game)
    if sizes is None:
        return View(module, _params_like(module.INFO.params, record.params, "params"))
    seated = SeatedParams(module.INFO.params, *sizes)
    params = _params_like(seated, record.params, "params")
    if params[1:] != sizes:
        raise InvalidInput(
            f"the record is of {record.game}, but its params are for {params[1]}v{params[2]}"
        )
    return View(seat(module, first=sizes[0], second=sizes[1], params=params.base))


def _module_of(
    name: str, game: python_types.ModuleType | None
) -> tuple[python_types.ModuleType, tuple[int, int] | None]:
    """The module of a record's game, and how many sit on each side if the game was seated."""
    if game is not None and game.INFO.name == name:
        return game, None
    match = re.fullmatch(r"(.+) (\d)v(\d)", name)
    plain = match[1] if match else name
    if game is None:
        if plain.replace("-", "_") not in GAMES:
            raise InvalidInput(
                f"{name!r} is not a game of ours; pass the game's module, as in replay(record, "
                "game=my_game) or sizeup replay --game my_game.py"
            )
        game = load_game(plain)
    elif game.INFO.name != plain:
        raise InvalidInput(f"the record is of {name!r}, but the given game is {game.INFO.name!r}")
    return game, (int(match[2]), int(match[3])) if match else None


def _params_like(model: Any, given: Any, where: str) -> Any:
    """Parameters of the kinds that a model has, from plain data."""
    if not isinstance(given, Mapping) or set(given) != set(model._fields):
        held = list(given) if isinstance(given, Mapping) else given
        raise InvalidInput(
            f"the record's {where} hold {held!r}, expected the fields {', '.join(model._fields)}"
        )
    return type(model)(
        *(
            _value_like(value, given[name], f"{where}.{name}")
            for name, value in zip(model._fields, model, strict=True)
        )
    )


def _value_like(model: Any, given: Any, where: str) -> Any:
    if isinstance(model, tuple):
        return _params_like(model, given, where)
    if isinstance(model, np.ndarray):
        return _array_like(model, given, where)
    allowed: tuple[type, ...] = (int, float) if isinstance(model, float) else (type(model),)
    if type(given) not in allowed:
        raise InvalidInput(f"the record's {where} is {given!r}, expected something like {model!r}")
    return type(model)(given)


def _array_like(model: NDArray[Any], given: Any, where: str) -> NDArray[Any]:
    """An array of the model's kind; whole numbers will do where any number does."""
    try:
        array = np.array(given)
    except ValueError:  # rows of unequal length
        array = np.array(None)
    kinds = {"f": "fiu", "i": "iu", "u": "iu"}.get(model.dtype.kind, model.dtype.kind)
    if array.ndim != model.ndim or (array.size and array.dtype.kind not in kinds):
        raise InvalidInput(
            f"the record's {where} is {given!r}, expected a list of {model.dtype} in {model.ndim} "
            "dimension(s)"
        )
    return array.astype(model.dtype)
