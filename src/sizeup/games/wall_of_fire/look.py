"""What Wall of Fire looks like: the board, with the one avatar and the coins that are left."""

from collections.abc import Iterator

from sizeup.games.grid import has_coin, moved
from sizeup.games.grid_look import KEYS, PHRASES, coins_left, grid_limits, rows_of_tiles
from sizeup.games.look import Limit, Look, Scene, Square, Start, finite, stock_tile
from sizeup.games.wall_of_fire.rules import WallOfFireParams, WallOfFireState


def _scene(state: WallOfFireState, params: WallOfFireParams) -> Scene:
    tiles = [
        stock_tile("fire" if params.fire[at] else "free", _piece(state, params, at))
        for at in range(params.width * params.height)
    ]
    return Scene(rows_of_tiles(tiles, params.width), (coins_left(state.coins),))


def _piece(state: WallOfFireState, params: WallOfFireParams, at: int) -> str | None:
    if at == state.at:
        return "avatar"
    return "coin" if has_coin(state.coins, params.coin, at) else None


def _squares(state: WallOfFireState, action: int, params: WallOfFireParams) -> list[Square]:
    to = int(moved(state.at, action, params.width))
    return [divmod(state.at, params.width), divmod(to, params.width)]


def _limits(params: WallOfFireParams) -> Iterator[Limit]:
    yield from grid_limits(params, ("fire", "coin"), ("start",))
    yield from finite(params, "fire_reward", "coin_reward")


LOOK = Look(
    title="Wall of Fire",
    about="Five columns of fire, coins behind them, and one avatar that you two move in turn.",
    rules="A step into fire costs 2, a coin pays 100, and there are 20 turns.",
    how_to_move="Click a neighbouring tile or an arrow, or use the arrow keys.",
    untold="Agents are not told when the game ends, and plan past its last turn.",
    scene=_scene,
    squares=_squares,
    phrases=PHRASES,
    keys=KEYS,
    limits=_limits,
    start=Start(types=(2, 20), partner=20, deepest=24, light=6),
)
