"""A small real experiment: short matches with a tiny search, and jobs that misbehave."""

import dataclasses
import os
import signal
import subprocess
import sys
import time
from itertools import groupby
from pathlib import Path

from sizeup.experiments.job import Job, Origin, Outcome, fingerprint
from sizeup.experiments.store import COLUMNS, Played, outcome_of

ORIGIN = Origin("small", 7, {"game": "connect-four", "blocks": 3}, {"search": "a1", "play": "b1"})
TEAMS = (("ca 2+3", "obl:3", "obl:2"), ("obl 2+3", "obl:2", "obl:3"))


def plan(blocks=3, rounds=1, **config):
    """Blocks of four games, of two cells in turn, as a plan has them."""
    jobs = []
    for block in range(blocks):
        for cell, mine, theirs in TEAMS:
            for slot in range(4):
                teams = [mine, theirs] if slot % 2 == 0 else [theirs, mine]
                whole = {"game": "connect-four", "teams": teams, "rounds": rounds, **config}
                seed = 1000 + block
                name = fingerprint([whole, cell, seed, slot])
                jobs.append(Job(name, len(jobs), cell, block, slot, seed, whole))
    return jobs


def play(job):
    """Play a real match for each round."""
    from sizeup.agents import read_agent
    from sizeup.play import play as play_match
    from sizeup.search import SearchOptions

    quick = SearchOptions(iterations=4, rollouts=1)
    teams = [[read_agent(team, quick)] for team in job.config["teams"]]
    outcomes = []
    for number in range(job.rounds):
        record = play_match(job.config["game"], teams, seed=job.seed + 8 * job.slot + number)
        score = 0 if record.winner is None else 1 if record.winner == 0 else -1
        outcomes.append(
            Outcome(
                score, float(record.total), record.reason, len(record.moves),
                tuple(float(move.reward) for move in record.moves),
                tuple(move.action for move in record.moves),
                {"0": [[0.25, 0.75]]}, {"0": [1.5, record.total / 3]},
            )
        )  # fmt: skip
    return tuple(outcomes)


def play_slowly(job):
    """Play for long enough, on any machine, that a run can be killed in the middle."""
    time.sleep(0.03)
    return play(job)


def played_in(store):
    """The jobs of a store, as another store's ``add`` takes them."""
    origins = store.origins()
    rows = (dict(zip(COLUMNS, row, strict=True)) for row in store.rows())
    for _, games in groupby(rows, key=lambda row: row["job_id"]):
        first, *others = games
        job = Job(*(first[name] for name in ("job_id", "plan_index", "cell", "block", "slot",
                                             "seed", "config")))  # fmt: skip
        yield Played(
            job, tuple(map(outcome_of, (first, *others))),
            sum(row["seconds"] for row in (first, *others)), first["host"], first["attempt"],
            first["finished"], origins[first["origin"]],
        )  # fmt: skip


def pretend(job):
    """Make up outcomes at once, without any game."""
    score = (job.seed + job.slot) % 3 - 1
    one = Outcome(score, score / 2, "made up", 2, (0.0, score / 2), ("a", "b"), {}, {})
    return tuple(dataclasses.replace(one, plies=2 + number) for number in range(job.rounds))


def misbehave(job):
    """Do what the job's configuration says, if anything, before it is played."""
    if job.index not in job.config["where"]:
        return pretend(job)
    return DEEDS[job.config["deed"]](job)


def complain(job):
    raise ValueError(f"no luck\nwith {job.index}")


def fail_once(job):
    mark = Path(job.config["marks"]) / job.job_id
    if not mark.exists():
        mark.touch()
        os._exit(3)
    return pretend(job)


def hang(job):
    if "marks" in job.config:
        (Path(job.config["marks"]) / str(os.getpid())).touch()
    time.sleep(600)


def spawn(job):
    """Start what would run for ever, also in a session of its own, and then do as told."""
    for has_session in (False, True):
        engine = subprocess.Popen(["sleep", "600"], start_new_session=has_session)
        (Path(job.config["marks"]) / str(engine.pid)).touch()
    return {"complain": complain, "hang": hang_quietly, "die": DEEDS["die"]}[job.config["then"]](
        job
    )


def hang_quietly(job):
    time.sleep(600)


class Odd(BaseException):
    """What no game should raise."""


def leave(job):
    raise SystemExit("enough")


def be_odd(job):
    raise Odd("this is\nodd")


def chatter(job):
    print("a word from", job.index)
    print("a complaint", file=sys.stderr)
    os.system("echo from a child")
    return hang_quietly(job) if job.config.get("then") == "hang" else pretend(job)


def devour(job):
    held = bytearray(8 << 30)
    return pretend(job) * len(held[:1])


DEEDS = {
    "complain": complain,
    "exit": lambda job: os._exit(3),
    "die": lambda job: os.kill(os.getpid(), signal.SIGKILL),
    "hang": hang,
    "miscount": lambda job: (),
    "no number": lambda job: (dataclasses.replace(pretend(job)[0], total=float("nan")),),
    "no data": lambda job: (dataclasses.replace(pretend(job)[0], posteriors={"0": os.getpid}),),
    "no outcome": lambda job: (lambda: None,),
    "fail once": fail_once,
    "spawn": spawn,
    "leave": leave,
    "be odd": be_odd,
    "chatter": chatter,
    "devour": devour,
}


def never_work(connection, surroundings):
    os._exit(4)


def play_then_wait(job):
    """Play the first four jobs; the others wait for the end."""
    if job.index >= 4:
        time.sleep(600)
    return play(job)


def play_on_a_cluster(job):
    """Play, but not on the node that is to die: there a job waits for the end, and all for that."""
    import ray

    marks = Path(os.environ["SIZEUP_TEST_MARKS"])
    if ray.get_runtime_context().get_node_id() == (marks / "doomed").read_text():
        (marks / "caught").touch()
        time.sleep(600)
    while not (marks / "caught").exists():
        time.sleep(0.01)
    return play(job)
