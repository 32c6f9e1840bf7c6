"""Wall of Fire: two players, or as many as are seated, take turns moving one avatar.

Entering fire costs, a coin is collected once. Boards are text: ``S`` start, ``.`` free, ``F`` fire,
``C`` coin. Nothing ends the game for those who plan; :func:`adjourned` ends the match.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sizeup.errors import InvalidInput
from sizeup.games import grid
from sizeup.games.contract import GameInfo
from sizeup.games.grid import EAST, NORTH, SOUTH, WEST, actor, is_terminal, moved, without_coin
from sizeup.jit import jit

__all__ = [
    "BOARD", "EAST", "INFO", "NORTH", "SOUTH", "WEST", "WallOfFireParams", "WallOfFireState",
    "action_text", "actor", "adjourned", "apply", "board", "is_terminal", "legal_actions", "reward",
    "start", "state_from_text", "state_text", "total_bounds",
]  # fmt: skip

_NAME = "Wall of Fire"

BOARD = """
.....FFFFFCCCCCCC
.....FFFFFCCCCCCC
.....FFFFFCCCCCCC
....SFFFFFCCCCCCC
.....FFFFFCCCCCCC
.....FFFFFCCCCCCC
.....FFFFFCCCCCCC
"""


class WallOfFireState(NamedTuple):
    """Tile of the avatar (row by row), coins left as bits, and the player to move."""

    at: int
    coins: int
    player: int


class WallOfFireParams(NamedTuple):
    """A board; ``coin`` holds each tile's coin number or -1."""

    width: int
    height: int
    start: int
    fire: NDArray[np.int64]
    coin: NDArray[np.int64]
    all_coins: int
    fire_reward: float
    coin_reward: float
    most_turns: int


def board(
    text: str = BOARD, fire: float = -2.0, coin: float = 100.0, most_turns: int = 20
) -> WallOfFireParams:
    """Parameters from a board drawn as text.

    >>> board("SFC").width
    3
    """
    if most_turns < 0:
        raise InvalidInput(f"most_turns is 0 or more, got {most_turns}")
    what = f"a board of {_NAME}"
    rows = grid.read_board(text, ".SFC", what)
    numbers = grid.number_coins(rows, "C", what)
    return WallOfFireParams(
        width=len(rows[0]),
        height=len(rows),
        start=grid.find_one(rows, "S", what),
        fire=np.array([tile == "F" for tile in "".join(rows)], dtype=np.int64),
        coin=numbers,
        all_coins=(1 << int(numbers.max() + 1)) - 1,
        fire_reward=float(fire),
        coin_reward=float(coin),
        most_turns=most_turns,
    )


INFO = GameInfo(
    name="wall-of-fire",
    teams=(0, 0),
    max_actions=4,
    params=board(),
    action_bounds=(0, 3),
    state_bounds={"at": (0, 2**31), "coins": (0, 2**grid.MOST_COINS - 1), "player": (0, 1)},
    reward_bounds=(-2.0, 100.0),
    exploration=3.8,  # less, and a coin is missed now and then; more, and the fire is not tried
    discount=0.91,  # less, and the fire is not tried; more, and coins are missed
    shared_turns=True,  # there is one avatar, whoever moves it
)


@jit
def start(params: WallOfFireParams) -> WallOfFireState:
    """The avatar on its start, all coins in place, the first player to move."""
    return WallOfFireState(params.start, params.all_coins, 0)


@jit
def legal_actions(state: WallOfFireState, params: WallOfFireParams, out: Any) -> int:
    """The four directions, less those off the board."""
    # Spelled out: a loop over the directions makes playouts a fifth slower.
    row, column = state.at // params.width, state.at % params.width
    count = 0
    if row > 0:
        out[count] = NORTH
        count += 1
    if column < params.width - 1:
        out[count] = EAST
        count += 1
    if row < params.height - 1:
        out[count] = SOUTH
        count += 1
    if column > 0:
        out[count] = WEST
        count += 1
    return count


@jit
def apply(state: WallOfFireState, action: int, params: WallOfFireParams) -> WallOfFireState:
    """Move, and take the coin there."""
    at = moved(state.at, action, params.width)
    return WallOfFireState(at, without_coin(state.coins, params.coin, at), 1 - state.player)


@jit
def reward(
    state: WallOfFireState, action: int, after: WallOfFireState, params: WallOfFireParams
) -> float:
    """Fire costs each time, a coin pays once."""
    if after.coins != state.coins:
        return params.coin_reward
    if params.fire[after.at]:
        return params.fire_reward
    return 0.0


def action_text(state: WallOfFireState, action: int, params: WallOfFireParams) -> str:
    """N, E, S or W."""
    return grid.DIRECTIONS[action]


def state_text(state: WallOfFireState, params: WallOfFireParams) -> str:
    """Rows of the board as it is now, ``@`` for the avatar, and who moves."""
    tiles = "".join(_tile(state, params, at) for at in range(params.width * params.height))
    return grid.join_state(tiles, params.width, str(state.player))


def _tile(state: WallOfFireState, params: WallOfFireParams, at: int) -> str:
    if at == state.at:
        return "@"
    if grid.has_coin(state.coins, params.coin, at):
        return "C"
    return "F" if params.fire[at] else "."


def state_from_text(text: str, params: WallOfFireParams) -> WallOfFireState:
    """Read what :func:`state_text` writes for the same board."""
    tiles, player = grid.split_state(text, "01", _NAME)
    state = WallOfFireState(tiles.find("@"), grid.coins_shown(tiles, "C", params.coin), player)
    if state_text(state, params) != text.strip():
        raise InvalidInput(
            f"{text!r} is not a state of this board of {_NAME}; expected a text like "
            f"{state_text(start(params), params)!r}"
        )
    return state


def adjourned(plies: int, quiet_plies: int, params: WallOfFireParams = INFO.params) -> str | None:
    """Why a match ends, if it does; plans know nothing of this.

    >>> adjourned(plies=20, quiet_plies=3)
    '20 turns played'
    """
    return f"{params.most_turns} turns played" if plies >= params.most_turns else None


def total_bounds(params: WallOfFireParams = INFO.params) -> tuple[float, float]:
    """As if there were a coin or fire wherever one goes, as long as there are coins.

    >>> total_bounds(board("SFC", most_turns=3))
    (-6.0, 100.0)
    """
    coins = min(params.most_turns, params.all_coins.bit_count())

    def extreme(of: Callable[..., float]) -> float:
        tile = of(0.0, params.fire_reward)
        return (params.most_turns - coins) * tile + coins * of(tile, params.coin_reward)

    return extreme(min), extreme(max)
