"""What connect four looks like: columns are named like their actions, a row of four is marked."""

from sizeup.games import look
from sizeup.games.connect_four.rules import BOARD
from sizeup.games.four_in_a_row.look import square_of, stones_on

_FIRST = look.Piece("first side's stone", "X", "stone", look.YELLOW, sign="X")
_SECOND = look.Piece("second side's stone", "O", "stone", look.VERMILLION, look.WHITE, "O")
_SIDES = ("X", "O")

LOOK = look.Look(
    title="Connect four",
    about="You and your partner take turns dropping the same stones, against one opponent.",
    rules="Four in a row win.",
    how_to_move="Click an outlined place or its column's letter, or use the arrow keys and Enter.",
    sides=_SIDES,
    won="four in a row",
    drawn="the board is full",
    scene=lambda state, params: stones_on(BOARD, state, (_FIRST, _SECOND), _SIDES),
    squares=lambda state, action, params: [square_of(BOARD, state, action)],
    limits=lambda params: look.finite(params, "win"),
    start=look.Start(types=(2, 4, 6, 8), partner=8, opponent=6),
)
