"""Where the games come from: seeds, versions, fingerprints."""

from __future__ import annotations

from sizeup.report.grids import Grid
from sizeup.report.numbers import thousands
from sizeup.report.summary import Summary

__all__ = ["origins_grid"]


def origins_grid(summary: Summary) -> Grid:
    """A line for everything that games come from."""
    libraries = list(dict.fromkeys(name for s in summary.sources for name in s.versions))
    lines = tuple(
        (
            str(source.seed),
            thousands(source.games),
            source.config,
            source.code,
            *(source.versions.get(name, "") for name in libraries),
        )
        for source in summary.sources
    )
    columns = ("seed", "games", "configuration", "code", *libraries)
    notes = []
    if summary.foreign:
        notes = [
            f"{thousands(summary.foreign)} games of another configuration are in the store too, "
            "and left out."
        ]
    return Grid("Origin of the games", columns, 1, (lines,), tuple(notes))
