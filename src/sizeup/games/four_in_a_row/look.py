"""What four in a row looks like: rows from the top, squares named like their actions."""

from collections.abc import Iterator

from sizeup.games import look
from sizeup.games.four_in_a_row.rules import (
    COLUMNS,
    MOST_BITS,
    MOST_LENGTH,
    MOST_SQUARES,
    FourInARowParams,
    FourInARowState,
    board,
    fits,
    landing,
    place_of,
    stones_in_rows,
)  # fmt: skip

_EMPTY = look.Ground("empty", look.SAND, ".", ink=look.DARK)
_HOLE = look.Ground("empty", look.BLUE, ".", ink=look.WHITE, shape="hole")
_BLACK = look.Piece("black stone", "X", "stone", "#1A1A1A", look.WHITE, "X")
_WHITE = look.Piece("white stone", "O", "stone", look.WHITE, look.BLACK, "O")
_SIDES = ("black", "white")


def stones_on(
    board: FourInARowParams,
    state: FourInARowState,
    pieces: tuple[look.Piece, look.Piece],
    sides: tuple[str, str],
) -> look.Scene:
    """Any board with the sides' stones on it, those in a row marked."""
    won = stones_in_rows(state.first, board) | stones_in_rows(state.second, board)

    def tile(row: int, column: int) -> look.Tile:
        bit = 1 << (board.rows + 1) * column + row
        stone = pieces[0] if state.first & bit else pieces[1] if state.second & bit else None
        note = f"{row + 1}" if column == 0 and not board.gravity else ""
        return look.Tile(_HOLE if board.gravity else _EMPTY, stone, note, marked=bool(won & bit))

    rows = tuple(
        tuple(tile(row, column) for column in range(board.columns))
        for row in reversed(range(board.rows))
    )
    over = f"{sides[1 - state.side]} has won" if won else "a draw"
    return look.Scene(rows, over=over, columns=tuple(COLUMNS[: board.columns]))


def square_of(board: FourInARowParams, state: FourInARowState, action: int) -> look.Square:
    """Where a stone comes to lie; row 0 is on top."""
    row, column = place_of(landing(state, action, board), board)
    return board.rows - 1 - row, column


def _limits(params: FourInARowParams) -> Iterator[look.Limit]:
    for name in ("rows", "columns", "length"):
        yield look.Limit(name, getattr(params, name) >= 1, "a whole number of 1 or more")
    yield look.Limit("length", params.length <= MOST_LENGTH, f"at most {MOST_LENGTH}")
    possible = min(params[:3]) >= 1 and fits(params.rows, params.columns)
    yield look.Limit(
        "columns", possible,
        f"a board of at most {len(COLUMNS)} columns, {MOST_SQUARES} squares, and {MOST_BITS} for "
        "(rows + 1) x columns",
    )  # fmt: skip
    yield from look.finite(params, "win")
    if not possible:
        return
    own = board(params.rows, params.columns)
    yield look.Limit("squares", params.squares == own.squares, "the bits of all squares")
    yield look.Limit("floor", params.floor == own.floor, "the bits of the lowest row")


LOOK = look.Look(
    title="Four in a row",
    about="You and your partner take turns putting down the same stones, against one opponent.",
    rules="Four in a row win: across, upright or diagonal. Stones stay where they are put.",
    how_to_move="Click an outlined square, or use the arrow keys and Enter.",
    sides=_SIDES,
    won="four in a row",
    drawn="the board is full",
    scene=lambda state, params: stones_on(params, state, (_BLACK, _WHITE), _SIDES),
    squares=lambda state, action, params: [square_of(params, state, action)],
    limits=_limits,
    start=look.Start(types=(2, 4, 6, 8), partner=8, opponent=6, deepest=8),
)
