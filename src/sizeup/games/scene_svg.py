"""From words and tiles to SVG, on a background of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from xml.sax.saxutils import escape

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

__all__ = ["svg_of"]

_SIZE = 48  # side of a tile; shapes are drawn around its middle
_HEADING_HEIGHT = 26
_LINE = 22
_MARGIN = 14
_LETTER, _BOLD = 8.6, 12  # rough widths of a letter, for what must not be cut off

_DISC = '<circle r="15.5" fill="{fill}" stroke="#777777"/>'
_FLAME = (
    '<path d="M1-21C3-12 14-7 14 6A14 14 0 0 1-14 6C-14-1-10-5-8-11C-6-8-5-7-3-6'
    f'C-4-12-2-17 1-21Z" fill="{VERMILLION}" stroke="{ORANGE}"/>'
    f'<path d="M1-4C2 1 8 4 8 10A7.5 7.5 0 0 1-7 10C-7 5-1 3 1-4Z" fill="{YELLOW}"/>'
)
_SHAPES = {
    "hole": f'<circle r="19" fill="{PALE}" stroke="{BLACK}" stroke-opacity=".4"/>',
    "flame": "".join(  # three of them, so that some are seen beside whoever stands in the fire
        f'<g transform="translate({place}) scale({scale})">{_FLAME}</g>'
        for place, scale in (("-14 -5", 0.75), ("14 -5", 0.75), ("0 2", 1))
    ),
    "bricks": (
        f'<path d="M-24-8H24M-24 8H24M-8-24V-8M16-24V-8M-16-8V8M8-8V8M-8 8V24M16 8V24" '
        f'stroke="{GREY}" stroke-width="2"/>'
    ),
    "disc": f'{_DISC}<circle r="11" fill="none" stroke="{{ink}}" stroke-width="1.5"/>',
    "king": f'{_DISC}<path d="M-10 8V-6L-5 0L0-9L5 0L10-6V8Z" fill="{ORANGE}" stroke="{{ink}}"/>',
    "stone": '<circle r="19" fill="{fill}" stroke="#000000" stroke-opacity=".5"/>',
    "avatar": (
        '<g fill="{fill}" stroke="{ink}" stroke-width="2">'
        '<path d="M-17 21C-17 4-10-4 0-4C10-4 17 4 17 21Z"/><circle cy="-11" r="9"/></g>'
    ),
    "coin": (
        '<circle r="14" fill="{fill}" stroke="{ink}" stroke-width="1.5"/>'
        '<circle r="11" fill="none" stroke="{ink}" stroke-width=".8"/>'
    ),
    "sprout": (
        '<path d="M0 18V-4" stroke="{fill}" stroke-width="4"/>'
        '<path d="M0 4C-4-8-11-11-18-11C-17-2-10 4 0 4ZM0-3C2-13 9-18 17-18C17-9 10-3 0-3Z" '
        'fill="{fill}"/>'
    ),
    "seed": '<ellipse cy="9" rx="9" ry="6" fill="{fill}" stroke="{ink}"/>',
}
_SIGN_DROP = {"avatar": 11}  # its letter stands on the chest


def svg_of(drawing: Drawing) -> str:
    """Title, grid and caption below one another, on a background that suits any page."""
    widths = [_column_width(column) for column in zip_longest(*drawing.rows)]
    words = max(len(drawing.title) * _BOLD, *(len(line) * _LETTER for line in drawing.caption))
    width = round(max(sum(widths), words)) + 2 * _MARGIN
    top = _MARGIN + _LINE + 6
    bottom = top + sum(_row_height(row) for row in drawing.rows)
    height = bottom + 8 + _LINE * len(drawing.caption) + _MARGIN
    lines = enumerate(drawing.caption)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" style="max-width:100%;height:auto" role="img" '
            'font-family="DejaVu Sans, Verdana, Helvetica, sans-serif">',
            f"<title>{escape('; '.join((drawing.title, *drawing.caption)))}</title>",
            f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8" '
            f'fill="{WHITE}" stroke="{GREY}"/>',
            _svg_line(drawing.title, _MARGIN + 16, 'font-size="17" font-weight="bold"'),
            *_svg_tiles(drawing.rows, widths, top),
            *(_svg_line(line, bottom + 24 + _LINE * n, 'font-size="14"') for n, line in lines),
            "</svg>",
        )
    )


def _column_width(column: Sequence[Tile | None]) -> float:
    longest = max(len(tile.label) for tile in column if tile)
    return max(_SIZE, longest * _LETTER + 16)


def _row_height(row: Row) -> int:
    return _HEADING_HEIGHT if all(tile.ground is HEADING for tile in row) else _SIZE


def _svg_line(words: str, y: float, style: str) -> str:
    return f'<text x="{_MARGIN}" y="{y}" fill="{BLACK}" {style}>{escape(words)}</text>'


def _svg_tiles(rows: Sequence[Row], widths: Sequence[float], top: float) -> Iterator[str]:
    y = top
    for row in rows:
        x, height = float(_MARGIN), _row_height(row)
        for tile, width in zip(row, widths, strict=False):  # a row may be short
            middle = f'transform="translate({x + width / 2:g} {y + height / 2:g})"'
            yield f"<g {middle}>{''.join(_svg_tile(tile, width, height))}</g>"
            x += width
        y += height


def _svg_tile(tile: Tile, width: float, height: float) -> Iterator[str]:
    """A tile around the origin; hovering over it tells what it is."""
    ground, piece = tile.ground, tile.piece
    if tile.name:
        yield f"<title>{escape(tile.name)}</title>"
    if ground.fill:
        yield _svg_box(width, height, f'fill="{ground.fill}" stroke="{DARK}" stroke-width=".5"')
    yield _SHAPES.get(ground.shape, "")
    if piece:
        yield _SHAPES[piece.shape].format(fill=piece.fill, ink=piece.ink)
        yield _svg_letters(piece.sign, 0, _SIGN_DROP.get(piece.shape, 0), 15, piece.ink)
    yield _svg_letters(tile.note.strip(), 9 - width / 2, 7 - height / 2, 9, ground.ink)
    yield _svg_letters(tile.label, 0, 0, 14, ground.ink)
    if tile.marked:
        frame = 'fill="none" stroke="{}" stroke-width="{}"'
        yield _svg_box(width - 5, height - 5, frame.format(BLACK, 5))
        yield _svg_box(width - 5, height - 5, frame.format(WHITE, 2))


def _svg_box(width: float, height: float, style: str) -> str:
    place = f'x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}"'
    return f"<rect {place} {style}/>"


def _svg_letters(words: str, x: float, y: float, size: int, ink: str) -> str:
    if not words:
        return ""
    place = f'x="{x:g}" y="{y:g}" dy=".36em" text-anchor="middle"'
    return f'<text {place} font-size="{size}" fill="{ink}">{escape(words)}</text>'
