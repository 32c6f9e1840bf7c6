"""The interesting part of a tree as a drawing of its own, without anything from elsewhere."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from sizeup.games.contract import CHANCE
from sizeup.games.drawing import svg_page
from sizeup.games.look import BLACK, BLUE, DARK, PALE, SAND, WHITE
from sizeup.search.explain import Branch, cut, decimals, left_out, who
from sizeup.words import counted

if TYPE_CHECKING:
    from sizeup.search.result import SearchResult

_MARGIN, _LINE, _PAD = 16, 20, 9
_HEIGHT, _LOW, _GAP, _REACH = 42, 22, 10, 64  # of boxes, between them, and between levels
_BOLD, _LETTER = 10.4, 7.7  # rough widths of a letter of 13 px, bold or not
_EDGE, _WIDEST_EDGE = "#8A8A8A", 11
_LEAST_WIDTH = 560  # of the drawing, for the sake of the words above and below it
_KEY = (
    "Values are to the team of the player to move. The wider a line, the more visits; blue is "
    "the principal variation."
)


def tree_svg(
    result: SearchResult, as_type: int | None = None, depth: int = 3, most: int = 3
) -> str:
    """The most visited part of the tree as a drawing, from the root on the left to the right.

    The wider a line, the larger its share of all visits; the principal variation is blue.
    """
    type_, root = cut(result, as_type, depth, most)
    title = f"{result.view.info.name}: player {result.player} searches as type {type_}"
    words = ((who(result.player), "to move"), (counted(root.visits, "visit"), ""))
    box = _Box(words, WHITE, 1.0, True, _boxes(result, root, root.visits))
    return _svg(title, result.view.state_text(result.state), box)


class _Box(NamedTuple):
    """A box to draw: the left and right words of each line, and its share of all visits.

    Without a fill it is no box, only words about moves left out.
    """

    words: tuple[tuple[str, str], ...]
    fill: str = ""
    share: float = 0.0
    principal: bool = False
    below: tuple[_Box, ...] = ()

    @property
    def height(self) -> int:
        return _HEIGHT if self.fill else _LOW


class _Placed(NamedTuple):
    """A box with its left edge, its width and the height of its middle."""

    box: _Box
    x: float
    width: float
    y: float
    below: tuple[_Placed, ...]


def _boxes(result: SearchResult, branch: Branch, total: int) -> tuple[_Box, ...]:
    """Boxes of the moves below a branch, and of those left out there."""
    boxes = [_box(result, move, total) for move in branch.below]
    if branch.left_out:
        boxes.append(_Box(words=((left_out(branch), ""),)))
    return tuple(boxes)


def _box(result: SearchResult, branch: Branch, total: int) -> _Box:
    """White for a move of the player's team, sand for one of the other, pale for chance."""
    visits, teams = counted(branch.visits, "visit"), result.view.teams
    words = ((branch.text, who(branch.actor)), (visits, decimals(branch.value)))
    fill, share = PALE, branch.visits / total
    if branch.actor != CHANCE:
        fill = WHITE if teams[branch.actor] == teams[result.player] else SAND
    return _Box(words, fill, share, branch.principal, _boxes(result, branch, total))


def _svg(title: str, state: str, root: _Box) -> str:
    """Words above, the tree, words below."""
    columns = _columns_of(root)
    placed, bottom = _place(root, columns, 0, 0.0)
    words = max(len(title) * _BOLD, *(len(piece) * _LETTER for piece in _pieces(state)))
    inner = max(sum(columns[-1]), words, _LEAST_WIDTH)
    above, below = (_wrapped(text, int(inner / _LETTER)) for text in (state, _KEY))
    top = _MARGIN + _LINE * (1 + len(above)) + _GAP
    foot = top + bottom + _GAP
    width, height = round(inner) + 2 * _MARGIN, round(foot + _LINE * len(below)) + _MARGIN
    parts = (
        _svg_text(title, _MARGIN, _MARGIN + 13, ' font-weight="bold"'),
        *_svg_lines(above, _MARGIN + _LINE),
        f'<g transform="translate({_MARGIN} {top})">',
        *_svg_tree(list(_unfolded(placed))),
        "</g>",
        *_svg_lines(below, foot),
    )
    return svg_page(f"{title}, in {state}", width, height, parts, ' font-size="13"')


def _pieces(text: str) -> list[str]:
    """Text in pieces between which a line may break."""
    return re.split(r"(?<=[ ,/])", text)


def _wrapped(text: str, most: int) -> list[str]:
    """Text in lines of at most so many letters."""
    lines = [""]
    for piece in _pieces(text):
        if len(lines[-1]) + len(piece) > most:
            lines.append("")
        lines[-1] += piece
    return lines


def _columns_of(root: _Box) -> list[tuple[float, float]]:
    """Left edge and width of each level."""
    columns: list[tuple[float, float]] = []
    left, level = 0.0, [root]
    while level:
        width = max(map(_width, level))
        columns.append((left, width))
        left += width + _REACH
        level = [child for box in level for child in box.below]
    return columns


def _width(box: _Box) -> float:
    letters = (_BOLD if box.fill else _LETTER, _LETTER)  # of the first line and the second
    lines = zip(box.words, letters, strict=False)
    widest = max(len(left) * letter + len(right) * _LETTER for (left, right), letter in lines)
    return widest + 2 * _PAD + 14  # some room between left and right


def _place(
    box: _Box, columns: Sequence[tuple[float, float]], level: int, top: float
) -> tuple[_Placed, float]:
    """Place a box and all below it from ``top`` on; also return where they end.

    A box is as high up as its most visited child, so the principal variation is a straight line.
    """
    below, bottom = [], top
    for child in box.below:
        each, bottom = _place(child, columns, level + 1, bottom)
        below.append(each)
    own = box.height + _GAP
    placed = _Placed(box, *columns[level], top + own / 2, tuple(below))
    return placed, max(bottom, top + own)


def _unfolded(placed: _Placed) -> Iterator[_Placed]:
    yield placed
    for child in placed.below:
        yield from _unfolded(child)


def _svg_tree(everything: Sequence[_Placed]) -> Iterator[str]:
    """Lines, those of the principal variation above others, and boxes above lines."""
    pairs = [(parent, child) for parent in everything for child in parent.below]
    for parent, child in sorted(pairs, key=lambda pair: pair[1].box.principal):
        yield _svg_edge(parent, child)
    for placed in everything:
        yield "".join(_svg_box(placed))


def _svg_edge(parent: _Placed, child: _Placed) -> str:
    """A curved line from a box to one on the next level, dashed to moves left out."""
    start, end = parent.x + parent.width, child.x
    middle = (start + end) / 2
    bend = f"{middle:g} {parent.y:g} {middle:g} {child.y:g}"
    curve = f"M{start:g} {parent.y:g}C{bend} {end:g} {child.y:g}"
    width = max(1.0, _WIDEST_EDGE * math.sqrt(child.box.share))
    colour = BLUE if child.box.principal else _EDGE
    dashes = "" if child.box.fill else ' stroke-dasharray="3 3"'
    return f'<path d="{curve}" fill="none" stroke="{colour}" stroke-width="{width:.2f}"{dashes}/>'


def _svg_box(placed: _Placed) -> Iterator[str]:
    """A rounded box with its words; words about moves left out stand alone."""
    box, height = placed.box, placed.box.height
    left, right, top = placed.x + _PAD, placed.x + placed.width - _PAD, placed.y - height / 2
    if box.fill:
        stroke, thick = (BLUE, 3) if box.principal else (DARK, 1)
        yield (
            f'<rect x="{placed.x:g}" y="{top:g}" width="{placed.width:g}" height="{height}" '
            f'rx="7" fill="{box.fill}" stroke="{stroke}" stroke-width="{thick}"/>'
        )
    weights = (' font-weight="bold"' if box.fill else "", "")
    for number, (words, weight) in enumerate(zip(box.words, weights, strict=False)):
        y = top + 16 + 18 * number
        yield _svg_text(words[0], left, y, weight)
        yield _svg_text(words[1], right, y, ' text-anchor="end"')


def _svg_lines(lines: Sequence[str], top: float) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield _svg_text(line, _MARGIN, top + 13 + _LINE * number)


def _svg_text(words: str, x: float, y: float, style: str = "") -> str:
    if not words:
        return ""
    return f'<text x="{x:g}" y="{y:g}" fill="{BLACK}"{style}>{escape(words)}</text>'
