"""How far beliefs are from the truth: at the end of games, and over the course of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sizeup.experiments.experiment import Cell, Experiment, Table
from sizeup.report.believers import sights
from sizeup.report.estimates import curve_of_means, mean
from sizeup.report.games import FloatArray, Games, Track
from sizeup.report.parts import Part, count, parts
from sizeup.report.summary import Entry, Estimate, Tabled

__all__ = ["final_deviation", "over_updates"]

STILL_GOING = 0.1  # a curve ends where a smaller share of games has got


def final_deviation(games: Games, table: Table, part: Part) -> Entry:
    """Mean of the last deviations; about several teammates, the mean over them."""
    known, blocks = games.with_beliefs, []
    for cell in part.cells:
        last = np.mean([track.last for track in _tracks(games, table, cell)], axis=0)
        blocks.append(_known(known.blocks(cell, last, part.number)))
    return _entry(games, table, part, mean(blocks, 0.0, _most(table, part.cells)))


def over_updates(experiment: Experiment, games: Games, table: Table) -> Tabled:
    """Curves of deviations, one for each arm.

    A game that has ended stays where it was, so that every point of a curve is about all games.
    """
    arms = list(parts(experiment, table, "total"))
    going = _going(games.with_beliefs, table, arms)
    curves = [_curve(games.with_beliefs, table, part, len(going)) for part in arms]
    blank = [_entry(games, table, part, Estimate()) for part in arms]
    entries = [
        replace(entry, row=str(update), value=value)
        for update, values in enumerate(zip(*curves, strict=True))
        for entry, value in zip(blank, values, strict=True)
    ]
    return Tabled(
        table.title, table.by, table.measure, tuple(entries), tuple(100 * share for share in going)
    )


def _entry(games: Games, table: Table, part: Part, value: Estimate) -> Entry:
    """The entry, which counts the games whose beliefs are known."""
    known = part.entry(games.with_beliefs, table, value)
    all_of_them = count(games, part.cells, part.number)
    return replace(known, counts=replace(all_of_them, counted=known.counts.counted))


def _curve(games: Games, table: Table, part: Part, length: int) -> list[Estimate]:
    places = np.arange(length)[None]
    blocks = []
    for cell in part.cells:
        counted = games.counted(cell)
        tracks = [track.of(counted.ravel()) for track in _tracks(games, table, cell)]
        values = np.mean([track.at(places) for track in tracks], axis=0)
        blocks.append(_known(values.reshape(*counted.shape, length).mean(axis=1)))
    return curve_of_means(blocks, 0.0, _most(table, part.cells), length)


def _going(games: Games, table: Table, arms: Sequence[Part]) -> list[float]:
    """Shares of games that have got to each update, from the first game state on."""
    tracks = [
        track.of(games.counted(cell).ravel())
        for part in arms
        for cell in part.cells
        for track in _tracks(games, table, cell)
    ]
    lengths = np.array([n for track in tracks for n in track.lengths.tolist() if n])
    if not len(lengths):
        return []
    shares = 1 - np.cumsum(np.bincount(lengths))[:-1] / len(lengths)
    return [float(share) for share in shares if share >= STILL_GOING]


def _tracks(games: Games, table: Table, cell: Cell) -> list[Track]:
    return [
        games.deviations[table.member, sight.mate]
        for sight in sights(cell, table.member, table.about)
    ]


def _most(table: Table, cells: Sequence[Cell]) -> float:
    """How far off anybody in these cells can be."""
    return max(s.most for cell in cells for s in sights(cell, table.member, table.about))


def _known(blocks: FloatArray) -> FloatArray:
    """Blocks without those of which something is not known."""
    return blocks[~np.isnan(blocks).any(axis=tuple(range(1, blocks.ndim)))]
