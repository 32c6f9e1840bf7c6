"""Figures of a report as SVG: forest plots and curves; colours and fonts are the page's."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from math import ceil, floor, log10, sqrt
from pathlib import Path
from typing import NamedTuple, TypeAlias

from sizeup.errors import InvalidInput
from sizeup.report.answer import compared_text
from sizeup.report.crossplay import Crossplay
from sizeup.report.numbers import decimal, interval
from sizeup.report.summary import Estimate, FinalBelief, Summary, Tabled
from sizeup.words import one_line

_WIDTH = 460.0
_LINE, _LABEL_TOP = 14.0, 4.0  # of a forest plot
_LETTER, _BOLD = 7.1, 8.0  # about their widths
_WIDEST = 22  # letters of a label before it is broken
_HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 260.0, 36.0, 10.0, 28.0, 40.0  # of curves
_KINDS = 6  # colours that the page has
_BELOW = 8.0  # from an interval to its runs
_APART = 5.0  # between intervals of several arms at the same place

_Scale: TypeAlias = Callable[[float], float]
_Places: TypeAlias = Sequence[tuple[float, Estimate]]


class ForestRow(NamedTuple):
    """A line of a forest plot."""

    label: str
    found: Estimate | None = None  # none in a heading
    published: float | None = None
    wide: Estimate | None = None  # an interval drawn thin behind the other one
    spread: tuple[tuple[float, int], ...] = ()  # values, and how often each occurred


class Curve(NamedTuple):
    """A line: its name, and what it has at each place."""

    label: str
    found: Sequence[Estimate]


@dataclass(frozen=True, repr=False)
class Figure:
    """A figure outside the page: a notebook shows it, :meth:`save` writes it as SVG."""

    title: str
    html: str  # the picture and its legend, as the page has them

    @property
    def svg(self) -> str:
        """The picture alone, with its colours."""
        start, end = self.html.index("<svg"), self.html.index("</svg>")
        inside = self.html.index(">", start) + 1
        style = f"<style>{_styles('svg')}</style>"
        return f"{self.html[start:inside]}{style}{self.html[inside:end]}</svg>"

    def save(self, path: str | Path) -> None:
        """Write the picture to a file that ends in ``.svg``."""
        if Path(path).suffix.lower() != ".svg":
            raise InvalidInput(
                f"a figure is written to a file that ends in .svg, got {str(path)!r}"
            )
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_html_(self) -> str:
        style = f"<style>{_styles('.sizeup-figure')}</style>"
        return f'<div class="sizeup-figure">{style}{self.html}</div>'

    def __repr__(self) -> str:
        return f"<Figure: {self.title}>"


def crossplay_figure(found: Crossplay) -> str:
    """What everybody earned with everybody, as a heat map."""
    agents = found.teammates.agents
    values = [found.of(a, b).value.value for a in agents for b in agents]
    known = [value for value in values if value == value]
    if not known:
        return ""
    low, high = min(known), max(known)
    is_wide = found.measure == "score" or max(-low, high) >= 100  # four signs fill a square
    digits = 0 if is_wide else 1
    left = 8 + _LETTER * max(map(len, agents))
    side = (_WIDTH - left) / len(agents)
    height = min(side, 26.0)
    drawn = []
    for place, value in enumerate(values):
        row, column = divmod(place, len(agents))
        x, y = left + column * side, row * height
        share = (value - low) / ((high - low) or 1.0)
        if value == value:
            tint = f"fill:rgb(var(--heat)/{0.06 + 0.6 * share:.2f})"
            drawn.append(_element("rect", x=x, y=y, width=side, height=height, style=tint))
            middle = x + side / 2, y + height / 2 + 4
            shown = decimal(value, digits).replace(",", "")  # a square has no room for it
            drawn.append(_text(shown, *middle, class_="cell", text_anchor="middle"))
    for number, agent in enumerate(agents):
        drawn.append(_text(agent, 0, number * height + height / 2 + 4, class_="label"))
    bottom = len(agents) * height
    for number, agent in enumerate(agents):
        x = left + (number + 0.5) * side
        # Names end at their column: the last one would leave the picture if it began there.
        turned = f"rotate(-40 {_shown(x)} {_shown(bottom + 12)})"
        ends = {"text_anchor": "end", "transform": turned}
        drawn.append(_text(agent, x + 4, bottom + 14, class_="tick", **ends))
    told = "; ".join(
        f"{a} with {b}: {decimal(found.of(a, b).value.value, digits)}"
        for a in agents
        for b in agents
    )
    space = 24 + 0.65 * _LETTER * max(map(len, agents))
    picture = _picture("crossplay", "Everybody with everybody", told, bottom + space, *drawn)
    unit = "score in percent" if found.measure == "score" else "mean reward"
    return _figure(picture, [("", f"{unit}; rows are agents, columns their teammates")])


def _styles(root: str) -> str:
    """What the page says of figures, for what is below ``root`` alone, on white."""
    css = (resources.files("sizeup.report") / "page.css").read_text(encoding="utf-8")
    names = re.search(r"^:root \{[^}]*\}", css, re.MULTILINE)
    assert names is not None  # the page would have no colours
    rules = re.findall(r"^(?:svg |\.kind|\.legend|figure)[^{]*\{[^}]*\}", css, re.MULTILINE)
    inner = [rule.removeprefix("svg ") if root == "svg" else rule for rule in rules]
    colours = names[0].replace(":root", root).replace("light dark", "only light")
    ground = f"{root} {{ background: var(--ground); color: var(--ink); }}"
    return "\n".join([colours, ground, *(f"{root} {rule}" for rule in inner)])


def figures_of(summary: Summary) -> dict[str, Figure]:
    """The figures of a report by their titles, those that have something to show."""
    drawn = {}
    if summary.comparisons and summary.counts.counted:
        drawn["comparisons"] = comparison_figure(summary)
    if summary.crossplay is not None:
        drawn["crossplay"] = crossplay_figure(summary.crossplay)
    for number, table in enumerate(summary.tables, start=1):
        drawn[table.title] = table_figure(summary, table, f"table{number}")
    if summary.beliefs and summary.rounds > 1:
        drawn["beliefs"] = belief_figure(summary)
    return {title: Figure(title, html) for title, html in drawn.items() if html}


def comparison_figure(summary: Summary) -> str:
    """Differences with both of their intervals."""
    marks = [
        ForestRow(
            compared_text(summary, found),
            found.difference,
            wide=Estimate(found.difference.value, found.low, found.high),
        )
        for found in summary.comparisons
    ]
    is_score = summary.stakes.measure == "score"
    unit = "difference in points" if is_score else "difference in mean reward, a game"
    title = f"Differences of {'scores' if is_score else 'rewards'}"
    drawn = forest("comparisons", title, marks, unit, 1 if is_score else 2)
    legend = [(_OURS, "95 % interval")]
    if any(found.low is not None for found in summary.comparisons):
        legend.append((_sign(_legend_bar("wide")), "sequential interval"))
    return _figure(drawn, legend)


def table_figure(summary: Summary, table: Tabled, name: str) -> str:
    """The figure of a table; empty where it has no numbers."""
    if not any(entry.value.is_known for entry in table.entries):
        return ""
    return (_curves if table.by in ("update", "round") else _forest)(summary, table, name)


def belief_figure(summary: Summary) -> str:
    """How probable the truth became over the games of a series, by arm and member."""
    lines = []
    believers = dict.fromkeys((belief.arm, belief.member) for belief in summary.beliefs)
    for arm, member in believers:
        found = [b for b in summary.beliefs if (b.arm, b.member) == (arm, member)]
        label = f"{summary.arms[arm]}: {seat_text(summary, arm, member)}"
        lines.append(Curve(label, [_right(found, n + 1) for n in range(summary.rounds)]))
    title = "Probability of the true depth at the end of each game"
    unit = ("game of the series", "mean probability of the truth")
    return _with_legend(curves("beliefs", title, lines, unit, start=1, bars=True), lines)


def seat_text(summary: Summary, arm: str, member: int) -> str:
    """A member of a team, by its place in it as it is written, and what it is."""
    agent = summary.teams[arm][member].replace("{", "").replace("}", "")
    return f"seat {member + 1} ({agent})"


def forest(name: str, title: str, marks: Sequence[ForestRow], unit: str, digits: int = 1) -> str:
    """A picture of estimates with their intervals, published numbers, and a line at zero.

    Where it is known how values are spread, each is a dot, the larger the more often it occurred.
    """
    labels = [textwrap.wrap(mark.label, _WIDEST) or [""] for mark in marks]
    left = 12 + max(
        len(line) * (_BOLD if mark.found is None else _LETTER)
        for mark, lines in zip(marks, labels, strict=True)
        for line in lines
    )
    right = _WIDTH - 16
    found = (e for mark in marks for e in (mark.found, mark.wide) if e is not None)
    runs = (value for mark in marks for value, _ in mark.spread)
    values = _ticks(*_range(found, 1.0, 0.0, *(mark.published for mark in marks), *runs))
    x = _scale(values[0], values[-1], left, right)
    drawn, bottom = list[str](), _LABEL_TOP
    for mark, lines in zip(marks, labels, strict=True):
        drawn += _mark(mark, lines, bottom, x)
        bottom += _LINE * len(lines) + 9
    axis, signs = [], []
    for v, shown in zip(values, _shown_ticks(values), strict=True):
        rule = "grid" if v else "zero"
        axis.append(_element("line", x1=x(v), x2=x(v), y1=_LABEL_TOP, y2=bottom, class_=rule))
        signs.append(_text(shown, x(v), bottom + 16, text_anchor="middle", class_="tick"))
    under = _text(unit, (left + right) / 2, bottom + 34, text_anchor="middle", class_="unit")
    told = _marks_in_words(marks, digits)
    return _picture(name, title, told, bottom + 38, *axis, *drawn, *signs, under)


def curves(
    name: str, title: str, lines: Sequence[Curve], unit: tuple[str, str], *, start: int = 0,
    bars: bool = False, least: float | None = 0.0,
) -> str:  # fmt: skip
    """A picture of curves over numbers from ``start`` on, under a ``name`` that a page has once.

    ``unit`` names what is measured along and up. Intervals are ``bars``, for few places, or bands;
    the scale reaches down to ``least``.
    """
    length = max(len(line.found) for line in lines)
    sides = _ticks(*_range((e for line in lines for e in line.found), 0.1, least))
    last = start + length - 1
    below = [v for v in _ticks(start, last, 8) if start <= v <= last]
    x = _scale(start - 0.3 * bars, max(last, start + 1) + 0.3 * bars, _LEFT, _WIDTH - _RIGHT)
    y = _scale(sides[0], sides[-1], _HEIGHT - _BOTTOM, _TOP)
    parts = [*_axes(x, y, below, sides, unit)]
    shift = [_APART * (i - (len(lines) - 1) / 2) * bars for i in range(len(lines))]
    places = [
        [(x(start + i) + shift[kind], e) for i, e in enumerate(line.found) if e.is_known]
        for kind, line in enumerate(lines)
    ]
    for kind, known in enumerate(places):
        parts += (_bars if bars else _band)(known, y, f"kind{kind % _KINDS}")
    for kind, known in enumerate(places):
        parts += _line(known, y, f"kind{kind % _KINDS}", dots=bars)
    return _picture(name, title, _curves_in_words(lines), _HEIGHT, *parts)


def _forest(summary: Summary, table: Tabled, name: str) -> str:
    several = len(table.arms) > 1
    marks: list[ForestRow] = []
    for row in table.rows:
        words = f"{table.by}: {row}" if table.by and row != "total" else row
        if several and table.by:
            marks.append(ForestRow(words))
        for entry in table.entries:
            if entry.row == row:
                label = summary.arms[entry.arm] if several or not table.by else words
                marks.append(ForestRow(label, entry.value, entry.published, spread=entry.spread))
    unit = {
        "score": "score in percent",
        "reward": "mean reward",
        "deviation": "mean deviation from the true depth",
    }[table.measure]
    is_reward = table.measure == "reward"
    legend = _REWARD_LEGEND[:] if is_reward else [(_OURS, "ours, 95 % interval")]
    if any(mark.published is not None for mark in marks):
        what = "published median" if is_reward else "published"
        legend.append((_sign(_diamond(14, 6)), what))
    drawn = forest(name, table.title, marks, unit, 2 if is_reward else 1)
    return _figure(drawn, legend)


def with_runs(drawn: str) -> str:
    """A picture of means of rewards and their runs, with its legend."""
    return _figure(drawn, _REWARD_LEGEND)


def _curves(summary: Summary, table: Tabled, name: str) -> str:
    lines = [
        Curve(summary.arms[arm], [entry.value for entry in table.of(arm) if entry.row != "total"])
        for arm in table.arms
    ]
    over = table.by == "update"
    words = {"score": "score in percent", "deviation": "mean deviation", "reward": "mean reward"}
    unit = ("update of the belief" if over else "game of the series", words[table.measure])
    drawn = curves(name, table.title, lines, unit, start=0 if over else 1, bars=not over)
    return _with_legend(drawn, lines)


def _right(found: Sequence[FinalBelief], number: int) -> Estimate:
    """Mean over everything that was to be found, each game with the same weight."""
    now = [belief for belief in found if belief.round == number]
    games = sum(belief.games for belief in now)
    return Estimate(sum(b.games * b.right for b in now) / games) if games else Estimate()


def _with_legend(drawn: str, lines: Sequence[Curve]) -> str:
    signs = (_sign(_legend_bar(f"line kind{kind % _KINDS}", 0)) for kind in range(len(lines)))
    return _figure(drawn, list(zip(signs, (line.label for line in lines), strict=True)))


def _figure(drawn: str, legend: Sequence[tuple[str, str]]) -> str:
    items = "".join(f"<li>{drawing} {escape(one_line(words))}</li>" for drawing, words in legend)
    return f'<figure>{drawn}<figcaption><ul class="legend">{items}</ul></figcaption></figure>'


def _legend_bar(kind: str, margin: float = 1) -> str:
    return _element("line", x1=margin, x2=28 - margin, y1=6, y2=6, class_=kind)


def _range(
    found: Iterable[Estimate], least_span: float, *others: float | None
) -> tuple[float, float]:
    """From the smallest to the largest number, at least so far apart."""
    ends = (end for e in found if e.is_known for end in (e.value, e.low, e.high))
    numbers = [end for end in (*ends, *others) if end is not None] or [0.0]
    return min(numbers), max(max(numbers), min(numbers) + least_span)


def _mark(mark: ForestRow, lines: Sequence[str], top: float, x: _Scale) -> Iterator[str]:
    kind = "heading" if mark.found is None else "label"
    for number, line in enumerate(lines):
        yield _text(line, 0, top + _LINE * (number + 1) - 2, class_=kind)
    y = top + _LINE * len(lines) / 2 + 1
    runs = sum(count for _, count in mark.spread)
    for value, count in mark.spread:  # just below the interval
        yield _run(x(value), y + _BELOW, count / runs)
    for one, kind in ((mark.wide, "wide"), (mark.found, "ours")):
        if one is not None and one.low is not None and one.high is not None:
            yield _element("line", x1=x(one.low), x2=x(one.high), y1=y, y2=y, class_=kind)
    if mark.found is not None and mark.found.is_known:
        yield _element("circle", cx=x(mark.found.value), cy=y, r=4, class_="ours dot")
    if mark.published is not None:
        yield _diamond(x(mark.published), y)


def _run(x: float, y: float, share: float) -> str:
    """Runs of one value: an area as large as their share, but never too small to be seen."""
    return _element("circle", cx=x, cy=y, r=max(1.5, 6 * sqrt(share)), class_="run")


def _diamond(x: float, y: float, size: float = 5.0) -> str:
    corners = [(x, y - size), (x + size, y), (x, y + size), (x - size, y)]
    return _path(corners, closed=True, class_="published")


def _marks_in_words(marks: Sequence[ForestRow], digits: int) -> str:
    """The picture in words."""
    told, heading = [], ""
    for mark in marks:
        if mark.found is None:
            heading = f"{mark.label}, "
            continue
        published = ""
        if mark.published is not None:
            published = f", published {decimal(mark.published, digits)}"
        numbers = f"{decimal(mark.found.value, digits)}, interval {interval(mark.found, digits)}"
        told.append(f"{heading}{mark.label}: {numbers}{published}")
    return "; ".join(told) + "."


def _axes(
    x: _Scale, y: _Scale, below: Sequence[float], sides: Sequence[float], unit: tuple[str, str]
) -> Iterator[str]:
    for v, shown in zip(sides, _shown_ticks(sides), strict=True):
        yield _element(
            "line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y(v), y2=y(v), class_="grid" if v else "zero"
        )
        yield _text(shown, _LEFT - 8, y(v) + 4, text_anchor="end", class_="tick")
    for v in below:
        yield _text(f"{v:g}", x(v), _HEIGHT - _BOTTOM + 18, text_anchor="middle", class_="tick")
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    yield _text(unit[0], middle, _HEIGHT - 6, text_anchor="middle", class_="unit")
    yield _text(unit[1], 0, 14, class_="unit")


def _band(places: _Places, y: _Scale, kind: str) -> Iterator[str]:
    inside = [(x, e.low, e.high) for x, e in places if e.low is not None and e.high is not None]
    if len(inside) > 1:
        above = [(x, y(high)) for x, _, high in inside]
        under = [(x, y(low)) for x, low, _ in reversed(inside)]
        yield _path([*above, *under], closed=True, class_=f"band {kind}")


def _bars(places: _Places, y: _Scale, kind: str) -> Iterator[str]:
    for x, e in places:
        if e.low is not None and e.high is not None:
            yield _element("line", x1=x, x2=x, y1=y(e.low), y2=y(e.high), class_=f"bar {kind}")


def _line(places: _Places, y: _Scale, kind: str, dots: bool) -> Iterator[str]:
    if len(places) > 1:
        yield _path([(x, y(e.value)) for x, e in places], class_=f"line {kind}")
    if dots or len(places) == 1:
        for x, e in places:
            yield _element("circle", cx=x, cy=y(e.value), r=3, class_=f"dot {kind}")


def _curves_in_words(lines: Sequence[Curve]) -> str:
    """The picture in words."""
    known = ((line.label, [e.value for e in line.found if e.is_known]) for line in lines)
    told = (f"{name} goes from {decimal(v[0], 2)} to {decimal(v[-1], 2)}" for name, v in known if v)
    return ("; ".join(told) or "there are no numbers yet") + "."


def _element(name: str, *children: str, **attributes: str | float) -> str:
    """An element; ``class_`` stands for class, and ``_`` in names for a hyphen."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_shown(value)}"'
        for key, value in attributes.items()
    )
    inside = "".join(children)
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"


def _text(words: str, x: float, y: float, **attributes: str | float) -> str:
    return _element("text", escape(one_line(words)), x=x, y=y, **attributes)


def _path(points: Sequence[tuple[float, float]], closed: bool = False, **attributes: str) -> str:
    way = "L".join(f"{_shown(x)} {_shown(y)}" for x, y in points)
    return _element("path", d=f"M{way}{'Z' if closed else ''}", **attributes)


def _picture(name: str, title: str, description: str, height: float, *children: str) -> str:
    """A whole picture, with what it shows in words for those who do not see it."""
    said = (
        _element("title", escape(one_line(title)), id=f"{name}-title"),
        _element("desc", escape(one_line(description)), id=f"{name}-desc"),
    )
    return _element(
        "svg", *said, *children, xmlns="http://www.w3.org/2000/svg", role="img",
        aria_labelledby=f"{name}-title {name}-desc",
        viewBox=f"0 0 {_shown(_WIDTH)} {_shown(height)}",
    )  # fmt: skip


def _sign(*children: str) -> str:
    """A small picture for a legend, 28 by 12, which the words beside it explain."""
    return _element("svg", *children, viewBox="0 0 28 12", width=28, height=12, aria_hidden="true")


def _scale(low: float, high: float, start: float, end: float) -> _Scale:
    return lambda number: start + (number - low) / (high - low) * (end - start)


def _ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Round numbers that reach from below ``low`` to above ``high``.

    >>> _ticks(-3.2, 17)
    [-5.0, 0.0, 5.0, 10.0, 15.0, 20.0]
    """
    span = max(high - low, 1e-9)
    unit = 10.0 ** floor(log10(span))
    steps = (unit * part for part in (0.1, 0.2, 0.5, 1, 2, 5, 10))
    step = next(s for s in steps if ceil(high / s) - floor(low / s) < most)
    return [round(i * step, 9) for i in range(floor(low / step), ceil(high / step) + 1)]


def _shown_ticks(values: Sequence[float]) -> list[str]:
    digits = 0 if all(v == round(v) for v in values) else 1
    return [decimal(v, digits) for v in values]


def _shown(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{round(value, 2):g}"


_OURS = _sign(_legend_bar("ours"), _element("circle", cx=14, cy=6, r=4.5, class_="ours dot"))
_REWARD_LEGEND = [
    (_OURS, "mean, 95 % interval"),
    (_sign(_run(8, 6, 0.6), _run(20, 6, 0.1)), "runs, larger where more"),
]
