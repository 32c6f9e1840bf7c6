"""From a store to a summary: its tables, and its comparisons with what the tests make of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import Cell, Comparison, Experiment
from sizeup.experiments.store import Store
from sizeup.experiments.stored import find_experiment
from sizeup.games.contract import load_game
from sizeup.games.look import Look, look_of
from sizeup.report.games import Games, read_games
from sizeup.report.summary import Compared, Counts, Example, Provenance, Summary
from sizeup.report.tables import anybody_learns, count, final_beliefs, mean, tabled
from sizeup.statistics import RunningInterval, Weighing, decide, sequence_blocks_needed
from sizeup.statistics.checks import Floats

MARGIN = 0.02
"""Differences of scores below this are too small to matter: 2 points."""

BELIEFS_FROM = 10_000
"""Games that beliefs are read from: enough for any figure, and read within a second."""


def summarise(
    experiment: Experiment,
    store: Store,
    *,
    beliefs_from: int | None = BELIEFS_FROM,
    margin: float = MARGIN,
) -> Summary:
    """All numbers of an experiment, from the games that a store holds so far.

    Only complete seed blocks count. Every cell has the same weight in the rows it belongs to.

    Parameters
    ----------
    experiment
        What was run.
    store
        Open for reading (or writing).
    beliefs_from
        Deviations and posteriors are those of so many games, the first ones of the plan; of all
        games if None.
    margin
        Differences of scores below this are too small to matter.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sizeup.experiments import job, plan, spec, store
    >>> toy = spec.read_experiment("wall-of-fire")
    >>> over = job.Outcome(None, -2.0, "the game is over", 1, (-2.0,), ("E",), {}, {})
    >>> jobs = plan.plan(toy)
    >>> games = [store.Played(j, (over,), 0.5, "here", 1, "2026-01-01") for j in jobs]
    >>> with TemporaryDirectory() as folder:
    ...     with store.Store.open(f"{folder}/toy.db", jobs.origin) as opened:
    ...         new = opened.add(games)
    ...         summary = summarise(toy, opened)
    >>> summary.counts.played, summary.counts.missing
    (20, 0)
    >>> [(entry.arm, entry.value.value, entry.published) for entry in summary.tables[0].entries][2:]
    [('oblivious', -2.0, -20.0), ('aware', -2.0, -2.0)]
    """
    learns = anybody_learns(experiment)
    measures = [table.measure for table in experiment.tables]
    beliefs = ["deviations"] * ("deviation" in measures) + ["posteriors"] * learns
    games = read_games(experiment, store, beliefs=beliefs, most=beliefs_from)
    compared = experiment.comparisons if experiment.cells[0].against is not None else ()
    return Summary(
        name=experiment.name,
        title=experiment.title,
        question=experiment.question,
        game=experiment.game,
        command=experiment.file or experiment.name,
        store=store.path.name,
        arms={arm.name: arm.title for arm in experiment.arms},
        teams={arm.name: tuple(arm.team.split("+")) for arm in experiment.arms},
        rounds=experiment.rounds,
        reward=_reward_name(experiment),
        counts=count(games, experiment.cells),
        tables=tuple(tabled(experiment, games, table) for table in experiment.tables),
        comparisons=tuple(_compared(experiment, games, one, margin) for one in compared),
        margin=100 * margin,
        beliefs=tuple(final_beliefs(experiment, games.with_beliefs)),
        beliefs_from=beliefs_from if beliefs and not games.beliefs_read.all() else None,
        quarantine=games.quarantine,
        foreign=games.foreign,
        seconds=games.seconds,
        sources=tuple(_sources(experiment, store, games)),
        examples=tuple(e for cell in experiment.cells for e in _examples(games, cell)),
    )


def report(store: str | Path, experiment: str | None = None) -> Summary:
    """All numbers of a store of games; print it for its tables, or see :mod:`sizeup.report`.

    Parameters
    ----------
    store
        A file that ``sizeup run`` or :func:`sizeup.run_experiment` keeps games in.
    experiment
        The experiment's name or TOML file, if it cannot be found from the store.

    Examples
    --------
    >>> report("nowhere.db")
    Traceback (most recent call last):
    ...
    sizeup.experiments.store.StoreError: there is no store nowhere.db: create it with sizeup
    run
    """
    with Store.read(Path(store)) as opened:
        opened.require_sound()
        origins = opened.origins().values()
        return summarise(find_experiment(origins, experiment, [opened.path.parent]), opened)


def _reward_name(experiment: Experiment) -> str:
    """What a game calls the mean reward of a team; a report can be made without the game's file."""
    try:
        return look_of(load_game(experiment.home or experiment.game)).reward
    except InvalidInput:
        return Look().reward


def _sources(experiment: Experiment, store: Store, games: Games) -> Iterator[Provenance]:
    for number, origin in store.origins().items():
        if number in games.by_origin or not games.by_origin:
            blocks = games.planned.get(origin.seed, experiment.blocks)
            other = None if blocks == experiment.blocks else blocks
            fingerprints = origin.config_fingerprint, origin.code_fingerprint
            found = games.by_origin.get(number, 0)
            yield Provenance(origin.seed, other, found, *fingerprints, dict(origin.versions))


def _examples(games: Games, cell: Cell) -> Iterator[Example]:
    """The first game of each kind of result; of one team, the first of each reward."""
    places = games.where[cell.label].ravel()
    places = places[places >= 0]
    if cell.against is None:
        kinds = [(f"{total:g}", games.total == total) for total in np.unique(games.total[places])]
    else:
        words = zip(("won", "drawn", "lost"), (1, 0, -1), strict=True)
        kinds = [(word, games.score == score) for word, score in words]
    for word, fits in kinds:
        found = places[fits[places]]
        if len(found):
            yield Example(cell.label, word, games.ids[int(found[0])])


def _compared(
    experiment: Experiment, games: Games, comparison: Comparison, margin: float
) -> Compared:
    """A comparison with its numbers; arms are paired point by point and block by block."""
    names = comparison.arms
    bound = float(len(names))
    cells = [[c for c in experiment.cells if c.arm == name] for name in names]
    points = [_differences(games, pair) for pair in zip(*cells, strict=True)]
    known = [scores[~np.isnan(scores)] for scores, _ in points]
    rounds = _rounds(points)
    decision = decide(rounds, smaller_than=margin, bound=bound)
    games_a_round = sum(len(cell.slots) for arm in cells for cell in arm) * experiment.rounds
    published = experiment.published(comparison) or None  # 0 cannot be told from none
    weighed = None if published is None else Weighing(published / 100, bound).seen(rounds)
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
        """Games until the sequential test would tell an effect; None if there is no saying."""
        sd = min(spread / sqrt(bound), 1.0)
        try:
            blocks = sequence_blocks_needed(abs(effect), sd, arms=len(names))
        except InvalidInput:  # no effect, no spread, or more games than anybody can play
            return None
        return max(-(-blocks // len(points)) - len(rounds), 1) * games_a_round

    observed = more(found.difference.value / 100)
    return replace(found, more_for_observed=observed, more_for_margin=more(margin))


def _differences(games: Games, arms: Sequence[Cell]) -> tuple[Floats, NDArray[np.bool_]]:
    """First arm minus second by block, NaN where one is not complete, and which were given up."""
    difference, given_up = np.zeros(1), np.zeros(1, dtype=np.bool_)
    for cell, sign in zip(arms, (1, -1), strict=False):
        whole = games.whole(cell)
        scores = np.full(len(whole), np.nan)
        scores[whole] = games.blocks(cell, games.score)
        difference = difference + sign * scores
        given_up = given_up | games.given_up[cell.label].any(axis=1)
    return difference, given_up


def _rounds(points: Sequence[tuple[Floats, NDArray[np.bool_]]]) -> Floats:
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
