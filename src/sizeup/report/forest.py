"""Forest plots: an interval a line, and the published number beside it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sizeup.report.numbers import decimal, interval
from sizeup.report.summary import Estimate
from sizeup.report.svg import element, path, picture, scale, text, ticks

__all__ = ["Mark", "forest"]

_WIDTH, _LINE, _TOP, _BOTTOM = 460.0, 14.0, 4.0, 38.0
_LETTER, _BOLD = 7.1, 8.0  # about their widths
_WIDEST = 22  # letters of a label before it is broken
_RIGHT = 16.0


class Mark(NamedTuple):
    """A line of the plot; ``wide`` is an interval drawn thin behind the other one.

    Without an estimate it is a heading.
    """

    label: str
    found: Estimate | None = None
    published: float | None = None
    wide: Estimate | None = None


def forest(name: str, title: str, marks: Sequence[Mark], unit: str) -> str:
    """A picture of estimates with their intervals, published numbers, and a line at zero."""
    labels = [textwrap.wrap(mark.label, _WIDEST) or [""] for mark in marks]
    left = 12 + max(
        len(line) * (_BOLD if mark.found is None else _LETTER)
        for mark, lines in zip(marks, labels, strict=True)
        for line in lines
    )
    values = ticks(*_range(marks))
    x = scale(values[0], values[-1], left, _WIDTH - _RIGHT)
    tops, bottom = [], _TOP
    for lines in labels:
        tops.append(bottom)
        bottom += _LINE * len(lines) + 9
    drawn = [
        part
        for mark, lines, top in zip(marks, labels, tops, strict=True)
        for part in _mark(mark, lines, top, x)
    ]
    axis = [
        element("line", x1=x(v), x2=x(v), y1=_TOP, y2=bottom, class_="zero" if v == 0 else "grid")
        for v in values
    ]
    digits = 0 if all(v == round(v) for v in values) else 1
    signs = [
        text(decimal(v, digits), x(v), bottom + 16, text_anchor="middle", class_="tick")
        for v in values
    ]
    under = text(
        unit, (left + _WIDTH - _RIGHT) / 2, bottom + 34, text_anchor="middle", class_="unit"
    )
    return picture(
        name, title, _words(marks), _WIDTH, bottom + _BOTTOM, *axis, *drawn, *signs, under
    )


def _range(marks: Sequence[Mark]) -> tuple[float, float]:
    """From the smallest to the largest number, zero included."""
    numbers = [0.0]
    for mark in marks:
        for found in (mark.found, mark.wide):
            if found is not None and found.is_known:
                numbers += [n for n in (found.value, found.low, found.high) if n is not None]
        if mark.published is not None:
            numbers.append(mark.published)
    return min(numbers), max(max(numbers), min(numbers) + 1)


def _mark(
    mark: Mark, lines: Sequence[str], top: float, x: Callable[[float], float]
) -> Iterator[str]:
    kind = "heading" if mark.found is None else "label"
    for number, line in enumerate(lines):
        yield text(line, 0, top + _LINE * (number + 1) - 2, class_=kind)
    y = top + _LINE * len(lines) / 2 + 1
    if mark.wide is not None:
        yield from _bar(mark.wide, x, y, "wide")
    if mark.found is not None and mark.found.is_known:
        yield from _bar(mark.found, x, y, "ours")
        yield element("circle", cx=x(mark.found.value), cy=y, r=4, class_="ours dot")
    if mark.published is not None:
        place, size = x(mark.published), 5.0
        corners = [(place, y - size), (place + size, y), (place, y + size), (place - size, y)]
        yield path(corners, closed=True, class_="published")


def _bar(found: Estimate, x: Callable[[float], float], y: float, kind: str) -> Iterator[str]:
    if found.low is not None and found.high is not None:
        yield element("line", x1=x(found.low), x2=x(found.high), y1=y, y2=y, class_=kind)


def _words(marks: Sequence[Mark]) -> str:
    """The picture in words."""
    told, heading = [], ""
    for mark in marks:
        if mark.found is None:
            heading = f"{mark.label}, "
            continue
        published = "" if mark.published is None else f", published {decimal(mark.published)}"
        numbers = f"{decimal(mark.found.value)}, interval {interval(mark.found)}"
        told.append(f"{heading}{mark.label}: {numbers}{published}")
    return "; ".join(told) + "."
