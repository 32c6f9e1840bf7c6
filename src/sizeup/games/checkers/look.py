"""What checkers looks like: the diagram of the books, square 1 on top, white at the bottom."""

from collections.abc import Iterator

from sizeup.games import checkers, look
from sizeup.games.checkers.notation import place_of, route_of, square_at
from sizeup.games.checkers.rules import (
    CheckersParams,
    CheckersState,
    board_of,
    captured,
    squares_of,
)
from sizeup.games.contract import View

_LIGHT = look.Ground("light square", look.SAND)
_DARK = look.Ground("dark square", look.SAGE)
_PIECES = {
    ("black", False): look.Piece("black man", "b", "disc", "#1A1A1A", look.WHITE),
    ("black", True): look.Piece("black king", "B", "king", "#1A1A1A", look.WHITE),
    ("white", False): look.Piece("white man", "w", "disc", look.WHITE),
    ("white", True): look.Piece("white king", "W", "king", look.WHITE),
}
_SIDES = ("black", "white")


def _scene(state: CheckersState, params: CheckersParams) -> look.Scene:
    rows = tuple(tuple(_tile(state, row, column) for column in range(8)) for row in range(8))
    return look.Scene(rows, over=f"{_SIDES[1 - state.side]} has won")


def _tile(state: CheckersState, row: int, column: int) -> look.Tile:
    if (row + column) % 2 == 0:
        return look.Tile(_LIGHT)
    number = square_at(row, column)
    bit = board_of([number])
    sides = [side for side in _SIDES if getattr(state, side) & bit]
    piece = _PIECES[sides[0], bool(state.kings & bit)] if sides else None
    return look.Tile(_DARK, piece, note=f"{number:2}")


def _standing(state: CheckersState, params: CheckersParams) -> str:
    return ", ".join(f"{side} {len(squares_of(getattr(state, side)))}" for side in _SIDES)


def _hint(state: CheckersState, params: CheckersParams) -> str:
    actions = View(checkers, params).actions(state)
    return "a capture is mandatory" if actions and captured(actions[0]) else ""


def _limits(params: CheckersParams) -> Iterator[look.Limit]:
    yield from look.finite(params, "king_value")
    yield from look.counts(params, "most_plies", "most_quiet_plies")


LOOK = look.Look(
    title="Cooperative checkers",
    about="You and your partner take turns moving the same pieces, against one opponent.",
    rules="Captures are mandatory. After 40 moves without one, or 120 in all, whoever captured "
    "more wins.",
    how_to_move="Click a piece and then where it goes, drag it, or use the arrow keys and Enter. A "
    "jump over several pieces may need its stops.",
    untold="Agents are not told that a game without captures ends.",
    sides=_SIDES,
    reward="piece difference",
    won="no move left",
    scene=_scene,
    squares=lambda state, action, params: [place_of(n) for n in route_of(state, action)],
    turned_for=0,
    standing=_standing,
    hint=_hint,
    limits=_limits,
    start=look.Start(types=(2, 4, 6, 8), partner=8, opponent=6),
)
