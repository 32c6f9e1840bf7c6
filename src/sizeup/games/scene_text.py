"""From words and tiles to text for the terminal, in aligned columns that need no colour."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from sizeup.games.scenes import Drawing, Row

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["text_of"]


def text_of(drawing: Drawing) -> Text:
    """Title, one line for each row, caption and legend, all of one width."""
    from rich.text import Text

    columns = zip_longest(*drawing.rows)
    widths = [max(len(tile.text) for tile in column if tile) for column in columns]
    lines = [
        Text(drawing.title, style="bold"),
        *(_text_row(row, widths) for row in drawing.rows),
        *(Text(line) for line in (*drawing.caption, _legend(drawing)) if line),
    ]
    width = max(line.cell_len for line in lines)
    for line in lines:
        line.pad_right(width - line.cell_len)
    return Text("\n", no_wrap=True).join(lines)


def _text_row(row: Row, widths: Sequence[int]) -> Text:
    from rich.text import Text

    line = Text()
    for tile, width in zip(row, widths, strict=False):  # a row may be short
        ground, middle = tile.ground, tile.text.center(width, tile.ground.edge)
        style = f"{ground.ink} on {ground.fill}" if ground.fill else ""
        piece = f"bold {tile.piece.ink} on {tile.piece.fill}" if tile.piece else style
        left, right = ("[", "]") if tile.marked else (ground.edge, ground.edge)
        line.append(left, style).append(middle, piece).append(right, style)
    return line


def _legend(drawing: Drawing) -> str:
    """What each mark on the board means, in the order in which they appear."""
    things = [tile.piece or tile.ground for row in drawing.rows for tile in row if not tile.label]
    names = {thing.mark: thing.name for thing in things if thing.mark.strip()}
    return "  ".join(f"{mark} {name}" for mark, name in names.items())
