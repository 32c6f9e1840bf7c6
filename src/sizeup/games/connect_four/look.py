"""What connect four looks like: columns are named like their actions, a row of four is marked."""

from sizeup.games import look
from sizeup.games.connect_four.rules import COLUMNS, Params, State, four_in_a_row

_HOLE = look.Ground("empty", look.BLUE, ".", ink=look.WHITE, shape="hole")
_FIRST = look.Piece("first side's stone", "X", "stone", look.YELLOW, sign="X")
_SECOND = look.Piece("second side's stone", "O", "stone", look.VERMILLION, look.WHITE, "O")
_SIDES = ("X", "O")


def _scene(state: State, params: Params) -> look.Scene:
    four = four_in_a_row(state.first) | four_in_a_row(state.second)
    rows = tuple(
        tuple(_tile(state, four, 7 * column + level) for column in range(7))
        for level in reversed(range(6))
    )
    over = f"{_SIDES[1 - state.side]} has won" if four else "a draw"
    return look.Scene(rows, over=over, columns=tuple(COLUMNS))


def _tile(state: State, four: int, bit: int) -> look.Tile:
    stone = None
    if state.first >> bit & 1:
        stone = _FIRST
    elif state.second >> bit & 1:
        stone = _SECOND
    return look.Tile(_HOLE, stone, marked=bool(four >> bit & 1))


def _squares(state: State, action: int, params: Params) -> list[look.Square]:
    """The hole that the stone falls into; row 0 is on top."""
    stones = (state.first | state.second) >> (7 * action) & 0x7F
    return [(5 - stones.bit_count(), action)]


LOOK = look.Look(
    title="Connect four",
    about="You and your partner take turns dropping the same stones, against one opponent.",
    rules="Four in a row win.",
    how_to_move="Click an outlined place or its column's letter, or use the arrow keys and Enter.",
    sides=_SIDES,
    won="four in a row",
    drawn="the board is full",
    scene=_scene,
    squares=_squares,
    limits=lambda params: look.finite(params, "win"),
    start=look.Start(types=(2, 4, 6, 8), partner=8, opponent=6),
)
