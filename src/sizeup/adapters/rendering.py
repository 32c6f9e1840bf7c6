"""Render modes of the environments: print the board, return it as text, or draw it with Pillow.

All frames of a game have one size, so that they can be made into a film: rows and columns do not
grow with what is written in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sizeup.errors import InvalidInput
from sizeup.games import look as scenes
from sizeup.games.contract import View
from sizeup.games.drawing import Drawing, Picture, describe
from sizeup.games.look import HEADING, Row, Tile
from sizeup.play.show import board, print_board

try:
    from PIL import Image, ImageDraw, ImageFont
except ImportError:
    _HAS_PILLOW = False
else:
    _HAS_PILLOW = True

RENDER_MODES = ("human", "ansi", "rgb_array")
"""Printed in the terminal, returned as text, returned as pixels."""

Frame: TypeAlias = NDArray[np.uint8]
"""``(height, width, 3)``: red, green and blue."""

_Layer: TypeAlias = tuple[str, str, tuple[float, ...]]
"""A colour, a method of ``ImageDraw``, and coordinates around the middle of a tile."""

_SIZE = 48  # side of a tile
_HEADING_HEIGHT = 26
_MARGIN, _LINE = 12, 20
_LETTER, _LETTERS = 12, 44  # room for a letter of a label, and for how many in any caption
_LONGEST = 20  # letters of the longest whole number of 64 bits
_FINE = 4  # shapes are drawn this much larger and then reduced, for smooth edges


def checked_mode(mode: str | None) -> str | None:
    """Return the mode if it is one of :data:`RENDER_MODES` that works here, or None."""
    if mode is not None and mode not in RENDER_MODES:
        raise InvalidInput(
            f"there is no render mode {mode!r}; expected one of {', '.join(RENDER_MODES)}"
        )
    if mode == "rgb_array" and not _HAS_PILLOW:
        raise InvalidInput(
            "the render mode 'rgb_array' needs Pillow, which is not installed; run pip install "
            "pillow, or choose 'ansi' or 'human'"
        )
    return mode


def render(view: View, state: Any, mode: str | None) -> str | Frame | None:
    """Draw a state in a render mode; None draws nothing, with a warning.

    >>> from sizeup.games import connect_four
    >>> four = View(connect_four)
    >>> render(four, four.start(), "rgb_array").shape
    (390, 552, 3)
    """
    if mode == "rgb_array":
        return frame_of(describe(view.game, state, view.params))
    if mode == "ansi":
        return str(Picture(view.game, state, view.params)) + "\n"
    if mode == "human":
        from rich.console import Console

        print_board(Console(highlight=False), board(view, state))
    else:
        from gymnasium import logger

        logger.warn("render() draws nothing; give the environment a render_mode")
    return None


def frame_of(drawing: Drawing) -> Frame:
    """Draw a title, a grid and a caption, one below the other."""
    widths = [_column_width(column) for column in zip_longest(*drawing.rows)]
    are_headings = [all(tile.ground is HEADING for tile in row) for row in drawing.rows]
    heights = [_HEADING_HEIGHT if is_heading else _SIZE for is_heading in are_headings]
    room = max(sum(widths), _LETTERS * _LETTER)
    below = 2 * _MARGIN + _LINE + sum(heights)
    size = room + 2 * _MARGIN, below + _LINE * len(drawing.caption) + _MARGIN
    frame = Image.new("RGB", size, scenes.WHITE)
    _put_tiles(frame, drawing.rows, widths, heights)
    draw = ImageDraw.Draw(frame)
    tops = [_MARGIN, *(below + _LINE * number for number in range(len(drawing.caption)))]
    for words, y in zip((drawing.title, *drawing.caption), tops, strict=True):
        draw.text((_MARGIN, y + 7), _fitting(words, room), scenes.BLACK, _font(17), "lm")
    return np.array(frame)


def _column_width(column: Sequence[Tile | None]) -> int:
    """A tile, or as wide as a label needs; where all are labels, as wide as any could need."""
    tiles = [tile for tile in column if tile]
    longest = max(len(tile.label) for tile in tiles)
    if all(tile.label and tile.ground is not HEADING for tile in tiles):
        longest = max(longest, _LONGEST)
    return max(_SIZE, longest * _LETTER + 16)


def _put_tiles(
    frame: Image.Image, rows: Sequence[Row], widths: Sequence[int], heights: Sequence[int]
) -> None:
    y = _MARGIN + _LINE
    for row, height in zip(rows, heights, strict=True):
        x = _MARGIN
        for tile, width in zip(row, widths, strict=False):  # a row may be short
            drawn = _tile(tile, width + 1, height + 1)  # neighbours share an edge
            first = 0 if tile.ground.fill else 1  # a heading leaves its neighbours their edges
            frame.paste(drawn.crop((first, first, *drawn.size)), (x + first, y + first))
            x += width
        y += height


@lru_cache(maxsize=1024)
def _tile(tile: Tile, width: int, height: int) -> Image.Image:
    """A tile with what stands on it."""
    ground, piece = tile.ground, tile.piece
    large = Image.new("RGB", (width * _FINE, height * _FINE), ground.fill or scenes.WHITE)
    for thing in (ground, piece) if piece else (ground,):
        _draw_shape(large, thing)
    image = large.reduce(_FINE)
    draw, edges = ImageDraw.Draw(image), (0, 0, width - 1, height - 1)
    if ground.fill:
        draw.rectangle(edges, outline=scenes.DARK)
    if piece:
        at = width / 2, height / 2 + _SIGN_DROP.get(piece.shape, 0)
        draw.text(at, piece.sign, piece.ink, _font(17), "mm")
    draw.text((3, 2), tile.note.strip(), ground.ink, _font(10), "lt")
    draw.text((width / 2, height / 2), _fitting(tile.label, width), ground.ink, _font(17), "mm")
    if tile.marked:  # black with a white line in it, which shows on any ground
        draw.rectangle(edges, outline=scenes.BLACK, width=5)
        draw.rectangle((2, 2, width - 3, height - 3), outline=scenes.WHITE)
    return image


def _draw_shape(large: Image.Image, thing: scenes.Ground | scenes.Piece) -> None:
    draw, own = ImageDraw.Draw(large), {"fill": thing.fill, "ink": thing.ink}
    for colour, method, around in _SHAPES.get(thing.shape, ()):
        middle = (large.width / 2, large.height / 2) * (len(around) // 2)
        corners = [end + at * _FINE for end, at in zip(middle, around, strict=True)]
        getattr(draw, method)(corners, fill=own.get(colour, colour))


@lru_cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _fitting(words: str, room: int) -> str:
    """As much of a line as there is room for."""
    while _font(17).getlength(words) > room:
        words = words[:-1]
    return words


def _disc(colour: str, wide: float, x: float = 0, y: float = 0, high: float = 0) -> _Layer:
    """A disc, or an oval if it is not as high as it is wide."""
    high = high or wide
    return colour, "ellipse", (x - wide, y - high, x + wide, y + high)


def _drop(colour: str, size: float, x: float, y: float) -> tuple[_Layer, _Layer]:
    """A drop that stands on its round end."""
    left, right, shoulder = x - 0.9 * size, x + 0.9 * size, y - 0.4 * size
    tip = (colour, "polygon", (x, y - 2.5 * size, right, shoulder, left, shoulder))
    return tip, _disc(colour, size, x, y)


def _flame(size: float, x: float, y: float) -> tuple[_Layer, ...]:
    outer = _drop(scenes.VERMILLION, 11 * size, x, y)
    return *outer, *_drop(scenes.YELLOW, 5.5 * size, x, y + 4 * size)


_EDGE = "#777777"
_SHAPES: dict[str, tuple[_Layer, ...]] = {
    "hole": (_disc(scenes.DARK, 19.5), _disc(scenes.PALE, 18.5)),
    "flame": (*_flame(0.75, -14, 0), *_flame(0.75, 14, 0), *_flame(1, 0, 9)),
    "bricks": (
        *((scenes.GREY, "rectangle", (-24, y, 24, y + 2)) for y in (-9, 7)),
        *((scenes.GREY, "rectangle", (x, y, x + 2, y + 16)) for y in (-24, 8) for x in (-9, 15)),
        *((scenes.GREY, "rectangle", (x, -8, x + 2, 8)) for x in (-17, 7)),
    ),
    "disc": (_disc(_EDGE, 16), _disc("fill", 15), _disc("ink", 11.75), _disc("fill", 10.25)),
    "king": (
        *(_disc(_EDGE, 16), _disc("fill", 15)),
        (scenes.ORANGE, "polygon", (-10, 8, -10, -6, -5, 0, 0, -9, 5, 0, 10, -6, 10, 8)),
    ),
    "stone": (_disc(scenes.DARK, 19.5), _disc("fill", 18.5)),
    "avatar": (
        *(_disc("ink", 18, y=22, high=26), _disc("ink", 10, y=-11)),
        *(_disc("fill", 16, y=22, high=24), _disc("fill", 8, y=-11)),
    ),
    "coin": (_disc("ink", 14.5), _disc("fill", 13), _disc("ink", 11), _disc("fill", 10)),
    "sprout": (
        ("fill", "rectangle", (-2, -4, 2, 18)),
        ("fill", "polygon", (0, 4, -6, -8, -18, -11, -13, 0)),
        ("fill", "polygon", (0, -3, 5, -14, 17, -18, 13, -7)),
    ),
    "seed": (_disc("fill", 9, y=9, high=6),),
}
_SIGN_DROP = {"avatar": 11}  # its letter stands on the chest
