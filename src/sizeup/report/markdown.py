"""A report as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sizeup.games.scenes import one_line
from sizeup.report.answer import answer, progress
from sizeup.report.commands import commands
from sizeup.report.grids import Grid, grids
from sizeup.report.provenance import origins_grid
from sizeup.report.summary import Summary

__all__ = ["to_markdown"]

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#])")


def to_markdown(summary: Summary) -> str:
    """A summary as Markdown with pipe tables.

    >>> from sizeup.report.sample import sample
    >>> to_markdown(sample()).splitlines()[10][:31]
    '| team | score | 95 % interval '
    """
    parts = [
        f"# {_escaped(summary.title)}",
        _escaped(summary.question),
        f"**{_escaped(answer(summary))}**",
        f"{_escaped(summary.store)}: {progress(summary)}.",
    ]
    for grid in grids(summary):
        parts += [f"## {_escaped(grid.caption)}", _table(grid), *map(_escaped, grid.notes)]
    if summary.quarantine:
        parts += ["## In quarantine", "\n".join(_quarantine(summary))]
    parts += ["## Reproduce", _code(commands(summary)), _table(origins_grid(summary))]
    return "\n\n".join(parts) + "\n"


def _table(grid: Grid) -> str:
    rule = ["---" if place < grid.heads else "--:" for place in range(len(grid.columns))]
    lines = [list(map(_escaped, grid.columns)), rule]
    body = [list(map(_escaped, line)) for group in grid.lines() for line in group]
    return "\n".join(f"| {' | '.join(line)} |" for line in [*lines, *body])


def _quarantine(summary: Summary) -> Iterator[str]:
    for one in summary.quarantine:
        yield (
            f"- {_escaped(one.job_id)} ({_escaped(one.cell)}), after {one.attempts} attempts: "
            f"{_escaped(one.error)}"
        )


def _code(lines: list[str]) -> str:
    return "\n".join(["```sh", *map(one_line, lines), "```"])


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", one_line(text))
