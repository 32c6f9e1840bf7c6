"""A few functions that write SVG; colours and fonts are the page's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, log10

from sizeup.games.scenes import one_line

__all__ = ["element", "path", "picture", "scale", "sign", "text", "ticks"]


def element(name: str, *children: str, **attributes: str | float) -> str:
    """An element; ``class_`` stands for class, and ``_`` in names for a hyphen.

    >>> element("line", x1=0, x2=2.5, class_="axis")
    '<line x1="0" x2="2.5" class="axis"/>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_shown(value)}"'
        for key, value in attributes.items()
    )
    inside = "".join(children)
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"


def text(words: str, x: float, y: float, **attributes: str | float) -> str:
    """Words at a place.

    >>> text("<a>", 1, 2)
    '<text x="1" y="2">&lt;a&gt;</text>'
    """
    return element("text", escape(one_line(words)), x=x, y=y, **attributes)


def path(points: Sequence[tuple[float, float]], closed: bool = False, **attributes: str) -> str:
    """A line through points.

    >>> path([(0, 1), (2, 3.5)], class_="line")
    '<path d="M0 1L2 3.5" class="line"/>'
    """
    way = "L".join(f"{_shown(x)} {_shown(y)}" for x, y in points)
    return element("path", d=f"M{way}{'Z' if closed else ''}", **attributes)


def picture(
    name: str, title: str, description: str, width: float, height: float, *children: str
) -> str:
    """A whole picture, with what it shows in words for those who do not see it."""
    said = (
        element("title", escape(one_line(title)), id=f"{name}-title"),
        element("desc", escape(one_line(description)), id=f"{name}-desc"),
    )
    return element(
        "svg", *said, *children, xmlns="http://www.w3.org/2000/svg", role="img",
        aria_labelledby=f"{name}-title {name}-desc",
        viewBox=f"0 0 {_shown(width)} {_shown(height)}",
    )  # fmt: skip


def sign(*children: str) -> str:
    """A small picture for a legend, 28 by 12, which the words beside it explain."""
    return element("svg", *children, viewBox="0 0 28 12", width=28, height=12, aria_hidden="true")


def scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    """From numbers to places.

    >>> scale(0, 10, 100, 200)(5)
    150.0
    """
    return lambda number: start + (number - low) / (high - low) * (end - start)


def ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Round numbers that reach from below ``low`` to above ``high``.

    >>> ticks(-3.2, 17)
    [-5.0, 0.0, 5.0, 10.0, 15.0, 20.0]
    >>> ticks(0, 1.7)
    [0.0, 0.5, 1.0, 1.5, 2.0]
    """
    span = max(high - low, 1e-9)
    unit = 10.0 ** floor(log10(span))
    steps = (unit * part for part in (0.1, 0.2, 0.5, 1, 2, 5, 10))
    step = next(s for s in steps if ceil(high / s) - floor(low / s) < most)
    return [round(i * step, 9) for i in range(floor(low / step), ceil(high / step) + 1)]


def _shown(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{round(value, 2):g}"
