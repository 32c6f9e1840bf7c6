"""From words and tiles to pixels, with NumPy alone.

A tile is drawn once and kept; a picture is tiles put together. All pictures of a game are of one
size, so that they can be made into a film: rows and columns do not grow with what stands in them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sizeup.adapters.glyphs import LETTER_HEIGHT, LETTER_WIDTH, letters
from sizeup.games.scenes import (
    BLACK,
    DARK,
    GREY,
    HEADING,
    ORANGE,
    PALE,
    VERMILLION,
    WHITE,
    YELLOW,
    Drawing,
    Row,
    Tile,
)

__all__ = ["pixels_of"]

Pixels: TypeAlias = NDArray[np.uint8]
"""``(height, width, 3)`` red, green and blue."""

_Plane: TypeAlias = NDArray[np.float64]
_Shape: TypeAlias = Callable[[_Plane, _Plane], NDArray[np.bool_]]
_Layer: TypeAlias = tuple[_Shape, str]
"""Where a shape is, around a tile's middle, and its colour or which of the piece's it takes."""

_SIZE = 48  # side of a tile; shapes are drawn around its middle
_HEADING_HEIGHT = 26
_MARGIN, _LINE, _SCALE = 12, 20, 2
_FINE = 4  # each pixel is an average of so many squared
_LETTERS = 44  # at least so many fit in a line
_LONGEST = 20  # letters of the longest whole number of 64 bits
_FILL, _INK = "fill", "ink"


def pixels_of(drawing: Drawing) -> Pixels:
    """Title, grid and caption below one another.

    >>> from sizeup.games.scenes import Ground
    >>> pixels_of(Drawing("one tile", ((Tile(Ground("free", PALE)),),), ("",))).shape
    (124, 552, 3)
    """
    widths = [_column_width(column) for column in zip_longest(*drawing.rows)]
    heights = [_row_height(row) for row in drawing.rows]
    top = _MARGIN + _LINE
    width = max(sum(widths), _LETTERS * LETTER_WIDTH * _SCALE) + 2 * _MARGIN
    bottom = top + sum(heights)
    height = bottom + _LINE * len(drawing.caption) + 2 * _MARGIN
    picture = np.full((height, width, 3), 255, dtype=np.uint8)
    _write(picture, drawing.title, top - _LINE)
    _put_tiles(picture, drawing.rows, widths, heights)
    for number, line in enumerate(drawing.caption):
        _write(picture, line, bottom + _MARGIN + _LINE * number)
    return picture


def _column_width(column: Sequence[Tile | None]) -> int:
    """A tile, or as wide as a label needs; where all are labels, as wide as any could need."""
    tiles = [tile for tile in column if tile]
    longest = max(len(tile.label) for tile in tiles)
    if all(tile.label and tile.ground is not HEADING for tile in tiles):
        longest = max(longest, _LONGEST)
    return max(_SIZE, longest * LETTER_WIDTH * _SCALE + 16)


def _row_height(row: Row) -> int:
    return _HEADING_HEIGHT if all(tile.ground is HEADING for tile in row) else _SIZE


def _put_tiles(
    picture: Pixels, rows: Sequence[Row], widths: Sequence[int], heights: Sequence[int]
) -> None:
    y = _MARGIN + _LINE
    for row, height in zip(rows, heights, strict=True):
        x = _MARGIN
        for tile, width in zip(row, widths, strict=False):  # a row may be short
            first = 0 if tile.ground.fill else 1  # what has no edge leaves its neighbours theirs
            drawn = _tile_pixels(tile, width + 1, height + 1)[first:, first:]
            picture[y + first : y + height + 1, x + first : x + width + 1] = drawn
            x += width
        y += height


def _write(picture: Pixels, words: str, y: int) -> None:
    """Write a line from the left, as much of it as there is room for."""
    room = (picture.shape[1] - 2 * _MARGIN) // (LETTER_WIDTH * _SCALE)
    _stamp(picture, words[:room], _MARGIN, y, _SCALE, BLACK)


def _stamp(picture: Pixels, words: str, x: int, y: int, scale: int, colour: str) -> None:
    ink = letters(words, scale)
    picture[y : y + ink.shape[0], x : x + ink.shape[1]][ink] = _rgb(colour)


@lru_cache(maxsize=1024)
def _tile_pixels(tile: Tile, width: int, height: int) -> Pixels:
    """A tile with what stands on it; it has its edges in common with its neighbours."""
    ground, piece = tile.ground, tile.piece
    picture = np.full((height, width, 3), _rgb(ground.fill or WHITE), dtype=np.float64)
    if ground.fill:
        picture[[0, -1], :] = picture[:, [0, -1]] = _rgb(DARK)
    for layer in _SHAPES.get(ground.shape, ()):
        _paint(picture, layer, ground.fill, ground.ink)
    for layer in _SHAPES[piece.shape] if piece else ():
        assert piece is not None
        _paint(picture, layer, piece.fill, piece.ink)
    drawn = picture.round().astype(np.uint8)
    if piece and piece.sign:
        _centre(drawn, piece.sign, _SIGN_DROP.get(piece.shape, 0), piece.ink)
    _stamp(drawn, tile.note.strip(), 3, 3, 1, ground.ink)
    _centre(drawn, tile.label, 0, ground.ink)
    if tile.marked:
        _frame(drawn)
    drawn.flags.writeable = False
    return drawn


def _centre(picture: Pixels, words: str, drop: int, colour: str) -> None:
    height, width, _ = picture.shape
    x = (width - len(words) * LETTER_WIDTH * _SCALE) // 2 + 1
    _stamp(picture, words, x, (height - LETTER_HEIGHT * _SCALE) // 2 + drop, _SCALE, colour)


def _frame(picture: Pixels) -> None:
    """Black with a white line in it, which shows on any ground."""
    height, width, _ = picture.shape
    for colour, at, thick in ((BLACK, 0, 5), (WHITE, 2, 1)):
        box = picture[at : height - at, at : width - at]
        box[:thick] = box[-thick:] = _rgb(colour)
        box[:, :thick] = box[:, -thick:] = _rgb(colour)


def _paint(picture: NDArray[np.float64], layer: _Layer, fill: str, ink: str) -> None:
    """Lay a shape over the picture, its edges smooth."""
    shape, colour = layer
    height, width, _ = picture.shape
    down, across = ((np.arange(size * _FINE) + 0.5) / _FINE - size / 2 for size in (height, width))
    inside = shape(*np.meshgrid(across, down)).astype(np.float64)
    cover = inside.reshape(height, _FINE, width, _FINE).mean(axis=(1, 3))[..., None]
    paint = _rgb({_FILL: fill, _INK: ink}.get(colour, colour))
    picture += cover * (np.array(paint) - picture)


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def _disc(radius: float, x: float = 0.0, y: float = 0.0) -> _Shape:
    return lambda across, down: np.hypot(across - x, down - y) <= radius


def _oval(wide: float, high: float, y: float) -> _Shape:
    return lambda across, down: (across / wide) ** 2 + ((down - y) / high) ** 2 <= 1


def _ring(radius: float, thick: float) -> _Shape:
    return lambda across, down: np.abs(np.hypot(across, down) - radius) <= thick / 2


def _polygon(*corners: tuple[float, float]) -> _Shape:
    """Inside by the rule of even and odd: a ray to the left crosses an odd number of sides."""

    def inside(across: _Plane, down: _Plane) -> NDArray[np.bool_]:
        odd = np.zeros(across.shape, dtype=np.bool_)
        for (x, y), (other_x, other_y) in zip(corners, corners[1:] + corners[:1], strict=True):
            if y != other_y:
                spans = (down < y) != (down < other_y)
                odd ^= spans & (across < x + (down - y) * (other_x - x) / (other_y - y))
        return odd

    return inside


def _bricks(across: _Plane, down: _Plane) -> NDArray[np.bool_]:
    """The joints between bricks of 24 by 16, shifted in every other row."""
    x, y = across + _SIZE / 2, down + _SIZE / 2
    shifted = x + 12 * (np.floor(y / 16) % 2)
    return np.asarray((y % 16 < 2) | (shifted % 24 < 2))


def _flame(x: float, y: float, size: float) -> tuple[_Layer, ...]:
    """A drop that stands on its round end, and a smaller one in it."""
    outer = _polygon(
        (x, y - 20 * size), (x + 10 * size, y + 2 * size), (x - 10 * size, y + 2 * size)
    )
    inner = _polygon((x, y - 4 * size), (x + 5 * size, y + 9 * size), (x - 5 * size, y + 9 * size))
    return (
        (outer, VERMILLION),
        (_disc(11 * size, x, y + 7 * size), VERMILLION),
        (inner, YELLOW),
        (_disc(5.5 * size, x, y + 11 * size), YELLOW),
    )


_EDGE = "#777777"
_CROWN = _polygon((-10, 8), (-10, -6), (-5, 0), (0, -9), (5, 0), (10, -6), (10, 8))
_SHAPES: dict[str, tuple[_Layer, ...]] = {
    "hole": ((_disc(19.5), DARK), (_disc(18.5), PALE)),
    "flame": (*_flame(-14, -5, 0.75), *_flame(14, -5, 0.75), *_flame(0, 2, 1)),
    "bricks": ((_bricks, GREY),),
    "disc": ((_disc(16), _EDGE), (_disc(15), _FILL), (_ring(11, 1.5), _INK)),
    "king": ((_disc(16), _EDGE), (_disc(15), _FILL), (_CROWN, ORANGE)),
    "stone": ((_disc(19.5), DARK), (_disc(18.5), _FILL)),
    "avatar": (
        (_oval(18, 26, 22), _INK), (_disc(10, y=-11), _INK),
        (_oval(16, 24, 22), _FILL), (_disc(8, y=-11), _FILL),
    ),
    "coin": ((_disc(14.5), _INK), (_disc(13), _FILL), (_ring(10.5, 1), _INK)),
    "sprout": (
        (_polygon((-2, -4), (2, -4), (2, 18), (-2, 18)), _FILL),
        (_polygon((0, 4), (-6, -8), (-18, -11), (-13, 0)), _FILL),
        (_polygon((0, -3), (5, -14), (17, -18), (13, -7)), _FILL),
    ),
    "seed": ((_oval(9, 6, 9), _FILL),),
}  # fmt: skip
_SIGN_DROP = {"avatar": 11}  # its letter stands on the chest
