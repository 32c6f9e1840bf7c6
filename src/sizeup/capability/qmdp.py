"""Planning on a belief: hypotheses, the likelihood φ of assignments, and QMDP values.

The game is taken as solved for *known* types: a value for every assignment of types to players.
A belief then weighs the assignments (φ), and values are averages over them. One step of
look-ahead is the paper's choice; :func:`look_ahead` takes any number.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from sizeup.capability import energy as energies
from sizeup.capability.arrays import BoolArray, FloatArray, IntArray, check_player, require, whole
from sizeup.capability.beliefs import Beliefs, Temperature

__all__ = ["Solved", "assignments", "hypotheses", "look_ahead", "phi", "q_phi"]

State = TypeVar("State")

MOST_ASSIGNMENTS = 1_000_000


def hypotheses(beliefs: Beliefs, actor: ArrayLike, temperature: Temperature = 1.0) -> FloatArray:
    """Return what everybody would believe if the actor were of type c, for every c at once.

    Entry ``(..., c, player, c')`` is the probability that ``player`` is of type c' in the belief
    B[actor=c]↓c. A player with no mass left up to c counts as type c (best effort), and so does
    whoever is like none of the types. Rows of types that the holder cannot evaluate are NaN.

    >>> from sizeup.capability import Beliefs, TypeSet
    >>> mine = Beliefs.initial(TypeSet((2, 4)), own=4, players=2)
    >>> hypotheses(mine, actor=0)[1]  # if player 0 is of type 4: itself, and player 1
    array([[0. , 1. ],
           [0.5, 0.5]])
    """
    who = check_player(actor, beliefs.players)
    beliefs.require_leading(who.shape, "actor")
    count = len(beliefs.types)
    ranks = np.arange(count)
    known = beliefs.log_weights(temperature)[..., None, :, :]
    logs = np.where(energies.feasible(ranks, count)[:, None, :], known, -np.inf)
    shares, _ = energies.normalised(logs, ranks[:, None])
    if beliefs.none_prior:
        weights = [beliefs.none_log_weights(temperature, rank) for rank in ranks]
        none = energies.none_shares(logs, np.stack(weights, axis=-2))[..., None]
        shares = shares * (1.0 - none) + np.where(
            energies.one_hot(ranks, count)[:, None, :], none, 0.0
        )
    acting = (np.arange(beliefs.players) == who[..., None])[..., None, :, None]
    certain = energies.one_hot(ranks, count)[:, None, :]
    probabilities = np.where(acting, certain, shares)
    evaluated = energies.feasible(beliefs.rank, count)[..., None, None]
    return np.where(evaluated, probabilities, np.nan)


def assignments(possible: ArrayLike) -> IntArray:
    """``(assignments, players)`` ranks of every assignment of possible types to players.

    ``possible (players, types)`` says which types each player may have.

    >>> assignments([[True, True], [False, True]])
    array([[0, 1],
           [1, 1]])
    """
    mask: BoolArray = np.asarray(possible)
    require(mask.dtype == np.bool_, f"expected a mask of booleans, got {possible!r}")
    require(mask.ndim == 2, f"expected a (players, types) mask, got shape {mask.shape}")
    choices = [np.flatnonzero(row) for row in mask]
    count = prod(len(ranks) for ranks in choices)
    require(count > 0, f"every player needs at least one possible type, got {mask.tolist()}")
    require(
        count <= MOST_ASSIGNMENTS,
        f"{count} assignments of types to players are too many to list (at most "
        f"{MOST_ASSIGNMENTS}); use fewer types or players",
    )
    grid = np.meshgrid(*choices, indexing="ij")
    return np.stack([axis.ravel() for axis in grid], axis=-1).astype(np.int64)


def phi(probabilities: FloatArray, among: IntArray) -> FloatArray:
    """``(..., assignments)`` likelihood φ_B(C) = ∏ P_i(C[i]) of each assignment.

    Feasible if ``probabilities`` are: beliefs and hypotheses see to that.

    Parameters
    ----------
    probabilities
        ``(..., players, types)``, as from :meth:`Beliefs.probabilities` or :func:`hypotheses`.
    among
        ``(assignments, players)`` ranks, as from :func:`assignments`.

    >>> phi(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([[0, 1], [1, 1]]))
    array([0.5, 0.5])
    """
    players = np.arange(probabilities.shape[-2])
    return np.asarray(probabilities[..., players, among].prod(axis=-1))


def q_phi(
    rewards: FloatArray, values: FloatArray, weights: FloatArray, discount: float
) -> FloatArray:
    """``(..., actions)`` one-step look-ahead on the average value, Q_φ = r + γ·E_φ[V^C(s')].

    Parameters
    ----------
    rewards
        ``(..., actions)`` reward of each action.
    values
        ``(..., assignments, actions)`` value of the state each action leads to.
    weights
        ``(..., assignments)`` likelihood of each assignment.

    >>> q_phi(np.array([0.0, 1.0]), np.array([[4.0, 0.0], [2.0, 0.0]]), np.array([0.5, 0.5]), 0.5)
    array([1.5, 1. ])
    """
    averages = (weights[..., None, :] @ values)[..., 0, :]
    return np.asarray(rewards + discount * averages)


class Solved(Protocol[State]):
    """A game solved for known types, in the eyes of one planner and a list of assignments."""

    discount: float

    def moves(self, state: State) -> Sequence[Sequence[tuple[float, float, State]]]:
        """Possible outcomes (probability, reward, next state) of each action, if there is any."""
        ...

    def chooser(self, state: State, steps: int) -> Literal["me", "opponent"] | FloatArray:
        """Who decides: me, an opponent, or a teammate with this ``(assignments, actions)`` play."""
        ...

    def values(self, state: State, steps: int) -> FloatArray:
        """``(assignments,)`` value of a state that is ``steps`` ahead."""
        ...


def look_ahead(
    solved: Solved[State], state: State, weights: FloatArray, steps: int = 1
) -> FloatArray:
    """``(actions,)`` value of each action if types stay hidden for the next ``steps`` steps.

    QMDP pretends that all types are revealed after one step. Each further step of look-ahead
    puts that moment off: teammates act as the weighted mixture of their types, what they do
    shifts the weights by Bayes' rule, and the planner must decide without knowing. With one team
    the values therefore never rise with ``steps``; at the planner's full depth nothing is
    revealed at all.

    Examples
    --------
    :class:`sizeup.planning.Planner` is such a solved game. By hand: I act once, then the value is
    8 or 2, depending on which of two assignments is true.

    >>> class Once:
    ...     discount = 0.5
    ...     def moves(self, state): return [[(1.0, 1.0, "end")]] if state == "start" else []
    ...     def chooser(self, state, steps): return "me"
    ...     def values(self, state, steps): return np.array([8.0, 2.0])
    >>> look_ahead(Once(), "start", np.array([0.5, 0.5]))
    array([3.5])
    """
    whole(steps, "steps of look-ahead", least=1)
    return _action_values(solved, state, weights, steps, 0)


def _action_values(
    solved: Solved[State], state: State, weights: FloatArray, steps: int, ahead: int
) -> FloatArray:
    return np.array(
        [_action_value(solved, outcomes, weights, steps, ahead) for outcomes in solved.moves(state)]
    )


def _action_value(
    solved: Solved[State],
    outcomes: Sequence[tuple[float, float, State]],
    weights: FloatArray,
    steps: int,
    ahead: int,
) -> float:
    total = float(weights.sum())
    return sum(
        chance * (reward * total + solved.discount * _value(solved, s, weights, steps, ahead + 1))
        for chance, reward, s in outcomes
    )


def _value(
    solved: Solved[State], state: State, weights: FloatArray, steps: int, ahead: int
) -> float:
    """Value to the planner; ``weights`` are unnormalised, which makes Bayes' rule a product."""
    moves = solved.moves(state)
    if ahead == steps or not moves:
        return float(weights @ solved.values(state, ahead))
    chooser = solved.chooser(state, ahead)
    if isinstance(chooser, str):
        choose = np.max if chooser == "me" else np.min
        return float(choose(_action_values(solved, state, weights, steps, ahead)))
    return sum(
        _action_value(solved, outcomes, weights * play, steps, ahead)
        for outcomes, play in zip(moves, chooser.T, strict=True)
        if np.any(weights * play > 0)
    )
