"""Parameters of a game from a record's plain data: of the right kinds, and such as it can have.

Compiled rules look things up by these numbers without asking, so what does not fit is refused here.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sizeup.errors import InvalidInput
from sizeup.games import checkers, connect_four, harvest, narrow_tunnel, wall_of_fire
from sizeup.games.contract import INT64
from sizeup.games.grid import MOST_COINS

__all__ = ["params_like"]


def params_like(model: Any, given: Any, where: str = "params") -> Any:
    """Parameters of the kinds that a model has, within what their game can have.

    >>> from sizeup.games import connect_four
    >>> params_like(connect_four.Params(), {"win": 3})
    Params(win=3.0)
    >>> params_like(connect_four.Params(), {"win": float("nan")})
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: the record's params.win is nan, expected a number
    """
    if not isinstance(given, Mapping) or set(given) != set(model._fields):
        held = list(given) if isinstance(given, Mapping) else given
        raise InvalidInput(
            f"the record's {where} hold {held!r}, expected the fields {', '.join(model._fields)}"
        )
    fields = zip(model._fields, model, strict=True)
    params = type(model)(
        *(_value_like(value, given[name], f"{where}.{name}") for name, value in fields)
    )
    limits = _LIMITS.get(type(model))
    for limit in limits(params) if limits else ():
        _require(limit.holds, f"{where}.{limit.field}", given[limit.field], limit.expected)
    return params


def _require(holds: bool, where: str, given: Any, expected: str) -> None:
    if not holds:
        raise InvalidInput(f"the record's {where} is {reprlib.repr(given)}, expected {expected}")


def _value_like(model: Any, given: Any, where: str) -> Any:
    if isinstance(model, tuple):
        return params_like(model, given, where)
    if isinstance(model, np.ndarray):
        return _array_like(model, given, where)
    allowed: tuple[type, ...] = (int, float) if isinstance(model, float) else (type(model),)
    _require(type(given) in allowed, where, given, f"something like {model!r}")
    if type(given) is int:
        _require(INT64[0] <= given <= INT64[1], where, given, "a whole number of 64 bits")
    return type(model)(given)


def _array_like(model: NDArray[Any], given: Any, where: str) -> NDArray[Any]:
    """An array of the model's kind; whole numbers will do where any number does."""
    try:
        array = np.array(given)
    except (ValueError, OverflowError):  # rows of unequal length, or numbers beyond any kind
        array = np.array(None)
    kinds = {"f": "fiu", "i": "i", "u": "iu"}.get(model.dtype.kind, model.dtype.kind)
    fits = array.ndim == model.ndim and (not array.size or array.dtype.kind in kinds)
    _require(fits, where, given, f"a list of {model.dtype} in {model.ndim} dimension(s)")
    return array.astype(model.dtype)


class _Limit(NamedTuple):
    """A field, whether its value can be had, and what was expected."""

    field: str
    holds: bool
    expected: str


def _numbers(params: Any, *fields: str) -> Iterator[_Limit]:
    for field in fields:
        yield _Limit(field, math.isfinite(getattr(params, field)), "a number")


def _counts(params: Any, *fields: str) -> Iterator[_Limit]:
    for field in fields:
        yield _Limit(field, getattr(params, field) >= 0, "a whole number of 0 or more")


def _grid(params: Any, maps: tuple[str, ...], places: tuple[str, ...]) -> Iterator[_Limit]:
    """A board of tiles row by row, with coins on some of them."""
    for field in ("width", "height"):
        yield _Limit(field, getattr(params, field) >= 1, "a whole number of 1 or more")
    tiles = params.width * params.height
    for field in maps:
        yield _Limit(
            field, len(getattr(params, field)) == tiles, f"a number for each of {tiles} tiles"
        )
    for field in places:
        yield _Limit(field, 0 <= getattr(params, field) < tiles, f"a tile from 0 to {tiles - 1}")
    numbered = bool(((params.coin >= -1) & (params.coin < MOST_COINS)).all())
    yield _Limit("coin", numbered, f"numbers of coins from 0 to {MOST_COINS - 1}, or -1 for none")
    yield from _coins(params, "all_coins")
    yield from _counts(params, "most_turns")


def _coins(params: Any, *fields: str) -> Iterator[_Limit]:
    for field in fields:
        fits = 0 <= getattr(params, field) < 2**MOST_COINS
        yield _Limit(field, fits, f"the bits of {MOST_COINS} coins")


def _checkers(params: Any) -> Iterator[_Limit]:
    yield from _numbers(params, "king_value")
    yield from _counts(params, "most_plies", "most_quiet_plies")


def _connect_four(params: Any) -> Iterator[_Limit]:
    yield from _numbers(params, "win")


def _harvest(params: Any) -> Iterator[_Limit]:
    chances = bool(((params.rain >= 0) & (params.rain <= 1)).all()) and len(params.rain) > 0
    yield _Limit("rain", chances, "a list of probabilities, one for each turn")


def _narrow_tunnel(params: Any) -> Iterator[_Limit]:
    yield from _grid(params, ("wall", "coin"), ("blue", "red"))
    yield _Limit("red", params.red != params.blue, "another tile than blue's")
    yield from _coins(params, "red_coins")
    yield from _numbers(params, "red_reward", "blue_reward")


def _wall_of_fire(params: Any) -> Iterator[_Limit]:
    yield from _grid(params, ("fire", "coin"), ("start",))
    yield from _numbers(params, "fire_reward", "coin_reward")


_LIMITS: dict[type, Callable[[Any], Iterator[_Limit]]] = {
    checkers.Params: _checkers,
    connect_four.Params: _connect_four,
    harvest.Params: _harvest,
    narrow_tunnel.Params: _narrow_tunnel,
    wall_of_fire.Params: _wall_of_fire,
}
