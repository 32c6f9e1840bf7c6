"""An arm in a row of a table: which cells it has, and how many of their games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sizeup.experiments.experiment import Cell, Experiment, Table
from sizeup.report.believers import sights
from sizeup.report.games import FloatArray, Games
from sizeup.report.summary import Counts, Entry, Estimate

__all__ = ["Part", "count", "parts"]


@dataclass(frozen=True)
class Part:
    """An arm in a row: its cells, and which game of a series (from 0) if rows are these."""

    row: str
    arm: str
    cells: tuple[Cell, ...]
    number: int | None

    def blocks(self, games: Games, column: FloatArray) -> list[FloatArray]:
        """Means of whole blocks of a column, by cell."""
        return [games.blocks(cell, column, self.number) for cell in self.cells]

    def values(self, games: Games, column: FloatArray) -> FloatArray:
        """A column's values in whole blocks."""
        return np.concatenate([column[games.counted(c, self.number)].ravel() for c in self.cells])

    def entry(self, games: Games, table: Table, value: Estimate) -> Entry:
        """The entry of the table with this value."""
        sizes = [len(games.counted(cell, self.number)) for cell in self.cells]
        return Entry(
            self.row,
            self.arm,
            value,
            published=table.published.get(self.arm, {}).get(self.row),
            counts=count(games, self.cells, self.number),
            blocks=sum(sizes),
            cells=sum(size > 0 for size in sizes),
            of_cells=len(self.cells),
        )


def parts(experiment: Experiment, table: Table, row: str) -> Iterator[Part]:
    """The arms that a row of a table has; in one of deviations, those that believe something."""
    number = int(row) - 1 if table.by == "round" and row != "total" else None
    for arm in experiment.arms:
        cells = tuple(
            cell
            for cell in experiment.cells
            if cell.arm == arm.name
            and (row == "total" or number is not None or cell.group(table.by) == row)
            and (table.measure != "deviation" or sights(cell, table.member, table.about))
        )
        if cells:
            yield Part(row, arm.name, cells, number)


def count(games: Games, cells: Sequence[Cell], number: int | None = None) -> Counts:
    """Games of cells, or one game of each of their series."""
    counts = Counts()
    for cell in cells:
        where, given_up = games.where[cell.label], games.given_up[cell.label]
        chosen = where if number is None else where[:, :, number : number + 1]
        counts += Counts(
            planned=chosen.size,
            played=int((chosen >= 0).sum()),
            counted=games.counted(cell, number).size,
            quarantined=int(given_up.sum()) * chosen.shape[2],
        )
    return counts
