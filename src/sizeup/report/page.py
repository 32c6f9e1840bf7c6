"""A report as one HTML page that asks nobody for anything."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from itertools import groupby

from sizeup.report.answer import answer, progress
from sizeup.report.belief_table import belief_section
from sizeup.report.commands import commands, replay_command
from sizeup.report.figures import comparison_figure, table_figure
from sizeup.report.grids import Grid, comparison_grid, table_grid
from sizeup.report.html_table import html_table, words
from sizeup.report.numbers import work
from sizeup.report.provenance import origins_grid
from sizeup.report.summary import Summary

__all__ = ["to_html"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

_READING = """<section><h2>How to read this</h2>
<p>A score is wins minus losses in percent of the games. A game that is stopped before its end
counts for the side that is ahead in reward. Games that share a seed, with colours and
seats exchanged, are a block. Only whole blocks count, every cell of a row has the same weight, and
intervals rest on how much blocks differ.</p>
<p>A 95 % interval is for a number of games that was fixed beforehand. The sequential test reads
blocks in the order of the plan and may be looked at any time; once it has decided, more games do
not change its mind.</p></section>"""


def to_html(summary: Summary) -> str:
    """A summary as a page: text, styles and pictures in one file.

    >>> from sizeup.report.sample import sample
    >>> "<h1>A made-up experiment</h1>" in to_html(sample())
    True
    """
    css = (resources.files("sizeup.report") / "page.css").read_text(encoding="utf-8")
    body = "".join(
        [_header(summary), *_numbers(summary), belief_section(summary), _READING,
         _quarantine(summary), _again(summary), _games(summary)]
    )  # fmt: skip
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{words(summary.title)}</title><style>{css}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


def _header(summary: Summary) -> str:
    counts = summary.counts
    kind = "" if not counts.missing else ' class="unfinished"'
    bar = ""
    if counts.missing:
        bar = (
            f'<progress max="{counts.planned}" value="{counts.played}" '
            'aria-label="games played"></progress>'
        )
    return (
        f'<header><p class="kicker">Sizeup, experiment {words(summary.name)}</p>'
        f"<h1>{words(summary.title)}</h1>"
        f'<p class="question">{words(summary.question)}</p>'
        f'<p class="answer">{words(answer(summary))}</p>'
        f'<p class="status"><span{kind}>{words(progress(summary).capitalize())}</span>, in '
        f"{work(summary.seconds)}.</p>{bar}</header>"
    )


def _numbers(summary: Summary) -> Iterator[str]:
    """Comparisons and tables, each with its figure."""
    if summary.comparisons:
        drawn = comparison_figure(summary) if summary.counts.counted else ""
        yield _section(comparison_grid(summary), drawn)
    for number, table in enumerate(summary.tables, start=1):
        if table.entries:
            drawn = table_figure(summary, table, f"table{number}")
            yield _section(
                table_grid(summary, table), drawn, is_curve=table.by in ("update", "round")
            )


def _section(grid: Grid, drawn: str, *, is_curve: bool = False) -> str:
    """A table under its figure; that of a curve is for those who ask."""
    mark = "" if grid.is_finished else ' <span class="unfinished">unfinished</span>'
    table = html_table(grid)
    if is_curve:
        table = f"<details><summary>The curve in numbers</summary>{table}</details>"
    return f"<section><h2>{words(grid.title)}{mark}</h2>{drawn}{table}</section>"


def _quarantine(summary: Summary) -> str:
    """Games that were given up, by name."""
    if not summary.quarantine:
        return ""
    items = "".join(
        f"<li><code>{words(one.job_id)}</code> ({words(one.cell)}), after {one.attempts} "
        f"attempts: {words(one.error)}</li>"
        for one in summary.quarantine
    )
    return (
        '<section><h2>In quarantine <span class="unfinished">missing for good</span></h2>'
        f"<p>These games failed again and again and were given up. Their seed blocks do not "
        f"count.</p><ul>{items}</ul></section>"
    )


def _again(summary: Summary) -> str:
    """Commands, versions and fingerprints."""
    typed = "\n".join(map(words, commands(summary)))
    table = html_table(origins_grid(summary))
    return f"<section><h2>Reproduce</h2><pre><code>{typed}</code></pre>{table}</section>"


def _games(summary: Summary) -> str:
    """Some games of each cell, with what to type to see them."""
    if not summary.examples:
        return ""
    cells = groupby(summary.examples, key=lambda example: example.cell)
    groups = tuple(
        tuple((label, example.result, replay_command(summary, example.game_id)) for example in some)
        for label, some in cells
    )
    lines = "".join(
        f"<tbody>{''.join(_replay(line, place, len(group)) for place, line in enumerate(group))}"
        "</tbody>"
        for group in groups
    )
    return (
        "<section><h2>Replays</h2><p>Every game of the store can be watched again in a terminal. "
        "Here is the first one of each kind of result in every cell.</p>"
        "<details><summary>Games to replay</summary>"
        '<div class="table games" role="region" aria-label="Games to replay" tabindex="0">'
        "<table><caption>Commands that show a game</caption><thead><tr>"
        '<th scope="col" class="head">cell</th><th scope="col">result</th>'
        f'<th scope="col">command</th></tr></thead>{lines}</table></div></details></section>'
    )


def _replay(line: tuple[str, str, str], place: int, count: int) -> str:
    label, result, typed = map(words, line)
    head = f'<th scope="rowgroup" rowspan="{count}" class="head">{label}</th>'
    return f"<tr>{head if place == 0 else ''}<td>{result}</td><td><code>{typed}</code></td></tr>"
