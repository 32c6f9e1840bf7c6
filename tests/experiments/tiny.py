"""A tiny experiment at checkers, played once a process, and an executor without processes."""

import json
from concurrent.futures import Future
from dataclasses import replace

from sizeup.experiments.executors import JobFailed, attempt
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.store import Played, Store
from sizeup.experiments.worker import play_job

TEXT = """
name = "tiny"
title = "Short games"
question = "Does awareness win short games?"
game = "checkers"
params = { most_plies = 14 }
types = [1, 2]
rounds = 1
blocks = 2
balance = ["sides", "team"]
against = "obl:1"
search = { iterations = 4, rollouts = 1 }
comparisons = ["aware - oblivious"]

[arms.aware]
team = "ca:2+obl:1"

[arms.oblivious]
team = "obl:2+obl:1"

[[tables]]
title = "Score"
"""

_OUTCOMES = {}


def written(folder, *changes, name="tiny.toml"):
    """The file of the experiment, with some of its text exchanged."""
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / name
    path.write_text(text)
    return path


def experiment(folder, *changes):
    return read_experiment(written(folder, *changes))


def outcomes(job):
    """What a job really gives, played only once."""
    if job.job_id not in _OUTCOMES:
        _OUTCOMES[job.job_id] = play_job(job)
    return _OUTCOMES[job.job_id]


def filled(path, planned, jobs=None, host="here", origin=None):
    """A store with these games of a plan, in the order in which they are given."""
    with Store.open(path, origin or planned.origin) as store:
        for job in planned if jobs is None else jobs:
            finished = f"2026-01-01T00:00:{job.index % 60:02}.000+00:00"
            store.add([Played(job, outcomes(job), 0.25, host, 1 + (host != "here"), finished)])
    return path


class AtOnce:
    """Plays each job here as soon as it is submitted; some fail however often."""

    workers = 1

    def __init__(self, failing=(), play=None):
        self.failing, self.play, self.submitted = failing, play, 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def submit(self, play, job):
        self.submitted += 1
        future = Future()
        if job.index in self.failing:
            future.set_exception(JobFailed("ValueError: no luck"))
        else:
            future.set_result(attempt(self.play or outcomes, job))
        return future


def planned(folder, *changes, seed=0, blocks=None):
    return plan(experiment(folder, *changes), seed, blocks)


def short(job):
    """The same job with hardly any search, a series of two, and a game that soon ends."""
    config = json.loads(json.dumps(dict(job.config)))
    for side in (config["team"], config["against"]):
        if side:
            side["search"].update(iterations=2, rollouts=1)
    if job.game == "checkers":
        config["params"] = {"most_plies": 30}  # in a team that changes, after 24 of them
    config["rounds"] = min(config["rounds"], 2)
    return replace(job, config=config, code={})


def jobs_of(name, kinds):
    """A job of a shipped experiment for each kind of first member."""
    jobs = plan(read_experiment(name), 0, 1)
    for kind in kinds:
        yield short(next(job for job in jobs if job.config["team"]["members"][0].startswith(kind)))
