"""What members believed about their teammates when games ended."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sizeup.experiments.experiment import Cell, Experiment
from sizeup.report.believers import Sight, sights
from sizeup.report.games import FloatArray, Games
from sizeup.report.summary import Belief

__all__ = ["anybody_learns", "final_beliefs"]


def anybody_learns(experiment: Experiment) -> bool:
    """Whether any member of any team has beliefs that move."""
    return any(sights(cell, member) for cell, member in _members(experiment))


def final_beliefs(experiment: Experiment, games: Games) -> Iterator[Belief]:
    """Mean posteriors of all games in whole blocks, by who believes, about whom, and the truth."""
    groups: dict[tuple[str, int, Sight], list[Cell]] = {}
    for cell, member in _members(experiment):
        for sight in sights(cell, member):
            alike = sight._replace(most=0)  # which differs for partners that change
            groups.setdefault((cell.arm, member, alike), []).append(cell)
    order = [arm.name for arm in experiment.arms]
    for arm, member, sight in sorted(groups, key=lambda k: (order.index(k[0]), *k[1:])):
        for number in range(experiment.rounds):
            rows = _posteriors(games, groups[arm, member, sight], member, sight, number)
            if len(rows):
                chances = zip(sight.types, map(float, rows.mean(axis=0)), strict=True)
                yield Belief(
                    arm, member, sight.mate, sight.truth, number + 1, len(rows), tuple(chances)
                )


def _members(experiment: Experiment) -> Iterator[tuple[Cell, int]]:
    for cell in experiment.cells:
        for member in range(len(cell.team.members)):
            yield cell, member


def _posteriors(
    games: Games, cells: list[Cell], member: int, sight: Sight, number: int
) -> FloatArray:
    """``(games, types)``; games that have none written down are left out."""
    places = np.concatenate([games.counted(cell, number).ravel() for cell in cells])
    found = (games.posteriors[place].get(str(member)) for place in places.tolist())
    return np.array([rows[sight.mate] for rows in found if rows is not None])
