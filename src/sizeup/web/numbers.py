"""Tables and comparisons of an experiment as plain numbers for the page."""

from __future__ import annotations

from math import isfinite
from typing import Any

from sizeup.experiments.experiment import Experiment, Table
from sizeup.report.answer import choice_text, compared_text
from sizeup.report.numbers import interval, signed, thousands
from sizeup.report.parts import parts
from sizeup.report.summary import Compared, Entry, Summary, Tabled

__all__ = ["comparison_data", "table_data"]

_VERDICTS = {
    "positive": "the sequential test says that it is above 0",
    "negative": "the sequential test says that it is below 0",
    "smaller": "the sequential test says that the two are alike, within the margin",
    "undecided": "not decided yet",
}


def table_data(
    experiment: Experiment, summary: Summary, wanted: Table, table: Tabled
) -> dict[str, Any]:
    """A table, arm by arm."""
    cells = _cells(experiment, wanted, table)
    return {
        "title": table.title,
        "measure": table.measure,
        "rows": list(table.rows),
        "arms": [
            {
                "arm": arm,
                "title": summary.arms[arm],
                "entries": [_entry(e, cells.get((e.row, e.arm), [])) for e in table.of(arm)],
            }
            for arm in table.arms
        ],
    }


def _cells(experiment: Experiment, wanted: Table, table: Tabled) -> dict[Any, list[str]]:
    """Labels of the cells behind each entry, by row and arm; a curve of updates has none."""
    if wanted.by == "update":
        return {}
    found = (part for row in table.rows for part in parts(experiment, wanted, row))
    return {(part.row, part.arm): [cell.label for cell in part.cells] for part in found}


def _entry(entry: Entry, cells: list[str]) -> dict[str, Any]:
    tally = entry.tally
    return {
        "row": entry.row,
        "mean": number(entry.value.value),
        "low": number(entry.value.low),
        "high": number(entry.value.high),
        "n": entry.counts.counted,
        "wins": None if tally is None else tally.wins,
        "draws": None if tally is None else tally.draws,
        "losses": None if tally is None else tally.losses,
        "missing": entry.counts.missing,
        "published": number(entry.published),
        "cell": cells[0] if len(cells) == 1 else None,
        "cells": cells,
    }


def comparison_data(summary: Summary, found: Compared) -> dict[str, Any]:
    """A comparison, with what the sequential test says."""
    name = compared_text(summary, found)
    known = found.difference.is_known
    games = thousands(found.counts.counted)
    sentence = (
        f"{name}: {signed(found.difference.value)} points, 95 % interval "
        f"{interval(found.difference)}, after {games} games; {_verdict(found)}."
        if known
        else f"{name}: no whole seed block yet."
    )
    return {
        "title": name,
        "mean": number(found.difference.value),
        "low": number(found.difference.low),
        "high": number(found.difference.high),
        "n": found.counts.counted,
        "sentence": sentence,
    }


def _verdict(found: Compared) -> str:
    if found.verdict == "undecided" and found.is_decided:
        return f"it is {choice_text(found)}"
    return _VERDICTS[found.verdict]


def number(value: float | None) -> float | None:
    """A number that JSON has; None for what it has not.

    >>> number(float("nan")), number(2)
    (None, 2)
    """
    return value if value is not None and isfinite(value) else None
