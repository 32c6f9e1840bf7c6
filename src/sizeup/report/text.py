"""A report as plain text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from sizeup.games.scenes import one_line
from sizeup.report.answer import answer, progress
from sizeup.report.commands import commands
from sizeup.report.grids import Grid, grids
from sizeup.report.summary import Summary

__all__ = ["to_text"]

_WIDTH = 100


def to_text(summary: Summary) -> str:
    """A summary as text: the answer, the tables in columns, what is missing.

    >>> from sizeup.report.sample import sample
    >>> to_text(sample()).splitlines()[6]
    'made-up.db: all 16 games are played'
    """
    parts = [
        one_line(summary.title),
        _wrapped(f"Question: {summary.question}"),
        _wrapped(f"Answer: {answer(summary)}"),
        f"{one_line(summary.store)}: {progress(summary)}",
        *(_table(grid) for grid in grids(summary)),
        *_quarantine(summary),
        "\n".join(commands(summary)),
    ]
    return "\n\n".join(parts) + "\n"


def _table(grid: Grid) -> str:
    groups = [[[one_line(word) for word in line] for line in g] for g in grid.lines()]
    every = [list(grid.columns), *(line for group in groups for line in group)]
    widths = [max(map(len, column)) for column in zip(*every, strict=True)]

    def laid(line: list[str]) -> str:
        words = [
            word.ljust(width) if place < grid.heads else word.rjust(width)
            for place, (word, width) in enumerate(zip(line, widths, strict=True))
        ]
        return "  ".join(words).rstrip()

    rule = "  ".join("-" * width for width in widths)
    body: list[str] = []
    for group in groups:
        body += [rule, *map(laid, group)]
    return "\n".join(
        [one_line(grid.caption), laid(list(grid.columns)), *body, *map(_wrapped, grid.notes)]
    )


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.wrap(one_line(text), _WIDTH))


def _quarantine(summary: Summary) -> Iterator[str]:
    if summary.quarantine:
        jobs = [
            f"  {one.job_id}  {one.cell}  after {one.attempts} attempts: {one_line(one.error)}"
            for one in summary.quarantine
        ]
        yield "\n".join(["In quarantine:", *jobs])
