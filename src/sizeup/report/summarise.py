"""From a store to a summary."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sizeup.experiments.experiment import Cell, Experiment
from sizeup.experiments.store import Store
from sizeup.report.beliefs import anybody_learns, final_beliefs
from sizeup.report.comparisons import MARGIN, compared
from sizeup.report.games import Games
from sizeup.report.parts import count
from sizeup.report.reading import read_games
from sizeup.report.summary import Example, Quarantine, Source, Summary
from sizeup.report.tables import tabled

__all__ = ["summarise"]


BELIEFS_FROM = 10_000
"""Games that beliefs are read from: enough for any figure, and read within a second."""


def summarise(
    experiment: Experiment, store: Store, *, beliefs_from: int | None = BELIEFS_FROM
) -> Summary:
    """All numbers of an experiment, from the games that a store holds so far.

    Only whole seed blocks count. Every cell has the same weight in the rows it belongs to.

    Parameters
    ----------
    experiment
        What was run.
    store
        Open for reading (or writing).
    beliefs_from
        Deviations and posteriors are those of so many games, the first ones of the plan; of all
        games if None.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from sizeup.experiments.job import Outcome
    >>> from sizeup.experiments.plan import plan
    >>> from sizeup.experiments.spec import read_experiment
    >>> from sizeup.experiments.store import Played
    >>> toy = read_experiment("wall-of-fire")
    >>> over = Outcome(None, -2.0, "the game is over", 1, (-2.0,), ("E",), {}, {})
    >>> games = [Played(job, (over,), 0.5, "here", 1, "2026-01-01") for job in plan(toy)]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Store.open(pathlib.Path(folder, "toy.db"), plan(toy).origin) as store:
    ...         new = store.add(games)
    ...         summary = summarise(toy, store)
    >>> summary.counts.played, summary.counts.missing
    (20, 0)
    >>> [(entry.arm, entry.value.value, entry.published) for entry in summary.tables[0].entries][2:]
    [('oblivious', -2.0, -20.0), ('aware', -2.0, -2.0)]
    """
    learns = anybody_learns(experiment)
    measures = [table.measure for table in experiment.tables]
    beliefs = ["deviations"] * ("deviation" in measures) + ["posteriors"] * learns
    games = read_games(experiment, store, beliefs=beliefs, most=beliefs_from)
    have_scores = experiment.cells[0].against is not None
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
        counts=count(games, experiment.cells),
        tables=tuple(tabled(experiment, games, table) for table in experiment.tables),
        comparisons=tuple(
            compared(experiment, games, comparison)
            for comparison in experiment.comparisons
            if have_scores
        ),
        margin=100 * MARGIN,
        beliefs=tuple(final_beliefs(experiment, games.with_beliefs)),
        beliefs_from=beliefs_from if beliefs and not games.beliefs_read.all() else None,
        quarantine=tuple(
            Quarantine(failure.job_id, failure.cell, failure.attempt, failure.error)
            for failure in games.quarantine
        ),
        foreign=games.foreign,
        seconds=games.seconds,
        sources=tuple(_sources(experiment, store, games)),
        examples=tuple(e for cell in experiment.cells for e in _examples(games, cell)),
    )


def _sources(experiment: Experiment, store: Store, games: Games) -> Iterator[Source]:
    for number, origin in store.origins().items():
        if number in games.by_origin or not games.by_origin:
            blocks = games.planned.get(origin.seed, experiment.blocks)
            yield Source(
                origin.seed,
                None if blocks == experiment.blocks else blocks,
                games.by_origin.get(number, 0),
                origin.config_fingerprint,
                origin.code_fingerprint,
                dict(origin.versions),
            )


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
