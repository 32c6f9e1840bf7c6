"""What the threads of a GPU run: each one step of what lanes do, on its own number.

Numbers may stand some threads ``apart``, with those between them idle: threads that go in step wait
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


def kernel_of_turns(go_on: Any, shape: Shape) -> Callable[..., None]:
    """The kernel that has lanes go on with searches of this shape."""
    line, moves, players, slots = shape.longest + 1, shape.max_actions, shape.players, shape.slots
    i8, f8, u8 = numba.int64, numba.float64, numba.uint64

    def kernel(
        count: Any, apart: Any, rows: Any, budget: Any, lanes: Any, kinds: Any, pool: Any,
        tables: Any, stride: Any, page: Any, params: Any,
    ) -> None:  # fmt: skip
        number = cuda.grid(1) // apart
        if number >= count or cuda.grid(1) % apart > 0:
            return
        tree = Tree(
            pool.first, pool.children, pool.action, pool.visits, pool.mean,
            cuda.local.array(slots, f8), cuda.local.array(slots, f8),
            cuda.local.array(COUNTERS, i8), pool.link, pool.free, pool.taken, pool.given,
        )  # fmt: skip
        work = Work(
            cuda.local.array(line, i8), cuda.local.array(line, i8),
            cuda.local.array(line, f8), cuda.local.array(line, f8),
            cuda.local.array(moves, i8), cuda.local.array(moves, f8),
            cuda.local.array(1, u8), cuda.local.array(1, u8), cuda.local.array(players, i8),
            tables.sqrt_log, tables.inverse_sqrt,
        )  # fmt: skip
        go_on(rows[number], budget, lanes, kinds, tree, work, stride, page, params)

    return kernel


def kernel_of_admitting(admit: Any, _: Shape) -> Callable[..., None]:
    """The kernel that gives lanes new searches."""

    def kernel(count: Any, apart: Any, rows: Any, asked: Any, lanes: Any) -> None:
        number = cuda.grid(1)
        if number < count:
            admit(number, rows, asked, lanes)

    return kernel


def kernel_of_telling(tell: Any, _: Shape) -> Callable[..., None]:
    """The kernel that copies what lanes found."""

    def kernel(
        count: Any, apart: Any, rows: Any, told: Any, lanes: Any, pool: Any, stride: Any, page: Any
    ) -> None:
        number = cuda.grid(1)
        if number < count:
            tell(number, rows, told, lanes, pool, stride, page)

    return kernel
