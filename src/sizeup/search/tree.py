"""The memory of a search: the tree as flat arrays, allocated once and used again for every search.

Node 0 is the root. The children of a node stand side by side, so a node needs only its first child
and their number. Statistics exist once per *slot*, one slot for each capability type, slot after
slot: what one slot holds of a node's children is contiguous however many types there are, and a new
slot starts as a plain copy of the one below it.

A searcher's tree is one page. Many searches side by side share a pool of nodes instead, from which
a tree takes a page whenever its last one is full: memory is what all of them use together, not so
many times the largest tree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

UNEXPANDED, DEAD_END = 0, -1
"""In place of a number of children: not looked at yet; no legal action."""

COUNTERS = 9
"""How many numbers ``Tree.used`` has."""


class Tree(NamedTuple):
    """Nodes, and the statistics of the moves that led to them.

    ``children`` is their number, or one of :data:`UNEXPANDED` and :data:`DEAD_END`. ``visits`` and
    ``mean`` are those of the move into a node, its own reward included. ``low`` and ``high`` bound
    the means of each slot. ``used`` counts the nodes, and says where the next ones go, where the
    page ends and which one it is, and whether the pool ran out; then how the first four were before
    a replica of a teammate was begun on top of them. ``link`` is the page after each (-1 if there
    is none). Pages to take stand in ``free``, a ring: ``taken`` of them were, of those ``given``.
    """

    first: NDArray[np.int32]
    children: NDArray[np.int32]
    action: NDArray[np.int64]
    visits: NDArray[np.int32]
    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    used: NDArray[np.int64]
    link: NDArray[np.int32]
    free: NDArray[np.int32]
    taken: NDArray[np.int32]
    given: NDArray[np.int32]


class Pool(NamedTuple):
    """What trees of many searches share of a :class:`Tree`."""

    first: NDArray[np.int32]
    children: NDArray[np.int32]
    action: NDArray[np.int64]
    visits: NDArray[np.int32]
    mean: NDArray[np.float64]
    link: NDArray[np.int32]
    free: NDArray[np.int32]
    taken: NDArray[np.int32]
    given: NDArray[np.int32]


class Tables(NamedTuple):
    """Square roots that everybody reads."""

    sqrt_log: NDArray[np.float64]
    inverse_sqrt: NDArray[np.float64]


class Work(NamedTuple):
    """Scratch space of the kernel, its random generators, and tables of square roots.

    ``rng`` drives playouts and chance, ``mate_rng`` whatever has to do with teammates: a search
    that believes its teammates to be its equals draws nothing from it and so is, number for number,
    the oblivious search.
    """

    path: NDArray[np.int64]
    slot: NDArray[np.int64]
    reward: NDArray[np.float64]
    discount: NDArray[np.float64]
    actions: NDArray[np.int64]
    lots: NDArray[np.float64]
    rng: NDArray[np.uint64]
    mate_rng: NDArray[np.uint64]
    drawn: NDArray[np.int64]
    sqrt_log: NDArray[np.float64]
    inverse_sqrt: NDArray[np.float64]


class Setting(NamedTuple):
    """What one search is to do, in numbers; see :class:`sizeup.search.SearchOptions`.

    ``signs`` says for each player whether it wants values high (1) or low (-1). ``odds[k, p, c]``
    is the probability that player p is of type c or weaker, in the eyes of slot k; ``depths`` how
    far each type looks. ``mate_slots`` are the slots that teammates' own searches fill, moving on
    by ``mate_stride`` with each step. ``phases`` are those of a whole search (slot, depth limit and
    iterations of each), ``prices`` the iterations of a whole search of each type.
    """

    nodes: int  # that a tree may have
    longest: int  # line of play
    stride: int  # from a node's statistics in one slot to those in the next
    page: int
    slots: int
    copy: int
    playouts: int
    discount: float
    exploration: float
    by_range: bool
    mate_rule: int
    mate_iterations: int
    mate_stride: int
    mate_slots: NDArray[np.int64]
    signs: NDArray[np.float64]
    modelled: NDArray[np.int64]
    odds: NDArray[np.float64]
    depths: NDArray[np.int64]
    phases: NDArray[np.int64]
    prices: NDArray[np.int64]


class Shape(NamedTuple):
    """How much room a search needs beside its nodes: ``longest`` is a line of play."""

    slots: int
    players: int
    max_actions: int
    longest: int


def allocate(nodes: int, slots: int, players: int, max_actions: int, longest: int) -> Any:
    """Arrays for a tree of so many nodes and lines of play as long as ``longest``.

    Pages that a search never touches cost nothing: NumPy asks for memory, the system gives it on
    first use.
    """
    stats = nodes * slots
    tree = Tree(
        first=np.empty(nodes, dtype=np.int32),
        children=np.empty(nodes, dtype=np.int32),
        action=np.empty(nodes, dtype=np.int64),
        visits=np.empty(stats, dtype=np.int32),
        mean=np.empty(stats, dtype=np.float64),
        low=np.empty(slots),
        high=np.empty(slots),
        used=np.zeros(COUNTERS, dtype=np.int64),
        link=np.full(1, -1, dtype=np.int32),
        free=np.zeros(1, dtype=np.int32),
        taken=np.zeros(1, dtype=np.int32),
        given=np.zeros(1, dtype=np.int32),
    )
    work = Work(
        path=np.zeros(longest + 1, dtype=np.int64),
        slot=np.zeros(longest + 1, dtype=np.int64),
        reward=np.zeros(longest + 1),
        discount=np.zeros(longest + 1),
        actions=np.zeros(max_actions, dtype=np.int64),
        lots=np.zeros(max_actions),
        rng=np.zeros(1, dtype=np.uint64),
        mate_rng=np.zeros(1, dtype=np.uint64),
        drawn=np.zeros(players, dtype=np.int64),
        sqrt_log=SQRT_LOG,
        inverse_sqrt=INVERSE_SQRT,
    )
    return tree, work


def bytes_per_node(slots: int) -> int:
    """Memory of one node.

    >>> bytes_per_node(1), bytes_per_node(4)
    (28, 64)
    """
    return 4 + 4 + 8 + slots * (4 + 8)


def tables(size: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Tables of √(ln n) and 1/√n, for n below ``size``; the kernel computes the rest.

    They spare a logarithm or a division for each child. Logarithms differ in their last bit from
    one processor to the next, so they are rounded to single precision: the tree is the same
    everywhere.
    """
    n = np.arange(1, size, dtype=np.float64)
    logs = np.sqrt(np.log(n)).astype(np.float32)
    return np.append(0.0, logs.astype(np.float64)), np.append(0.0, 1.0 / np.sqrt(n))


SQRT_LOG, INVERSE_SQRT = tables(1 << 17)
