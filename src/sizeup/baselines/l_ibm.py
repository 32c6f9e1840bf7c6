"""L-IBM: a teammate is as good as its inference budget lets it be, and that budget is inferred.

Athul Paul Jacob, Abhishek Gupta, Jacob Andreas, "Modeling boundedly rational agents with latent
inference budgets", ICLR 2024. An agent runs an anytime algorithm and is cut off by a latent budget;
with each budget comes a policy, and an agent has its own distribution over budgets, fitted to
its actions by maximum likelihood. For tree search the policy of a budget is the share of visits
when the search is cut off.

Simplified: budgets are stopping points of the agent's own search: its types, and its own type
halved and halved again (``l-ibm:8`` tries 1, 2, 4 and 8). Goals are known, and nothing is learnt
but the distribution. A budget is drawn anew with each move. The fit is by expectation maximisation
with one imagined move spread over all budgets, so that a single move settles nothing. The paper
models players and leaves it at that; this agent also plans with whom it has modelled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sizeup.agents.plugin import Seat
from sizeup.baselines.library import Floats, own_type

__all__ = ["LIBM", "budgets_of", "fitted"]

_STEPS = 200
_CLOSE = 1e-9


def budgets_of(own: int, types: tuple[int, ...]) -> tuple[int, ...]:
    """Budgets to tell apart.

    >>> budgets_of(20, (2, 4, 20, 30))
    (1, 2, 4, 5, 10, 20)
    """
    halves = (own >> shift for shift in range(own.bit_length()))
    return tuple(sorted({*halves, *(c for c in types if c <= own)}))


def fitted(likelihoods: Floats) -> Floats:
    """The distribution over budgets that explains moves best, one imagined move among them.

    Parameters
    ----------
    likelihoods
        ``(moves, budgets)`` how likely each budget was to make each move.

    Examples
    --------
    Three moves that only the first budget makes and one that only the second does; with the
    imagined one these are 3.5 and 1.5 of 5:

    >>> fitted(np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])).round(3)
    array([0.7, 0.3])
    """
    moves, budgets = likelihoods.shape
    weights = np.full(budgets, 1.0 / budgets)
    for _ in range(_STEPS):
        joint = weights * likelihoods
        shares = joint / joint.sum(axis=1, keepdims=True)  # of each budget in each move
        after = (shares.sum(axis=0) + 1.0 / budgets) / (moves + 1)
        settled = np.abs(after - weights).max() < _CLOSE
        weights = after
        if settled:
            break
    return weights


class LIBM:
    """One agent in one seat of one match."""

    def __init__(self, seat: Seat) -> None:
        self.seat, own = seat, own_type(seat)
        self.budgets = budgets_of(own, seat.types)
        self._search = seat.searcher(seat.view, self.budgets, seat.options)
        players, count = len(seat.view.teams), len(self.budgets)
        self._seen: list[list[Floats]] = [[] for _ in range(players)]
        self.weights = np.full((players, count), 1.0 / count)

    def choose(self, state: Any, seed: int) -> int:
        """Plan with teammates of the budgets that were inferred."""
        beliefs = dict(enumerate(self.weights))
        return self._search.search(state, beliefs=beliefs, seed=seed).action

    def observe(self, state: Any, actor: int, action: int, seed: int) -> None:
        """Fit a teammate's budgets to one move more; a forced one says nothing."""
        mate = actor in self.seat.team and actor != self.seat.player
        if not mate or len(self.seat.view.actions(state)) < 2:
            return
        found = self._search.search(state, seed=seed)
        visits = found.visits + 1.0  # an action that a short search leaves out is not impossible
        shares = visits / visits.sum(axis=1, keepdims=True)
        self._seen[actor].append(shares[:, found.actions.index(action)])
        self.weights[actor] = fitted(np.array(self._seen[actor]))

    def probabilities(self) -> Floats:
        """``(players, types)``: a budget between two types counts for the stronger one."""
        types = self.seat.types
        rows = np.zeros((len(self.weights), len(types)))
        for budget, column in zip(self.budgets, self.weights.T, strict=True):
            rows[:, int(np.searchsorted(types, budget))] += column
        rows[self.seat.player] = [float(c == self.seat.own) for c in types]
        return rows

    def explain(self) -> str:
        """The budgets that it expects of its teammates."""
        mates = [p for p in self.seat.team if p != self.seat.player]
        means = [float(self.weights[p] @ self.budgets) for p in mates]
        return f"it infers mean budgets {', '.join(f'{m:.1f}' for m in means)}" if mates else ""


Agent = LIBM
