"""Search with ten times the budget: a bound for regret, where nobody knows the best response.

No paper's agent: it sizes up its teammates like :mod:`~sizeup.baselines.hba` and then plans on that
with ten times the iterations of everybody else (``tenfold:8@2,4,8``). What it earns with a teammate
is about what the best response could earn as far as search can find it: an estimate from below,
which a lucky or a better adapted agent may exceed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from sizeup.agents.engine import Searches
from sizeup.baselines import hba
from sizeup.baselines.library import own_type

__all__ = ["Tenfold"]


class Tenfold(hba.HBA):
    """One agent in one seat of one match."""

    times = 10

    def choose(self, state: Any, seed: int) -> int:
        """Plan on the posterior, longer."""
        rows = self.expected()
        above = self._types[len(self.library.types) :]
        rows = np.hstack([rows, np.zeros((len(rows), len(above)))])  # nobody else has its budget
        return self._deep.search(state, beliefs=dict(enumerate(rows)), seed=seed).action

    @property
    def _types(self) -> tuple[int, ...]:
        """Where types are numbers of iterations, ten times its own is one more."""
        types, own = self.library.types, own_type(self.seat)
        is_longer = self.seat.options.axis == "iterations"
        return (*types, self.times * own) if is_longer else types

    @cached_property
    def _deep(self) -> Searches:
        """A search of its own, as deep as the seat's."""
        options = self.seat.options
        more = replace(options, iterations=self.times * options.iterations)
        return self.seat.searcher(self.seat.view, self._types, more)


Agent = Tenfold
