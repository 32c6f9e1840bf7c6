"""What members believed when games ended, as a table with shaded probabilities."""

from __future__ import annotations

from itertools import groupby

from sizeup.report.figures import belief_figure
from sizeup.report.html_table import html_notes, over
from sizeup.report.lines import belief_note
from sizeup.report.numbers import decimal, thousands
from sizeup.report.summary import Belief, Summary

__all__ = ["belief_section"]

_FRAMED = "Framed: the truth, or the depth of whoever believes if the teammate looks deeper."


def belief_section(summary: Summary) -> str:
    """Mean posteriors by who believes and what is true; over a series, also how they got there."""
    if not summary.beliefs:
        return ""
    last = [belief for belief in summary.beliefs if belief.round == summary.rounds]
    types = sorted({depth for belief in last for depth, _ in belief.posterior})
    heads = "".join(f'<th scope="col">{depth}</th>' for depth in types)
    groups = groupby(last, key=lambda b: (b.arm, b.member, b.about))
    body = "".join(_group(summary, list(group), types) for _, group in groups)
    drawn = belief_figure(summary) if summary.rounds > 1 else ""
    when = "the last game of a series" if summary.rounds > 1 else "a game"
    return (
        f"<section><h2>What they believed at the end</h2>{drawn}"
        '<div class="table" role="region" aria-label="Final beliefs" tabindex="0"><table>'
        f"<caption>Mean probability of each depth at the end of {when}</caption>"
        f'<thead><tr><th scope="col" class="head">true depth</th>{heads}'
        f'<th scope="col">games</th></tr></thead>{body}</table></div>'
        f"{html_notes([_FRAMED, *belief_note(summary)])}</section>"
    )


def _group(summary: Summary, group: list[Belief], types: list[int]) -> str:
    first = group[0]
    team = [member.replace("{", "").replace("}", "") for member in summary.teams[first.arm]]
    label = f"{summary.arms[first.arm]}: {team[first.member]} about {team[first.about]}"
    lines = "".join(_line(belief, types) for belief in group)
    return f"<tbody>{over(label, len(types) + 2)}{lines}</tbody>"


def _line(belief: Belief, types: list[int]) -> str:
    chances = dict(belief.posterior)
    cells = "".join(_cell(chances.get(depth), depth == belief.truth) for depth in types)
    return (
        f'<tr><th scope="row" class="head">{belief.truth}</th>{cells}'
        f"<td>{thousands(belief.games)}</td></tr>"
    )


def _cell(chance: float | None, is_true: bool) -> str:
    if chance is None:
        return "<td></td>"
    kind = ' class="true"' if is_true else ""
    shade = f' style="background:rgb(var(--heat)/{0.5 * chance:.2f})"'
    return f"<td{kind}{shade}>{decimal(chance, 2)}</td>"
