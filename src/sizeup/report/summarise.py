"""From a store to a summary: its tables, and its comparisons with what the tests make of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf, sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import Cell, Comparison, Experiment
from sizeup.experiments.members import read_member
from sizeup.experiments.stakes import SAME_SHARE, Stakes, signs, stakes_of
from sizeup.experiments.store import Store
from sizeup.experiments.stored import find_experiment
from sizeup.games.contract import load_game
from sizeup.games.look import Look, look_of
from sizeup.report.crossplay import crossplay
from sizeup.report.games import Games, read_games
from sizeup.report.numbers import plain
from sizeup.report.summary import (
    BySeed,
    Compared,
    Counts,
    Estimate,
    Example,
    Provenance,
    Regret,
    Summary,
)
from sizeup.report.tables import (
    anybody_learns,
    count,
    final_beliefs,
    mean,
    mean_reward,
    tabled,
    typical,
)
from sizeup.statistics import RunningInterval, Weighing, decide, sequence_blocks_needed
from sizeup.statistics.checks import Floats

_MOST_EXAMPLES = 5  # of a cell: the others are counted

BELIEFS_FROM = 10_000
"""Games that beliefs are read from: enough for any figure, and read within a second."""


def summarise(
    experiment: Experiment,
    store: Store,
    *,
    beliefs_from: int | None = BELIEFS_FROM,
    margin: float | None = None,
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
        Differences below it, in points or in units of reward, are too small to matter; the
        experiment's if None.

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
    stakes = _stakes(experiment, games, margin)
    examples, left_out = _all_examples(games, experiment.cells)
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
        tables=tuple(tabled(experiment, games, table, stakes) for table in experiment.tables),
        comparisons=tuple(
            _compared(experiment, games, one, stakes) for one in experiment.comparisons
        ),
        stakes=stakes,
        regrets=tuple(_regrets(experiment, games, stakes)),
        beliefs=tuple(final_beliefs(experiment, games.with_beliefs)),
        beliefs_from=beliefs_from if beliefs and not games.beliefs_read.all() else None,
        quarantine=games.quarantine,
        foreign=games.foreign,
        seconds=games.seconds,
        sources=tuple(_sources(experiment, store, games)),
        examples=examples,
        left_out=left_out,
        crossplay=crossplay(experiment, games, stakes),
        path=store.path.absolute(),
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


def _stakes(experiment: Experiment, games: Games, margin: float | None) -> Stakes:
    """What is compared; a range that a match has left is not known."""
    stakes = stakes_of(experiment).with_margin(margin, "the margin")
    if stakes.measure == "score" or stakes.holds(games.total.tolist()):
        return stakes
    place = next(i for i, total in enumerate(games.total) if not stakes.holds([total]))
    why = (
        f"it should be {stakes.low:g} to {stakes.high:g} {stakes.source}, but game "
        f"{games.ids[place]} paid {games.total[place]:g}"
    )
    return replace(stakes, low=-inf, high=inf, source=why, best=None)


def _all_examples(games: Games, cells: Sequence[Cell]) -> tuple[tuple[Example, ...], int]:
    """Games of every cell to look at, and how many results of one team have none."""
    examples: list[Example] = []
    left_out = 0
    for cell in cells:
        found = list(_examples(games, cell))
        last = len(found) - 1
        # The least, the most, and some between.
        chosen = sorted({round(last * i / (_MOST_EXAMPLES - 1)) for i in range(_MOST_EXAMPLES)})
        examples += [found[place] for place in chosen if found]
        left_out += max(0, len(found) - _MOST_EXAMPLES)
    return tuple(examples), left_out


def _examples(games: Games, cell: Cell) -> Iterator[Example]:
    """The first game of each kind of result; of one team, the first of each reward."""
    places = games.where[cell.label].ravel()
    places = places[places >= 0]
    if cell.against is None:
        totals, firsts = np.unique(games.total[places], return_index=True)
        for total, first in zip(totals, firsts, strict=True):
            yield Example(cell.label, plain(float(total)), games.ids[int(places[first])])
        return
    for word, score in (("won", 1), ("drawn", 0), ("lost", -1)):
        found = places[games.score[places] == score]
        if len(found):
            yield Example(cell.label, word, games.ids[int(found[0])])


def _compared(
    experiment: Experiment, games: Games, comparison: Comparison, stakes: Stakes
) -> Compared:
    """A comparison with its numbers; arms are paired point by point and block by block."""
    names = comparison.arms
    cells = [[c for c in experiment.cells if c.arm == name] for name in names]
    points = [_differences(games, pair, stakes) for pair in zip(*cells, strict=True)]
    known = [values[~np.isnan(values)] for values, _ in points]
    rounds = _rounds(points)
    per_round = sum(len(cell.slots) for arm in cells for cell in arm) * experiment.rounds
    found = Compared(
        comparison.arm,
        comparison.minus,
        Estimate(),
        sum((count(games, arm) for arm in cells), Counts()),
        blocks=sum(map(len, known)),
        verdict="undecided",
        decided_after=len(rounds) * per_round,
        low=None,
        high=None,
        measure=stakes.measure,
    )
    if stakes.measure == "reward":
        found = _of_rewards(found, known, rounds, per_round, stakes)
    else:
        bound = float(len(names))
        found = replace(found, difference=mean(known, -bound, bound, factor=100))
        found = _weighed(found, experiment, comparison, rounds, per_round)
    return _tested(found, rounds, per_round, stakes) if stakes.is_known else found


def _of_rewards(
    found: Compared, known: Sequence[Floats], rounds: Floats, per_round: int, stakes: Stakes
) -> Compared:
    """Differences of rewards: their mean, their interquartile mean, and seeds that are counted."""
    runs = np.concatenate(known)
    if not len(runs):
        return found
    more, same, less = (int((signs(runs) == sign).sum()) for sign in (1, 0, -1))
    decision = decide(signs(rounds), smaller_than=SAME_SHARE)
    after = decision.blocks // rounds.shape[1] * per_round
    by_seed = BySeed(more, same, less, decision.outcome, after)
    # Where mean rewards cannot be tested, whoever earns more on most seeds is what is decided.
    verdict = "undecided" if stakes.is_known else decision.outcome
    return replace(
        found,
        difference=mean_reward(known, stakes, reach=2.0),
        typical=typical(runs, stakes, reach=2.0),
        by_seed=by_seed,
        verdict=verdict,
        decided_after=after,
    )


def _weighed(
    found: Compared, experiment: Experiment, comparison: Comparison, rounds: Floats, per_round: int
) -> Compared:
    """Whether a score is as published or 0, if something was published."""
    published = experiment.published(comparison) or None  # 0 cannot be told from none
    if published is None:
        return found
    weighed = Weighing(published / 100, float(len(comparison.arms))).seen(rounds)
    after = weighed.blocks // rounds.shape[1] * per_round
    return replace(found, published=published, choice=weighed.outcome, chosen_after=after)


def _tested(found: Compared, rounds: Floats, per_round: int, stakes: Stakes) -> Compared:
    """What the sequential test says of differences, and how many more games it may take."""
    arms = 1 if found.minus is None else 2
    half, bound, points = stakes.half, float(arms), int(rounds.shape[1])
    scaled = rounds if stakes.measure == "score" else rounds / half
    close = stakes.margin / half
    decision = decide(scaled, smaller_than=close, bound=bound)
    after = decision.blocks // points * per_round
    found = replace(
        found,
        verdict=decision.outcome,
        decided_after=after,
        low=half * decision.low,
        high=half * decision.high,
    )
    if decision.is_final:
        now = RunningInterval.start(bound=bound).seen(scaled)
        return replace(found, low=half * now.low, high=half * now.high)
    if len(rounds) < 2:
        return found
    spread = sqrt(float(scaled.var(axis=0, ddof=1).mean()))

    def more(effect: float) -> int | None:
        """Games until the sequential test would tell an effect; None if there is no saying."""
        sd = min(spread / sqrt(bound), 1.0)
        try:
            blocks = sequence_blocks_needed(abs(effect), sd, arms=arms)
        except InvalidInput:  # no effect, no spread, or more games than anybody can play
            return None
        return max(-(-blocks // points) - len(rounds), 1) * per_round

    observed = more(found.difference.value / half)
    return replace(found, more_for_observed=observed, more_for_margin=more(close))


def _regrets(experiment: Experiment, games: Games, stakes: Stakes) -> Iterator[Regret]:
    """How much less arms of one team earned than the first that is told, and than the optimum."""
    if stakes.measure == "score" or experiment.teammates is not None:
        return
    by_arm = {a.name: [c for c in experiment.cells if c.arm == a.name] for a in experiment.arms}
    told = next((name for name, cells in by_arm.items() if _is_told(cells[0])), None)
    for name, cells in by_arm.items():
        if told is not None and name != told:
            pairs = zip(by_arm[told], cells, strict=True)
            known = [v[~np.isnan(v)] for v, _ in (_differences(games, p, stakes) for p in pairs)]
            value = mean_reward(known, stakes, reach=2.0)
            yield Regret(name, told, value, sum(map(len, known)))
        if stakes.best is not None:
            earned = mean_reward([games.blocks(cell, games.total) for cell in cells], stakes)
            blocks = sum(int(games.whole(cell).sum()) for cell in cells)
            yield Regret(name, None, _short_of(stakes.best, earned), blocks)


def _is_told(cell: Cell) -> bool:
    """Whether somebody in a team is told how capable the others are."""
    return any(read_member(text).first.belief == "truth" for text in cell.team.members)


def _short_of(best: float, earned: Estimate) -> Estimate:
    """How far a mean is from the most that can be expected; nobody expects more than that."""
    if earned.low is None or earned.high is None:
        return Estimate(best - earned.value)
    return Estimate(best - earned.value, max(best - earned.high, 0.0), max(best - earned.low, 0.0))


def _differences(
    games: Games, arms: Sequence[Cell], stakes: Stakes
) -> tuple[Floats, NDArray[np.bool_]]:
    """First arm minus second by block, NaN where one is not complete, and which were given up.

    Of scores, from -1 to 1, or of rewards.
    """
    column = games.score if stakes.measure == "score" else games.total
    difference, given_up = np.zeros(1), np.zeros(1, dtype=np.bool_)
    for cell, sign in zip(arms, (1, -1), strict=False):
        whole = games.whole(cell)
        scores = np.full(len(whole), np.nan)
        scores[whole] = games.blocks(cell, column)
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
