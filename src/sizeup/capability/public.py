"""The public agent: the method that type structures generalise, kept as a baseline.

A fictitious public agent holds one belief that *every* player can compute. With unequal players
that leaves the weakest player's inferences only: nothing can be said of types above it.
"""

from __future__ import annotations

from sizeup.capability.beliefs import Beliefs

__all__ = ["public_beliefs"]


def public_beliefs(beliefs: Beliefs, weakest: int) -> Beliefs:
    """Return the beliefs that players may use if all must be computable by type ``weakest``.

    Each holder keeps its own type (it still plans as deeply as it can), but types above
    ``weakest`` carry no mass; a subject that no public type explains is "stronger", and its
    holder treats it as an equal.

    >>> from sizeup.capability import Beliefs, TypeSet
    >>> mine = Beliefs.initial(TypeSet((1, 4, 8)), own=8, players=2)
    >>> public_beliefs(mine, weakest=1).probabilities()[1]
    array([1., 0., 0.])
    """
    for own in set(beliefs.own.ravel().tolist()):
        beliefs.types.require_feasible(weakest, own, "the public belief")
    public = beliefs.reduce(weakest)
    return Beliefs(public.types, beliefs.rank, public.energy, public.updates, public.log_prior)
