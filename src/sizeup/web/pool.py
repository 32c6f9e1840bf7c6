"""Where work is done that takes longer than the event loop can wait."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

__all__ = ["Pool"]

P = ParamSpec("P")
T = TypeVar("T")


class Pool:
    """Two sets of threads: as many for searches as there are cores, and two for everything else.

    Searches let go of Python's lock, so that the event loop runs on. What is asked first is done
    first; nobody's searches keep the results of others waiting.

    Examples
    --------
    >>> pool = Pool(workers=1)
    >>> asyncio.run(pool.search(sum, [1, 2]))
    3
    >>> pool.close()
    """

    def __init__(self, workers: int | None = None) -> None:
        self._searches = ThreadPoolExecutor(workers or os.cpu_count() or 1, "search")
        self._others = ThreadPoolExecutor(2, "other")

    async def search(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something that may search."""
        return await _run(self._searches, work, *args, **kwargs)

    async def other(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something else that takes more than a moment."""
        return await _run(self._others, work, *args, **kwargs)

    def close(self) -> None:
        """Forget what waits, and wait for what runs."""
        for threads in (self._searches, self._others):
            threads.shutdown(wait=True, cancel_futures=True)


async def _run(
    threads: ThreadPoolExecutor, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T:
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(threads, lambda: work(*args, **kwargs))
