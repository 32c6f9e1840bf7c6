"""PLASTIC-Policy: keep a weight for each known kind of teammate, and play for the likeliest.

Samuel Barrett, Avi Rosenfeld, Sarit Kraus, Peter Stone, "Making friends on the fly: cooperating
with new teammates", Artificial Intelligence 242, 2017. A library holds kinds of teammates met
before, each with a policy that cooperates well with it. The weights of the kinds follow the
polynomial weights rule: an action to which a kind gave probability p is a loss of 1 − p, and the
weight is multiplied by 1 − η · loss, with η = 0.1. The agent plays the policy of the likeliest
kind.

Simplified: kinds are the capability types that the agent considers, up to its own
(``plastic:8@2,4,8``); policies are not learnt by reinforcement but planned: a search that takes the
teammate for one of that type. Each teammate has weights of its own, where the paper's are of teams.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sizeup.agents.plugin import Seat
from sizeup.baselines.library import Floats, Library

__all__ = ["Plastic", "polynomial_weights"]


def polynomial_weights(weights: Floats, losses: Floats, eta: float) -> Floats:
    """Weights after losses from 0 to 1.

    >>> polynomial_weights(np.array([0.5, 0.5]), np.array([0.0, 1.0]), eta=0.1).round(4)
    array([0.5263, 0.4737])
    """
    after = weights * (1.0 - eta * losses)
    return np.asarray(after / after.sum())


class Plastic:
    """One agent in one seat of one match."""

    eta = 0.1
    kinds: type[Library] = Library

    def __init__(self, seat: Seat) -> None:
        self.seat, self.library = seat, self.kinds(seat)
        self.weights = self.library.uniform()

    def choose(self, state: Any, seed: int) -> int:
        """Plan with the teammates that it expects."""
        return self.seat.search(state, seed, beliefs=dict(enumerate(self.expected()))).action

    def observe(self, state: Any, actor: int, action: int, seed: int) -> None:
        """Weigh the kinds of a teammate by its move; a forced one says nothing."""
        mate = actor in self.seat.team and actor != self.seat.player
        if mate and len(self.seat.view.actions(state)) > 1:
            chances = self.library.chances(state, action, seed)
            self.weights[actor] = self.updated(self.weights[actor], chances)

    def updated(self, weights: Floats, chances: Floats) -> Floats:
        """Weights after an action that each kind takes with these chances."""
        return polynomial_weights(weights, 1.0 - chances, self.eta)

    def expected(self) -> Floats:
        """``(players, types)`` whom to plan with: the likeliest kind; of equals, the weakest."""
        return np.asarray(np.eye(len(self.library.types))[self.weights.argmax(axis=1)])

    def probabilities(self) -> Floats:
        """``(players, types)`` the weights."""
        return self.library.padded(self.weights)

    def explain(self) -> str:
        """Whom it plays for."""
        mates = [p for p in self.seat.team if p != self.seat.player]
        types = [self.library.types[int(self.weights[p].argmax())] for p in mates]
        return f"it takes its teammates for {', '.join(map(str, types))}" if mates else ""


Agent = Plastic
