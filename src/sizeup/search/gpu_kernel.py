"""What every thread of a GPU runs: one search after the other on its lane.

Lanes may stand some threads ``apart``, with those between them idle: threads that go in step wait
for each other, and the fewer of them work, the sooner each is done. A lane's scratch space is its
own, in the thread's local memory: what lanes touch at the same time stands side by side there, and
what is small stays in registers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

from sizeup import device
from sizeup.search.tree import COUNTERS, Shape, Tree, Work

cuda: Any = device.load()


def kernel_of(search_lane: Any, shape: Shape) -> Callable[..., None]:
    """The kernel for searches of this shape."""
    line, moves, players, slots = shape.longest + 1, shape.max_actions, shape.players, shape.slots
    i8, f8, u8 = numba.int64, numba.float64, numba.uint64

    def kernel(
        lanes: Any, apart: Any, asked: Any, told: Any, pool: Any, tables: Any, setting: Any,
        phases: Any, params: Any,
    ) -> None:  # fmt: skip
        lane = cuda.grid(1) // apart
        if lane >= lanes or cuda.grid(1) % apart > 0:
            return
        tree = Tree(
            pool.first, pool.children, pool.action, pool.visits, pool.mean,
            cuda.local.array(slots, f8), cuda.local.array(slots, f8),
            cuda.local.array(COUNTERS, i8), pool.link, pool.taken,
        )  # fmt: skip
        work = Work(
            cuda.local.array(line, i8), cuda.local.array(line, i8),
            cuda.local.array(line, f8), cuda.local.array(line, f8),
            cuda.local.array(moves, i8), cuda.local.array(moves, f8),
            cuda.local.array(1, u8), cuda.local.array(1, u8), cuda.local.array(players, i8),
            tables.sqrt_log, tables.inverse_sqrt,
        )  # fmt: skip
        for number in range(lane, len(asked.rows), lanes):
            at = asked.rows[number]
            search_lane(lane, at, asked, told, tree, work, setting, phases, params)

    return kernel
