"""Connect four: :mod:`~sizeup.games.four_in_a_row` on 6 rows and 7 columns, with gravity.

Seven bits a column, bottom first; the seventh stays empty and keeps columns apart::

     5 12 19 26 33 40 47
     ...
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42
"""

from typing import Any, NamedTuple

from sizeup.games.contract import GameInfo
from sizeup.games.four_in_a_row import rules as any_board
from sizeup.games.four_in_a_row.rules import FourInARowState, actor, start
from sizeup.jit import jit

__all__ = [
    "BOARD", "COLUMNS", "INFO", "ConnectFourParams", "FourInARowState", "action_text", "actor",
    "apply", "evaluate", "is_terminal", "legal_actions", "random_action", "reward", "start",
    "state_from_text", "state_text", "total_bounds",
]  # fmt: skip


class ConnectFourParams(NamedTuple):
    """What a win is worth."""

    win: float = 1.0


COLUMNS = "abcdefg"
BOARD = any_board.board(6, 7, 4, gravity=True)
"""What the rules of any board are asked with."""

_STONES = (0, 2**49 - 1)

INFO = GameInfo(
    name="connect-four",
    teams=(0, 1),
    max_actions=7,
    params=ConnectFourParams(),
    action_bounds=(0, 6),
    state_bounds={"first": _STONES, "second": _STONES, "side": (0, 1)},
    reward_bounds=(-1.0, 1.0),
    value_scale="raw",
)


@jit
def is_terminal(state: FourInARowState, params: ConnectFourParams) -> bool:
    """Only the last mover can have won; a full board has no legal action."""
    return any_board.is_terminal(state, BOARD)


@jit
def legal_actions(state: FourInARowState, params: ConnectFourParams, out: Any) -> int:
    """Columns that are not full."""
    return any_board.legal_actions(state, BOARD, out)


@jit
def random_action(state: FourInARowState, params: ConnectFourParams, rng: Any, out: Any) -> int:
    """A uniform one of them."""
    return any_board.random_action(state, BOARD, rng, out)


@jit
def apply(state: FourInARowState, action: int, params: ConnectFourParams) -> FourInARowState:
    """Drop a stone on the lowest free square of a column."""
    return any_board.apply(state, action, BOARD)


@jit
def reward(
    state: FourInARowState, action: int, after: FourInARowState, params: ConnectFourParams
) -> float:
    """The win, to the first side."""
    return params.win * any_board.reward(state, action, after, BOARD)


@jit
def evaluate(state: FourInARowState, params: ConnectFourParams, seen: int) -> float:
    """How good a position looks to the first side: rows that can still be filled."""
    return any_board.evaluate(state, BOARD, seen)


def total_bounds(params: ConnectFourParams = INFO.params) -> tuple[float, float]:
    """A win, or a loss.

    >>> total_bounds(ConnectFourParams(win=2.0))
    (-2.0, 2.0)
    """
    return -abs(params.win), abs(params.win)


def action_text(state: FourInARowState, action: int, params: ConnectFourParams) -> str:
    """Columns are a to g, from the left."""
    return COLUMNS[action]


def state_text(state: FourInARowState, params: ConnectFourParams) -> str:
    """Rows from the top, ``x`` for the first side's stones, ``o`` for the second's; who moves."""
    return any_board.state_text(state, BOARD)


def state_from_text(text: str, params: ConnectFourParams) -> FourInARowState:
    """Read what :func:`state_text` writes, if stones stand on one another and the counts fit."""
    return any_board.state_from_text(text, BOARD)
