"""Curves with their intervals, one for each arm, told apart by colour and by dashes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sizeup.report.numbers import decimal
from sizeup.report.summary import Estimate
from sizeup.report.svg import element, path, picture, scale, sign, text, ticks

__all__ = ["Curve", "curves", "swatch"]

_WIDTH, _HEIGHT = 460.0, 260.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 36.0, 10.0, 28.0, 40.0
_KINDS = 6  # colours that the page has
_APART = 5.0  # between intervals of several arms at the same place


class Curve(NamedTuple):
    """A line: its name, and what it has at each place from ``start`` on."""

    label: str
    found: Sequence[Estimate]


def curves(
    name: str, title: str, lines: Sequence[Curve], unit: tuple[str, str], *, start: int = 0,
    bars: bool = False, least: float | None = 0.0,
) -> str:  # fmt: skip
    """A picture of curves over numbers from ``start`` on.

    Parameters
    ----------
    name
        Of the picture, once on a page.
    title
        What it shows.
    lines
        The curves.
    unit
        What stands under it, and what stands above it: of places and of numbers.
    start
        Number of the first place.
    bars
        Draw intervals as bars, for few places; otherwise as bands.
    least
        Lowest number of the scale, if it must be there.
    """
    length = max(len(line.found) for line in lines)
    sides = ticks(*_range(lines, least))
    below = [v for v in ticks(start, start + length - 1, 8) if start <= v <= start + length - 1]
    x = scale(
        start - 0.3 * bars, max(start + length - 1, start + 1) + 0.3 * bars, _LEFT, _WIDTH - _RIGHT
    )
    y = scale(sides[0], sides[-1], _HEIGHT - _BOTTOM, _TOP)
    parts = [*_axes(x, y, below, sides, unit)]
    shift = [_APART * (i - (len(lines) - 1) / 2) * bars for i in range(len(lines))]
    for kind, line in enumerate(lines):
        places = [(x(start + i) + shift[kind], e) for i, e in enumerate(line.found) if e.is_known]
        draw = _bars if bars else _band
        parts += draw(places, y, f"kind{kind % _KINDS}")
    for kind, line in enumerate(lines):
        places = [(x(start + i) + shift[kind], e) for i, e in enumerate(line.found) if e.is_known]
        parts += _line(places, y, f"kind{kind % _KINDS}", dots=bars)
    return picture(name, title, _words(lines), _WIDTH, _HEIGHT, *parts)


def swatch(kind: int) -> str:
    """A bit of a curve, for a legend."""
    return sign(element("line", x1=0, x2=28, y1=6, y2=6, class_=f"line kind{kind % _KINDS}"))


def _range(lines: Sequence[Curve], least: float | None) -> tuple[float, float]:
    ends = [
        end for line in lines for e in line.found if e.is_known for end in (e.value, e.low, e.high)
    ]
    numbers = [end for end in (*ends, least) if end is not None] or [0.0]
    return min(numbers), max(max(numbers), min(numbers) + 0.1)


def _axes(
    x: Callable[[float], float], y: Callable[[float], float], below: Sequence[float],
    sides: Sequence[float], unit: tuple[str, str],
) -> Iterator[str]:  # fmt: skip
    digits = 0 if all(v == round(v) for v in sides) else 1
    for v in sides:
        kind = "zero" if v == 0 else "grid"
        yield element("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y(v), y2=y(v), class_=kind)
        yield text(decimal(v, digits), _LEFT - 8, y(v) + 4, text_anchor="end", class_="tick")
    for v in below:
        yield text(f"{v:g}", x(v), _HEIGHT - _BOTTOM + 18, text_anchor="middle", class_="tick")
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    yield text(unit[0], middle, _HEIGHT - 6, text_anchor="middle", class_="unit")
    yield text(unit[1], 0, 14, class_="unit")


def _band(
    places: Sequence[tuple[float, Estimate]], y: Callable[[float], float], kind: str
) -> Iterator[str]:
    inside = [(x, e.low, e.high) for x, e in places if e.low is not None and e.high is not None]
    if len(inside) > 1:
        above = [(x, y(high)) for x, _, high in inside]
        under = [(x, y(low)) for x, low, _ in reversed(inside)]
        yield path([*above, *under], closed=True, class_=f"band {kind}")


def _bars(
    places: Sequence[tuple[float, Estimate]], y: Callable[[float], float], kind: str
) -> Iterator[str]:
    for x, e in places:
        if e.low is not None and e.high is not None:
            yield element("line", x1=x, x2=x, y1=y(e.low), y2=y(e.high), class_=f"bar {kind}")


def _line(
    places: Sequence[tuple[float, Estimate]], y: Callable[[float], float], kind: str, dots: bool
) -> Iterator[str]:
    if len(places) > 1:
        yield path([(x, y(e.value)) for x, e in places], class_=f"line {kind}")
    if dots or len(places) == 1:
        for x, e in places:
            yield element("circle", cx=x, cy=y(e.value), r=3, class_=f"dot {kind}")


def _words(lines: Sequence[Curve]) -> str:
    """The picture in words."""
    told = []
    for line in lines:
        known = [e.value for e in line.found if e.is_known]
        if known:
            told.append(f"{line.label} goes from {decimal(known[0], 2)} to {decimal(known[-1], 2)}")
    return "; ".join(told) + "."
