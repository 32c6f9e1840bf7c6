"""What four in a row looks like: rows from the top, squares named like their actions."""

from collections.abc import Iterator

from sizeup.games import look
from sizeup.games.four_in_a_row.rules import (
    COLUMNS,
    MOST_BITS,
    MOST_LENGTH,
    MOST_SQUARES,
    Params,
    State,
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


def _scene(state: State, params: Params) -> look.Scene:
    won = stones_in_rows(state.first, params) | stones_in_rows(state.second, params)
    rows = tuple(
        tuple(_tile(state, params, won, row, column) for column in range(params.columns))
        for row in reversed(range(params.rows))
    )
    over = f"{_SIDES[1 - state.side]} has won" if won else "a draw"
    return look.Scene(rows, over=over, columns=tuple(COLUMNS[: params.columns]))


def _tile(state: State, params: Params, won: int, row: int, column: int) -> look.Tile:
    bit = 1 << (params.rows + 1) * column + row
    stone = _BLACK if state.first & bit else _WHITE if state.second & bit else None
    note = f"{row + 1}" if column == 0 and not params.gravity else ""
    return look.Tile(_HOLE if params.gravity else _EMPTY, stone, note, marked=bool(won & bit))


def _squares(state: State, action: int, params: Params) -> list[look.Square]:
    row, column = place_of(landing(state, action, params), params)
    return [(params.rows - 1 - row, column)]


def _limits(params: Params) -> Iterator[look.Limit]:
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
    scene=_scene,
    squares=_squares,
    limits=_limits,
    start=look.Start(types=(2, 4, 6, 8), partner=8, opponent=6, deepest=8),
)
