"""Capability type structures: the beliefs of players that agree under reduction.

If the players' beliefs agree, the strongest player's belief *is* the whole structure: every
other belief, and every belief about a belief, is a reduction of it. That is why no tower of
beliefs about beliefs is ever built.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sizeup.capability.arrays import FloatArray, check_player, number, require
from sizeup.capability.beliefs import Beliefs, stack
from sizeup.capability.energy import feasible
from sizeup.errors import InconsistentBeliefs

__all__ = [
    "Disagreement",
    "TypeStructure",
    "assemble",
    "differences",
    "disagreement",
    "distance",
    "public_beliefs",
]


@dataclass(frozen=True)
class Disagreement:
    """Where two players differ most after the stronger one's belief is reduced.

    ``size`` is the absolute difference of their energies, ``inf`` if only one of them has ruled
    the type out.

    >>> print(Disagreement(0.5, players=(0, 2), subject=1, type=4, energies=(1.0, 1.5)))
    players 0 and 2 differ by 0.5 in their belief about player 1 being of type 4: energies 1 and 1.5
    """

    size: float
    players: tuple[int, int]
    subject: int
    type: int
    energies: tuple[float, float]

    def __str__(self) -> str:
        first, second = self.players
        return (
            f"players {first} and {second} differ by {self.size:.6g} in their belief about player "
            f"{self.subject} being of type {self.type}: energies {self.energies[0]:.6g} and "
            f"{self.energies[1]:.6g}"
        )


@dataclass(frozen=True)
class TypeStructure:
    """A family of typed beliefs that agree under reduction.

    Made by :func:`assemble`. ``own`` is the type of every player and ``belief`` the strongest
    player's belief, from which all others follow.

    >>> from sizeup.capability import Beliefs, TypeSet
    >>> assemble(Beliefs.initial(TypeSet((2, 4)), own=(2, 4), players=2)).believes(1, about=0)
    array([0., 0.])
    """

    own: tuple[int, ...]
    belief: Beliefs

    def typed(self, c: int) -> Beliefs:
        """Return the typed belief B^c: common knowledge among all players of type ``c`` or above.

        >>> from sizeup.capability import Beliefs, TypeSet
        >>> team = Beliefs.initial(TypeSet((2, 4)), own=(2, 4), players=2)
        >>> assemble(team).typed(2) == team[0]
        True
        """
        types = self.belief.types
        types.require_feasible(c, int(self.belief.own), f"the typed belief of type {c}")
        return self.belief.reduce(c)

    def believes(self, player: int, about: int, as_seen_by: Sequence[int] = ()) -> FloatArray:
        """Energies over the types of ``about``, as believed at any order.

        ``as_seen_by`` lists types: ``believes(0, 1, [4, 2])`` is what player 0 thinks that a
        player of type 4 thinks that a player of type 2 believes about player 1. It collapses to
        the weakest type in the chain.
        """
        who = int(check_player(player, self.belief.players))
        subject = int(check_player(about, self.belief.players))
        belief = self.belief.reduce(self.own[who])
        for seer in as_seen_by:
            belief = belief.reduce(seer)
        return np.asarray(belief.energy[subject])


def assemble(beliefs: Beliefs | Sequence[Beliefs], tolerance: float = 0.0) -> TypeStructure:
    """Assemble the players' beliefs into a type structure, or say which two differ where.

    Parameters
    ----------
    beliefs
        A team's beliefs, one holder for each player in order.
    tolerance
        Largest difference of energies that still counts as agreement; 0 in the exact setting.

    Examples
    --------
    >>> from sizeup.capability import Beliefs, TypeSet
    >>> team = Beliefs.initial(TypeSet((2, 4)), own=(2, 4), players=2)
    >>> assemble(team).own
    (2, 4)
    >>> alone = team[1].observe(0, [0.7, 0.0])  # player 0 missed that move
    >>> assemble([team[0], alone])
    Traceback (most recent call last):
    ...
    sizeup.errors.InconsistentBeliefs: players 0 and 1 differ by 0.7 in their belief about player 0
    being of type 2: energies 0 and 0.7
    """
    team = _team(beliefs)
    require(number(tolerance, "tolerance") >= 0, f"tolerance must be 0 or more, got {tolerance}")
    worst = disagreement(team)
    if worst.size > tolerance:
        raise InconsistentBeliefs(str(worst))
    _require_common(team)
    return TypeStructure(tuple(team.own.tolist()), team[int(np.argmax(team.rank))])


def distance(beliefs: Beliefs | Sequence[Beliefs]) -> float:
    """Largest absolute difference of energies after reduction; 0 for a type structure.

    >>> from sizeup.capability import Beliefs, TypeSet
    >>> team = Beliefs.initial(TypeSet((2, 4)), own=(2, 4), players=2)
    >>> distance([team[0], team[1].observe(0, [0.7, 0.0])])
    0.7
    """
    return disagreement(beliefs).size


def disagreement(beliefs: Beliefs | Sequence[Beliefs]) -> Disagreement:
    """Where the players of a team differ most.

    >>> from sizeup.capability import Beliefs, TypeSet
    >>> team = Beliefs.initial(TypeSet((2, 4)), own=(2, 4), players=2)
    >>> disagreement([team[0], team[1].observe(0, [0.7, 0.0])]).players
    (0, 1)
    """
    team = _team(beliefs)
    gaps = differences(team)
    first, second, subject, rank = np.unravel_index(int(np.argmax(gaps)), gaps.shape)
    return Disagreement(
        size=float(gaps[first, second, subject, rank]),
        players=(int(first), int(second)),
        subject=int(subject),
        type=team.types.values[rank],
        energies=(
            float(team.energy[first, subject, rank]),
            float(team.energy[second, subject, rank]),
        ),
    )


def differences(team: Beliefs) -> FloatArray:
    """``(..., first, second, subject, types)`` absolute differences of energies.

    Zero at types that one of the two cannot evaluate; ``inf`` where only one has ruled a type out.

    >>> from sizeup.capability import Beliefs, TypeSet
    >>> differences(Beliefs.initial(TypeSet((2, 4)), own=(2, 4), players=2)).shape
    (2, 2, 2, 2)
    """
    require(team.rank.ndim > 0, "differences are between players: expected a team's beliefs")
    mine, yours = team.energy[..., :, None, :, :], team.energy[..., None, :, :, :]
    weaker = np.minimum(team.rank[..., :, None], team.rank[..., None, :])
    common = feasible(weaker, len(team.types))[..., None, :]
    with np.errstate(invalid="ignore"):  # inf - inf: both have ruled the type out, they agree
        gap = np.abs(mine - yours)
    return np.where(common & (mine != yours), gap, 0.0)


def _team(beliefs: Beliefs | Sequence[Beliefs]) -> Beliefs:
    team = beliefs if isinstance(beliefs, Beliefs) else stack(beliefs)
    require(
        team.rank.shape == (team.players,),
        f"a structure needs one holder for each of {team.players} players, "
        f"got holders {team.rank.shape}",
    )
    return team


def _require_common(team: Beliefs) -> None:
    """Prior and number of updates are public: all players must share them."""
    for name, what in (("updates", "number of updates"), ("log_prior", "prior")):
        values = getattr(team, name)
        for player in range(1, team.players):
            if not np.array_equal(values[0], values[player]):
                raise InconsistentBeliefs(f"players 0 and {player} differ in their {what}")


def public_beliefs(beliefs: Beliefs, weakest: int) -> Beliefs:
    """Return the beliefs that players may use if all must be computable by type ``weakest``.

    The public agent is the method that type structures generalise, kept as a baseline: one belief
    that *every* player can compute, hence with the weakest player's inferences only.

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
    return replace(public, rank=beliefs.rank)
