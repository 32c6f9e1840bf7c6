"""The two toy tables: four teams each, many runs, beside the published medians."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np

from sizeup.errors import InvalidInput
from sizeup.play.match import play

__all__ = ["TOYS", "Cell", "ToyTeam", "run_toy"]


class ToyTeam(NamedTuple):
    """A team of a toy table, and the published median of its score."""

    name: str
    agents: str
    published: float


TOYS: dict[str, tuple[ToyTeam, ...]] = {
    "wall-of-fire": (
        ToyTeam("novice + novice", "obl:2+obl:2", 0.0),
        ToyTeam("expert + expert", "obl:20+obl:20", 1490.0),
        ToyTeam("oblivious expert + novice", "obl:20+obl:2", -20.0),
        ToyTeam("aware expert + novice", "ca:20+obl:2", -2.0),
    ),
    "narrow-tunnel": (
        ToyTeam("novice + novice", "obl:10+obl:10", 4.0),
        ToyTeam("expert + expert", "obl:30+obl:30", 90.0),
        ToyTeam("novice + oblivious expert", "obl:10+obl:30", 0.0),
        ToyTeam("novice + aware expert", "obl:10+ca:30", 4.0),
    ),
}


class Cell(NamedTuple):
    """The scores of one team."""

    team: ToyTeam
    totals: tuple[float, ...]

    @property
    def median(self) -> float:
        """Median score."""
        return float(np.median(self.totals))

    @property
    def exact(self) -> float:
        """Share of runs that score exactly the published median."""
        return sum(total == self.team.published for total in self.totals) / len(self.totals)

    def __str__(self) -> str:
        scores = ", ".join(f"{total:g} ({n})" for total, n in Counter(self.totals).most_common(4))
        return (
            f"{self.team.name:27}{self.team.agents:16}{self.team.published:10g}{self.median:9g}"
            f"{100 * self.exact:8.0f} %{len(self.totals):6}   {scores}"
        )


HEADER = (
    f"{'team':27}{'agents':16}{'published':>10}{'median':>9}{'exactly':>10}{'runs':>6}"
    "   scores (runs)"
)


def run_toy(
    name: str,
    runs: int = 5,
    seed: int = 0,
    workers: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Iterator[Cell]:
    """Play every team of a toy table ``runs`` times; yield each when it is done.

    Runs have the seeds ``seed``, ``seed + 1`` and so on; results do not depend on ``workers``.

    >>> next(run_toy("wall-of-fire", runs=1, workers=1)).median
    0.0
    """
    if name not in TOYS:
        raise InvalidInput(f"there is no experiment {name!r}; expected one of {', '.join(TOYS)}")
    if runs < 1:
        raise InvalidInput(f"runs must be 1 or more, got {runs}")
    tell = progress or (lambda text: None)
    with ProcessPoolExecutor(min(workers or os.cpu_count() or 1, runs)) as pool:
        for team in TOYS[name]:
            begin, totals = time.monotonic(), []
            jobs = [pool.submit(_total, name, team.agents, seed + run) for run in range(runs)]
            for done, job in enumerate(jobs, start=1):
                totals.append(job.result())
                spent = time.monotonic() - begin
                tell(f"{team.name}: {done} of {runs} runs, {spent:.0f} s")
            yield Cell(team, tuple(totals))


def _total(game: str, agents: str, seed: int) -> float:
    return play(game, [agents], seed=seed).total
