"""Where on the board an action happens, as rows and columns of the tiles that are drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from sizeup.games import checkers, narrow_tunnel
from sizeup.games.contract import View
from sizeup.games.grid import DIRECTIONS, moved
from sizeup.web.tiles import base_name, unseated

__all__ = ["captures", "cells_of"]

Cell: TypeAlias = tuple[int, int]


def cells_of(view: View, state: Any, action: int) -> list[Cell]:
    """Where the mover starts, every stop, and where it ends.

    One cell where nothing moves (staying, or dropping a stone); none in games without a board.

    >>> from sizeup.games.checkers import board_of
    >>> board = View(checkers)
    >>> cells_of(board, board.start(), board_of([11, 15]))
    [(2, 5), (3, 4)]
    """
    finder = _FINDERS.get(base_name(view))
    return [] if finder is None else finder(*unseated(view, state), action)


def captures(view: View, state: Any) -> bool:
    """Whether every legal move is a capture."""
    actions = view.actions(state)
    return base_name(view) == "checkers" and bool(actions and checkers.captured(actions[0]))


def _checkers(state: Any, params: Any, action: int) -> list[Cell]:
    own = state.black if state.side == 0 else state.white
    moved_bits = checkers.changed(action)
    taken = frozenset(map(_square, checkers.squares_of(checkers.captured(action))))
    starts = [_square(s) for s in checkers.squares_of(moved_bits & own or own)]
    ends = [_square(s) for s in checkers.squares_of(moved_bits & ~own)]
    if not taken:
        return [*starts, *ends]
    # A king that jumps in a circle changes no square: it is the piece that has such a way round.
    routes = (_route(start, ends[0] if ends else start, taken) for start in starts)
    return next(route for route in routes if route)


def _square(number: int) -> Cell:
    row, left = divmod(number - 1, 4)
    return row, 2 * left + 1 - row % 2


def _route(at: Cell, last: Cell, taken: frozenset[Cell]) -> list[Cell]:
    """Stops of a capture that jumps over all of ``taken``; none if there is no such way."""
    if not taken:
        return [at] if at == last else []
    row, column = at
    for up, right in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        over = (row + up, column + right)
        if over in taken:
            rest = _route((row + 2 * up, column + 2 * right), last, taken - {over})
            if rest:
                return [at, *rest]
    return []


def _wall_of_fire(state: Any, params: Any, action: int) -> list[Cell]:
    return _step(state.at, action, params.width)


def _narrow_tunnel(state: Any, params: Any, action: int) -> list[Cell]:
    at = state.blue if state.player == narrow_tunnel.BLUE else state.red
    if action == narrow_tunnel.STAY:
        return [divmod(at, params.width)]
    return _step(at, action - narrow_tunnel.NORTH, params.width)


def _step(at: int, direction: int, width: int) -> list[Cell]:
    assert 0 <= direction < len(DIRECTIONS)
    return [divmod(at, width), divmod(int(moved(at, direction, width)), width)]


def _connect_four(state: Any, params: Any, action: int) -> list[Cell]:
    """The hole that the stone falls into; row 0 is on top."""
    stones = (state.first | state.second) >> (7 * action) & 0x7F
    return [(5 - stones.bit_count(), action)]


_FINDERS: dict[str, Callable[[Any, Any, int], list[Cell]]] = {
    "checkers": _checkers,
    "connect-four": _connect_four,
    "narrow-tunnel": _narrow_tunnel,
    "wall-of-fire": _wall_of_fire,
}
