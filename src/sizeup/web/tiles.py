"""Boards for the page: the tiles of a scene as plain data."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from sizeup.games import scenes
from sizeup.games.contract import View

__all__ = ["base_name", "rows_of", "unseated"]

_SCENES: dict[str, Callable[[Any, Any], scenes.Scene]] = {
    "checkers": scenes.checkers,
    "connect-four": scenes.connect_four,
    "harvest": scenes.harvest,
    "narrow-tunnel": scenes.narrow_tunnel,
    "wall-of-fire": scenes.wall_of_fire,
}
_GROUNDS = {"fire": "fire", "wall": "wall", "dark square": "dark", "light square": "light"}
_PIECES = {
    "black man": "man-0", "white man": "man-1", "black king": "king-0", "white king": "king-1",
    "avatar": "avatar", "blue avatar": "avatar-0", "red avatar": "avatar-1",
    "coin": "coin", "blue coin": "coin-0", "red coin": "coin-1",
    "first side's stone": "disc-0", "second side's stone": "disc-1",
}  # fmt: skip
_UNSAID = ("free", "dark square", "empty")  # what a piece that stands there makes plain


def base_name(view: View) -> str:
    """Name of a game, or of the one beneath if its sides are seated.

    >>> from sizeup.games import checkers
    >>> from sizeup.games.seats import seat
    >>> base_name(View(seat(checkers)))
    'checkers'
    """
    return view.info.name.partition(" ")[0]


def unseated(view: View, state: Any) -> tuple[Any, Any]:
    """State and parameters of the game itself, without who sits where."""
    return getattr(state, "base", state), getattr(view.params, "base", view.params)


def rows_of(view: View, state: Any) -> list[list[dict[str, Any]]]:
    """Tiles from the top, row by row.

    >>> from sizeup.games import wall_of_fire
    >>> world = View(wall_of_fire, wall_of_fire.board("SFC"))
    >>> [tile["label"] for tile in rows_of(world, world.start())[0]]
    ['avatar', 'fire', 'coin']
    """
    scene = _SCENES[base_name(view)](*unseated(view, state))
    if base_name(view) != "connect-four":
        return [[_tile(tile) for tile in row] for row in scene.rows]
    head, *stones = scene.rows  # the first row names the columns, as actions do
    rows = [[_tile(tile) for tile in row] for row in stones]
    rows[-1] = [{**tile, "note": h.label} for tile, h in zip(rows[-1], head, strict=True)]
    return rows


@lru_cache(maxsize=4096)  # one object for all tiles alike: a long game has thousands of them
def _tile(tile: scenes.Tile) -> dict[str, Any]:
    told = {
        "ground": _GROUNDS.get(tile.ground.name, "floor"),
        "piece": _PIECES.get(tile.piece.name) if tile.piece else None,
        "label": _label(tile),
    }
    return {**told, "text": tile.label} if tile.label else told


def _label(tile: scenes.Tile) -> str:
    """What a screen reader says: the square's number, what stands on it, and in what."""
    number = f"square {tile.note.strip()}" if tile.note else ""
    piece = tile.piece.name if tile.piece else ""
    ground = "" if piece and tile.ground.name in _UNSAID else tile.ground.name
    return ", ".join(filter(None, (number, piece, ground, tile.label)))
