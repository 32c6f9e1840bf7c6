"""A summary as grids of words, which every format of a report lays out in its own way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sizeup.report.lines import Line, compared_line, entry_line, missing_note, notes
from sizeup.report.numbers import decimal, interval
from sizeup.report.summary import Summary, Tabled

__all__ = ["Grid", "comparison_grid", "grids", "table_grid"]

_MOST_UPDATES = 9
_MORE = (
    "More: about how many more games the sequential test would take to tell this difference from "
    "0, if it is the true one, or one of 2 points, with a chance of 80 %."
)
_CHOICE = (
    "Published or 0: a sequential test between the published difference (or a larger one) and 0 "
    "(or the other sign), which calls one of them the other with a chance of at most 5 %. If the "
    "truth lies between the two it may say either."
)


@dataclass(frozen=True)
class Grid:
    """A table ready to be laid out.

    Parameters
    ----------
    title
        What it shows.
    columns
        Headings; the first ``heads`` of them say what a line is about, the others hold numbers.
    groups
        Lines that belong together.
    notes
        What a reader must know.
    is_finished
        Whether no game is missing.
    """

    title: str
    columns: tuple[str, ...]
    heads: int
    groups: tuple[tuple[tuple[str, ...], ...], ...]
    notes: tuple[str, ...] = ()
    is_finished: bool = True

    @property
    def caption(self) -> str:
        """The title, and whether it is finished."""
        return self.title if self.is_finished else f"{self.title} (unfinished)"

    def lines(self) -> Iterator[list[tuple[str, ...]]]:
        """Groups of lines in which a head that is as in the line above is left empty."""
        for group in self.groups:
            first = group[0][0]
            again = [("", *line[1:]) if line[0] == first else line for line in group[1:]]
            yield [group[0], *again]


def grids(summary: Summary) -> list[Grid]:
    """All tables of a report, the comparisons first."""
    tables = [table_grid(summary, table) for table in summary.tables if table.entries]
    return [comparison_grid(summary), *tables] if summary.comparisons else tables


def comparison_grid(summary: Summary) -> Grid:
    """The comparisons with what was decided."""
    lines = [compared_line(summary, found) for found in summary.comparisons]
    worst = max((found.counts for found in summary.comparisons), key=lambda c: c.missing)
    said = (
        "The 95 % interval is for a number of games that was fixed beforehand. The sequential "
        "test may be looked at any time, and errs with a chance of at most 5 %.",
        *([_CHOICE] if any(found.choice for found in summary.comparisons) else []),
        *([_MORE] if any(found.more_for_margin for found in summary.comparisons) else []),
        *missing_note(worst),
    )
    return _grid("Comparisons of scores, in points", [lines], 1, said, not worst.missing)


def table_grid(summary: Summary, table: Tabled) -> Grid:
    """A table of the experiment; of a curve over updates, some points of it."""
    if table.by == "update":
        return _curve_grid(summary, table)
    several = len(table.arms) > 1 or not table.by
    groups: dict[str, list[Line]] = {}
    for entry in table.entries:
        row = {table.by: entry.row} if table.by else {}
        team = {"team": summary.arms[entry.arm]} if several else {}
        together = entry.row if several or entry.row == "total" else ""
        line = {**row, **team, **entry_line(summary, table, entry)}
        groups.setdefault(together, []).append(line)
    heads = bool(table.by) + several
    return _grid(
        table.title, list(groups.values()), heads, notes(summary, table), table.is_finished
    )


def _curve_grid(summary: Summary, table: Tabled) -> Grid:
    lines = []
    for update in _some(len(table.rows)):
        line = {"update": str(update)}
        for entry in table.entries:
            if entry.row == str(update):
                ends = interval(entry.value, 2)
                line[summary.arms[entry.arm]] = f"{decimal(entry.value.value, 2)} ({ends})"
        lines.append({**line, "still playing": f"{decimal(table.going[update], 0)} %"})
    said = (*notes(summary, table), "A game that has ended stays at its last deviation.")
    return _grid(table.title, [lines], 1, said, table.is_finished)


def _some(length: int) -> list[int]:
    """The first, the last and some places between, denser at the beginning."""
    wanted = {round((length - 1) * (i / (_MOST_UPDATES - 1)) ** 2) for i in range(_MOST_UPDATES)}
    return sorted(wanted)


def _grid(
    title: str, groups: Sequence[Sequence[Line]], heads: int, said: Iterator[str] | tuple[str, ...],
    is_finished: bool,
) -> Grid:  # fmt: skip
    """A grid of lines, without columns that are empty."""
    every = [line for group in groups for line in group]
    columns = tuple(name for name in every[0] if any(line[name] for line in every))
    laid = tuple(tuple(tuple(line[name] for name in columns) for line in g) for g in groups)
    return Grid(title, columns, heads, laid, tuple(said), is_finished)
