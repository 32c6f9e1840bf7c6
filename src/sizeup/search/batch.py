"""Many searches at once: on a GPU one for each of its threads, or in turn on the CPU.

What a search finds does not depend on which others run beside it, nor on where it runs: it is what
:class:`~sizeup.search.Searcher` finds. Searches come and go: a batch is worked on a turn at a time,
after which those that are done make room for others. Memory is a pool of pages from which trees
take what they need. A search that finds the pool empty is made again with fewer beside it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sizeup.device import Cpu, DeviceError, Machine
from sizeup.jit import bind
from sizeup.search.lanes import (
    DONE,
    FAILED,
    NEW,
    RUNNING,
    SPILT,
    Asked,
    Kinds,
    Lanes,
    Told,
    kinds_of,
)
from sizeup.search.result import RootTable, SearchResult
from sizeup.search.schedule import phases
from sizeup.search.searcher import Ask, Searcher
from sizeup.search.tree import (
    COUNTERS,
    Pool,
    Shape,
    Tables,
    Tree,
    allocate,
    bytes_per_node,
    tables,
)

T = TypeVar("T", bound=tuple[Any, ...])

_PAGE = 512  # nodes; more if a state can have more actions than that
_AMPLE = 1.25  # times the memory that searches took so far on average
_MOST_NODES = 2**31 - 1  # a node's number has 32 bits
_LEAST_SLOTS, _LEAST_REACH, _MOST_REACH = 4, 1 << 17, 1 << 25
_TURN = 0.1  # seconds that a turn is to take
_FIRST_BUDGET, _LEAST_BUDGET = 64, 8  # moves of iterations in a turn


class Answers(NamedTuple):
    """Searches that are done: the tickets they were handed in with, and what they found."""

    tickets: NDArray[np.int64]
    told: Told


class Batch:
    """Searches of one game side by side on one machine.

    Parameters
    ----------
    searcher
        Says what is searched and how; others whose :func:`room` is the same may join.
    machine
        Where: the CPU, if not given, or a GPU.
    memory
        Bytes for all the trees together; what the machine can spare, if not given.
    lanes
        How many searches run at once; as many as keep the machine busy, if not given.
    turn
        Seconds that a turn should take.

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
        turn: float = _TURN,
    ) -> None:
        self.searcher, self.machine = searcher, Cpu() if machine is None else machine
        self._shape = _rounded(searcher.shape)
        self._page = max(_PAGE, 1 << (searcher.shape.max_actions - 1).bit_length())
        self.memory = self.machine.memory if memory is None else memory
        if self.memory > self.machine.memory:
            raise DeviceError(
                f"{self.memory} bytes for trees are more than the {self.machine.memory} there are"
            )
        each = self._page * bytes_per_node(self._shape.slots)
        self._pages = min(self.memory // each, _MOST_NODES // self._page)
        self._lanes = min(lanes or self.machine.lanes, self._pages)
        if self._lanes < 1:
            raise DeviceError(
                f"{self.memory} bytes are too few for a search of {searcher.view.info.name}: a "
                f"page of its tree takes {each}"
            )
        self._most, self._mean_pages, self._made = self._lanes, 0.0, 0
        self._turn, self._budget, self._began = turn, _FIRST_BUDGET, 0.0
        self._runs = _Runs(self.machine, searcher)
        self._kinds = {id(searcher): (0, searcher)}
        self._waiting: deque[tuple[NDArray[np.int64], Asked]] = deque()
        self._free = np.arange(self._lanes)[::-1].tolist()  # lanes, those used first at the end
        self._active = np.zeros(0, dtype=np.int64)  # lanes with a search
        self._there: _There | None = None
        # What was asked of each lane, as it was handed in.
        self._asked = _no_asked(np, searcher, self._lanes, self._shape.slots)
        self._tickets = np.zeros(self._lanes, dtype=np.int64)
        self._given = self._pages  # pages that could be taken in this turn

    # -- searches come and go -------------------------------------------------------------------

    def hand_in(self, searcher: Searcher, asked: Asked, tickets: NDArray[np.int64]) -> None:
        """Have searches made in the turns that come."""
        kinds = np.full(len(asked.ranks), self._kind(searcher), dtype=np.int64)
        odds = _padded(asked.odds, (1, 3), self._shape.slots)
        self._waiting.append((tickets, asked._replace(kinds=kinds, odds=odds)))

    @property
    def is_busy(self) -> bool:
        """Whether there is anything to do."""
        return bool(self._waiting) or len(self._active) > 0

    def turn(self) -> Answers:
        """Work on all searches for a while; those that are done since the last turn."""
        self.begin()
        return self.end()

    def begin(self) -> None:
        """Begin a turn; machines other than the CPU go on with it while other things are done."""
        self._there = self._there or self._allocate()
        self._admit(self._there)
        self._began = time.perf_counter()
        self._go_on(self._there)

    def end(self) -> Answers:
        """Wait for the end of a turn; searches that are done."""
        there = self._there
        assert there is not None
        ended = self.machine.get(there.lanes.ended)[self._active]
        self._adapt(time.perf_counter() - self._began)
        over = self._active[(ended != RUNNING) & (ended != NEW)]
        told, tickets = self._tell(there, over), self._tickets[over]
        spilt, together = told.ended == SPILT, len(self._active)
        self._leave(over)
        self._note(told)
        if spilt.any():
            self._take_back(over[spilt], together)
        return Answers(tickets[~spilt], told.rows(~spilt))

    def _kind(self, searcher: Searcher) -> int:
        """The row of a searcher's settings; a new one, if it is new."""
        if id(searcher) not in self._kinds:
            self._kinds[id(searcher)] = len(self._kinds), searcher
            self._there = self._there and self._there._replace(kinds=self._put_kinds())
        return self._kinds[id(searcher)][0]

    def _admit(self, there: _There) -> None:
        """Give free lanes to searches that wait, as many as there may be at once."""
        room = min(self._room() - len(self._active), len(self._free))
        parts = []
        while room > 0 and self._waiting:
            tickets, asked = self._waiting.popleft()
            if len(tickets) > room:
                self._waiting.appendleft((tickets[room:], _rows(asked, slice(room, None))))
                tickets, asked = tickets[:room], _rows(asked, slice(room))
            parts.append((tickets, asked))
            room -= len(tickets)
        if not parts:
            return
        tickets = np.concatenate([one for one, _ in parts])
        asked = Asked(*map(np.concatenate, zip(*(one for _, one in parts), strict=True)))
        lanes = np.array([self._free.pop() for _ in tickets], dtype=np.int64)
        self._tickets[lanes] = tickets
        for kept, new in zip(self._asked, asked, strict=True):
            kept[lanes] = new
        self._active = self._in_order(np.concatenate((self._active, lanes)))
        put = self.machine.put
        self._runs.admit(len(lanes), put(lanes), _with_arrays(put, asked), there.lanes)

    def _in_order(self, lanes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Neighbours on a GPU wait for each other: searches of a kind stand side by side."""
        asked = self._asked
        return lanes[np.lexsort((lanes, asked.ranks[lanes], asked.kinds[lanes]))]

    def _room(self) -> int:
        """How many searches there is memory for, by what they took so far."""
        each = max(1.0, _AMPLE * self._mean_pages)
        return max(1, min(self._most, int(self._pages / each)))

    def _go_on(self, there: _There) -> None:
        """Launch a turn: searches with somebody to model beside those without."""
        modelled = self._asked.modelled[self._active].any(axis=1)
        rows = self._active[modelled], self._active[~modelled]
        rest = self._budget, there.lanes, there.kinds, there.pool, there.tables
        with self.machine.beside():
            self._runs.go_on(rows[0], *rest, self._stride, self._page, there.params)
        self._runs.go_on_plainly(rows[1], *rest, self._stride, self._page, there.params)

    def _adapt(self, seconds: float) -> None:
        """Have turns take as long as they should."""
        factor = min(2.0, max(0.5, self._turn / max(seconds, 1e-9)))
        self._budget = max(_LEAST_BUDGET, min(2**30, int(self._budget * factor)))

    def _tell(self, there: _There, lanes: NDArray[np.int64]) -> Told:
        """What searches found that are done; their pages are given back."""
        machine, count = self.machine, len(lanes)
        if count == 0:
            return _no_answers(np, 0, 0, 0)
        deepest, widest = self._asked.ranks[lanes].max(), self._asked.counts[lanes].max()
        told = _no_answers(machine, count, int(deepest) + 1, int(widest))
        self._runs.tell(
            count, machine.put(lanes), told, there.lanes, there.pool, self._stride, self._page
        )
        found = Told(*(machine.get(part) for part in told))
        self._settle(there.pool)
        return found

    def _settle(self, pool: Pool) -> None:
        """Count no more pages as taken than were given, and begin to count anew in time."""
        taken, given = (int(self.machine.get(one)[0]) for one in (pool.taken, pool.given))
        taken = min(taken, self._given)
        rounds = taken // self._pages * self._pages
        self.machine.fill(pool.taken, taken - rounds)
        self.machine.fill(pool.given, given - rounds)
        self._given = given - rounds

    def _leave(self, lanes: NDArray[np.int64]) -> None:
        self._active = self._active[~np.isin(self._active, lanes)]
        self._free += lanes[::-1].tolist()

    def _note(self, told: Told) -> None:
        """Note how much memory searches took, so that the next ones do not begin in vain."""
        took = np.ceil(told.nodes[told.ended == DONE] / self._page)
        self._made += len(took)
        self._most = min(self._lanes, self._most + len(took))
        if len(took):
            self._mean_pages += (took.mean() - self._mean_pages) * len(took) / self._made

    def _take_back(self, lanes: NDArray[np.int64], together: int) -> None:
        """Have searches made again that ran out of memory, with fewer beside them."""
        if together == 1:
            raise DeviceError(
                f"a search of {self.searcher.view.info.name} needs more than the "
                f"{self.memory} bytes there are for trees; lower SearchOptions.max_nodes"
            )
        self._most = together // 2
        self._waiting.appendleft((self._tickets[lanes].copy(), _rows(self._asked, lanes)))

    # -- all at once ----------------------------------------------------------------------------

    def search_many(self, asks: Sequence[Ask]) -> list[SearchResult]:
        """Make all the searches; results in the same order."""
        if not asks:
            return []
        told = self.run(pack(self.searcher, asks))
        found = [unpack(self.searcher, ask, told, at) for at, ask in enumerate(asks)]
        return complete(self.searcher, asks, found)

    def run(self, asked: Asked) -> Told:
        """Make searches that are packed, with no others beside them."""
        self.hand_in(self.searcher, asked, np.arange(len(asked.ranks)))
        widest = int(asked.counts.max())
        told = _no_answers(np, len(asked.ranks), len(self.searcher.types), widest)
        try:
            while self.is_busy:
                tickets, found = self.turn()
                arrays: Any = zip(told, found, strict=True)
                for whole, part in arrays:
                    whole[(tickets, *map(slice, part.shape[1:]))] = part
        except BaseException:
            self._forget()
            raise
        return told

    def _forget(self) -> None:
        """Begin anew: nobody waits for what is under way."""
        if self._there is not None:
            self.machine.get(self._there.lanes.ended)  # until the turn is over
        self._there = None
        self._waiting.clear()
        self._active = self._active[:0]
        self._free = np.arange(self._lanes)[::-1].tolist()
        self._given, self._most = self._pages, self._lanes

    def compile(self, turn: str = "go_on") -> None:
        """Have a :class:`~sizeup.device.Compiler` compile what runs in a turn."""
        searcher, always = self.searcher, self.searcher.always
        start = searcher.view.start()  # where chance may be to act, so nobody could ask for it
        there, own = self._allocate(), (self._stride, self._page)
        ask = Ask(start, 0, 0, 0, always.signs, always.modelled, always.odds)
        first, told = np.zeros(1, dtype=np.int64), _no_answers(np, 1, len(searcher.types), 1)
        self._runs.admit(1, first, pack(searcher, [ask]), there.lanes)
        self._runs.tell(1, first, told, there.lanes, there.pool, *own)
        run = getattr(self._runs, turn)
        run(first, 1, there.lanes, there.kinds, there.pool, there.tables, *own, there.params)

    # -- memory ---------------------------------------------------------------------------------

    @property
    def _stride(self) -> int:
        return self._pages * self._page

    def _put_kinds(self) -> Kinds:
        settings = [searcher.always for _, searcher in self._kinds.values()]
        return Kinds(*map(self.machine.put, kinds_of(settings, self._shape.slots)))

    def _allocate(self) -> _There:
        machine, searcher, lanes = self.machine, self.searcher, self._lanes
        empty, slots = machine.empty, self._shape.slots
        whole, real = (np.int64, np.float64)
        there = Lanes(
            _no_asked(machine, searcher, lanes, slots),
            empty((lanes,), whole), empty((lanes,), whole), empty((lanes,), whole),
            empty((lanes,), whole), empty((lanes, COUNTERS), whole),
            empty((lanes, slots), real), empty((lanes, slots), real),
        )  # fmt: skip
        pool = _pool(machine, self._pages, self._page, slots)
        params = _with_arrays(machine.put, searcher.view.params)
        roots = Tables(*map(machine.put, tables(_reach(searcher))))
        return _There(there, self._put_kinds(), pool, roots, params)


class _There(NamedTuple):
    """What lies on the machine."""

    lanes: Lanes
    kinds: Kinds
    pool: Pool
    tables: Tables
    params: Any


def room(searcher: Searcher) -> tuple[Any, ...]:
    """What searches have in common that can be made in one batch."""
    view, shape = searcher.view, _rounded(searcher.shape)
    return id(view.game), _written(view.params), _reach(searcher), shape


def _written(part: Any) -> Any:
    """Parameters as a key: what differs in any number, or in its kind, is another one."""
    if isinstance(part, np.ndarray):
        return part.dtype.str, part.shape, part.tobytes()
    if isinstance(part, tuple):
        return tuple(map(_written, part))
    return type(part), repr(part)


def _rounded(shape: Shape) -> Shape:
    """Rounded up, so that searches of few or many types, shallow or deep, fit in one batch."""
    line, slots = 1 << shape.longest.bit_length(), 1 << (shape.slots - 1).bit_length()
    return shape._replace(longest=line - 1, slots=max(slots, _LEAST_SLOTS))


def _reach(searcher: Searcher) -> int:
    """How far tables of square roots go: further than a search can count, and rounded up, too."""
    reach = max(_LEAST_REACH, 1 << _most_visits(searcher).bit_length())
    if reach > _MOST_REACH:
        raise DeviceError(
            f"a search of {searcher.view.info.name} may count up to {reach}, which is more than "
            f"the {_MOST_REACH} that searches side by side can; lower SearchOptions.iterations or "
            "teammate_iterations, or search on the CPU"
        )
    return reach


def _padded(array: NDArray[Any], axes: tuple[int, ...], size: int) -> NDArray[Any]:
    """With zeros behind what there is along some axes."""
    return np.pad(array, [(0, (size - n) * (axis in axes)) for axis, n in enumerate(array.shape)])


def pack(searcher: Searcher, asks: Sequence[Ask]) -> Asked:
    """Searches as arrays."""
    counts = [len(searcher.view.actions(ask.state)) for ask in asks]
    return Asked(
        kinds=np.zeros(len(asks), dtype=np.int64),
        states=np.array([list(_numbers(ask.state)) for ask in asks], dtype=np.int64),
        ranks=np.array([ask.rank for ask in asks], dtype=np.int64),
        signs=np.array([ask.signs for ask in asks]),
        modelled=np.array([ask.modelled for ask in asks]),
        odds=np.array([ask.odds for ask in asks]),
        seeds=np.array([ask.words() for ask in asks], dtype=np.uint64),
        counts=np.array(counts, dtype=np.int64),
    )


def unpack(searcher: Searcher, ask: Ask, told: Told, at: int) -> SearchResult | None:
    """The result of a search; None if a rule raised an error."""
    return _result(searcher, ask, at, told) if told.ended[at] == DONE else None


def complete(
    searcher: Searcher, asks: Sequence[Ask], found: Sequence[SearchResult | None]
) -> list[SearchResult]:
    """Make searches here in which a rule raised an error: a GPU cannot tell which, the CPU does."""
    return [
        searcher.answer(ask) if one is None else one for ask, one in zip(asks, found, strict=True)
    ]


def _result(searcher: Searcher, ask: Ask, at: int, told: Told) -> SearchResult:
    types = searcher.types[: ask.rank + 1]
    table = at, slice(len(types)), slice(len(searcher.view.actions(ask.state)))
    found = RootTable(
        told.visits[table], told.mean[table], int(told.nodes[at]), told.rng[at : at + 1].copy()
    )
    iterations = sum(
        phase.iterations for phase in phases(searcher.types, ask.rank, searcher.options)
    )
    return SearchResult.read(
        searcher.view, ask.state, ask.player, types, found,
        iterations=iterations, complete=True, seed=ask.seed,
    )  # fmt: skip


def _rows(arrays: T, rows: Any) -> T:
    """Some rows of every array of a named tuple."""
    kind: Any = type(arrays)
    found: T = kind(*(part[rows] for part in arrays))
    return found


def _no_answers(where: Any, count: int, types: int, widest: int) -> Told:
    table = count, types, widest
    shapes = (
        ((count,), np.int64), (table, np.int32), (table, np.float64), ((count,), np.int64),
        ((count,), np.uint64),
    )  # fmt: skip
    return Told(*(where.empty(shape, kind) for shape, kind in shapes))


def _no_asked(where: Any, searcher: Searcher, count: int, types: int) -> Asked:
    players = searcher.view.info.players
    numbers = len(list(_numbers(searcher.view.start())))
    shapes = (
        ((count,), np.int64), ((count, numbers), np.int64), ((count,), np.int64),
        ((count, players), np.float64), ((count, players), np.int64),
        ((count, types, players, types), np.float64), ((count, 2), np.uint64), ((count,), np.int64),
    )  # fmt: skip
    return Asked(*(where.empty(shape, kind) for shape, kind in shapes))


def _pool(machine: Machine, pages: int, page: int, slots: int) -> Pool:
    nodes, stats = (pages * page,), (pages * page * slots,)
    empty, small = machine.empty, np.int32
    pool = Pool(
        empty(nodes, small), empty(nodes, small), empty(nodes, np.int64),
        empty(stats, small), empty(stats, np.float64), empty((pages,), small),
        machine.put(np.arange(pages, dtype=small)), empty((1,), small), empty((1,), small),
    )  # fmt: skip
    machine.fill(pool.taken, 0)
    machine.fill(pool.given, pages)
    return pool


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


# -- what runs there ----------------------------------------------------------------------------


class _Runs:
    """What a machine runs, compiled when it is first asked for."""

    def __init__(self, machine: Machine, searcher: Searcher) -> None:
        self._machine, self._shape = machine, _rounded(searcher.shape)
        self._module = bind("sizeup.search.lanes", searcher.view.game)
        self._known: dict[str, Callable[..., None]] = {}

    def admit(self, count: int, *arguments: Any) -> None:
        self._of("admit")(count, *arguments)

    def tell(self, count: int, *arguments: Any) -> None:
        self._of("tell")(count, *arguments)

    def go_on(self, rows: NDArray[np.int64], *arguments: Any) -> None:
        if len(rows):
            self._of("go_on")(len(rows), self._machine.put(rows), *arguments)

    def go_on_plainly(self, rows: NDArray[np.int64], *arguments: Any) -> None:
        if len(rows):
            self._of("go_on_plainly")(len(rows), self._machine.put(rows), *arguments)

    def _of(self, name: str) -> Callable[..., None]:
        if name not in self._known:
            self._known[name] = self._made(name)
        return self._known[name]

    def _made(self, name: str) -> Callable[..., None]:
        is_turn = name.startswith("go_on")
        if type(self._machine).launcher is Cpu.launcher:  # which needs no kernels
            in_turn = _turns_in_turn if is_turn else _steps_in_turn
            return partial(in_turn, getattr(self._module, name), self._shape)
        from sizeup.search import gpu_kernel  # here: it imports numba-cuda

        kernels = {"admit": gpu_kernel.kernel_of_admitting, "tell": gpu_kernel.kernel_of_telling}
        kernel_of = kernels.get(name, gpu_kernel.kernel_of_turns)
        key = (name, *self._shape) if is_turn else (name,)
        return self._machine.launcher(
            self._module, lambda function: kernel_of(function, self._shape), key
        )


def _steps_in_turn(step: Any, _: Shape, count: int, *arguments: Any) -> None:
    for number in range(count):
        step(number, *arguments)


def _turns_in_turn(
    go_on: Any, shape: Shape, count: int, rows: NDArray[np.int64], budget: int, lanes: Lanes,
    kinds: Kinds, pool: Pool, tables: Tables, stride: int, page: int, params: Any,
) -> None:  # fmt: skip
    """Lane after lane, as a processor makes them; one in which a rule raises an error is left."""
    own, work = allocate(1, *shape)
    ends = pool.link, pool.free, pool.taken, pool.given
    tree = Tree(*pool[:5], own.low, own.high, own.used, *ends)
    for lane in rows[:count]:
        with np.errstate(over="ignore"):
            try:
                go_on(lane, budget, lanes, kinds, tree, work, stride, page, params)
            except Exception:
                if lanes.ended[lane] != FAILED:  # it is not the game's: it cannot be compiled, say
                    raise
