"""Typed beliefs: what a player of some type believes about the capability of every player.

One class holds one player's beliefs, a whole team's, or those of many teams at once: leading
axes are free and every operation acts on all of them. It holds the four operations of the
theory (observe, reduce, condition, posterior) and leaves to others where the evidence comes
from (:mod:`~sizeup.capability.updates`) and how players compare
(:mod:`~sizeup.capability.structure`).

Beside the types there may be an entry for *none of these*: a player that moves at random, or
stronger than the holder. It takes no part in reduction, and planning counts it as the holder's own
type. Evidence from samples has an error, which adds up beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
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
from sizeup.capability.types import TypeSet
from sizeup.errors import InfeasibleType, InvalidInput, UndefinedPosterior

__all__ = ["Beliefs", "Temperature", "stack"]

Temperature: TypeAlias = float | Callable[[IntArray], FloatArray]
"""A constant, or a function from the number of updates about a subject to a temperature."""


_ARRAYS = ("rank", "energy", "updates", "log_prior", "noise", "none")


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
    noise
        ``(..., players, types)`` variance of each energy, if it was estimated from samples.
    none, none_prior
        ``(..., players)`` evidence against *none of these*, and the probability of it beforehand;
        0 if the types are all there is.

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
    noise: FloatArray = field(default_factory=lambda: np.zeros(()))
    none: FloatArray = field(default_factory=lambda: np.zeros(()))
    none_prior: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "types", TypeSet.of(self.types))
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
        noise, none = _checked_noise(self.noise), _checked_none(self.none)
        odds = number(self.none_prior, "the prior of none of these")
        require(0 <= odds < 1, f"the prior of none of these lies from 0 to below 1, got {odds}")
        object.__setattr__(self, "noise", _spread(noise.copy(), energy.shape, "noise"))
        object.__setattr__(self, "none", _spread(none.copy(), energy.shape[:-1], "none"))

    @classmethod
    def initial(
        cls,
        types: TypeSet | Iterable[int],
        own: ArrayLike,
        players: int,
        prior: ArrayLike | None = None,
        none: float = 0.0,
    ) -> Beliefs:
        """Beliefs before any move: the prior, restricted to the types each holder can evaluate.

        Parameters
        ----------
        own
            Type of the holder, or an array of types for many holders.
        prior
            Probabilities of the types, ``(types,)`` or ``(players, types)``; common to all
            players, uniform if left out.
        none
            Probability that a player is like none of the types.
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
            none_prior=none,
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
            noise=self.noise[holder],
            none=self.none[holder],
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
            for name in (*_ARRAYS, "none_prior")
        )

    def observe(
        self,
        subject: ArrayLike,
        evidence: ArrayLike,
        noise: ArrayLike = 0.0,
        none: ArrayLike = 0.0,
    ) -> Beliefs:
        """Add the evidence of one action by ``subject``.

        Parameters
        ----------
        subject
            The player who acted; an array for holders that watch different games.
        evidence
            ``(..., types)`` energies to add: -log likelihoods or losses. Above the holder's own
            type it must be NaN ("not evaluated") or ``inf``; a number there is infeasible.
        noise
            ``(..., types)`` variance of the evidence, if it was estimated.
        none
            ``(...)`` evidence against *none of these*: -log of the chance of the action if it was
            drawn at random.
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
        variance_gained, none_gained = _checked_noise(noise), _checked_none(none)
        self.require_leading(variance_gained.shape[:-1], "noise")
        self.require_leading(none_gained.shape, "evidence against none")
        require(
            variance_gained.shape[-1:] in ((), (1,), (len(self.types),)),
            f"noise must have one entry for each of {len(self.types)} types, "
            f"got shape {variance_gained.shape}",
        )
        place = self._about(who)
        energy, updates = self.energy.copy(), self.updates.copy()
        energy[(*place, slice(None))] += gained
        updates[place] += 1
        variance, against = self.noise.copy(), self.none.copy()
        variance[(*place, slice(None))] += np.where(self._can_evaluate, variance_gained, 0.0)
        against[place] += none_gained
        return self._with(
            energy=frozen(energy),
            updates=frozen(updates),
            noise=frozen(variance),
            none=frozen(against),
        )

    def forget(self, share: float) -> Beliefs:
        """Forget a share of all evidence, for players that change.

        >>> mine = Beliefs.initial(TypeSet((2, 4)), own=4, players=2).observe(1, [4.0, 0.0])
        >>> mine.forget(0.25).energy[1]
        array([3., 0.])
        """
        kept = 1.0 - number(share, "a share to forget")
        require(0 < kept <= 1, f"a share to forget is at least 0 and below 1, got {share}")
        return self._with(
            energy=frozen(self.energy * kept),
            noise=frozen(self.noise * kept**2),
            none=frozen(self.none * kept),
        )

    def may_change(self, subject: int, chance: float, temperature: Temperature = 1.0) -> Beliefs:
        """Allow for ``subject`` having become another player, drawn from the prior, since its move.

        This is what a hidden Markov filter does between two moves: the posterior goes back to the
        prior by so much, however sure it was. :meth:`forget` commutes with reduction, and this does
        not: what goes back depends on every type that the holder can evaluate, so a team's beliefs
        do not stay a type structure.

        >>> mine = Beliefs.initial(TypeSet((2, 4)), own=4, players=2).observe(1, [50.0, 0.0])
        >>> mine.may_change(1, 0.02).posterior()[1].round(2)
        array([0.01, 0.99])
        """
        who, rate = self._one(subject), number(chance, "a chance of change")
        require(0 <= rate < 1, f"a chance of change is at least 0 and below 1, got {chance}")
        if rate == 0:
            return self
        nothing = energies.reduced(np.zeros(self.energy.shape), self.rank)
        first = self._with(energy=frozen(nothing), none=frozen(np.zeros(self.none.shape)))
        now, prior = (held._shares(temperature)[..., who, :] for held in (self, first))
        stayed, possible = (1.0 - rate) * now, prior > 0
        mixed = np.where(possible, stayed + rate * prior, 1.0)
        gained = np.where(possible, energies.log(mixed / np.where(possible, prior, 1.0)), -np.inf)
        heat = np.broadcast_to(self._heat(temperature), self.updates.shape)[..., who, None]
        lost = heat * (gained.max(axis=-1, keepdims=True) - gained)
        energy, noise, none = self.energy.copy(), self.noise.copy(), self.none.copy()
        energy[..., who, :], none[..., who] = lost[..., :-1], lost[..., -1]
        noise[..., who, :] *= (stayed / mixed)[..., :-1] ** 2
        return self._with(energy=frozen(energy), noise=frozen(noise), none=frozen(none))

    def reduce(self, to: ArrayLike) -> Beliefs:
        """Return what a player of type ``to`` believes, if it saw the same moves (↓c).

        Reducing to one's own type, or to a stronger one, changes nothing: nobody can give
        away more than they know.
        """
        wanted = self.types.ranks(to)
        self.require_leading(wanted.shape, "type to reduce to")
        rank = np.asarray(np.minimum(self.rank, wanted))
        known = energies.feasible(rank, len(self.types))[..., None, :]
        return self._with(
            rank=frozen(rank),
            energy=frozen(energies.reduced(self.energy, rank)),
            noise=frozen(np.where(known, self.noise, 0.0)),
        )

    def condition(self, subject: int, on: int) -> Beliefs:
        """Take ``subject`` to be of type ``on`` for certain ([j=c])."""
        who = self._one(subject)
        rank = self.types.rank(on)
        for own in np.unique(self.own).tolist():
            self.types.require_feasible(on, own, f"conditioning on player {who} being of type {on}")
        energy, log_prior = self.energy.copy(), self.log_prior.copy()
        noise, none = self.noise.copy(), self.none.copy()
        energy[..., who, :] = np.where(energies.one_hot(rank, len(self.types)), 0.0, np.inf)
        log_prior[..., who, :] = noise[..., who, :] = 0.0
        none[..., who] = np.inf
        return self._with(
            energy=frozen(energy),
            log_prior=frozen(log_prior),
            noise=frozen(noise),
            none=frozen(none),
        )

    def posterior(self, temperature: Temperature = 1.0) -> FloatArray:
        """``(..., players, types)`` probabilities, each over the types the holder can evaluate.

        They are those of a player that is of one of these types, whatever speaks for none of them.
        Raises :class:`UndefinedPosterior` where a subject has no mass left: it is stronger than
        the holder. :meth:`probabilities` gives the best effort instead.
        """
        probabilities, has_mass, _ = self._normalised(temperature)
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
        """``(..., players, types)`` what the holder believes, also of players it cannot explain.

        What a row lacks to 1 is the probability of none of these types (:meth:`none_of_these`).
        Without such an entry, a subject with no mass left is treated as being of the holder's own
        type.
        """
        shares, _, none = self._normalised(temperature)
        return np.asarray(shares * (1.0 - none)[..., None])

    def none_of_these(self, temperature: Temperature = 1.0) -> FloatArray:
        """``(..., players)`` probability that a player is like none of the types.

        >>> mine = Beliefs.initial(TypeSet((2, 4)), own=4, players=2, none=0.01)
        >>> for _ in range(4):  # a move that no type makes, and one player in seven at random
        ...     mine = mine.observe(1, -np.log([0.01, 0.02]), none=np.log(7))
        >>> mine.none_of_these().round(2), mine.probabilities()[1].round(2)
        (array([0.01, 0.98]), array([0.  , 0.02]))
        """
        return self._normalised(temperature)[2].copy()

    def to_plan_with(self, temperature: Temperature = 1.0) -> FloatArray:
        """``(..., players, types)`` probabilities in which none of these is the holder's own type.

        Planning has to take everybody for somebody: whom no type explains counts as an equal.
        """
        shares, _, none = self._normalised(temperature)
        odds = shares * (1.0 - none)[..., None]
        own = energies.one_hot(self.rank, len(self.types))[..., None, :]
        return np.asarray(odds + np.where(own, none[..., None], 0.0))

    def hedged(self) -> FloatArray:
        """``(..., players, types)`` probabilities, at temperature 1, that allow for sampling.

        They are less sure than :meth:`probabilities`, the more so the noisier the evidence is.
        """
        logs = energies.hedged(self.log_weights(), self.noise)
        shares, _ = energies.normalised(logs, self.rank[..., None])
        return np.asarray(shares * (1.0 - self.none_of_these())[..., None])

    def standard_errors(self) -> FloatArray:
        """``(..., players, types)`` sampling errors of the probabilities, at temperature 1.

        >>> mine = Beliefs.initial(TypeSet((2, 4)), own=4, players=2)
        >>> mine.observe(1, [0.7, 0.7], noise=[0.1, 0.1]).standard_errors()[1].round(2)
        array([0.11, 0.11])
        """
        return energies.standard_errors(self.probabilities(), self.noise)

    def stronger_than_me(self) -> BoolArray:
        """``(..., players)`` mask of the subjects that no feasible type explains."""
        ruled_out: BoolArray = (self.energy == np.inf) | (self.log_prior == -np.inf)
        return np.asarray(ruled_out.all(axis=-1))

    def log_weights(self, temperature: Temperature = 1.0) -> FloatArray:
        """``(..., players, types)`` log of the unnormalised posterior, -inf where ruled out."""
        return energies.log_weights(self.energy, self.log_prior, self._heat(temperature))

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
        if self.stronger_than_me()[who] and not self.none_prior:
            return f"player {who}: stronger than me, treated as my own type {self.own}"
        shares = self.probabilities(temperature)[who, : self.rank + 1]
        named = [f"type {c}" for c in self.types][: len(shares)]
        if self.none_prior:
            named.append("none of these")
            shares = np.append(shares, self.none_of_these(temperature)[who])
        text = ", ".join(
            f"{name} {share:.0%}".replace("%", " %")
            for name, share in zip(named, shares, strict=True)
        )
        return f"player {who}: {text}"

    def none_log_weights(
        self, temperature: Temperature = 1.0, rank: ArrayLike | None = None
    ) -> FloatArray:
        """``(..., players)`` log weight of none of these beside those of :meth:`log_weights`.

        It is to have its prior probability before any evidence, whatever the holder can evaluate:
        its weight is a share of that of the types up to the holder's ``rank``, or another one.
        """
        up_to = energies.feasible(self.rank if rank is None else rank, len(self.types))
        prior = np.where(up_to[..., None, :], energies.exp(np.minimum(self.log_prior, 0.0)), 0.0)
        odds = prior.sum(axis=-1) * (self.none_prior / (1.0 - self.none_prior))
        with np.errstate(invalid="ignore"):  # inf / inf: of no evidence at infinite heat
            against = self.none / self._heat(temperature)
        return np.asarray(energies.log(odds) - np.where(np.isnan(against), 0.0, against))

    def _shares(self, temperature: Temperature) -> FloatArray:
        """``(..., players, types + 1)`` probabilities, with none of these at the end."""
        shares, _, none = self._normalised(temperature)
        return np.concatenate([shares * (1.0 - none)[..., None], none[..., None]], axis=-1)

    def _normalised(self, temperature: Temperature) -> tuple[FloatArray, BoolArray, FloatArray]:
        """Probabilities of the types, who has any, and the share of none of these.

        They are kept, for agents ask many times between two moves.
        """
        kept = self.__dict__.get("_read")
        if kept is None or kept[0] is not temperature or callable(temperature):
            logs = self.log_weights(temperature)
            shares, has_mass = energies.normalised(logs, self.rank[..., None])
            none = np.zeros(has_mass.shape)
            if self.none_prior:
                none = energies.none_shares(logs, self.none_log_weights(temperature))
            kept = self.__dict__["_read"] = (temperature, shares, has_mass, none)
        return kept[1].copy(), kept[2], kept[3]

    def _heat(self, temperature: Temperature) -> FloatArray:
        """The temperature about each subject, or one for all."""
        if callable(temperature):
            heat = as_floats(temperature(self.updates), "a temperature")
            require(
                heat.shape in ((), self.updates.shape),
                f"a temperature is one number, or one about each player, got shape {heat.shape}",
            )
        else:
            heat = np.asarray(number(temperature, "a temperature"))
        if not np.all(heat > 0):
            raise InvalidInput(f"a temperature must be above 0, got {heat.min()}")
        return heat

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
            for name in _ARRAYS
        }
    )


def _checked_noise(noise: ArrayLike) -> FloatArray:
    variances = as_floats(noise, "noise")
    require(
        np.all(variances >= 0) and np.all(variances < np.inf),
        "noise must be 0 or more, and finite",
    )
    return variances


def _checked_none(none: ArrayLike) -> FloatArray:
    against = as_floats(none, "evidence against none of these")
    require(np.all(against >= 0), "evidence against none of these must be 0 or more")
    return against


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
    return np.broadcast_to(
        energies.log(given), (players, types)
    )  # log 0 = -inf: ruled out beforehand
