"""Typed beliefs: what a player of some type believes about the capability of every player.

One class holds one player's beliefs, a whole team's, or those of many teams at once: leading
axes are free and every operation acts on all of them. It holds the four operations of the
theory (observe, reduce, condition, posterior) and leaves to others where the evidence comes
from (:mod:`~sizeup.capability.updates`) and how players compare
(:mod:`~sizeup.capability.structure`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from sizeup.capability import energy as energies
from sizeup.capability.arrays import (
    Array,
    BoolArray,
    FloatArray,
    IntArray,
    as_floats,
    as_integers,
    check_player,
    frozen,
    number,
    require,
    whole,
)
from sizeup.capability.elementary import log
from sizeup.capability.types import TypeSet
from sizeup.errors import InfeasibleType, InvalidInput, UndefinedPosterior

__all__ = ["Beliefs", "Temperature", "stack"]

Temperature: TypeAlias = float | Callable[[IntArray], FloatArray]
"""A constant, or a function from the number of updates about a subject to a temperature."""


@dataclass(frozen=True, eq=False)
class Beliefs:
    """Beliefs about every player's type, held by players of known types.

    Shapes, with any leading axes ``...`` (none for one player, ``(players,)`` for a team):

    Parameters
    ----------
    types
        The ordered set of capability types.
    rank
        ``(...)`` rank of the holder's own type.
    energy
        ``(..., players, types)`` evidence against each type; ``inf`` above the holder's own.
    updates
        ``(..., players)`` number of updates about each subject so far (the paper's t).
    log_prior
        ``(..., players, types)`` log of the common prior, up to a constant.

    Examples
    --------
    Player 0 is of type 4 and knows two players. It sees player 1 make a move that a player of
    type 2 would make half the time and one of type 4 always:

    >>> import numpy as np
    >>> mine = Beliefs.initial(TypeSet((2, 4, 8)), own=4, players=2)
    >>> mine = mine.observe(1, -np.log([0.5, 1.0, np.nan]))  # type 8 is not mine to evaluate
    >>> mine.posterior()[1].round(3)
    array([0.333, 0.667, 0.   ])
    >>> mine.reduce(2).posterior()[1]  # what a player of type 2 must then believe
    array([1., 0., 0.])
    """

    types: TypeSet
    rank: IntArray
    energy: FloatArray
    updates: IntArray
    log_prior: FloatArray

    def __post_init__(self) -> None:
        rank = as_integers(self.rank, "ranks").copy()
        energy = as_floats(self.energy, "energies")
        require(
            energy.ndim == rank.ndim + 2 and energy.shape[:-2] == rank.shape,
            f"energy must have shape (..., players, types) with leading axes {rank.shape} like "
            f"the holders' ranks, got {energy.shape}",
        )
        require(
            energy.shape[-1] == len(self.types),
            f"energy must have one entry for each of {len(self.types)} types, "
            f"got {energy.shape[-1]}",
        )
        require(energy.shape[-2] >= 2, f"a team needs 2 players or more, got {energy.shape[-2]}")
        require(
            np.all((rank >= 0) & (rank < len(self.types))),
            f"ranks must lie between 0 and {len(self.types) - 1}, got {rank.tolist()}",
        )
        object.__setattr__(self, "rank", frozen(rank))
        checked = self._checked(energy, self._can_evaluate[..., None, :], "energy")
        log_prior = as_floats(self.log_prior, "the log prior").copy()
        require(np.all(log_prior < np.inf), "the log prior must be finite, or -inf; not NaN or inf")
        updates = as_integers(self.updates, "numbers of updates").copy()
        require(np.all(updates >= 0), f"numbers of updates must be >= 0, got {updates.tolist()}")
        object.__setattr__(self, "energy", frozen(checked))
        object.__setattr__(self, "updates", _spread(updates, energy.shape[:-1], "updates"))
        object.__setattr__(self, "log_prior", _spread(log_prior, energy.shape, "the log prior"))

    @classmethod
    def initial(
        cls,
        types: TypeSet | Iterable[int],
        own: ArrayLike,
        players: int,
        prior: ArrayLike | None = None,
    ) -> Beliefs:
        """Beliefs before any move: the prior, restricted to the types each holder can evaluate.

        Parameters
        ----------
        own
            Type of the holder, or an array of types for many holders.
        prior
            Probabilities of the types, ``(types,)`` or ``(players, types)``; common to all
            players, uniform if left out.
        """
        types = TypeSet.of(types)
        rank = types.ranks(own)
        shape = (*rank.shape, whole(players, "the number of players", least=2), len(types))
        return cls(
            types,
            rank,
            energies.reduced(np.zeros(shape), rank),
            np.zeros(shape[:-1], dtype=np.int64),
            _log_prior(prior, players, len(types)),
        )

    @property
    def players(self) -> int:
        """How many players the beliefs are about."""
        return int(self.energy.shape[-2])

    @property
    def own(self) -> IntArray:
        """``(...)`` type of each holder."""
        return np.asarray(self.types.values, dtype=np.int64)[self.rank]

    def __getitem__(self, holder: int | slice | tuple[int | slice, ...]) -> Beliefs:
        """Beliefs of one holder, or of some, along the leading axes."""
        try:
            self.rank[holder]
        except IndexError:
            raise InvalidInput(
                f"there is no holder {holder!r} among holders of shape {self.rank.shape}"
            ) from None
        return self._with(
            rank=np.asarray(self.rank[holder]),
            energy=self.energy[holder],
            updates=self.updates[holder],
            log_prior=self.log_prior[holder],
        )

    def __iter__(self) -> Iterator[Beliefs]:
        """Each holder's beliefs, along the first axis."""
        require(
            self.rank.ndim > 0, "these are one holder's beliefs; there is nothing to go through"
        )
        return (self[holder] for holder in range(len(self.rank)))

    def __repr__(self) -> str:
        held = f"own={self.own.tolist()}, players={self.players}"
        return f"Beliefs(types={self.types.values}, {held}, energy={self.energy.tolist()})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Beliefs):
            return NotImplemented
        return self.types == other.types and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("rank", "energy", "updates", "log_prior")
        )

    def observe(self, subject: ArrayLike, evidence: ArrayLike) -> Beliefs:
        """Add the evidence of one action by ``subject``.

        Parameters
        ----------
        subject
            The player who acted; an array for holders that watch different games.
        evidence
            ``(..., types)`` energies to add: -log likelihoods or losses. Above the holder's own
            type it must be NaN ("not evaluated") or ``inf``; a number there is infeasible.
        """
        who = check_player(subject, self.players)
        self.require_leading(who.shape, "subject")
        given = as_floats(evidence, "evidence")
        if given.shape[-1:] != (len(self.types),):
            raise InvalidInput(
                f"evidence must have one entry for each of {len(self.types)} types, "
                f"got shape {given.shape}"
            )
        self.require_leading(given.shape[:-1], "evidence")
        gained = self._checked(given, self._can_evaluate, "evidence")
        place = self._about(who)
        energy, updates = self.energy.copy(), self.updates.copy()
        energy[(*place, slice(None))] += gained
        updates[place] += 1
        return self._with(energy=frozen(energy), updates=frozen(updates))

    def reduce(self, to: ArrayLike) -> Beliefs:
        """Return what a player of type ``to`` believes, if it saw the same moves (↓c).

        Reducing to one's own type, or to a stronger one, changes nothing: nobody can give
        away more than they know.
        """
        wanted = self.types.ranks(to)
        self.require_leading(wanted.shape, "type to reduce to")
        rank = np.minimum(self.rank, wanted)
        return self._with(
            rank=frozen(np.asarray(rank)), energy=frozen(energies.reduced(self.energy, rank))
        )

    def condition(self, subject: int, on: int) -> Beliefs:
        """Take ``subject`` to be of type ``on`` for certain ([j=c])."""
        who = self._one(subject)
        rank = self.types.rank(on)
        for own in np.unique(self.own).tolist():
            self.types.require_feasible(on, own, f"conditioning on player {who} being of type {on}")
        energy, log_prior = self.energy.copy(), self.log_prior.copy()
        energy[..., who, :] = np.where(energies.one_hot(rank, len(self.types)), 0.0, np.inf)
        log_prior[..., who, :] = 0.0
        return self._with(energy=frozen(energy), log_prior=frozen(log_prior))

    def posterior(self, temperature: Temperature = 1.0) -> FloatArray:
        """``(..., players, types)`` probabilities, each over the types the holder can evaluate.

        Raises :class:`UndefinedPosterior` where a subject has no mass left: it is stronger than
        the holder. :meth:`probabilities` gives the best effort instead.
        """
        probabilities, has_mass = self._normalised(temperature)
        if not has_mass.all():
            *holder, subject = np.argwhere(~has_mass)[0].tolist()
            raise UndefinedPosterior(
                f"player {subject} is stronger than the holder of this belief"
                f"{f' {tuple(holder)}' if holder else ''} of type {self.own[tuple(holder)]}: "
                f"all its energies are {self.energy[(*holder, subject)].tolist()}; "
                "use probabilities() to treat it as an equal"
            )
        return probabilities

    def probabilities(self, temperature: Temperature = 1.0) -> FloatArray:
        """Like :meth:`posterior`, with the best effort for players that are stronger than me.

        A subject with no mass left is treated as being of the holder's own type.
        """
        return self._normalised(temperature)[0]

    def stronger_than_me(self) -> BoolArray:
        """``(..., players)`` mask of the subjects that no feasible type explains."""
        ruled_out: BoolArray = (self.energy == np.inf) | (self.log_prior == -np.inf)
        return np.asarray(ruled_out.all(axis=-1))

    def log_weights(self, temperature: Temperature = 1.0) -> FloatArray:
        """``(..., players, types)`` log of the unnormalised posterior, -inf where ruled out."""
        if callable(temperature):
            heat = as_floats(temperature(self.updates), "a temperature")
        else:
            heat = np.asarray(number(temperature, "a temperature"))
        if not np.all(heat > 0):
            raise InvalidInput(f"a temperature must be above 0, got {heat.min()}")
        return energies.log_weights(self.energy, self.log_prior, heat)

    def explain(self, subject: int, temperature: Temperature = 1.0) -> str:
        """One sentence on what one holder believes about ``subject``.

        >>> mine = Beliefs.initial(TypeSet((2, 4)), own=2, players=2)
        >>> mine.explain(1)
        'player 1: type 2 100 %'
        >>> mine.observe(1, [np.inf, np.nan]).explain(1)
        'player 1: stronger than me, treated as my own type 2'
        """
        require(self.rank.ndim == 0, "explain one holder's beliefs: index the team first")
        who = self._one(subject)
        if self.stronger_than_me()[who]:
            return f"player {who}: stronger than me, treated as my own type {self.own}"
        shares = self.probabilities(temperature)[who, : self.rank + 1]
        text = ", ".join(
            f"type {c} {share:.0%}".replace("%", " %")
            for c, share in zip(self.types, shares, strict=False)
        )
        return f"player {who}: {text}"

    def _normalised(self, temperature: Temperature) -> tuple[FloatArray, BoolArray]:
        """Probabilities, and who has any; kept, for agents ask many times between two moves."""
        kept = self.__dict__.get("_read")
        if kept is None or kept[0] is not temperature or callable(temperature):
            found = energies.normalised(self.log_weights(temperature), self.rank[..., None])
            kept = self.__dict__["_read"] = (temperature, *found)
        return kept[1].copy(), kept[2]

    def _one(self, subject: int) -> int:
        require(np.ndim(subject) == 0, f"expected one player, got {subject!r}")
        return int(check_player(subject, self.players))

    def _about(self, who: IntArray) -> tuple[Any, ...]:
        """Index of every holder's entry about ``who``, which may differ between holders."""
        if who.ndim == 0:
            return (..., int(who))
        holders = np.indices(self.rank.shape, sparse=True)
        return (*holders, np.broadcast_to(who, self.rank.shape))

    def _with(self, **changes: Any) -> Beliefs:
        """Copy with changes that are known to be valid: the door has checked them."""
        copy = object.__new__(Beliefs)
        copy.__dict__.update(self.__dict__, **changes)
        copy.__dict__.pop("_read", None)
        if "rank" in changes:
            copy.__dict__.pop("_can_evaluate", None)
        return copy

    @cached_property
    def _can_evaluate(self) -> BoolArray:
        """``(..., types)`` mask of the types each holder can evaluate."""
        return energies.feasible(self.rank, len(self.types))

    def require_leading(self, shape: tuple[int, ...], what: str) -> None:
        """Check that ``shape`` broadcasts to the holders' axes without making more of them."""
        if shape in ((), self.rank.shape):
            return
        try:
            fits = np.broadcast_shapes(shape, self.rank.shape) == self.rank.shape
        except ValueError:
            fits = False
        require(fits, f"{what} has shape {shape}, which does not fit holders {self.rank.shape}")

    def _checked(self, values: FloatArray, can_evaluate: BoolArray, what: str) -> FloatArray:
        """``values`` with ``inf`` at infeasible types, or the right error."""
        # NaN fails `>= 0` and passes `not < inf`: exactly what each side of the line wants.
        fine = np.where(can_evaluate, values >= 0, ~(values < np.inf))
        if not fine.all():
            self._complain(values, can_evaluate & np.ones_like(fine), fine, what)
        return np.where(can_evaluate, values, np.inf)

    def _complain(
        self, values: FloatArray, can_evaluate: BoolArray, fine: BoolArray, what: str
    ) -> NoReturn:
        place = tuple(np.argwhere(~fine)[0].tolist())
        value, its_type = np.broadcast_to(values, fine.shape)[place], self.types.values[place[-1]]
        if not can_evaluate[place]:
            raise InfeasibleType(
                f"{what} holds {value} at type {its_type}, above the holder's own type; leave NaN "
                "or inf there: a player can evaluate only types up to its own"
            )
        problem = "NaN (not evaluated)" if np.isnan(value) else f"the negative value {value}"
        raise InvalidInput(
            f"{what} holds {problem} at type {its_type} (index {place}); "
            "expected a number >= 0, or inf to rule the type out"
        )


def stack(beliefs: Sequence[Beliefs]) -> Beliefs:
    """Put the beliefs of several holders side by side, along a new first axis.

    >>> one = Beliefs.initial(TypeSet((2, 4)), own=2, players=2)
    >>> two = Beliefs.initial(TypeSet((2, 4)), own=4, players=2)
    >>> stack([one, two]).own
    array([2, 4])
    """
    if isinstance(beliefs, Beliefs) or not isinstance(beliefs, Sequence):
        raise InvalidInput(f"expected a list of beliefs to stack, got {beliefs!r}")
    require(len(beliefs) > 0, "there are no beliefs to stack")
    first = beliefs[0]
    for place, other in enumerate(beliefs):
        if not isinstance(other, Beliefs):
            raise InvalidInput(f"expected beliefs, got {other!r}")
        if other.types != first.types or other.energy.shape != first.energy.shape:
            raise InvalidInput(
                f"beliefs 0 and {place} are about different types or players: {first.types.values} "
                f"x {first.players} and {other.types.values} x {other.players}"
            )
    return first._with(
        **{
            name: frozen(np.stack([getattr(belief, name) for belief in beliefs]))
            for name in ("rank", "energy", "updates", "log_prior")
        }
    )


def _spread(values: Array, shape: tuple[int, ...], what: str) -> Array:
    """``values`` broadcast to ``shape``, read-only."""
    try:
        return np.broadcast_to(values, shape)  # type: ignore[return-value]  # of the same dtype
    except ValueError:
        raise InvalidInput(f"{what} must fit shape {shape}, got {values.shape}") from None


def _log_prior(prior: ArrayLike | None, players: int, types: int) -> FloatArray:
    given = np.full(types, 1.0 / types) if prior is None else as_floats(prior, "a prior")
    require(
        given.shape in ((types,), (players, types)),
        f"a prior has shape ({types},) or ({players}, {types}), got {given.shape}",
    )
    require(np.all(given >= 0), f"prior probabilities must be >= 0, got {given.tolist()}")
    sums = given.sum(axis=-1)
    require(
        np.allclose(sums, 1.0, atol=1e-9),
        f"prior probabilities must sum to 1, got {np.ravel(sums).tolist()}",
    )
    return np.broadcast_to(log(given), (players, types))  # log 0 = -inf: ruled out beforehand
