"""What a GPU does of the search: whether it is the same, and how fast.

Run: python benchmarks/gpu.py SECTION [SECTION ...] [--device cuda] [--games N] [--save FILE]

searches searches of every shipped game, plain and aware, with several options, on both
same     whole games, of every kind of agent, rule and game, on the GPU and on the CPU: every move,
         belief and deviation must be equal; exits with an error if one is not
faults   a pool too small for its searches, a rule that raises an error: the results are the same
speed    plain and aware searches of depth 8, many roots at once, beside one core
growth   searches a second against how many run at once, and against their depth
games    games of a published programme a second, from the command to the store, beside one core

--save adds what is printed to a file, with the machine and its versions.
"""

import argparse
import contextlib
import io
import json
import platform
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import numpy as np

from sizeup import device as devices
from sizeup.device import Cpu, Gpu
from sizeup.experiments.crowd_executor import CrowdExecutor
from sizeup.experiments.executors import LocalExecutor
from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment, shipped
from sizeup.experiments.worker import play_job
from sizeup.play.table import seated_view
from sizeup.search import Searcher, SearchOptions
from sizeup.search.batch import Batch, pack
from sizeup.search.searcher import Ask

HERE = Path(__file__).parent
HEAD = """# The search on a GPU: the last log

Made by `make gpu` (`python benchmarks/gpu.py`).

```
"""
TYPES = (2, 4, 6, 8)
ITERATIONS = 7200  # of a search of depth 8
QUICK = 10  # iterations of the first level where it is about being the same

OTHERS = """
name = "others"
title = "Other games"
question = "Are they the same?"
game = "{game}"
types = {types}
blocks = 50
balance = []
{against}
[arms.ca]
team = "{ca}"
[arms.sa]
team = "{sa}"
[arms.ora]
team = "{ora}"
"""


def same(chosen):
    """Whole games on both."""
    jobs = list(_jobs(chosen))
    print(f"{len(jobs)} jobs of {len({job.cell + job.game for job in jobs})} cells: ", end="")
    with CrowdExecutor(chosen.device) as crowd, LocalExecutor() as alone:
        here, there = _all(alone, jobs), _all(crowd, jobs)
    equal = [a.outcomes == b.outcomes for a, b in zip(here, there, strict=True)]
    games = sum(len(one.outcomes) for one in here)
    moves = sum(outcome.plies for one in here for outcome in one.outcomes)
    print(f"{games} games, {moves} moves; {sum(equal)} of {len(equal)} jobs are equal")
    for job, ok in zip(jobs, equal, strict=True):
        if not ok:
            print("  not equal:", job.game, job.cell, job.block, job.slot)
    if not all(equal):
        raise SystemExit("the GPU and the CPU do not agree")


def _all(executor, jobs):
    futures = [executor.submit(play_job, job) for job in jobs]
    return [future.result() for future in futures]


def _jobs(chosen):
    """Jobs of every shipped experiment and of games that have none, with short searches."""
    with tempfile.TemporaryDirectory() as folder:
        names = [*(chosen.experiments or shipped()), *_written(Path(folder))]
        plans = [plan(read_experiment(str(name))) for name in names]
    each = max(4, chosen.games // len(plans))
    for jobs in plans:
        step = max(1, len(jobs) // each)
        for job in jobs[::step]:
            config = json.loads(json.dumps(dict(job.config)))
            for side in (config["team"], config["against"]):
                if side:
                    side["search"]["iterations"] = QUICK
            yield replace(job, config=config, code={})


def _written(folder):
    """Experiments for the games that come without one, and for one that a user wrote."""
    rope = json.dumps(str(HERE / "rope.py"))
    team = {"ca": "ca:4+obl:2+obl:2", "sa": "sa:4+sa:2+obl:2", "ora": "ora:4+obl:2+min:2"}
    pair = {"ca": "ca:4+obl:2", "sa": "sa:4+sa:2", "ora": "ora:4+nu:2"}
    games = {
        "harvest": {"types": [2, 4], "against": "", **team},
        rope.strip('"'): {"types": [2, 4], "against": "", **team},
        "connect-four": {"types": [2, 4], "against": 'against = "obl:4"', **pair},
    }
    for number, (game, rest) in enumerate(games.items()):
        file = folder / f"others{number}.toml"
        file.write_text(OTHERS.format(game=game, **rest))
        yield file


def searches(chosen):
    """Searches of all games on both."""
    machine, options = _machine(chosen.device, 2**33), {
        "default": SearchOptions(),
        "separate": SearchOptions(
            iterations=50, teammate_statistics="separate", copy="values", teammate_rule="visits"
        ),
        "ucb": SearchOptions(iterations=50, copy="none", teammate_rule="ucb", beyond="zero"),
        "replicas": SearchOptions(
            iterations=50, copy="values", teammate_rule="replicas", teammate_iterations=60
        ),
    }  # fmt: skip
    for game, sizes in SEATED.items():
        for name, one in options.items():
            searcher = Searcher(seated_view(game, sizes), TYPES, one)
            asks = list(_mixed(searcher, chosen.searches))
            found = Batch(searcher, machine).search_many(asks)
            equal = sum(map(_equal, found, map(searcher.answer, asks)))
            print(f"{Path(game).stem}, {name}: {equal} of {len(asks)} are equal")
            if equal < len(asks):
                raise SystemExit("the GPU and the CPU do not agree")


SEATED = {
    "checkers": [2, 1], "connect-four": [2, 1], "harvest": [3], "wall-of-fire": [2],
    "narrow-tunnel": [2], "four-in-a-row": [2, 1], str(HERE / "rope.py"): [3],
}  # fmt: skip


def _mixed(searcher, count):
    """Searches of all ranks, every second one with beliefs, every seventh minimising."""
    for number, ask in enumerate(_asks(searcher, count)):
        rank, teams = number % len(TYPES), searcher.view.teams
        odds = np.random.default_rng(number).random(len(TYPES)) * (np.arange(len(TYPES)) <= rank)
        mates = [p for p, team in enumerate(teams) if team == teams[ask.player] and p != ask.player]
        beliefs = {mate: odds / odds.sum() for mate in mates} if number % 2 else None
        yield searcher.ask(ask.state, TYPES[rank], beliefs, minimise=number % 7 == 0, seed=number)


def faults(chosen):
    """Searches that find no memory, and rules that raise."""
    view = seated_view("checkers", [2, 1])
    searcher = Searcher(view, TYPES, SearchOptions(iterations=50))
    asks = _asks(searcher, 200)
    want = [searcher.answer(ask) for ask in asks]
    machine = _machine(chosen.device, 2**28)
    small = Batch(searcher, machine, memory=8 * 2**20, lanes=128).search_many(asks)
    equal = sum(map(_equal, small, want))
    print(f"8 MiB for {len(asks)} searches at once: {equal} of {len(asks)} are equal")
    if equal < len(asks):
        raise SystemExit("searches that ran out of memory differ")


def speed(chosen):
    """Rates, medians of five."""
    view, count = seated_view("checkers", [2, 1]), _count(chosen.device)
    plain, aware = Searcher(view, TYPES[-1:]), Searcher(view, TYPES)
    asks = _asks(plain, 1024)
    plain.answer(asks[0])  # compiles
    begin = time.perf_counter()
    for ask in asks[:200]:
        plain.answer(ask)
    core = 200 * ITERATIONS / (time.perf_counter() - begin)
    print(f"one core, plain: {core / 1e6:.2f} M iterations/s")
    machine = _machine(chosen.device)
    seats = [ask for ask in asks if ask.player < 2]
    believed = [
        aware.ask(ask.state, beliefs={1 - ask.player: [0.25] * 4}, seed=ask.seed) for ask in seats
    ]
    rows = {
        "plain, one type": (plain, asks),
        "plain, four types": (aware, [aware.ask(ask.state, seed=ask.seed) for ask in asks]),
        "capability-aware, four types": (aware, believed),
    }
    for name, (searcher, some) in rows.items():
        rate = _rate(Batch(searcher, machine), searcher, some, count)
        print(f"{name}: {rate / 1e6:.0f} M iterations/s, {rate / core:.0f} x one core's plain ones")


def growth(chosen):
    """Rates by how many there are, and how deep they look."""
    view, machine = seated_view("checkers", [2, 1]), _machine(chosen.device)
    searcher = Searcher(view, TYPES[-1:])
    asks = _asks(searcher, 1024)
    most = _count(chosen.device)
    for count in (most // 64, most // 16, most // 4, most, 2 * most):
        rate = _rate(Batch(searcher, machine), searcher, asks, count, times=1)
        print(f"{count} searches of depth 8 at once: {rate / 1e6:.0f} M iterations/s")
    for depth in (2, 4, 6, 8, 12):
        searcher = Searcher(view, (depth,))
        asks = _asks(searcher, 1024)
        batch = Batch(searcher, machine)
        rate = _rate(batch, searcher, asks, most, times=1)
        nodes = batch.run(pack(searcher, asks[:256])).nodes
        print(f"depth {depth}: {rate / 1e6:.0f} M iterations/s, {nodes.mean():.0f} nodes a tree")


def _rate(batch, searcher, asks, count, times=5):
    """Iterations a second of so many searches; those that are asked for, with other seeds."""
    copies = -(-count // len(asks))
    many = [ask._replace(seed=ask.seed + 10_000 * n) for n in range(copies) for ask in asks]
    packed = pack(searcher, many[:count])
    batch.run(pack(searcher, many[:32]))  # compiles
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        batch.run(packed)
        seconds.append(time.perf_counter() - begin)
    done = count * sum(
        level * searcher.options.iterations for level in range(1, searcher.types[-1] + 1)
    )
    return done / statistics.median(seconds)


def games(chosen):
    """A programme from plan to rows."""
    jobs = list(plan(read_experiment("checkers-ablation"), 0, max(1, chosen.games // 288)))
    with CrowdExecutor(chosen.device) as crowd:
        _all(crowd, jobs[:64])  # compiles, and every host starts
        begin = time.perf_counter()
        found = _all(crowd, jobs)
        seconds = time.perf_counter() - begin
    rng = np.random.default_rng(0)
    some = rng.choice(len(jobs), min(100, len(jobs)), replace=False)
    begin = time.process_time()
    want = [play_job(jobs[n]) for n in some]
    core = (time.process_time() - begin) / len(some)
    equal = sum(found[n].outcomes == one for n, one in zip(some, want, strict=True))
    print(
        f"{len(jobs)} games of checkers-ablation in {seconds:.1f} s: {len(jobs) / seconds:.0f} "
        f"games/s, {core * len(jobs) / seconds:.0f} x one core ({core:.3f} s a game); "
        f"{equal} of {len(some)} played again on the CPU are equal"
    )


def _asks(searcher: Searcher, count: int) -> list[Ask]:
    """Positions of random games."""
    view, rng, found = searcher.view, np.random.default_rng(9), []
    while len(found) < count:
        state = view.start()
        for _ in range(int(rng.integers(40))):
            legal = view.actions(state)
            if not legal:
                break
            state, _ = view.apply(state, legal[int(rng.integers(len(legal)))])
        if len(view.actions(state)) > 1 and view.actor(state) >= 0:  # no chance
            found.append(searcher.ask(state, seed=len(found)))
    return found


def _equal(one, two):
    return bool(
        np.array_equal(one.visits, two.visits)
        and np.array_equal(one.values, two.values, equal_nan=True)
        and (one.action, one.nodes, one.iterations) == (two.action, two.nodes, two.iterations)
    )


def _machine(device, memory=None):
    return Gpu(memory) if device == "cuda" else Cpu()


def _count(device):
    return 65_536 if device == "cuda" else 64


SECTIONS = {section.__name__: section for section in (searches, same, faults, speed, growth, games)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sections", nargs="+", choices=list(SECTIONS), metavar="SECTION")
    parser.add_argument("--device", default="cuda", choices=["cuda", "lanes"])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--searches", type=int, default=200, help="of each kind")
    parser.add_argument("--experiments", nargs="*", help="of same; all shipped ones if not given")
    parser.add_argument("--save", type=Path)
    chosen = parser.parse_args()
    packages = {name: metadata.version(name) for name in ("numba", "numba-cuda", "numpy")}
    where = devices.describe() if chosen.device == "cuda" else "the CPU in a GPU's place"
    lines = [f"{where}; Python {platform.python_version()}, {packages}"]
    print(lines[0])
    for section in chosen.sections:
        begin, said = time.perf_counter(), io.StringIO()
        with contextlib.redirect_stdout(_Both(said)):
            SECTIONS[section](chosen)
        head = f"== {section} [{time.perf_counter() - begin:.0f} s]"
        print(head, flush=True)
        lines += [head, said.getvalue().rstrip()]
        if chosen.save:
            chosen.save.write_text(HEAD + "\n".join(lines) + "\n```\n")


class _Both(io.TextIOBase):
    """What is printed is also kept."""

    def __init__(self, kept):
        self._kept, self._shown = kept, sys.stdout

    def write(self, text):
        self._shown.write(text)
        self._shown.flush()
        return self._kept.write(text)


if __name__ == "__main__":
    main()
