"""Comparisons: a difference with its interval, and what the sequential test makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import Cell, Comparison, Experiment
from sizeup.report.estimates import mean
from sizeup.report.games import BoolArray, FloatArray, Games
from sizeup.report.parts import count
from sizeup.report.summary import Compared, Counts
from sizeup.statistics import RunningInterval, decide, sequence_blocks_needed, weigh

__all__ = ["MARGIN", "compared"]

MARGIN = 0.02
"""Differences of scores below this are too small to matter: 2 points."""


def compared(experiment: Experiment, games: Games, comparison: Comparison) -> Compared:
    """A comparison with its numbers; arms are paired point by point and block by block."""
    names = [name for name in (comparison.arm, comparison.minus) if name is not None]
    bound = float(len(names))
    cells = [[c for c in experiment.cells if c.arm == name] for name in names]
    points = [_differences(games, pair) for pair in zip(*cells, strict=True)]
    known = [scores[~np.isnan(scores)] for scores, _ in points]
    rounds = _rounds(points)
    decision = decide(rounds, smaller_than=MARGIN, bound=bound)
    games_a_round = sum(len(cell.slots) for arm in cells for cell in arm) * experiment.rounds
    published = experiment.published(comparison) or None  # 0 cannot be told from none
    weighed = None if published is None else weigh(rounds, published / 100, bound=bound)
    found = Compared(
        comparison.arm,
        comparison.minus,
        mean(known, -bound, bound, factor=100),
        sum((count(games, arm) for arm in cells), Counts()),
        blocks=sum(map(len, known)),
        verdict=decision.outcome,
        decided_after=decision.blocks // len(points) * games_a_round,
        low=100 * decision.low,
        high=100 * decision.high,
        published=published,
        choice=weighed.outcome if weighed else None,
        chosen_after=weighed.blocks // len(points) * games_a_round if weighed else 0,
    )
    if decision.is_final:
        now = RunningInterval.start(bound=bound).seen(rounds)
        return replace(found, low=100 * now.low, high=100 * now.high)
    if len(rounds) < 2:
        return found
    spread = sqrt(float(rounds.var(axis=0, ddof=1).mean()))

    def more(effect: float) -> int | None:
        blocks = _blocks_needed(abs(effect), spread, len(names))
        if blocks is None:
            return None
        return max(-(-blocks // len(points)) - len(rounds), 1) * games_a_round

    return replace(
        found,
        more_for_observed=more(found.difference.value / 100),
        more_for_margin=more(MARGIN),
    )


def _differences(games: Games, arms: Sequence[Cell]) -> tuple[FloatArray, BoolArray]:
    """At a point: scores by block, of the first arm minus the second, and what was given up.

    NaN where a block of an arm is not whole.
    """
    difference, given_up = np.zeros(1), np.zeros(1, dtype=np.bool_)
    for cell, sign in zip(arms, (1, -1), strict=False):
        whole = games.whole(cell)
        scores = np.full(len(whole), np.nan)
        scores[whole] = games.blocks(cell, games.score)
        difference = difference + sign * scores
        given_up = given_up | games.given_up[cell.label].any(axis=1)
    return difference, given_up


def _rounds(points: Sequence[tuple[FloatArray, BoolArray]]) -> FloatArray:
    """Scores ``(rounds, points)`` in the order of the plan, up to the first block that is missing.

    Blocks that were given up are passed over.
    """
    columns = []
    for scores, given_up in points:
        hoped_for = scores[~given_up]
        gaps = np.isnan(hoped_for)
        columns.append(hoped_for[: int(gaps.argmax()) if gaps.any() else len(gaps)])
    length = min(map(len, columns))
    return np.array([column[:length] for column in columns]).T


def _blocks_needed(effect: float, spread: float, arms: int) -> int | None:
    """Blocks after which the sequential test would tell an effect; None if there is no saying."""
    try:
        return sequence_blocks_needed(effect, min(spread / sqrt(arms), 1.0), arms=arms)
    except InvalidInput:  # no effect, no spread, or more games than anybody can play
        return None
