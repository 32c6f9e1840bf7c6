"""Which figure goes with which table, and what its legend says."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sizeup.games.scenes import one_line
from sizeup.report.answer import compared_text
from sizeup.report.curves import Curve, curves, swatch
from sizeup.report.forest import Mark, forest
from sizeup.report.summary import Belief, Estimate, Summary, Tabled
from sizeup.report.svg import element, path, sign

__all__ = ["belief_figure", "comparison_figure", "table_figure"]

_BAR = element("line", x1=1, x2=27, y1=6, y2=6, class_="ours")
_OURS = sign(_BAR, element("circle", cx=14, cy=6, r=4.5, class_="ours dot"))
_WIDE = sign(element("line", x1=1, x2=27, y1=6, y2=6, class_="wide"))
_PUBLISHED = sign(path([(14, 1), (19, 6), (14, 11), (9, 6)], closed=True, class_="published"))


def comparison_figure(summary: Summary) -> str:
    """Differences with both of their intervals."""
    marks = [
        Mark(
            compared_text(summary, found),
            found.difference,
            wide=Estimate(found.difference.value, found.low, found.high),
        )
        for found in summary.comparisons
    ]
    drawn = forest("comparisons", "Differences of scores", marks, "difference in points")
    return _figure(drawn, [(_OURS, "95 % interval"), (_WIDE, "interval of the sequential test")])


def table_figure(summary: Summary, table: Tabled, name: str) -> str:
    """The figure of a table; empty where it has no numbers."""
    if not any(entry.value.is_known for entry in table.entries):
        return ""
    if table.by in ("update", "round"):
        return _curves(summary, table, name)
    return _forest(summary, table, name)


def _forest(summary: Summary, table: Tabled, name: str) -> str:
    several = len(table.arms) > 1
    marks: list[Mark] = []
    for row in table.rows:
        words = f"{table.by}: {row}" if table.by and row != "total" else row
        if several and table.by:
            marks.append(Mark(words))
        for entry in table.entries:
            if entry.row == row:
                label = summary.arms[entry.arm] if several or not table.by else words
                found = entry.exact if table.measure == "reward" else entry.value
                published = None if table.measure == "reward" else entry.published
                marks.append(Mark(label, found or Estimate(), published))
    unit = {
        "score": "score in percent",
        "reward": "percent of runs with exactly the published reward",
        "deviation": "mean deviation from the true depth",
    }[table.measure]
    legend = [(_OURS, "ours, 95 % interval")]
    if any(mark.published is not None for mark in marks):
        legend.append((_PUBLISHED, "published"))
    return _figure(forest(name, table.title, marks, unit), legend)


def _curves(summary: Summary, table: Tabled, name: str) -> str:
    lines = [
        Curve(
            summary.arms[arm],
            [entry.value for entry in table.of(arm) if entry.row != "total"],
        )
        for arm in table.arms
    ]
    over = table.by == "update"
    words = {"score": "score in percent", "deviation": "mean deviation", "reward": "median reward"}
    unit = ("update of the belief" if over else "game of the series", words[table.measure])
    drawn = curves(name, table.title, lines, unit, start=0 if over else 1, bars=not over)
    return _figure(drawn, [(swatch(kind), line.label) for kind, line in enumerate(lines)])


def belief_figure(summary: Summary) -> str:
    """How probable the truth became over the games of a series, by arm and member."""
    lines = []
    believers = dict.fromkeys((belief.arm, belief.member) for belief in summary.beliefs)
    for arm, member in believers:
        found = [b for b in summary.beliefs if (b.arm, b.member) == (arm, member)]
        label = f"{summary.arms[arm]}: {summary.teams[arm][member]}"
        lines.append(Curve(label, [_right(found, n + 1) for n in range(summary.rounds)]))
    title = "Probability of the true depth at the end of each game"
    unit = ("game of the series", "mean probability of the truth")
    drawn = curves("beliefs", title, lines, unit, start=1, bars=True)
    return _figure(drawn, [(swatch(kind), line.label) for kind, line in enumerate(lines)])


def _right(found: Sequence[Belief], number: int) -> Estimate:
    """Mean over everything that was to be found, each game with the same weight."""
    now = [belief for belief in found if belief.round == number]
    games = sum(belief.games for belief in now)
    return Estimate(sum(b.games * b.right for b in now) / games) if games else Estimate()


def _figure(drawn: str, legend: Sequence[tuple[str, str]]) -> str:
    items = "".join(f"<li>{drawing} {escape(one_line(words))}</li>" for drawing, words in legend)
    return f'<figure>{drawn}<figcaption><ul class="legend">{items}</ul></figcaption></figure>'
