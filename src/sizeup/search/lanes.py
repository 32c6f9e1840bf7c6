"""Kernel: many searches side by side, each on a lane, a turn at a time.

A lane is what one thread of a GPU works on, or one step of a loop on the CPU: the source is the
same, and so is, number for number, what a search finds. In a turn every lane goes on with its
search for so much work, and stops after an iteration; so nobody waits for the slowest search, and a
lane whose search is done gets another one. Lanes share nothing but the pool of nodes
(:mod:`sizeup.search.tree`) and what is only read.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sizeup.games.contract import View
from sizeup.jit import bind, injected, inner, jit, take_next
from sizeup.search.tree import COUNTERS, Setting

GAME: Any = injected()
KERNEL: Any = GAME and bind("sizeup.search.kernel", GAME)


def _reader(state: Any) -> Any:
    """A compiled function that makes a state of a row of numbers.

    States differ in their fields, and compiled code has to name each of them.
    """
    names: dict[str, Any] = {}
    numbers = iter(range(2**16))

    def made(part: Any) -> str:
        if not isinstance(part, tuple):
            return f"row[{next(numbers)}]"
        name = f"Part{len(names)}"
        names[name] = type(part)
        return f"{name}({', '.join(map(made, part))})"

    exec(f"def read_state(row):\n    return {made(state)}", names)
    return inner(names["read_state"])


READ: Any = GAME and _reader(View(GAME).start())

FAILED, DONE, SPILT, RUNNING, NEW = 0, 1, 2, 3, 4
"""How a lane's search stands: a rule raised an error; it is made; there was no page left, so that
it has to be made again; it goes on; it has not begun."""

NODES, LONGEST, COPY, PLAYOUTS, BY_RANGE, MATE_RULE, MATE_ITERATIONS, MATE_STRIDE, SLOTS = range(9)
"""Columns of ``Kinds.whole``."""

_SPILT_FLAG = 4  # in Tree.used
_NEVER = 2**31  # in place of a slot, in phases that a kind does not have


class Asked(NamedTuple):
    """Searches to make, a row for each; ``counts`` says how many moves their roots have."""

    kinds: NDArray[np.int64]
    states: NDArray[np.int64]
    ranks: NDArray[np.int64]
    signs: NDArray[np.float64]
    modelled: NDArray[np.int64]
    odds: NDArray[np.float64]
    seeds: NDArray[np.uint64]
    counts: NDArray[np.int64]


class Told(NamedTuple):
    """What they found: how each ended, its root's statistics type by type, and the rest.

    ``visits`` and ``mean`` are as wide as the root with the most moves.
    """

    ended: NDArray[np.int64]
    visits: NDArray[np.int32]
    mean: NDArray[np.float64]
    nodes: NDArray[np.int64]
    rng: NDArray[np.uint64]  # as it was left

    def rows(self, some: Any) -> Told:
        """Of some searches."""
        return Told(*(part[some] for part in self))


class Lanes(NamedTuple):
    """What lanes keep from turn to turn: what was asked of each, and how far it is."""

    asked: Asked
    ended: NDArray[np.int64]
    roots: NDArray[np.int64]
    phase: NDArray[np.int64]
    done: NDArray[np.int64]  # iterations of the phase
    used: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


class Kinds(NamedTuple):
    """How searches of each kind are made: their settings as rows."""

    whole: NDArray[np.int64]
    real: NDArray[np.float64]
    mate_slots: NDArray[np.int64]
    depths: NDArray[np.int64]
    phases: NDArray[np.int64]
    prices: NDArray[np.int64]


def kinds_of(settings: list[Setting], slots: int) -> Kinds:
    """Settings as rows of arrays, each with room for so many slots."""
    most = max(len(one.phases) for one in settings)
    phases = np.full((len(settings), most, 3), _NEVER, dtype=np.int64)
    rows = np.zeros((3, len(settings), slots), dtype=np.int64)
    for at, one in enumerate(settings):
        phases[at, : len(one.phases)] = one.phases
        for row, part in zip(rows, (one.mate_slots, one.depths, one.prices), strict=True):
            row[at, : len(part)] = part
    whole = [
        (
            one.nodes, one.longest, one.copy, one.playouts, one.by_range, one.mate_rule,
            one.mate_iterations, one.mate_stride, one.slots,
        )
        for one in settings
    ]  # fmt: skip
    return Kinds(
        np.array(whole, dtype=np.int64),
        np.array([(one.discount, one.exploration) for one in settings]),
        rows[0], rows[1], phases, rows[2],
    )  # fmt: skip


@inner
def _setting(lane: Any, asked: Any, kinds: Any, stride: Any, page: Any) -> Any:
    """What a lane's search is to do: what all of its kind do, and who plays how in this one."""
    kind = asked.kinds[lane]
    whole, real = kinds.whole[kind], kinds.real[kind]
    return Setting(
        whole[NODES], whole[LONGEST], stride, page, whole[SLOTS], whole[COPY], whole[PLAYOUTS],
        real[0], real[1], whole[BY_RANGE], whole[MATE_RULE], whole[MATE_ITERATIONS],
        whole[MATE_STRIDE],
        kinds.mate_slots[kind], asked.signs[lane], asked.modelled[lane], asked.odds[lane],
        kinds.depths[kind], kinds.phases[kind], kinds.prices[kind],
    )  # fmt: skip


@inner
def _take_up(lane: Any, lanes: Any, tree: Any, work: Any, setting: Any) -> Any:
    """Go on where the lane was, or begin; return the root, -1 if there is no page to begin with."""
    asked = lanes.asked
    work.rng[0] = asked.seeds[lane, 0]
    work.mate_rng[0] = asked.seeds[lane, 1]
    if lanes.ended[lane] == NEW:
        page = KERNEL.take_page(tree)
        lanes.roots[lane] = page * setting.page
        if page < 0:
            return np.int64(-1)
        _clear(page, tree, setting)
        lanes.phase[lane] = 0
        lanes.done[lane] = 0
    else:
        for i in range(COUNTERS):
            tree.used[i] = lanes.used[lane, i]
        for slot in range(setting.slots):
            tree.low[slot] = lanes.low[lane, slot]
            tree.high[slot] = lanes.high[lane, slot]
    lanes.ended[lane] = FAILED  # and stays so if a rule raises an error
    return lanes.roots[lane]


@inner
def _clear(page: Any, tree: Any, setting: Any) -> None:
    """An empty tree, its root at the beginning of a page."""
    root = page * setting.page
    tree.used[0] = 1
    tree.used[1] = root + 1
    tree.used[2] = root + setting.page
    tree.used[3] = page
    tree.used[_SPILT_FLAG] = 0
    tree.first[root] = 0
    tree.children[root] = 0
    for slot in range(setting.slots):
        tree.visits[slot * setting.stride + root] = 0
        tree.mean[slot * setting.stride + root] = 0.0
        tree.low[slot] = math.inf
        tree.high[slot] = -math.inf


@inner
def _is_made(lane: Any, lanes: Any, setting: Any) -> Any:
    """Whether the searching type has no phase left."""
    phase = lanes.phase[lane]
    return phase == len(setting.phases) or setting.phases[phase, 0] > lanes.asked.ranks[lane]


@inner
def _next_part(lane: Any, lanes: Any, left: Any, setting: Any) -> Any:
    """Iterations of the lane's phase that so much work is enough for; one at least."""
    phase = lanes.phase[lane]
    limit = setting.phases[phase, 1]
    return min(setting.phases[phase, 2] - lanes.done[lane], max(1, left // limit))


@inner
def _note_part(lane: Any, lanes: Any, count: Any, root: Any, tree: Any, setting: Any) -> Any:
    """Count iterations, and open the next phase after the last of one; return their work."""
    phase = lanes.phase[lane]
    limit = setting.phases[phase, 1]
    lanes.done[lane] += count
    if lanes.done[lane] == setting.phases[phase, 2] and not tree.used[_SPILT_FLAG]:
        lanes.done[lane] = 0
        lanes.phase[lane] = phase + 1
        if not _is_made(lane, lanes, setting):
            source, slot = setting.phases[phase, 0], setting.phases[phase + 1, 0]
            deeper = setting.phases[phase + 1, 1] > limit
            KERNEL.open_level(root, source, slot, deeper, tree, setting)
    return count * limit


@inner
def _lay_down(lane: Any, is_made: Any, lanes: Any, tree: Any, work: Any, setting: Any) -> None:
    """Keep how far the lane is for its next turn."""
    lanes.asked.seeds[lane, 0] = work.rng[0]
    lanes.asked.seeds[lane, 1] = work.mate_rng[0]
    for i in range(COUNTERS):
        lanes.used[lane, i] = tree.used[i]
    for slot in range(setting.slots):
        lanes.low[lane, slot] = tree.low[slot]
        lanes.high[lane, slot] = tree.high[slot]
    lanes.ended[lane] = DONE if is_made else RUNNING
    if tree.used[_SPILT_FLAG]:
        lanes.ended[lane] = SPILT


@jit
def go_on(
    lane: Any, budget: Any, lanes: Any, kinds: Any, tree: Any, work: Any, stride: Any, page: Any,
    params: Any,
) -> None:  # fmt: skip
    """Go on with a lane's search for about so many moves of its iterations."""
    setting = _setting(lane, lanes.asked, kinds, stride, page)
    root = _take_up(lane, lanes, tree, work, setting)
    if root < 0:
        return
    state, spilt, left = READ(lanes.asked.states[lane]), tree.used[_SPILT_FLAG:], budget
    is_made = False
    while left > 0 and not is_made and not spilt[0]:
        phase = setting.phases[lanes.phase[lane]]
        count = KERNEL.aware_iterations(
            root, state, params, _next_part(lane, lanes, left, setting), phase[1], phase[0],
            tree, work, setting, spilt,
        )  # fmt: skip
        left -= _note_part(lane, lanes, count, root, tree, setting)
        is_made = _is_made(lane, lanes, setting)
    _lay_down(lane, is_made, lanes, tree, work, setting)


@jit
def go_on_plainly(
    lane: Any, budget: Any, lanes: Any, kinds: Any, tree: Any, work: Any, stride: Any, page: Any,
    params: Any,
) -> None:  # fmt: skip
    """The same for a search in which nobody is modelled: less code, of which a GPU holds little."""
    setting = _setting(lane, lanes.asked, kinds, stride, page)
    root = _take_up(lane, lanes, tree, work, setting)
    if root < 0:
        return
    state, spilt, left = READ(lanes.asked.states[lane]), tree.used[_SPILT_FLAG:], budget
    is_made = False
    while left > 0 and not is_made and not spilt[0]:
        phase = setting.phases[lanes.phase[lane]]
        count = KERNEL.plain_iterations(
            root, state, params, _next_part(lane, lanes, left, setting), phase[1], phase[0],
            tree, work, setting, spilt,
        )  # fmt: skip
        left -= _note_part(lane, lanes, count, root, tree, setting)
        is_made = _is_made(lane, lanes, setting)
    _lay_down(lane, is_made, lanes, tree, work, setting)


@jit
def admit(number: Any, rows: Any, asked: Any, lanes: Any) -> None:
    """Give the lane of this number in ``rows`` a new search."""
    lane, own = rows[number], lanes.asked
    own.kinds[lane] = asked.kinds[number]
    own.ranks[lane] = asked.ranks[number]
    own.counts[lane] = asked.counts[number]
    for i in range(asked.states.shape[1]):
        own.states[lane, i] = asked.states[number, i]
    for i in range(2):
        own.seeds[lane, i] = asked.seeds[number, i]
    types, players = asked.odds.shape[1], asked.odds.shape[2]
    for player in range(players):
        own.signs[lane, player] = asked.signs[number, player]
        own.modelled[lane, player] = asked.modelled[number, player]
        for slot in range(types):
            for type_ in range(types):
                odds = asked.odds[number, slot, player, type_]
                own.odds[lane, slot, player, type_] = odds
    lanes.ended[lane] = NEW
    lanes.roots[lane] = -1


@jit
def tell(number: Any, rows: Any, told: Any, lanes: Any, pool: Any, stride: Any, page: Any) -> None:
    """Copy what the lane of this number in ``rows`` found, and give its pages back."""
    lane = rows[number]
    root = lanes.roots[lane]
    told.ended[number] = lanes.ended[lane]
    if lanes.ended[lane] == DONE:
        told.nodes[number] = lanes.used[lane, 0]
        told.rng[number] = lanes.asked.seeds[lane, 0]
        first, found = pool.first[root], pool.children[root] > 0
        for slot in range(lanes.asked.ranks[lane] + 1):
            for child in range(lanes.asked.counts[lane]):
                at = slot * stride + first + child
                told.visits[number, slot, child] = pool.visits[at] if found else 0
                told.mean[number, slot, child] = pool.mean[at] if found else 0.0
    left = root // page if root >= 0 else root
    while left >= 0:
        pool.free[take_next(pool.given) % len(pool.free)] = left
        left = np.int64(pool.link[left])
