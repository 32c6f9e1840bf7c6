"""What Foraging looks like: the board, a forager for each player, bushes ripe and bare."""

from collections.abc import Iterator

from sizeup.games.foraging.rules import (
    MOST_BUSHES,
    MOST_FORAGERS,
    NORTH,
    STAY,
    ForagingParams,
    ForagingState,
)
from sizeup.games.grid import moved
from sizeup.games.grid_look import KEYS, PHRASES, rows_of_tiles
from sizeup.games.look import (
    BLACK,
    BLUE,
    DARK,
    GREEN,
    ORANGE,
    SAND,
    VERMILLION,
    WHITE,
    Ground,
    Limit,
    Look,
    Piece,
    Scene,
    Square,
    Start,
    Tile,
    counts,
    stock_tile,
)

_COLOURS = ((BLUE, WHITE), (VERMILLION, WHITE), (ORANGE, BLACK), (DARK, WHITE))
_FORAGERS = tuple(
    Piece(f"forager {letter}", letter, "avatar", fill, ink, letter)
    for letter, (fill, ink) in zip("ABCD", _COLOURS, strict=True)
)
_BUSH = Ground("bush", SAND, ",", ink=DARK)
_FOOD = {
    level: Piece(f"food for {level}", str(level), "disc", GREEN, WHITE, str(level))
    for level in range(1, MOST_FORAGERS + 1)
}


_BARE = {
    level: Piece(f"bare, grows food for {level}", mark, "disc", SAND, DARK, str(level))
    for level, mark in zip(_FOOD, "wxyz", strict=True)
}


def _scene(state: ForagingState, params: ForagingParams) -> Scene:
    tiles = [_tile(state, params, at) for at in range(params.width * params.height)]
    ripe = int(state.ripe).bit_count()
    notes = f"{ripe} of {len(params.level)} bushes ripe"
    return Scene(
        rows_of_tiles(tiles, params.width), (notes,), chance="chance decides what grows again"
    )


def _tile(state: ForagingState, params: ForagingParams, at: int) -> Tile:
    if at in state[:MOST_FORAGERS]:
        return Tile(stock_tile("free").ground, _FORAGERS[state.index(at)])
    bush = int(params.bush[at])
    if bush >= 0:
        level = int(params.level[bush])
        return Tile(_BUSH, _FOOD[level]) if state.ripe >> bush & 1 else Tile(_BUSH, _BARE[level])
    return stock_tile("wall" if params.wall[at] else "free")


def _squares(state: ForagingState, action: int, params: ForagingParams) -> list[Square]:
    if state.growing:
        return []
    at = state[state.forager]
    if action == STAY:
        return [divmod(at, params.width)]
    to = int(moved(at, action - NORTH, params.width))
    return [divmod(at, params.width), divmod(to, params.width)]


def _limits(params: ForagingParams) -> Iterator[Limit]:
    for name in ("width", "height"):
        yield Limit(name, getattr(params, name) >= 1, "a whole number of 1 or more")
    tiles, bushes = params.width * params.height, len(params.level)
    for name in ("wall", "bush"):
        fits = len(getattr(params, name)) == tiles
        yield Limit(name, fits, f"a number for each of {tiles} tiles")
    levels = bool(((params.level >= 1) & (params.level <= MOST_FORAGERS)).all())
    fits = levels and 1 <= bushes <= MOST_BUSHES
    yield Limit("level", fits, f"1 to {MOST_BUSHES} levels from 1 to {MOST_FORAGERS}")
    numbered = sorted(params.bush[params.bush >= 0].tolist()) == list(range(bushes))
    yield Limit("bush", numbered, f"each of the bushes 0 to {bushes - 1} once, -1 elsewhere")
    yield Limit("starts", _are_free(params, tiles), "a free tile of its own for each forager")
    seated = 1 <= params.foragers <= len(params.starts)
    yield Limit("foragers", seated, f"1 to {len(params.starts)}, as many as there are starts")
    yield Limit("growth", 0 <= params.growth <= 1, "a probability")
    yield from counts(params, "most_turns")


def _are_free(params: ForagingParams, tiles: int) -> bool:
    starts = params.starts.tolist()
    return (
        1 <= len(starts) <= MOST_FORAGERS
        and len({*starts}) == len(starts)
        and all(0 <= at < tiles and not params.wall[at] and params.bush[at] < 0 for at in starts)
    )


LOOK = Look(
    title="Foraging",
    about="Foragers move in turn and gather food; the best of it takes two of them at once.",
    rules="Food of level n is gathered when n foragers stand beside its bush, and pays n times n; "
    "after a round food may grow again on a bare bush; 24 turns.",
    how_to_move="Click a neighbouring tile or an arrow, or use the arrow keys.",
    untold="Agents are not told when the game ends, and plan past its last turn.",
    seats=("A", "B", "C", "D"),
    scene=_scene,
    squares=_squares,
    phrases={**PHRASES, ".": "stay"},
    keys={**KEYS, ".": "stay"},
    limits=_limits,
    start=Start(types=(2, 6), partner=6, deepest=10, light=4),
)
