"""Harsanyi-Bellman ad hoc coordination (HBA): Bayes' rule over types, and the best action on it.

Stefano V. Albrecht, Subramanian Ramamoorthy, "A game-theoretic model and best-response learning
method for ad hoc coordination in multiagent systems", AAMAS 2013; with posteriors as in Albrecht,
Crandall, Ramamoorthy, "Belief and truth in hypothesised behaviours", Artificial Intelligence 235,
2016 (the product posterior). Each teammate is of one of some hypothesised types, each a policy; the
posterior is the prior times the probability of every action that was seen, and an action is worth
its expectation under the posterior.

Simplified: types are the capability types that the agent considers, up to its own
(``hba:8@2,4,8``), as in :mod:`~sizeup.baselines.plastic`; the expectation over future play is taken
by the tree search, which draws the teammate's type from the posterior, and not by recursion to a
fixed depth.
"""

from __future__ import annotations

import numpy as np

from sizeup.baselines import plastic
from sizeup.baselines.library import Floats

__all__ = ["HBA", "posterior"]


def posterior(prior: Floats, chances: Floats) -> Floats:
    """Bayes' rule.

    >>> posterior(np.array([0.5, 0.5]), np.array([0.6, 0.2]))
    array([0.75, 0.25])
    """
    after = prior * chances
    return np.asarray(after / after.sum())


class HBA(plastic.Plastic):
    """One agent in one seat of one match."""

    def updated(self, weights: Floats, chances: Floats) -> Floats:
        """The posterior, after an action that each type takes with these chances."""
        return posterior(weights, chances)

    def expected(self) -> Floats:
        """``(players, types)`` whom to plan with: the whole posterior."""
        return self.weights

    def explain(self) -> str:
        """What it believes of its teammates."""
        mates = [p for p in self.seat.team if p != self.seat.player]
        means = [float(self.weights[p] @ self.library.types) for p in mates]
        listed = ", ".join(f"{mean:.1f}" for mean in means)
        return f"it expects teammates of mean type {listed}" if mates else ""


Agent = HBA
