"""What Narrow Tunnel looks like: the board, an avatar for each player, the coins that are left."""

from collections.abc import Iterator

from sizeup.games import grid_look
from sizeup.games.grid import has_coin, moved
from sizeup.games.look import Limit, Look, Scene, Square, Start, finite, stock_tile
from sizeup.games.narrow_tunnel.rules import (
    BLUE,
    NORTH,
    STAY,
    NarrowTunnelParams,
    NarrowTunnelState,
)


def _scene(state: NarrowTunnelState, params: NarrowTunnelParams) -> Scene:
    tiles = [
        stock_tile("wall" if params.wall[at] else "free", _piece(state, params, at))
        for at in range(params.width * params.height)
    ]
    red = state.coins & params.red_coins
    notes = (grid_look.coins_left(red, "red "), grid_look.coins_left(state.coins ^ red, "blue "))
    return Scene(grid_look.rows_of_tiles(tiles, params.width), (", ".join(notes),))


def _piece(state: NarrowTunnelState, params: NarrowTunnelParams, at: int) -> str | None:
    if at in (state.blue, state.red):
        return "blue avatar" if at == state.blue else "red avatar"
    if not has_coin(state.coins, params.coin, at):
        return None
    return "red coin" if params.red_coins >> int(params.coin[at]) & 1 else "blue coin"


def _squares(state: NarrowTunnelState, action: int, params: NarrowTunnelParams) -> list[Square]:
    at = state.blue if state.player == BLUE else state.red
    if action == STAY:
        return [divmod(at, params.width)]
    to = int(moved(at, action - NORTH, params.width))
    return [divmod(at, params.width), divmod(to, params.width)]


def _limits(params: NarrowTunnelParams) -> Iterator[Limit]:
    yield from grid_look.grid_limits(params, ("wall", "coin"), ("blue", "red"))
    yield Limit("red", params.red != params.blue, "another tile than blue's")
    yield from grid_look.coin_limits(params, "red_coins")
    yield from finite(params, "red_reward", "blue_reward")


LOOK = Look(
    title="Narrow Tunnel",
    about="Blue and red want to go opposite ways through a tunnel that only one of them fits in.",
    rules="A red coin pays 30 if red takes it, a blue one 1 if blue does; 20 turns.",
    how_to_move="Click a neighbouring tile or an arrow, or use the arrow keys.",
    untold="Agents are not told when the game ends, and plan past its last turn.",
    seats=("blue", "red"),
    scene=_scene,
    squares=_squares,
    phrases={**grid_look.PHRASES, ".": "stay"},
    keys={**grid_look.KEYS, ".": "stay"},
    limits=_limits,
    start=Start(types=(10, 30), partner=30, you="first", deepest=30, light=6),
)
