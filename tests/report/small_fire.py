"""A small store of real games, to try frames on."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.store import Played, Store
from sizeup.experiments.worker import play_job

_EXPERIMENT = """
name = "small-fire"
title = "A small wall of fire"
question = "Does an aware expert stop pushing a novice into the fire?"
game = "wall-of-fire"
params = { text = "...SFFFFFCCCC" }
types = [2, 8]
blocks = 1
balance = []
search = { iterations = 50, rollouts = 2 }
[arms.oblivious]
team = "obl:8+obl:2"
[arms.aware]
team = "ca:8+obl:2"
[[tables]]
title = "Reward"
"""


@contextmanager
def sample_store() -> Iterator[Path]:
    """The path of a store with two games of Wall of Fire, for as long as it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "small-fire.toml")
        file.write_text(_EXPERIMENT, encoding="utf-8")
        jobs = plan(read_experiment(file))
        path = Path(folder, "small-fire.db")
        with Store.open(path, jobs.origin) as store:
            finished = "2026-01-01T00:00:00.000+00:00"
            store.add(Played(job, play_job(job), 0.25, "here", 1, finished) for job in jobs)
        yield path
