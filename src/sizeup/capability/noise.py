"""Noise: what each player sees of the values, and how far beliefs drift apart because of it.

Two sources, each of two kinds. *Private values*: a player's value functions are off by a bounded
perturbation. *Observations*: a player mistakes a state for another one of nearly the same value.
Either is *adversarial* (each player is pushed the way that hurts agreement most) or *iid* (drawn
anew at each evaluation). Any two players' values differ by at most ``epsilon``.

:func:`simulate` plays many noisy episodes at once and records the drift, to be held against the
bounds in :mod:`sizeup.capability.temperature`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sizeup.capability.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    check_player,
    require,
    whole,
)
from sizeup.capability.beliefs import Beliefs
from sizeup.capability.qmdp import assignments, hypotheses, phi, q_phi
from sizeup.capability.structure import differences
from sizeup.capability.types import TypeSet
from sizeup.capability.updates import UpdateRule, best_actions

__all__ = ["Drift", "Noise", "NoisyStates", "NoisyValues", "SolvedGame", "simulate"]


@dataclass(frozen=True)
class SolvedGame:
    """A cooperative game that is solved for known types, as plain arrays.

    Parameters
    ----------
    types
        The capability types.
    actor
        ``(states,)`` player to act.
    reward
        ``(states, actions)`` reward of each action; all actions are legal everywhere.
    successor
        ``(states, actions)`` state that each action leads to.
    value
        ``(assignments, states)`` value for every assignment of types, in the order of
        :func:`~sizeup.capability.qmdp.assignments`; spans at most 1.
    """

    types: TypeSet
    players: int
    actor: IntArray
    reward: FloatArray
    successor: IntArray
    value: FloatArray
    discount: float = 0.9

    def __post_init__(self) -> None:
        count, states = len(self.types) ** self.players, len(self.actor)
        check_player(self.actor, self.players)
        inside = (self.successor >= 0) & (self.successor < states)
        require(
            self.successor.shape == self.reward.shape == (states, self.reward.shape[-1])
            and inside.all(),
            f"reward and successor must have shape ({states}, actions), and lead to these states",
        )
        require(
            self.value.shape == (count, states),
            f"value must have shape ({count}, {states}): one row for each assignment of "
            f"{len(self.types)} types to {self.players} players; got {self.value.shape}",
        )
        span = float(np.ptp(self.value))
        require(
            span <= 1.0 + 1e-12,
            f"the bounds hold for values that span at most 1, got {span:g}; divide values and "
            "rewards by it",
        )

    @classmethod
    def random(
        cls, types: TypeSet, players: int, seed: int, states: int = 128, actions: int = 3
    ) -> SolvedGame:
        """Make a random game whose values change smoothly from state to state.

        >>> SolvedGame.random(TypeSet((1, 2)), players=2, seed=0).value.shape
        (4, 128)
        """
        rng = np.random.default_rng(seed)
        count = len(types) ** players
        phase, size = rng.random((2, count, 1))
        circle = np.arange(states) / states
        value = size * np.cos(2 * np.pi * (circle + phase))
        return cls(
            types=types,
            players=players,
            actor=rng.integers(players, size=states),
            reward=0.2 * rng.random((states, actions)),
            successor=rng.integers(states, size=(states, actions)),
            value=(value + 1.0) / 2.0,
        )


class Noise(Protocol):
    """What every player sees of the values of the states an actor can choose from."""

    epsilon: float

    def seen(
        self, game: SolvedGame, states: IntArray, taken: IntArray | None, rng: np.random.Generator
    ) -> FloatArray:
        """``(episodes, players, assignments, actions)`` values as each player sees them.

        ``states (episodes, actions)`` are the true successors; ``taken (episodes,)`` is the
        action that was just taken, None while the actor is still choosing.
        """
        ...


@dataclass(frozen=True)
class NoisyValues:
    """Private value functions: each player's values are off by up to ``epsilon / 2``.

    >>> game = SolvedGame.random(TypeSet((1, 2)), players=2, seed=0)
    >>> noise = NoisyValues(epsilon=0.1, adversarial=True)
    >>> seen = noise.seen(game, game.successor[:1], np.array([0]), np.random.default_rng(0))
    >>> float(np.abs(seen - game.value[:, game.successor[0]]).max().round(3))
    0.05
    """

    epsilon: float
    adversarial: bool = False

    def seen(
        self, game: SolvedGame, states: IntArray, taken: IntArray | None, rng: np.random.Generator
    ) -> FloatArray:
        """See :meth:`Noise.seen`."""
        truth = _values_at(game, states)[:, None]
        if self.adversarial:
            push = _worst_signs(states.shape, game.players, taken)[:, :, None, :]
        else:
            count = len(game.value)
            push = rng.uniform(-1, 1, (len(states), game.players, count, states.shape[1]))
        return np.asarray(truth + 0.5 * self.epsilon * push)


@dataclass(frozen=True)
class NoisyStates:
    """Noisy observation: a player mistakes a state for one within ``epsilon / 2`` of its value.

    >>> game = SolvedGame.random(TypeSet((1, 2)), players=2, seed=0)
    >>> int(NoisyStates(epsilon=0.1).confusable(game)[0].sum())  # itself and its neighbours
    5
    """

    epsilon: float
    adversarial: bool = False

    def seen(
        self, game: SolvedGame, states: IntArray, taken: IntArray | None, rng: np.random.Generator
    ) -> FloatArray:
        """See :meth:`Noise.seen`."""
        alike = self.confusable(game)
        if self.adversarial:
            signs = _worst_signs(states.shape, game.players, taken)
            seen = np.where(signs > 0, _extreme(game, alike, +1)[states][:, None], 0)
            seen = np.where(signs < 0, _extreme(game, alike, -1)[states][:, None], seen)
        else:
            lottery = rng.random((len(states), game.players, states.shape[1], len(alike)))
            seen = np.where(alike[states][:, None], lottery, -1.0).argmax(axis=-1)
        return np.moveaxis(game.value[:, seen], 0, 2)

    def confusable(self, game: SolvedGame) -> BoolArray:
        """``(states, states)`` mask of the states that may be mistaken for each other."""
        gap = np.abs(game.value[:, :, None] - game.value[:, None, :]).max(axis=0)
        mask: BoolArray = gap <= 0.5 * self.epsilon
        return mask


@dataclass(frozen=True)
class Drift:
    """How far beliefs drifted apart, after every turn of many episodes.

    Parameters
    ----------
    gap
        ``(turns, episodes, subjects)`` largest difference of two players' energies about a
        subject after reduction; ``inf`` if one has ruled out what another has not.
    updates
        ``(turns, episodes, subjects)`` number of updates about the subject by then.

    Examples
    --------
    >>> drift = Drift(gap=np.array([[[0.1]], [[0.3]]]), updates=np.array([[[1]], [[2]]]))
    >>> drift.worst_ratio(0.2 * drift.updates)
    array([0.75])
    """

    gap: FloatArray
    updates: IntArray

    def worst_ratio(self, bound: FloatArray) -> FloatArray:
        """``(episodes,)`` largest gap relative to ``bound`` (shaped like ``gap``) in an episode."""
        with np.errstate(invalid="ignore", divide="ignore"):  # no update yet: 0 of 0
            ratio = np.where(self.gap > 0, self.gap / bound, 0.0)
        return np.asarray(ratio.max(axis=(0, 2)))


def simulate(
    game: SolvedGame,
    own: Sequence[int],
    rule: UpdateRule,
    noise: Noise,
    *,
    episodes: int,
    turns: int,
    seed: int,
) -> Drift:
    """Play ``episodes`` noisy episodes at once and record how far the beliefs drift apart.

    Examples
    --------
    >>> from sizeup.capability import Adversarial, Tempered, adversarial_bound
    >>> game = SolvedGame.random(TypeSet((1, 2)), players=2, seed=1)
    >>> noise = NoisyValues(epsilon=0.05, adversarial=True)
    >>> rule = Tempered(Adversarial(players=2))
    >>> drift = simulate(game, (2, 2), rule, noise, episodes=10, turns=20, seed=2)
    >>> bool((drift.gap <= adversarial_bound(0.05, drift.updates)).all())
    True
    """
    whole(episodes, "episodes", least=1)
    whole(turns, "turns", least=1)
    require(len(own) == game.players, f"own must give {game.players} types, got {tuple(own)}")
    require(noise.epsilon >= 0, f"epsilon must be 0 or more, got {noise.epsilon}")
    rng = np.random.default_rng(whole(seed, "the seed", least=0))
    beliefs = Beliefs.initial(game.types, np.tile(own, (episodes, 1)), game.players)
    state = rng.integers(len(game.actor), size=episodes)
    gaps, updates = [], []
    for _ in range(turns):
        taken = _choose(game, beliefs, rule, noise, state, rng)
        q = _q_tables(game, beliefs, rule, state, noise, taken, rng)
        evidence = rule.evidence(q, taken[:, None])
        beliefs = beliefs.observe(game.actor[state][:, None], evidence)
        gaps.append(differences(beliefs).max(axis=(1, 2, 4)))
        updates.append(beliefs.updates[:, 0])
        state = game.successor[state, taken]
    return Drift(np.stack(gaps), np.stack(updates))


def _choose(
    game: SolvedGame,
    beliefs: Beliefs,
    rule: UpdateRule,
    noise: Noise,
    state: IntArray,
    rng: np.random.Generator,
) -> IntArray:
    """``(episodes,)`` greedy action of the actors, ties at random."""
    episode, actor = np.arange(len(state)), game.actor[state]
    q = _q_tables(game, beliefs, rule, state, noise, None, rng)
    mine = q[episode, actor, beliefs.rank[episode, actor]]
    lottery = rng.random(mine.shape)
    return np.asarray(np.where(best_actions(mine), lottery, -1.0).argmax(axis=-1))


def _q_tables(
    game: SolvedGame,
    beliefs: Beliefs,
    rule: UpdateRule,
    state: IntArray,
    noise: Noise,
    taken: IntArray | None,
    rng: np.random.Generator,
) -> FloatArray:
    """``(episodes, observers, types, actions)`` values in every observer's eyes."""
    everyone = assignments(np.ones((game.players, len(game.types)), dtype=np.bool_))
    believed = hypotheses(beliefs, game.actor[state][:, None], rule.temperature)
    seen = noise.seen(game, game.successor[state], taken, rng)[:, :, None]
    rewards = game.reward[state][:, None, None]
    return q_phi(rewards, seen, phi(believed, everyone), game.discount)


def _values_at(game: SolvedGame, states: IntArray) -> FloatArray:
    """``(episodes, assignments, actions)`` true values of ``states (episodes, actions)``."""
    return np.moveaxis(game.value[:, states], 0, 1)


def _worst_signs(shape: tuple[int, ...], players: int, taken: IntArray | None) -> FloatArray:
    """``(episodes, players, actions)`` ±1: the noise that drives players apart the most.

    Even players see the action taken as worse and all others as better than they are, odd
    players the reverse: no bounded noise makes their losses differ more.
    """
    actions = np.arange(shape[-1])
    chosen = actions == (np.zeros(shape[0], np.int64) if taken is None else taken)[:, None]
    even = np.where(np.arange(players) % 2 == 0, 1.0, -1.0)
    return np.asarray(np.where(chosen, -1.0, 1.0)[:, None, :] * even[:, None])


def _extreme(game: SolvedGame, alike: BoolArray, sign: int) -> IntArray:
    """``(states,)`` most (+1) or least (-1) valuable state that each may be mistaken for."""
    mean = sign * game.value.mean(axis=0)
    return np.asarray(np.where(alike, mean, -np.inf).argmax(axis=-1))
