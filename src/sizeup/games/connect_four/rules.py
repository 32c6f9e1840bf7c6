"""Connect four. Two sides drop stones; four in a row win 1.

Seven bits a column, bottom first; the seventh stays empty and keeps columns apart::

     5 12 19 26 33 40 47
     ...
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42
"""

import itertools
from typing import Any, NamedTuple

from sizeup.errors import InvalidInput
from sizeup.games.contract import GameInfo
from sizeup.jit import jit

__all__ = [
    "COLUMNS", "INFO", "Params", "State", "action_text", "actor", "apply", "four_in_a_row",
    "is_terminal", "legal_actions", "reward", "start", "state_from_text", "state_text",
]  # fmt: skip


class State(NamedTuple):
    """Stones of each side, and the side to move."""

    first: int
    second: int
    side: int


class Params(NamedTuple):
    """What a win is worth."""

    win: float = 1.0


_STONES = (0, 2**49 - 1)

INFO = GameInfo(
    name="connect-four",
    teams=(0, 1),
    max_actions=7,
    params=Params(),
    action_bounds=(0, 6),
    state_bounds={"first": _STONES, "second": _STONES, "side": (0, 1)},
    reward_bounds=(-1.0, 1.0),
    value_scale="raw",
)

COLUMNS = "abcdefg"
_COLUMN = 0x3F


@jit
def four_in_a_row(stones: int) -> int:
    """Those stones that are part of four in a row."""
    found = 0
    for step in (1, 6, 7, 8):
        pairs = stones & (stones >> step)
        ends = pairs & (pairs >> (2 * step))
        if ends:
            found |= ends | (ends << step) | (ends << (2 * step)) | (ends << (3 * step))
    return found


@jit
def start(params: Params) -> State:
    """An empty board."""
    return State(0, 0, 0)


@jit
def actor(state: State, params: Params) -> int:
    """Side to move."""
    return state.side


@jit
def is_terminal(state: State, params: Params) -> bool:
    """Only the last mover can have won; a full board has no legal action."""
    return four_in_a_row(state.second if state.side == 0 else state.first) != 0


@jit
def legal_actions(state: State, params: Params, out: Any) -> int:
    """Columns that are not full."""
    count = 0
    if is_terminal(state, params):
        return count
    for column in range(7):
        if not (state.first | state.second) & (0x20 << (7 * column)):
            out[count] = column
            count += 1
    return count


@jit
def apply(state: State, action: int, params: Params) -> State:
    """Drop a stone on the lowest free square of a column."""
    stones = state.first | state.second
    square = (stones + (1 << (7 * action))) & ~stones & (_COLUMN << (7 * action))
    if state.side == 0:
        return State(state.first | square, state.second, 1)
    return State(state.first, state.second | square, 0)


@jit
def reward(state: State, action: int, after: State, params: Params) -> float:
    """The win, to the first side."""
    if state.side == 0:
        return params.win if four_in_a_row(after.first) else 0.0
    return -params.win if four_in_a_row(after.second) else 0.0


def action_text(state: State, action: int, params: Params) -> str:
    """Columns are a to g, from the left."""
    return COLUMNS[action]


def state_text(state: State, params: Params) -> str:
    """Rows from the top, ``x`` for the first side's stones, ``o`` for the second's; who moves."""
    rows = (
        "".join(_stone(state, 7 * column + row) for column in range(7)) for row in range(5, -1, -1)
    )
    return f"{'/'.join(rows)} {'xo'[state.side]}"


def _stone(state: State, bit: int) -> str:
    if state.first >> bit & 1:
        return "x"
    return "o" if state.second >> bit & 1 else "."


def state_from_text(text: str, params: Params) -> State:
    """Read what :func:`state_text` writes, if stones stand on one another and the counts fit."""
    board, _, side = text.strip().partition(" ")
    rows = board.split("/")[::-1]
    if (
        [len(row) for row in rows] != [7] * 6
        or not set(board) <= set("xo./")
        or side not in ("x", "o")
    ):
        raise InvalidInput(
            f"{text!r} is not a position of connect-four; expected six rows of seven x, o or ., "
            "with / between them, then x or o to move"
        )
    stones = {
        mark: sum(1 << 7 * c + r for r, row in enumerate(rows) for c in range(7) if row[c] == mark)
        for mark in "xo"
    }
    floating = (below + tile for low, high in itertools.pairwise(rows)
                for below, tile in zip(low, high, strict=True))  # fmt: skip
    lead = board.count("x") - board.count("o")
    if any(pair in (".x", ".o") for pair in floating) or lead != "xo".index(side):
        raise InvalidInput(
            f"{text!r} cannot come up in connect-four: expected stones that stand on others, and "
            "one x more than o if o is to move, else as many"
        )
    return State(stones["x"], stones["o"], "xo".index(side))
