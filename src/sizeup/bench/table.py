"""The rows of ``sizeup bench``: each a rate or a ratio, with the range over alternate rounds."""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from sizeup.errors import InvalidInput
from sizeup.games import checkers
from sizeup.games.contract import View
from sizeup.games.seats import seat
from sizeup.search import Cancel, Searcher, SearchOptions

__all__ = ["POSITIONS", "Row", "rows"]

POSITIONS = {
    "start": "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    "middle": "B:W19,21,26,27,29,31,32:B2,3,4,5,10,11,12,22",
    "late": "B:WK1,K8,11,21,28:B12,K14,16,27",
}
TYPES = (2, 4, 6, 8)
ENDLESS = 2**30
_SEARCHES = 8  # in each round: a round should be long enough to be timed, short enough to alternate


class Row(NamedTuple):
    """What was measured, and its median, lowest and highest value over the rounds."""

    name: str
    median: float
    low: float
    high: float
    unit: str

    def __str__(self) -> str:
        return f"{self.name:58}{self.median:9.2f} {self.unit:8} {self.low:.2f} to {self.high:.2f}"


def rows(rounds: int = 5, beside: str | None = None) -> Iterator[Row]:
    """Measure, row by row.

    Parameters
    ----------
    rounds
        How often everything that is compared is run in turn.
    beside
        A command that prints lines like ``start depth 8: 10.2 ms`` for :data:`POSITIONS`, to be
        compared with: the same search, written by somebody else.
    """
    if rounds < 1:
        raise InvalidInput(f"rounds must be 1 or more, got {rounds}")
    yield from _search_rates(rounds, beside)
    yield from _awareness(rounds)
    yield _threads(rounds)
    yield _cancelling(rounds)
    if _has_open_spiel():
        yield _open_spiel(rounds)


def _has_open_spiel() -> bool:
    return importlib.util.find_spec("pyspiel") is not None


def _row(name: str, values: list[float], unit: str) -> Row:
    return Row(name, float(np.median(values)), min(values), max(values), unit)


def _cpu_seconds(call: Callable[[], object]) -> float:
    begin = time.process_time()
    call()
    return time.process_time() - begin


def _searches(searcher: Searcher, state: Any, **request: Any) -> Callable[[], None]:
    """Some searches in a row, compiled before they are timed."""

    def run() -> None:
        for seed in range(_SEARCHES):
            searcher.search(state, seed=seed, **request)

    run()
    return run


def _search_rates(rounds: int, beside: str | None) -> Iterator[Row]:
    searcher = Searcher(checkers, (8,))
    states = {name: searcher.view.state_from_text(fen) for name, fen in POSITIONS.items()}
    runs = {name: _searches(searcher, state) for name, state in states.items()}
    times: dict[str, list[float]] = {name: [] for name in POSITIONS}
    others: dict[str, list[float]] = {name: [] for name in POSITIONS}
    for _ in range(rounds):
        theirs = _times_of(beside) if beside else {}
        for name, run in runs.items():
            times[name].append(_cpu_seconds(run) / _SEARCHES)
            others[name].append(theirs.get(name, 0.0))
    for name, kept in times.items():
        rates = [7200 / seconds / 1e3 for seconds in kept]
        yield _row(f"depth 8, n = 200, m = 5, {name} position", rates, "k it/s")
    for name in POSITIONS if beside else ():
        ratios = [other / own for other, own in zip(others[name], times[name], strict=True)]
        yield _row(f"  its speed beside the command's, {name} position", ratios, "x")


def _times_of(command: str) -> dict[str, float]:
    """Seconds of each position, as another program measures itself."""
    try:
        shown = subprocess.run(
            shlex.split(command), capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        raise InvalidInput(f"the command to compare with does not run: {error}") from None
    lines = re.findall(r"(\w+)\s+depth 8: ([\d.]+) ms", shown)
    found = {name: float(ms) / 1e3 for name, ms in lines}
    if not set(POSITIONS) <= set(found):
        raise InvalidInput(
            f"{command!r} printed no times for {', '.join(POSITIONS)}; expected lines like "
            "'start depth 8: 10.2 ms'"
        )
    return found


def _awareness(rounds: int) -> Iterator[Row]:
    """What awareness and inference cost beside the oblivious search of the same depth."""
    view = View(seat(checkers, 2, 2))
    uniform = {1: [1 / len(TYPES)] * len(TYPES)}
    oblivious = Searcher(view, TYPES[-1:])
    aware = Searcher(view, TYPES)
    inferring = Searcher(view, TYPES, SearchOptions(beyond="zero"))
    aware5 = Searcher(view, TYPES, SearchOptions(teammate_iterations=5))
    asked = {
        "capability-aware search, 1 teammate iteration": (aware, uniform),
        "capability-aware search, 5 teammate iterations": (aware5, uniform),
        "inference of all types": (inferring, uniform),
    }
    ratios: dict[str, list[float]] = {name: [] for name in asked}
    for fen in POSITIONS.values():
        state = view.state_from_text(f"{fen} next 0,0")
        plain = _searches(oblivious, state)
        runs = {n: _searches(s, state, beliefs=belief) for n, (s, belief) in asked.items()}
        for _ in range(rounds):
            base = _cpu_seconds(plain)
            for name, run in runs.items():
                ratios[name].append(_cpu_seconds(run) / base)
    for name, kept in ratios.items():
        yield _row(f"time of {name}, beside oblivious", kept, "x")


def _threads(rounds: int) -> Row:
    """Searches per second of two threads beside one."""
    searchers = [Searcher(checkers, (8,)) for _ in range(2)]
    runs = [_searches(searcher, searcher.view.start()) for searcher in searchers]
    ratios = []
    for _ in range(rounds):
        one = _seconds_of_threads(runs[:1])
        ratios.append(2 * one / _seconds_of_threads(runs))
    return _row("two threads beside one", ratios, "x")


def _seconds_of_threads(runs: list[Callable[[], None]]) -> float:
    threads = [threading.Thread(target=run) for run in runs]
    begin = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - begin


def _cancelling(rounds: int) -> Row:
    """Time from setting the flag to the end of a deep, aware search."""
    options = SearchOptions(iterations=ENDLESS, teammate_iterations=5)
    view = View(seat(checkers, 2, 2))
    searcher, state = Searcher(view, (2, 30), options), view.start()
    delays = [_delay(searcher, state) for _ in range(rounds + 1)]
    return _row("from the cancel flag to the end of a depth-30 search", delays[1:], "ms")


def _delay(searcher: Searcher, state: Any) -> float:
    """Milliseconds it takes to cancel a search that has run for a while."""
    cancel = Cancel()
    asked = threading.Event()

    def ask() -> None:
        time.sleep(0.3)
        moment.append(time.perf_counter())
        cancel.set()
        asked.set()

    moment: list[float] = []
    threading.Thread(target=ask).start()
    searcher.search(state, beliefs={1: [1, 0]}, cancel=cancel)
    ended = time.perf_counter()
    asked.wait()
    return (ended - moment[0]) * 1e3


def _open_spiel(rounds: int) -> Row:
    """The work of 7,200 simulations with 5 playouts to the end of the game, by either search."""
    import pyspiel

    from sizeup.bench import whole_game

    options = SearchOptions(axis="iterations", depth=200, value_scale="raw")
    searcher = Searcher(whole_game, (7200,), options)
    state = searcher.view.start()
    searcher.search(state)
    game = pyspiel.load_game("checkers")
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=5, seed=0)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 7200, 1000, False, 0, False)
    theirs = game.new_initial_state()
    ratios = []
    for _ in range(rounds):
        ours = _cpu_seconds(lambda: searcher.search(state))
        ratios.append(_cpu_seconds(lambda: bot.step(theirs)) / ours)
    return _row("7,200 x 5 whole playouts, beside OpenSpiel's MCTS", ratios, "x")
