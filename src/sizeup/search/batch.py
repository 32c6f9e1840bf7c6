"""Many searches at once: on a GPU one for each of its threads, or in turn on the CPU.

What a search finds does not depend on which others run beside it, nor on where it runs: it is what
:class:`~sizeup.search.Searcher` finds. Memory is a pool of pages from which trees take what they
need. A search that finds the pool empty is made again with fewer beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizeup.device import Cpu, DeviceError, Machine
from sizeup.jit import bind
from sizeup.search.lanes import DONE, FAILED, SPILT, Asked, Told
from sizeup.search.result import RootTable, SearchResult
from sizeup.search.schedule import phases
from sizeup.search.searcher import Ask, Searcher
from sizeup.search.tree import (
    Pool,
    Setting,
    Shape,
    Tables,
    Tree,
    allocate,
    bytes_per_node,
    tables,
)

_PAGE = 512  # nodes; more if a state can have more actions than that
_AMPLE = 1.25  # times the memory that searches took so far on average
_MOST_NODES = 2**31 - 1  # a node's number has 32 bits


class Batch:
    """Searches of one kind, side by side on one machine.

    Parameters
    ----------
    searcher
        Says what is searched and how.
    machine
        Where: the CPU, if not given, or a GPU.
    memory
        Bytes for all the trees together; what the machine can spare, if not given.
    lanes
        How many searches run at once; as many as keep the machine busy, if not given.

    Examples
    --------
    >>> from sizeup.games import connect_four
    >>> searcher = Searcher(connect_four, types=(1, 4))
    >>> start = searcher.view.start()
    >>> alone = searcher.search(start, seed=1)
    >>> first, second = Batch(searcher, memory=2**24, lanes=2).search_many(
    ...     [searcher.ask(start, seed=seed) for seed in (1, 2)])
    >>> bool((first.visits == alone.visits).all()), first.action == alone.action
    (True, True)
    """

    def __init__(
        self,
        searcher: Searcher,
        machine: Machine | None = None,
        memory: int | None = None,
        lanes: int | None = None,
    ) -> None:
        self.searcher, self.machine = searcher, Cpu() if machine is None else machine
        shape, put = searcher.shape, self.machine.put
        self._page = max(_PAGE, 1 << (shape.max_actions - 1).bit_length())
        self._memory = self.machine.memory if memory is None else memory
        pages = min(self._memory // bytes_per_node(shape.slots), _MOST_NODES) // self._page
        self._nodes = pages * self._page
        self._lanes = self._room = min(lanes or self.machine.lanes, pages)
        if self._lanes < 1:
            raise DeviceError(
                f"{self._memory} bytes are too few for a search of {searcher.view.info.name}: a "
                f"page of its tree takes {self._page * bytes_per_node(shape.slots)}"
            )
        self._runs: dict[str, Callable[..., None]] = {}
        types, options = searcher.types, searcher.options
        rows = [tuple(phase) for phase in phases(types, len(types) - 1, options)]
        self._phases = put(np.array(rows, dtype=np.int64))
        self._params = _with_arrays(put, searcher.view.params)
        always = searcher.always._replace(stride=self._nodes, page=self._page)
        self._setting: Setting = _with_arrays(put, always)
        self._tables = Tables(*map(put, tables(_most_visits(searcher) + 1)))
        self._pool: Pool | None = None

    def search_many(self, asks: Sequence[Ask]) -> list[SearchResult]:
        """Make all the searches; results in the same order."""
        if not asks:
            return []
        packed = pack(self.searcher, asks)
        found = unpack(self.searcher, asks, packed, self.run(packed))
        return complete(self.searcher, asks, found)

    def run(self, asked: Asked) -> Told:
        """Make searches that are packed."""
        machine, lanes = self.machine, min(self._room, len(asked.rows))
        there, told = Asked(*(machine.put(part) for part in asked)), self._no_answers(asked)
        lane = "search_lane" if asked.modelled.any() else "search_plain_lane"
        while True:
            self._launch(lane, lanes, there, told)
            ended = machine.get(told.ended)
            spilt = np.flatnonzero(ended == SPILT)
            if not len(spilt):
                return self._noted(Told(*(machine.get(part) for part in told)))
            if lanes == 1:
                raise DeviceError(
                    f"a search of {self.searcher.view.info.name} needs more than the "
                    f"{self._memory} bytes there are for trees; lower SearchOptions.max_nodes"
                )
            lanes = max(1, min(lanes // 2, len(spilt)))
            there = there._replace(rows=machine.put(spilt))
            # A rule may raise an error where there was no page before: that must be told then.
            told = told._replace(ended=machine.put(np.where(ended == SPILT, FAILED, ended)))

    def _noted(self, told: Told) -> Told:
        """Note how much memory searches took, so that the next ones do not begin in vain."""
        pages = _AMPLE * np.ceil(told.nodes / self._page).mean()
        self._room = max(1, min(self._room, int(self._nodes / (self._page * pages))))
        return told

    def compile(self, lane: str = "search_lane") -> None:
        """Have a :class:`~sizeup.device.Compiler` compile the search; other machines make one."""
        searcher, always = self.searcher, self.searcher.always
        start = searcher.view.start()  # where chance may be to act, so nobody could ask for it
        ask = Ask(start, 0, 0, 0, always.signs, always.modelled, always.odds)
        packed = pack(searcher, [ask])
        self._launch(lane, 1, packed, self._no_answers(packed))

    def _launch(self, lane: str, lanes: int, asked: Asked, told: Told) -> None:
        if self._pool is None:
            self._pool = self._allocate()
        self.machine.fill(self._pool.link, -1)
        self.machine.fill(self._pool.taken, lanes)
        if lane not in self._runs:
            self._runs[lane] = _launcher(self.machine, self.searcher, lane)
        self._runs[lane](
            lanes, asked, told, self._pool, self._tables, self._setting, self._phases, self._params
        )

    def _no_answers(self, asked: Asked) -> Told:
        searches = len(asked.rows)
        table = int(asked.tables[:, 1].sum()) * len(self.searcher.types)
        shapes = (searches, np.int64), (table, np.int32), (table, np.float64)
        more = (searches, np.int64), (searches, np.uint64)
        told = Told(*(self.machine.empty((size,), kind) for size, kind in (*shapes, *more)))
        self.machine.fill(told.ended, 0)
        return told

    def _allocate(self) -> Pool:
        stats = self._nodes * self.searcher.shape.slots
        action, mean, visits, first, children = self.machine.pool(
            (self._nodes, np.int64), (stats, np.float64), (stats, np.int32),
            (self._nodes, np.int32), (self._nodes, np.int32),
        )  # fmt: skip
        link = self.machine.empty((self._nodes // self._page,), np.int32)
        return Pool(first, children, action, visits, mean, link, self.machine.empty((1,), np.int32))


def pack(searcher: Searcher, asks: Sequence[Ask]) -> Asked:
    """Searches as arrays, and the order in which lanes are to take them.

    Neighbours on a GPU wait for each other: those that take equally long stand side by side, the
    longest first.
    """
    counts = np.array([len(searcher.view.actions(ask.state)) for ask in asks], dtype=np.int64)
    ranks = np.array([ask.rank for ask in asks], dtype=np.int64)
    modelled = np.array([ask.modelled for ask in asks])
    order = np.lexsort((counts, modelled.any(axis=1), ranks))[::-1]
    return Asked(
        rows=np.ascontiguousarray(order, dtype=np.int64),
        states=np.array([list(_numbers(ask.state)) for ask in asks], dtype=np.int64),
        ranks=ranks,
        signs=np.array([ask.signs for ask in asks]),
        modelled=modelled,
        odds=np.array([ask.odds for ask in asks]),
        seeds=np.array([ask.words() for ask in asks], dtype=np.uint64),
        tables=np.column_stack(((np.cumsum(counts) - counts) * len(searcher.types), counts)),
    )


def unpack(
    searcher: Searcher, asks: Sequence[Ask], asked: Asked, told: Told
) -> list[SearchResult | None]:
    """Results of searches that were packed; None where a rule raised an error."""
    iterations = np.zeros(len(searcher.types), dtype=np.int64)
    for phase in phases(searcher.types, len(searcher.types) - 1, searcher.options):
        iterations[phase.slot :] += phase.iterations
    return [
        _result(searcher, ask, at, asked, told, int(iterations[ask.rank]))
        if told.ended[at] == DONE
        else None
        for at, ask in enumerate(asks)
    ]


def complete(
    searcher: Searcher, asks: Sequence[Ask], found: Sequence[SearchResult | None]
) -> list[SearchResult]:
    """Make searches here in which a rule raised an error: a GPU cannot tell which, the CPU does."""
    return [
        searcher.answer(ask) if one is None else one for ask, one in zip(asks, found, strict=True)
    ]


def _result(
    searcher: Searcher, ask: Ask, at: int, asked: Asked, told: Told, iterations: int
) -> SearchResult:
    start, actions = asked.tables[at]
    shape = ask.rank + 1, int(actions)
    table = slice(start, start + shape[0] * shape[1])
    found = RootTable(
        told.visits[table].reshape(shape), told.mean[table].reshape(shape),
        int(told.nodes[at]), told.rng[at : at + 1].copy(),
    )  # fmt: skip
    types = searcher.types[: ask.rank + 1]
    return SearchResult.read(
        searcher.view, ask.state, ask.player, types, found,
        iterations=iterations, complete=True, seed=ask.seed,
    )  # fmt: skip


def _most_visits(searcher: Searcher) -> int:
    """More than a search can count anywhere, teammates' own searches along its lines included."""
    options = searcher.options
    passes = phases(searcher.types, len(searcher.types) - 1, options)
    iterations = sum(phase.iterations for phase in passes)
    if options.teammate_rule == "replicas":  # which count for themselves
        return iterations
    return iterations * (1 + options.teammate_iterations * max(searcher.depths))


def _numbers(state: Any) -> Iterator[int]:
    """The fields of a state, and of the states in it."""
    for part in state:
        if isinstance(part, tuple):
            yield from _numbers(part)
        else:
            yield int(part)


def _with_arrays(put: Callable[[NDArray[Any]], Any], part: Any) -> Any:
    """A named tuple, or one in it, with its arrays moved to where they are needed."""
    if isinstance(part, np.ndarray):
        return put(part)
    if isinstance(part, tuple):
        return type(part)(*(_with_arrays(put, one) for one in part))
    return part


def _launcher(machine: Machine, searcher: Searcher, lane: str) -> Callable[..., None]:
    """What runs searches on so many lanes of a machine, with the arguments after them."""
    module = bind("sizeup.search.lanes", searcher.view.game)
    if type(machine) is Cpu:
        return partial(_in_turn, getattr(module, lane), searcher.shape)
    from sizeup.search.gpu_kernel import kernel_of  # here: it imports numba-cuda

    # Rounded up, so that few depths and numbers of types need a kernel of their own.
    line, slots = (1 << n.bit_length() for n in (searcher.shape.longest, searcher.shape.slots))
    shape = searcher.shape._replace(longest=line - 1, slots=max(slots, 8))
    return machine.launcher(module, lambda function: kernel_of(function, shape), (lane, *shape))


def _in_turn(
    search_lane: Any, shape: Shape, lanes: int, asked: Asked, told: Told, pool: Pool, *others: Any
) -> None:
    """All searches, as a processor makes them; one in which a rule raises an error is left so."""
    own, work = allocate(1, *shape)
    tree = Tree(*pool[:5], own.low, own.high, own.used, pool.link, pool.taken)
    for number, at in enumerate(asked.rows):
        with np.errstate(over="ignore"), suppress(Exception):
            search_lane(number % lanes, at, asked, told, tree, work, *others[1:])
