"""``sizeup bench``: how fast this machine searches, as rates and as ratios measured side by side.

NumPy and the search are imported by the verb, not with the command.
"""

from __future__ import annotations

import re
import shlex
import statistics
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer
from typer import Option

from sizeup.cli.shared import Device, chosen_device
from sizeup.errors import InvalidInput

if TYPE_CHECKING:
    from sizeup.search import Searcher

_POSITIONS = {
    "start": "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    "middle": "B:W19,21,26,27,29,31,32:B2,3,4,5,10,11,12,22",
    "late": "B:WK1,K8,11,21,28:B12,K14,16,27",
}
_TYPES = (2, 4, 6, 8)
_ITERATIONS = 7200  # of a search of depth 8
_AT_ONCE = {"cuda": 65_536, "lanes": 64}
_SEARCHES = 8  # in each round: long enough to be timed, short enough to alternate

_Values: TypeAlias = tuple[str, list[float], str]  # name, a value for each round, unit


def bench(
    rounds: Annotated[int, Option(min=1, help="How many times to measure each row.")] = 5,
    beside: Annotated[
        str | None,
        Option(help="Command to compare with, which prints 'start depth 8: 10.2 ms' and so on."),
    ] = None,
    device: Device = "cpu",
) -> None:
    """Measure the search on this machine: rates, and ratios of things run side by side."""
    every = [_search_rates(rounds, beside), _awareness(rounds), _in_parallel(rounds)]
    if (chosen := chosen_device(device)) != "cpu":
        every = [_on_device(rounds, chosen)]
    typer.echo(f"{'':58}{'median':>9} {'':8} lowest to highest of {rounds} alternating rounds")
    for measured in every:
        for name, values, unit in measured:
            middle = statistics.median(values)
            typer.echo(f"{name:58}{middle:9.2f} {unit:8} {min(values):.2f} to {max(values):.2f}")


def _search_rates(rounds: int, beside: str | None) -> Iterator[_Values]:
    from sizeup.games import checkers
    from sizeup.search import Searcher

    searcher = Searcher(checkers, (8,))
    runs = {
        name: _searches(searcher, searcher.view.state_from_text(fen))
        for name, fen in _POSITIONS.items()
    }
    times, ratios = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    for _ in range(rounds):
        theirs = _times_of(beside) if beside else {}
        for name, run in runs.items():
            times[name].append(run() / _SEARCHES)
            ratios[name].append(theirs.get(name, 0.0) / times[name][-1])
    for name, kept in times.items():
        rates = [_ITERATIONS / seconds / 1e3 for seconds in kept]
        yield f"depth 8, n = 200, m = 5, {name} position", rates, "k it/s"
    for name, kept in ratios.items() if beside else ():
        yield f"  speed relative to the command, {name} position", kept, "x"


def _times_of(command: str) -> dict[str, float]:
    """Seconds of each position, as another program measures itself."""
    try:
        words = shlex.split(command)
        shown = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        raise InvalidInput(f"--beside: the command failed: {error}") from None
    lines = re.findall(r"(\w+)\s+depth 8: ([\d.]+) ms", shown)
    found = {name: float(ms) / 1e3 for name, ms in lines}
    if not set(_POSITIONS) <= set(found):
        raise InvalidInput(
            f"--beside: {command!r} printed no times for {', '.join(_POSITIONS)}; expected lines "
            "like 'start depth 8: 10.2 ms'"
        )
    return found


def _awareness(rounds: int) -> Iterator[_Values]:
    """What awareness and inference cost, relative to the oblivious search of the same depth."""
    from sizeup.play.table import seated_view
    from sizeup.search import Searcher, SearchOptions

    view = seated_view("checkers", [2, 2])
    uniform = {1: [1 / len(_TYPES)] * len(_TYPES)}
    options = {
        "capability-aware search, 1 teammate iteration": SearchOptions(),
        "capability-aware search, 5 teammate iterations": SearchOptions(teammate_iterations=5),
        "inference of all types": SearchOptions(beyond="zero"),
    }
    searchers = {name: Searcher(view, _TYPES, one) for name, one in options.items()}
    oblivious = Searcher(view, _TYPES[-1:])
    ratios = defaultdict[str, list[float]](list)
    for fen in _POSITIONS.values():
        state = view.state_from_text(f"{fen} next 0,0")
        plain = _searches(oblivious, state)
        runs = {name: _searches(one, state, beliefs=uniform) for name, one in searchers.items()}
        for _ in range(rounds):
            base = plain()
            for name, run in runs.items():
                ratios[name].append(run() / base)
    for name, kept in ratios.items():
        yield f"time of {name}, relative to oblivious", kept, "x"


def _on_device(rounds: int, device: str) -> Iterator[_Values]:
    """Many searches at once beside one core, and what awareness costs there."""
    from sizeup.device import Cpu, Gpu
    from sizeup.play.table import seated_view
    from sizeup.search import Searcher
    from sizeup.search.batch import Batch, pack

    view, machine = seated_view("checkers", [2, 1]), Cpu() if device == "lanes" else Gpu()
    count = _AT_ONCE[device]
    plain, aware = Searcher(view, _TYPES[-1:]), Searcher(view, _TYPES)
    states = [view.state_from_text(f"{fen} next 0,0") for fen in _POSITIONS.values()]
    runs = {
        "plain": (plain, [plain.ask(states[n % 3], seed=n) for n in range(count)]),
        "capability-aware": (aware, [
            aware.ask(states[n % 3], beliefs={1: [0.25] * 4}, seed=n) for n in range(count)
        ]),
    }  # fmt: skip
    core = _searches(plain, states[0])
    rates, ratios = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    for name, (searcher, asks) in runs.items():
        batch, packed = Batch(searcher, machine), pack(searcher, asks)
        batch.run(pack(searcher, asks[:32]))  # compiles
        for _ in range(rounds):
            alone = _SEARCHES * _ITERATIONS / core()
            begin = time.perf_counter()
            batch.run(packed)
            rates[name].append(count * _ITERATIONS / (time.perf_counter() - begin) / 1e6)
            ratios[name].append(rates[name][-1] * 1e6 / alone)
        yield f"{count} {name} searches of depth 8 at once", rates[name], "M it/s"
        yield "  speed relative to plain ones on one core", ratios[name], "x"


def _in_parallel(rounds: int) -> Iterator[_Values]:
    """Speed of two threads relative to one, and how soon a deep search is cancelled."""
    from sizeup.play.table import seated_view
    from sizeup.search import Searcher, SearchOptions

    plain = seated_view("checkers", [1, 1])
    runs = [_searches(Searcher(plain, (8,)), plain.start()) for _ in range(2)]
    ratios = [2 * _seconds_of_threads(runs[:1]) / _seconds_of_threads(runs) for _ in range(rounds)]
    yield "two threads relative to one", ratios, "x"
    view = seated_view("checkers", [2, 2])
    endless = Searcher(view, (2, 30), SearchOptions(iterations=2**30, teammate_iterations=5))
    delays = [_delay(endless, view.start()) for _ in range(rounds + 1)]
    yield "from cancelling a depth-30 search to its end", delays[1:], "ms"


def _searches(searcher: Searcher, state: Any, **request: Any) -> Callable[[], float]:
    """Some searches in a row, compiled before they are timed; tells their processor time."""

    def run() -> float:
        begin = time.process_time()
        for seed in range(_SEARCHES):
            searcher.search(state, seed=seed, **request)
        return time.process_time() - begin

    run()
    return run


def _seconds_of_threads(runs: list[Callable[[], float]]) -> float:
    with ThreadPoolExecutor(len(runs)) as threads:
        begin = time.perf_counter()
        for done in [threads.submit(run) for run in runs]:
            done.result()
        return time.perf_counter() - begin


def _delay(searcher: Searcher, state: Any) -> float:
    """Milliseconds it takes to cancel a search that has run for a while."""
    from sizeup.search import Cancel

    cancel, asked = Cancel(), list[float]()

    def ask() -> None:
        asked.append(time.perf_counter())
        cancel.set()

    timer = threading.Timer(0.3, ask)
    timer.start()
    searcher.search(state, beliefs={1: [1, 0]}, cancel=cancel)
    ended = time.perf_counter()
    timer.join()
    return (ended - asked[0]) * 1e3
