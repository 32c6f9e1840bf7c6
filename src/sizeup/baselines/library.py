"""A given library of policies: how players of each type that a seat considers would play.

What the baselines that keep a posterior share. A policy is a distribution over actions, estimated
by searches of the type; types above the owner's own cannot be searched and are not in the library.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizeup.agents.plugin import Seat
from sizeup.errors import InvalidInput

__all__ = ["Library", "own_type", "seeds_of"]

Floats = NDArray[np.float64]


class Library:
    """Policies of the types up to a seat's own, each read off a few searches.

    Parameters
    ----------
    seat
        Whose library it is.
    searches
        How many searches a policy is estimated by. One more, which knows nothing, is counted in,
        so that no action is impossible because a few searches did not come to it.
    """

    def __init__(self, seat: Seat, searches: int = 4) -> None:
        own = own_type(seat)
        self.types = tuple(c for c in seat.types if c <= own)
        self._seat, self._searches = seat, searches

    def policies(self, state: Any, seed: int) -> Floats:
        """``(types, actions)`` how likely a player of each type takes each action."""
        actions = len(self._seat.view.actions(state))
        counts = np.full((len(self.types), actions), 1.0 / actions)
        for one in seeds_of(seed, self._searches):
            counts += self._seat.search(state, one).choices
        return np.asarray(counts / (self._searches + 1))

    def chances(self, state: Any, action: int, seed: int) -> Floats:
        """``(types,)`` how likely a player of each type was to take this action."""
        at = self._seat.view.actions(state).index(action)
        return np.asarray(self.policies(state, seed)[:, at])

    def uniform(self) -> Floats:
        """``(players, types)`` the belief to start from."""
        shape = len(self._seat.view.teams), len(self.types)
        return np.full(shape, 1.0 / len(self.types))

    def padded(self, weights: Floats) -> Floats:
        """Beliefs as a record has them: a column for each of the seat's types, also unknown ones.

        What a player knows of itself is certain.
        """
        rows = np.zeros((len(weights), len(self._seat.types)))
        rows[:, : len(self.types)] = weights
        rows[self._seat.player] = [float(c == self._seat.own) for c in self._seat.types]
        return rows


def own_type(seat: Seat) -> int:
    """The type of whoever sits there, which a baseline cannot do without."""
    if seat.own is None:
        raise InvalidInput(
            f"the agent in seat {seat.player} has no type; write it after its name, as in "
            "boltzmann:4"
        )
    return seat.own


def seeds_of(seed: int, count: int) -> list[int]:
    """So many seeds out of one.

    >>> len(set(seeds_of(1, 3) + seeds_of(2, 3)))
    6
    """
    return [int(one) for one in np.random.SeedSequence(seed).generate_state(count, np.uint64)]
