"""A small experiment whose every number can be worked out by hand, and stores of made-up games."""

from sizeup.experiments.job import Origin, Outcome
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.experiments.store import Played, Store
from sizeup.report import summarise

PARTNERS = """
name = "partners"
title = "Two partners"
question = "Does it help to know one's partner?"
game = "checkers"
types = [2, 4]
blocks = 3
balance = ["sides"]
against = "obl:{opponent}"
comparisons = ["aware", "aware - plain"]
[grid]
opponent = [2, 4]
[arms.aware]
title = "Aware"
team = "ca:4+obl:2"
[arms.plain]
title = "Plain"
team = "obl:4+obl:2"
[[tables]]
title = "Score by opponent"
by = "opponent"
published.aware = { 2 = 100.0, 4 = -90.0, total = 3.5 }
published.plain = { total = -4.0 }
"""

BELIEFS = """
[[tables]]
title = "Last deviation"
measure = "deviation"
[[tables]]
title = "Deviation in the course"
measure = "deviation"
by = "update"
"""

# Results of two games (the team moves first, or second) in each of three blocks.
RESULTS = {
    "aware 2": ((1, 1), (1, 1), (1, 0)),
    "aware 4": ((1, -1), (0, -1), (-1, -1)),
    "plain 2": ((1, 0), (0, 0), (1, -1)),
    "plain 4": ((-1, -1), (0, -1), (-1, 0)),
}

ORIGIN = Origin("partners", 5, {"game": "checkers"}, {"search": "a1"}, {"sizeup": "0.1", "x": "2"})


def experiment(folder, text=PARTNERS):
    path = folder / "partners.toml"
    path.write_text(text)
    return read_experiment(path)


def outcome(score, total=0.0, posteriors=None, deviations=None):
    return Outcome(score, total, "made up", 1, (total,), ("a",), posteriors or {}, deviations or {})


def by_hand(job):
    """What :data:`RESULTS` says; a game is worth two pieces for each point."""
    score = RESULTS[job.cell][job.block][job.slot]
    return (outcome(score, 2.0 * score),)


def fill(path, jobs, play=by_hand, origin=ORIGIN, given_up=()):
    """Write a store; jobs that are given up are there as failures only."""
    with Store.open(path, origin, allow_changes=True) as store:
        for job in given_up:
            for attempt in (1, 2):
                store.add_failure(job, attempt, "boom", "", "now", quarantined=attempt == 2)
        store.add(Played(job, play(job), 0.5, "here", 1, "now") for job in jobs)
    return path


def summary_of(read, path, **options):
    with Store.read(path) as store:
        return summarise(read, store, **options)


def finished(folder):
    """The experiment with all its games."""
    read = experiment(folder)
    return summary_of(read, fill(folder / "games.db", plan(read, 5)))
