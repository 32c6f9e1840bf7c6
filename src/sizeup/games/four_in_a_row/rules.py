"""So many in a row, on a board of any size, with or without gravity. Whoever has them first wins.

By default four in a row on 4 rows and 9 columns, without gravity: the game at which psychologists
watch people plan. ``board(6, 7, 4, gravity=True)`` is connect four, ``board(3, 3, 3)`` noughts and
crosses. A square's bit counts up each column from its bottom; one bit more on top of every column
stays empty and keeps columns apart::

     3  8 13 18 23 28 33 38 43
     2  7 12 17 22 27 32 37 42
     1  6 11 16 21 26 31 36 41
     0  5 10 15 20 25 30 35 40

An action is the bit of a square; with gravity it is the number of a column.
"""

import itertools
from typing import Any, NamedTuple

from sizeup.errors import InvalidInput
from sizeup.games.bits import count_bits, nth_bit
from sizeup.games.contract import NO_ACTION, GameInfo
from sizeup.games.rng import below
from sizeup.jit import jit

__all__ = [
    "COLUMNS", "INFO", "MOST_BITS", "MOST_LENGTH", "MOST_SQUARES", "FourInARowParams",
    "FourInARowState", "action_text", "actor", "apply", "board", "checked", "evaluate", "fits",
    "in_a_row", "is_terminal", "landing", "legal_actions", "place_of", "random_action", "reward",
    "start", "state_from_text", "state_text", "stones_in_rows", "total_bounds",
]  # fmt: skip

MOST_BITS = 62
"""Most bits of a board: (rows + 1) for every column."""

MOST_SQUARES = 56
"""Most squares of a board, and so most actions."""

MOST_LENGTH = 15
"""Most stones that a row can need."""

COLUMNS = "abcdefghijklmnopqrstuvwxyz"


class FourInARowState(NamedTuple):
    """Stones of each side, and the side to move."""

    first: int
    second: int
    side: int


class FourInARowParams(NamedTuple):
    """A board, how many in a row win, and what that is worth.

    ``squares`` and ``floor`` are bits: all squares, and those that a stone falls onto first.
    """

    rows: int
    columns: int
    length: int
    gravity: bool
    win: float
    squares: int
    floor: int


def board(
    rows: int = 4, columns: int = 9, length: int = 4, gravity: bool = False, win: float = 1.0
) -> FourInARowParams:
    """Parameters of a board of this size.

    >>> board(6, 7, 4, gravity=True).floor == sum(1 << 7 * column for column in range(7))
    True
    >>> board(8, 8)
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: a board of 8 rows and 8 columns is too large; expected at most 26
    columns, 56 squares, and 62 for (rows + 1) x columns
    """
    for name, value in (("rows", rows), ("columns", columns), ("length", length)):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise InvalidInput(f"{name} is a whole number of 1 or more, got {value!r}")
    if length > MOST_LENGTH:
        raise InvalidInput(f"length is at most {MOST_LENGTH}, got {length}")
    if not fits(rows, columns):
        raise InvalidInput(
            f"a board of {rows} rows and {columns} columns is too large; expected at most "
            f"{len(COLUMNS)} columns, {MOST_SQUARES} squares, and {MOST_BITS} for "
            "(rows + 1) x columns"
        )
    floor = sum(1 << (rows + 1) * column for column in range(columns))
    return FourInARowParams(
        rows, columns, length, bool(gravity), float(win), floor * ((1 << rows) - 1), floor
    )


def fits(rows: int, columns: int) -> bool:
    """Whether the bits of a board fit into a word, and its columns have letters."""
    return (
        columns <= len(COLUMNS)
        and rows * columns <= MOST_SQUARES
        and (rows + 1) * columns <= MOST_BITS
    )


_STONES = (0, 2**MOST_BITS - 1)

INFO = GameInfo(
    name="four-in-a-row",
    teams=(0, 1),
    max_actions=MOST_SQUARES,
    params=board(),
    action_bounds=(0, MOST_BITS - 1),
    state_bounds={"first": _STONES, "second": _STONES, "side": (0, 1)},
    reward_bounds=(-1.0, 1.0),
    value_scale="raw",
)


@jit
def in_a_row(stones: int, params: FourInARowParams) -> int:
    """Lowest stones of each row that is long enough; 0 if there is none."""
    found = 0
    for step in (1, params.rows, params.rows + 1, params.rows + 2):
        found |= _along(stones, step, params.length)
    return found


@jit
def _along(stones: int, step: int, length: int) -> int:
    """Lowest stones of the rows in one direction."""
    if length == 4:  # which nearly every board is about
        pairs = stones & (stones >> step)
        return pairs & (pairs >> 2 * step)
    rows, covered = stones, 1
    while covered < length:  # rows of two, of four ... from two shorter ones
        more = min(covered, length - covered)
        rows &= rows >> min(more * step, MOST_BITS)
        covered += more
    return rows


@jit
def start(params: FourInARowParams) -> FourInARowState:
    """An empty board."""
    return FourInARowState(0, 0, 0)


@jit
def actor(state: FourInARowState, params: FourInARowParams) -> int:
    """Side to move."""
    return state.side


@jit
def is_terminal(state: FourInARowState, params: FourInARowParams) -> bool:
    """Only the last mover can have won; a full board has no legal action."""
    return in_a_row(state.second if state.side == 0 else state.first, params) != 0


@jit
def _free(stones: int, params: FourInARowParams) -> int:
    """Squares that a stone can come to lie on."""
    if params.gravity:
        return (stones + params.floor) & params.squares  # a column's stones carry into the next bit
    return params.squares & ~stones


@jit
def _action_at(square: int, params: FourInARowParams) -> int:
    """The action that puts a stone on a square, given as its one bit."""
    below_it = square - 1
    if params.gravity:
        below_it &= params.floor << params.rows  # the empty bit on top of each column before it
    return count_bits(below_it)


@jit
def legal_actions(state: FourInARowState, params: FourInARowParams, out: Any) -> int:
    """Free squares up each column, or columns that are not full, from the left."""
    count = 0
    if is_terminal(state, params):
        return count
    free = _free(state.first | state.second, params)
    while free:
        out[count] = _action_at(free & -free, params)
        count += 1
        free &= free - 1
    return count


@jit
def random_action(state: FourInARowState, params: FourInARowParams, rng: Any, out: Any) -> int:
    """A uniform legal action without a list of the others."""
    if is_terminal(state, params):
        return NO_ACTION
    free = _free(state.first | state.second, params)
    count = count_bits(free)
    if count == 0:
        return NO_ACTION
    return _action_at(nth_bit(free, below(rng, count)), params)


@jit
def landing(state: FourInARowState, action: int, params: FourInARowParams) -> int:
    """The square, as its one bit, that a stone comes to lie on."""
    if not params.gravity:
        return 1 << action
    column = ((1 << params.rows) - 1) << action * (params.rows + 1)
    return _free(state.first | state.second, params) & column


@jit
def apply(state: FourInARowState, action: int, params: FourInARowParams) -> FourInARowState:
    """Put a stone down."""
    square = landing(state, action, params)
    if state.side == 0:
        return FourInARowState(state.first | square, state.second, 1)
    return FourInARowState(state.first, state.second | square, 0)


@jit
def reward(
    state: FourInARowState, action: int, after: FourInARowState, params: FourInARowParams
) -> float:
    """The win, to the first side."""
    if state.side == 0:
        return params.win if in_a_row(after.first, params) else 0.0
    return -params.win if in_a_row(after.second, params) else 0.0


@jit
def evaluate(state: FourInARowState, params: FourInARowParams, seen: int) -> float:
    """How good a position looks to the first side: rows that can still be filled, and the centre.

    A row that only one side has stones in is worth more the fewer it lacks, whoever is to move:
    what comes next is for searches to find. ``seen`` has a bit for each of 62 features; a row is
    one of them, won ones too, and is overlooked without its bit. The weights are those under which
    2,400 moves of 40 people are likeliest, if each is made for how the position after it looks.
    """
    total = 0.66 * (_central(state.first, params) - _central(state.second, params))
    for direction in range(4):
        step = params.rows + direction if direction < 3 else 1
        shown = _turned(seen, 15 * direction)
        total += _worth(state.first, state.second, step, params, shown)
        total -= _worth(state.second, state.first, step, params, shown)
    return total


@jit
def _central(stones: int, params: FourInARowParams) -> float:
    """How near the centre stones are: for each, one over its distance, which is at least 0.5."""
    total = 0.0
    while stones:
        column, row = divmod(count_bits((stones & -stones) - 1), params.rows + 1)
        across, up = column - (params.columns - 1) / 2, row - (params.rows - 1) / 2
        total += max(0.25, across * across + up * up) ** -0.5
        stones &= stones - 1
    return total


@jit
def _turned(seen: int, by: int) -> int:
    """The bits turned round, so that rows of each direction have bits of their own."""
    bits = seen & ((1 << MOST_BITS) - 1)
    return ((bits << by) | (bits >> (MOST_BITS - by))) & ((1 << MOST_BITS) - 1) if by else bits


@jit
def _worth(own: int, other: int, step: int, params: FourInARowParams, shown: int) -> float:
    """What the rows in one direction are worth to a side, all of them counted at once.

    A row stands at its lowest bit, where the bits of four words say how many stones it has.
    """
    rows = _along(params.squares & ~other, step, params.length) & shown
    ones = twos = fours = eights = 0
    for at in range(params.length):
        stones = own >> min(at * step, MOST_BITS)
        ones, stones = ones ^ stones, ones & stones
        twos, stones = twos ^ stones, twos & stones
        fours, stones = fours ^ stones, fours & stones
        eights ^= stones
    total = 0.22 * count_bits(rows & (ones | twos | fours | eights))
    for lacking in range(min(3, params.length)):
        count = params.length - lacking
        such = rows & (ones if count & 1 else ~ones) & (twos if count & 2 else ~twos)
        such &= (fours if count & 4 else ~fours) & (eights if count & 8 else ~eights)
        total += (11.4 if lacking == 0 else 3.5 if lacking == 1 else 0.8) * count_bits(such)
    return total


def total_bounds(params: FourInARowParams = INFO.params) -> tuple[float, float]:
    """A win, or a loss.

    >>> total_bounds()
    (-1.0, 1.0)
    """
    return -abs(params.win), abs(params.win)


def stones_in_rows(stones: int, params: FourInARowParams) -> int:
    """All stones of the rows that are long enough.

    >>> f"{stones_in_rows(0b1000101, board(1, 4, 2)):b}"  # every other bit is a square
    '101'
    """
    found = 0
    for step in (1, params.rows, params.rows + 1, params.rows + 2):
        row = [1 << at * step for at in range(params.length)]
        for low in range(MOST_BITS):
            if all(stones & bit << low for bit in row):
                found |= sum(bit << low for bit in row)
    return found


def place_of(square: int, params: FourInARowParams) -> tuple[int, int]:
    """Row and column of a square's bit, from the bottom left.

    >>> place_of(1 << 43, board())
    (3, 8)
    """
    column, row = divmod(square.bit_length() - 1, params.rows + 1)
    return row, column


def action_text(state: FourInARowState, action: int, params: FourInARowParams) -> str:
    """A column's letter; without gravity also the row, from 1 at the bottom."""
    row, column = place_of(landing(state, action, params), params)
    return COLUMNS[column] if params.gravity else f"{COLUMNS[column]}{row + 1}"


def state_text(state: FourInARowState, params: FourInARowParams) -> str:
    """Rows from the top, ``x`` for the first side's stones, ``o`` for the second's; who moves."""
    rows = (
        "".join(_stone(state, (params.rows + 1) * column + row) for column in range(params.columns))
        for row in reversed(range(params.rows))
    )
    return f"{'/'.join(rows)} {'xo'[state.side]}"


def _stone(state: FourInARowState, bit: int) -> str:
    if state.first >> bit & 1:
        return "x"
    return "o" if state.second >> bit & 1 else "."


def state_from_text(text: str, params: FourInARowParams) -> FourInARowState:
    """Read what :func:`state_text` writes, if it can come up.

    >>> state_from_text(".../.x./... o", board(3, 3, 3))
    FourInARowState(first=32, second=0, side=1)
    """
    tiles, _, side = text.strip().partition(" ")
    rows = tiles.split("/")[::-1]
    if (
        [len(row) for row in rows] != [params.columns] * params.rows
        or not set(tiles) <= set("xo./")
        or side not in ("x", "o")
    ):
        raise InvalidInput(
            f"{text!r} is not a position of this board; expected {params.rows} rows of "
            f"{params.columns} x, o or ., with / between them, then x or o to move"
        )
    first, second = (
        sum(
            1 << (params.rows + 1) * column + row
            for row, column in itertools.product(range(params.rows), range(params.columns))
            if rows[row][column] == mark
        )
        for mark in "xo"
    )
    return checked(FourInARowState(first, second, "xo".index(side)), params)


def checked(state: FourInARowState, params: FourInARowParams) -> FourInARowState:
    """A state that can come up, by its stones; :class:`InvalidInput` if it cannot."""
    stones, lead = state.first | state.second, state.first.bit_count() - state.second.bit_count()
    floating = stones & ~params.floor & ~(stones << 1) if params.gravity else 0
    if (
        stones & ~params.squares
        or state.first & state.second
        or lead != state.side
        or floating
        or in_a_row(state.second if state.side else state.first, params)
    ):
        fallen = ", that stand on others" if params.gravity else ""
        raise InvalidInput(
            f"{state_text(state, params)!r} cannot come up on this board: expected stones on "
            f"squares of their own{fallen}, as many of either side, or one x more if o is to move, "
            "and no row of whoever is to move"
        )
    return state
