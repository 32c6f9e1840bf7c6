"""A Boltzmann-rational player with lapses: the better an action, the likelier; rarely, anything.

Softmax choice is R. Duncan Luce, "Individual choice behavior", 1959, and the standard model of a
noisily rational partner since Chris Baker, Rebecca Saxe, Joshua Tenenbaum, "Action understanding as
inverse planning", Cognition 113, 2009. Lapses, choices made at random with a small probability
whatever the options, are Felix Wichmann, Jeremy Hill, "The psychometric function I", Perception &
Psychophysics 63, 2001.

Simplified: an action's value is what a search of the agent's type found (``boltzmann:4`` looks 4
ahead), and the temperature is a share of the difference between the best and the worst action
there, so that one number suits all games; an action that the search never tried counts as the
worst. It believes nothing about its teammates.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sizeup.agents.plugin import Seat
from sizeup.baselines.library import Floats, own_type

__all__ = ["Boltzmann", "chances"]


def chances(values: Floats, temperature: float, lapse: float) -> Floats:
    """How likely each action is; NaN is the value of one that was never tried.

    >>> chances(np.array([0.0, 2.0]), temperature=1 / np.log(3), lapse=0.1).round(3)
    array([0.275, 0.725])
    """
    if np.isnan(values).all():
        return np.full(len(values), 1.0 / len(values))
    lowest, highest = np.nanmin(values), np.nanmax(values)
    spread = float(highest - lowest) or 1.0
    worse = (highest - np.where(np.isnan(values), lowest, values)) / spread
    weights = np.exp(-worse / temperature)
    return np.asarray((1 - lapse) * weights / weights.sum() + lapse / len(values))


class Boltzmann:
    """One agent in one seat of one match."""

    temperature = 0.1
    lapse = 0.05

    def __init__(self, seat: Seat) -> None:
        own_type(seat)
        self.seat, self.chance = seat, 1.0

    def choose(self, state: Any, seed: int) -> int:
        """Draw an action by what a search found."""
        found = self.seat.search(state, seed)
        odds = chances(found.values[-1], self.temperature, self.lapse)
        drawn = int(np.random.default_rng(seed).choice(len(odds), p=odds))
        self.chance = float(odds[drawn])
        return found.actions[drawn]

    def explain(self) -> str:
        """How likely its choice was."""
        return f"it does this {self.chance:.0%} of the time"


Agent = Boltzmann
