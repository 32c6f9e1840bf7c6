"""Games of a store as columns, and where in them each cell's seed blocks are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sizeup.experiments.experiment import Cell
from sizeup.experiments.store import Failure

__all__ = ["BoolArray", "FloatArray", "Games", "IntArray", "Track"]

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True)
class Track:
    """A series of numbers for each game; some games have none.

    ``values`` holds all of them one after the other, ``starts`` and ``lengths`` ``(games,)`` say
    where in it each game's are.
    """

    values: FloatArray
    starts: IntArray
    lengths: IntArray

    def of(self, games: IntArray) -> Track:
        """The series of some games."""
        return Track(self.values, self.starts[games], self.lengths[games])

    @cached_property
    def last(self) -> FloatArray:
        """The last number of each game, NaN where there is none."""
        return self.at(self.lengths[:, None])[:, 0]

    def at(self, places: IntArray) -> FloatArray:
        """Numbers at places, those of one row or of one a game; after its end, a series' last."""
        lengths = self.lengths[:, None]
        index = self.starts[:, None] + np.minimum(places, lengths - 1)
        found = np.append(self.values, np.nan)[np.where(lengths > 0, index, len(self.values))]
        return np.asarray(found, dtype=np.float64)


@dataclass(frozen=True)
class Games:
    """Stored games of an experiment.

    Parameters
    ----------
    score, total
        ``(games,)``: NaN where a game has no score.
    seconds
        Of all games.
    ids
        Names of games.
    where
        By cell: ``(blocks, slots, rounds)`` places in the columns, -1 for a game that is missing.
        Blocks of several root seeds follow one another.
    given_up
        By cell: ``(blocks, slots)`` jobs in quarantine.
    beliefs_read
        ``(games,)``: which of them the next two are known of.
    deviations
        By member and teammate: how far the belief was from the truth, before the first update and
        after each.
    posteriors
        By game: final beliefs.
    foreign
        Games of other configurations, which are not here.
    by_origin
        Games by the number of their origin.
    planned
        Blocks of a cell by root seed.
    quarantine
        Jobs that were given up.
    """

    score: FloatArray
    total: FloatArray
    seconds: float
    ids: Sequence[str]
    where: Mapping[str, IntArray]
    given_up: Mapping[str, BoolArray]
    beliefs_read: BoolArray
    deviations: Mapping[tuple[int, int], Track]
    posteriors: Sequence[Mapping[str, Any]]
    foreign: int
    by_origin: Mapping[int, int]
    planned: Mapping[int, int]
    quarantine: tuple[Failure, ...]

    @cached_property
    def with_beliefs(self) -> Games:
        """The same with only the games whose beliefs were read, as if others were missing."""
        if self.beliefs_read.all():
            return self
        known = np.append(self.beliefs_read, False)  # which is what -1 finds
        where = {label: np.where(known[places], places, -1) for label, places in self.where.items()}
        return replace(self, where=where)

    def whole(self, cell: Cell) -> BoolArray:
        """``(blocks,)``: which blocks of a cell are complete."""
        return np.asarray((self.where[cell.label] >= 0).all(axis=(1, 2)))

    def counted(self, cell: Cell, number: int | None = None) -> IntArray:
        """Places of games in whole blocks ``(blocks, games)``; of one game of a series if asked."""
        chosen = slice(None) if number is None else slice(number, number + 1)
        places = self.where[cell.label][self.whole(cell)][:, :, chosen]
        return places.reshape(len(places), places.shape[1] * places.shape[2])

    def blocks(self, cell: Cell, column: FloatArray, number: int | None = None) -> FloatArray:
        """Means of whole blocks of a column ``(games, ...)``."""
        return np.asarray(column[self.counted(cell, number)].mean(axis=1))
