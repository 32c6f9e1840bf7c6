"""Cognitive hierarchy: level k does what is best against a mixture of all levels below it.

Colin Camerer, Teck-Hua Ho, Juin-Kuan Chong, "A cognitive hierarchy model of games", Quarterly
Journal of Economics 119, 2004. Levels are distributed by a Poisson distribution of mean τ, for
which 1.5 fits many experiments; level k knows the shares of the levels 0 to k − 1, in right
proportion, and thinks that nobody else is there. ``hierarchy:2`` is level 2.

Simplified as :mod:`~sizeup.baselines.level_k`, on which it stands. A player's level is drawn anew
with each of its moves, since nothing is learnt from them.
"""

from __future__ import annotations

import math

import numpy as np

from sizeup.baselines import level_k
from sizeup.baselines.library import Floats

__all__ = ["CognitiveHierarchy", "poisson_below"]


def poisson_below(level: int, tau: float = 1.5) -> Floats:
    """Shares of the levels below in the eyes of a level.

    >>> poisson_below(1), poisson_below(2)
    (array([1.]), array([0.4, 0.6]))
    """
    shares = np.array([tau**k / math.factorial(k) for k in range(level)])
    return np.asarray(shares / shares.sum())


class CognitiveHierarchy(level_k.LevelK):
    """One agent in one seat of one match."""

    tau = 1.5

    def mixture(self, level: int) -> Floats:
        """What a level takes others for."""
        return poisson_below(level, self.tau)


Agent = CognitiveHierarchy
