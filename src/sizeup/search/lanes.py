"""Kernel: whole searches side by side, each on a lane of its own.

A lane is what one thread of a GPU works on, or one step of a loop on the CPU: the source is the
same, and so is, number for number, what a search finds. Lanes share nothing but the pool of nodes
(:mod:`sizeup.search.tree`) and what is only read.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sizeup.games.contract import View
from sizeup.jit import bind, injected, inner, jit
from sizeup.search.tree import Setting

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

FAILED, DONE, SPILT = 0, 1, 2
"""How a search ended: a rule raised an error, as it should, or there was no page left."""

_SPILT_FLAG = 4  # in Tree.used


class Asked(NamedTuple):
    """Searches to make, a row for each.

    ``rows`` is the order in which to make them; ``tables`` where the statistics of a root's moves
    stand in the answers, and how many moves there are.
    """

    rows: NDArray[np.int64]
    states: NDArray[np.int64]
    ranks: NDArray[np.int64]
    signs: NDArray[np.float64]
    modelled: NDArray[np.int64]
    odds: NDArray[np.float64]
    seeds: NDArray[np.uint64]
    tables: NDArray[np.int64]


class Told(NamedTuple):
    """What they found: how each ended, its root's statistics type by type, and the rest."""

    ended: NDArray[np.int64]
    visits: NDArray[np.int32]
    mean: NDArray[np.float64]
    nodes: NDArray[np.int64]
    rng: NDArray[np.uint64]  # as it was left


@inner
def _own_setting(always: Any, asked: Any, at: Any) -> Any:
    """What one search is to do: what all of them do, and who plays how in this one."""
    return Setting(
        always.nodes, always.stride, always.page, always.slots, always.copy, always.playouts,
        always.discount, always.exploration, always.by_range, always.mate_rule,
        always.mate_iterations, always.mate_stride, always.mate_slots,
        asked.signs[at], asked.modelled[at], asked.odds[at], always.depths,
        always.phases, always.prices,
    )  # fmt: skip


@inner
def _clear(lane: Any, asked: Any, at: Any, tree: Any, work: Any, setting: Any) -> Any:
    """An empty tree at the beginning of the lane's first page; return its root."""
    root = np.int64(lane) * setting.page
    tree.used[0] = 1
    tree.used[1] = root + 1
    tree.used[2] = root + setting.page
    tree.used[3] = lane
    tree.used[_SPILT_FLAG] = 0
    tree.first[root] = 0
    tree.children[root] = 0
    for slot in range(setting.slots):
        tree.visits[slot * setting.stride + root] = 0
        tree.mean[slot * setting.stride + root] = 0.0
        tree.low[slot] = math.inf
        tree.high[slot] = -math.inf
    work.rng[0] = asked.seeds[at, 0]
    work.mate_rng[0] = asked.seeds[at, 1]
    return root


@inner
def _open(phase: Any, root: Any, phases: Any, tree: Any, setting: Any) -> None:
    """Start a phase's statistics from those of the phase before."""
    if phase > 0:
        deeper = phases[phase, 1] > phases[phase - 1, 1]
        source, slot = phases[phase - 1, 0], phases[phase, 0]
        KERNEL.open_level(root, source, slot, deeper, tree, setting)


@jit
def search_lane(
    lane: Any, at: Any, asked: Any, told: Any, tree: Any, work: Any, always: Any,
    phases: Any, params: Any,
) -> None:  # fmt: skip
    """Make the search ``at`` of those asked for, on a lane."""
    setting = _own_setting(always, asked, at)
    root = _clear(lane, asked, at, tree, work, setting)
    state, spilt = READ(asked.states[at]), tree.used[_SPILT_FLAG:]
    for phase in range(len(phases)):
        slot = phases[phase, 0]
        if slot > asked.ranks[at] or spilt[0]:
            break
        _open(phase, root, phases, tree, setting)
        KERNEL.aware_iterations(
            root, state, params, phases[phase, 2], phases[phase, 1], slot,
            tree, work, setting, spilt,
        )  # fmt: skip
    _tell(root, at, asked, told, tree, work, setting)


@jit
def search_plain_lane(
    lane: Any, at: Any, asked: Any, told: Any, tree: Any, work: Any, always: Any,
    phases: Any, params: Any,
) -> None:  # fmt: skip
    """The same for a search in which nobody is modelled: less code, of which a GPU holds little."""
    setting = _own_setting(always, asked, at)
    root = _clear(lane, asked, at, tree, work, setting)
    state, spilt = READ(asked.states[at]), tree.used[_SPILT_FLAG:]
    for phase in range(len(phases)):
        slot = phases[phase, 0]
        if slot > asked.ranks[at] or spilt[0]:
            break
        _open(phase, root, phases, tree, setting)
        KERNEL.plain_iterations(
            root, state, params, phases[phase, 2], phases[phase, 1], slot,
            tree, work, setting, spilt,
        )  # fmt: skip
    _tell(root, at, asked, told, tree, work, setting)


@inner
def _tell(root: Any, at: Any, asked: Any, told: Any, tree: Any, work: Any, setting: Any) -> None:
    """Copy what was found at the root."""
    told.nodes[at] = tree.used[0]
    told.rng[at] = work.rng[0]
    start, count, first = asked.tables[at, 0], asked.tables[at, 1], tree.first[root]
    for slot in range(asked.ranks[at] + 1):
        for child in range(count):
            found = tree.children[root] > 0
            from_, to = slot * setting.stride + first + child, start + slot * count + child
            told.visits[to] = tree.visits[from_] if found else 0
            told.mean[to] = tree.mean[from_] if found else 0.0
    told.ended[at] = SPILT if tree.used[_SPILT_FLAG] else DONE
