"""Narrow Tunnel: two avatars that cannot share a tile.

Blue moves first. Red coins pay when red takes them, blue coins when blue does; a coin is gone
whoever takes it. Boards are text: ``B`` and ``R`` the avatars, ``b`` and ``r`` coins, ``#`` wall,
``.`` free.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sizeup.errors import InvalidInput
from sizeup.games import grid
from sizeup.games.contract import GameInfo
from sizeup.games.grid import actor, is_terminal, neighbour, without_coin
from sizeup.jit import jit

__all__ = [
    "BLUE", "BOARD", "EAST", "INFO", "MEETING", "NORTH", "RED", "SOUTH", "STAY", "WAITING", "WEST",
    "NarrowTunnelParams", "NarrowTunnelState", "action_text", "actor", "adjourned", "apply",
    "board", "is_terminal", "legal_actions", "reward", "start", "state_from_text", "state_text",
    "total_bounds",
]  # fmt: skip

STAY, NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3, 4  # the directions of a grid, after staying
BLUE, RED = 0, 1
_NAME = "Narrow Tunnel"

BOARD = """
........##......
rrr....B..R.bbbb
........##......
"""
"""Sampled searches play the four scores here. An exact planner gets 91 with two experts; and for
discounts of 0.9 and more blue's first move gives it away, so that an aware red never goes in."""

MEETING = """
.......###.....
rrr...B...Rbbbb
.......###.....
"""
"""Red, aware and deep, goes in to see what blue does: a shallow blue comes up to it, and red backs
out. Exact for every discount tried from 0.7 to 0.999; python benchmarks/tunnel_boards.py."""

WAITING = """
######.###.#####
rrr....B..R.bbbb
"""
"""Here a shallow blue stands still for a turn in the tunnel. Exact for discounts of 0.7 to 0.85 and
of 0.975 to 0.999."""


class NarrowTunnelState(NamedTuple):
    """Tiles of both avatars (row by row), coins left as bits, and the player to move."""

    blue: int
    red: int
    coins: int
    player: int


class NarrowTunnelParams(NamedTuple):
    """A board; ``coin`` holds each tile's coin number or -1, ``red_coins`` the red ones as bits."""

    width: int
    height: int
    blue: int
    red: int
    wall: NDArray[np.int64]
    coin: NDArray[np.int64]
    all_coins: int
    red_coins: int
    red_reward: float
    blue_reward: float
    most_turns: int


def board(
    text: str = BOARD, red: float = 30.0, blue: float = 1.0, most_turns: int = 20
) -> NarrowTunnelParams:
    """Parameters from a board drawn as text.

    >>> board("rB.Rb").width
    5
    """
    if most_turns < 0:
        raise InvalidInput(f"most_turns is 0 or more, got {most_turns}")
    what = f"a board of {_NAME}"
    rows = grid.read_board(text, ".#BRbr", what)
    tiles = "".join(rows)
    numbers = grid.number_coins(rows, "rb", what)
    return NarrowTunnelParams(
        width=len(rows[0]),
        height=len(rows),
        blue=grid.find_one(rows, "B", what),
        red=grid.find_one(rows, "R", what),
        wall=np.array([tile == "#" for tile in tiles], dtype=np.int64),
        coin=numbers,
        all_coins=(1 << int(numbers.max() + 1)) - 1,
        red_coins=sum(1 << int(n) for n, tile in zip(numbers, tiles, strict=True) if tile == "r"),
        red_reward=float(red),
        blue_reward=float(blue),
        most_turns=most_turns,
    )


INFO = GameInfo(
    name="narrow-tunnel",
    teams=(0, 0),
    max_actions=5,
    params=board(),
    action_bounds=(0, 4),
    state_bounds={
        "blue": (0, 2**31),
        "red": (0, 2**31),
        "coins": (0, 2**grid.MOST_COINS - 1),
        "player": (0, 1),
    },
    reward_bounds=(0.0, 30.0),
    exploration=4.0,
    discount=0.97,  # the prize is twenty moves away; at 0.95 two experts miss it in one game of six
)


@jit
def start(params: NarrowTunnelParams) -> NarrowTunnelState:
    """Both avatars on their tiles, all coins in place, blue to move."""
    return NarrowTunnelState(params.blue, params.red, params.all_coins, BLUE)


@jit
def _step(at: int, action: int, params: NarrowTunnelParams) -> int:
    """Tile that an action leads to, or -1 off the board."""
    if action == STAY:
        return at
    return neighbour(at, action - NORTH, params.width, params.height)


@jit
def legal_actions(state: NarrowTunnelState, params: NarrowTunnelParams, out: Any) -> int:
    """Stay, or move to a tile that is neither wall nor taken."""
    at, other = state.blue, state.red
    if state.player == RED:
        at, other = state.red, state.blue
    count = 0
    for action in range(5):
        to = _step(at, action, params)
        if to >= 0 and to != other and not params.wall[to]:
            out[count] = action
            count += 1
    return count


@jit
def apply(state: NarrowTunnelState, action: int, params: NarrowTunnelParams) -> NarrowTunnelState:
    """Move, and take the coin there."""
    to = _step(state.blue if state.player == BLUE else state.red, action, params)
    coins = without_coin(state.coins, params.coin, to)
    if state.player == BLUE:
        return NarrowTunnelState(to, state.red, coins, RED)
    return NarrowTunnelState(state.blue, to, coins, BLUE)


@jit
def reward(
    state: NarrowTunnelState, action: int, after: NarrowTunnelState, params: NarrowTunnelParams
) -> float:
    """A coin of one's own colour pays; the other's is worth nothing."""
    taken = state.coins & ~after.coins
    if taken == 0:
        return 0.0
    if state.player == RED:
        return params.red_reward if taken & params.red_coins else 0.0
    return 0.0 if taken & params.red_coins else params.blue_reward


def action_text(state: NarrowTunnelState, action: int, params: NarrowTunnelParams) -> str:
    """N, E, S, W, or a dot to stay."""
    return f".{grid.DIRECTIONS}"[action]


def state_text(state: NarrowTunnelState, params: NarrowTunnelParams) -> str:
    """Rows of the board as it is now, and who moves."""
    tiles = "".join(_tile(state, params, at) for at in range(params.width * params.height))
    return grid.join_state(tiles, params.width, "BR"[state.player])


def _tile(state: NarrowTunnelState, params: NarrowTunnelParams, at: int) -> str:
    if at in (state.blue, state.red):
        return "B" if at == state.blue else "R"
    if grid.has_coin(state.coins, params.coin, at):
        return "r" if params.red_coins >> params.coin[at] & 1 else "b"
    return "#" if params.wall[at] else "."


def state_from_text(text: str, params: NarrowTunnelParams) -> NarrowTunnelState:
    """Read what :func:`state_text` writes for the same board."""
    tiles, player = grid.split_state(text, "BR", _NAME)
    coins = grid.coins_shown(tiles, "br", params.coin)
    state = NarrowTunnelState(tiles.find("B"), tiles.find("R"), coins, player)
    if state_text(state, params) != text.strip():
        raise InvalidInput(
            f"{text!r} is not a state of this board of {_NAME}; expected a text like "
            f"{state_text(start(params), params)!r}"
        )
    return state


def adjourned(plies: int, quiet_plies: int, params: NarrowTunnelParams = INFO.params) -> str | None:
    """Why a match ends, if it does; plans know nothing of this."""
    return f"{params.most_turns} turns played" if plies >= params.most_turns else None


def total_bounds(params: NarrowTunnelParams = INFO.params) -> tuple[float, float]:
    """As if all coins were taken, each by the avatar of its colour.

    >>> total_bounds()
    (0.0, 94.0)
    """
    red = params.red_coins.bit_count()
    blue = params.all_coins.bit_count() - red
    paid = [red * params.red_reward, blue * params.blue_reward]
    return sum(min(0.0, one) for one in paid), sum(max(0.0, one) for one in paid)
