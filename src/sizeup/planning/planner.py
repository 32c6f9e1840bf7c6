"""The exact typed planner: what each type would do, for sure or on a belief.

Small games only. It is the slow reference that defines what the tree search must converge to,
and the source of exact evidence for belief updates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from sizeup.capability import Beliefs, Temperature, TypeSet, assignments, hypotheses, phi
from sizeup.capability import look_ahead as look_ahead_values
from sizeup.capability.arrays import FloatArray, IntArray, number, require, whole
from sizeup.capability.updates import TIE_TOLERANCE, best_actions, check_tolerance
from sizeup.games.contract import View
from sizeup.planning.tabular import CHANCE, SmallGame, TabularGame, tabulate
from sizeup.planning.values import MINIMISES, KnownTypeValues, Leaf

__all__ = ["Planner"]


class Planner:
    """Exact values and greedy play for every type in a small game.

    All values are to the team of the player who acts in the given state, and list its legal
    actions in order (:meth:`TabularGame.legal_actions`).

    Parameters
    ----------
    game
        A :class:`TabularGame`, functions that :func:`tabulate` can write down, or a small game of
        the contract (:mod:`sizeup.games.contract`: a module, or a ``View`` for other parameters).
    types
        The capability types: how many steps ahead each sees, 1 or more.
    discount
        Planning discount γ, above 0 and at most 1.
    leaf
        Value where a plan ends: ``"zero"``, or ``"random"`` for the expected return of uniform
        random play over as many further steps as the planner is deep.

    Examples
    --------
    Player 0 may take 1, or pass and let player 1 take 3:

    >>> from sizeup.capability import Beliefs, TypeSet
    >>> from sizeup.planning import TERMINAL, Planner, TabularGame
    >>> game = TabularGame(
    ...     teams=(0, 0),
    ...     actor=[0, 1, TERMINAL],
    ...     successor=[[2, 1], [2, 2], [-1, -1]],
    ...     reward=[[1, 0], [3, 0], [0, 0]],
    ... )
    >>> planner = Planner(game, TypeSet((1, 2)), discount=0.5)
    >>> planner.oblivious(0, own=1), planner.oblivious(0, own=2)
    (array([1., 0.]), array([1. , 1.5]))
    >>> planner.table(0, Beliefs.initial(planner.types, own=1, players=2))
    array([[ 1.,  0.],
           [nan, nan]])
    """

    def __init__(
        self,
        game: TabularGame | SmallGame[Any, Any] | ModuleType,
        types: TypeSet | Iterable[int],
        discount: float = 0.9,
        leaf: Leaf = "zero",
        tie_tolerance: float = TIE_TOLERANCE,
    ) -> None:
        types = TypeSet.of(types)
        require(
            types.weakest >= 1,
            f"the planner's types are depths of 1 or more, got {types.values}",
        )
        require(
            0 < number(discount, "a discount") <= 1,
            f"a discount lies above 0 and at most at 1, got {discount}",
        )
        require(leaf in ("zero", "random"), f"leaf is 'zero' or 'random', got {leaf!r}")
        check_tolerance(tie_tolerance)
        rules = View(game) if isinstance(game, ModuleType) else game
        self.game = rules if isinstance(rules, TabularGame) else tabulate(rules)
        self.types = types
        self.discount = discount
        self.tie_tolerance = tie_tolerance
        self._known = KnownTypeValues(self.game, types.values, discount, leaf, tie_tolerance)

    def known(self, state: int, assignment: Sequence[int]) -> FloatArray:
        """Q^C: value of each legal action if all types are known.

        ``assignment`` gives every player's type. The actor plans with its own; a teammate above
        it is infeasible (``types.cap`` makes it the best effort). Opponents' types play no part.
        """
        actor = self._actor(state)
        ranks = self.types.ranks(assignment)
        require(
            ranks.shape == (self.game.players,),
            f"an assignment has one type for each of {self.game.players} players, got {assignment}",
        )
        for player, c in enumerate(assignment):
            if self.game.teams[player] == self.game.teams[actor]:
                self.types.require_feasible(c, assignment[actor], f"planning with player {player}")
        return self._known_q(state, int(ranks[actor]), tuple(ranks.tolist()))

    def oblivious(self, state: int, own: int) -> FloatArray:
        """Values to an actor of type ``own`` that takes every teammate for its equal.

        The actor's own evaluation: another player of a weaker type has no business asking for it.
        """
        self._actor(state)
        rank = self.types.rank(own)
        return self._known_q(state, rank, (rank,) * self.game.players)

    def minimizer(self, state: int, own: int) -> FloatArray:
        """Values to an actor of type ``own`` that expects the worst of every teammate."""
        actor, rank = self._actor(state), self.types.rank(own)
        ranks = [MINIMISES] * self.game.players
        ranks[actor] = rank
        return self._known_q(state, rank, tuple(ranks))

    def table(
        self, state: int, beliefs: Beliefs, temperature: Temperature = 1.0, look_ahead: int = 1
    ) -> FloatArray:
        """``(types, legal actions)`` values to the actor if it were of type c, for every c.

        Row c is Q^c_φ(s, B[actor=c]↓c, ·) in the eyes of the holder of ``beliefs``; rows of types
        above the holder's own are NaN. Look-ahead beyond a type's depth is its depth. This is what
        an update rule makes evidence of.
        """
        actor = self._actor(state)
        self._check_holder(beliefs)
        believed = hypotheses(beliefs, actor, temperature)
        rows = np.full((len(self.types), len(self.game.legal_actions(state))), np.nan)
        for rank in range(int(beliefs.rank) + 1):
            rows[rank] = self._on_belief(state, actor, rank, believed[rank], look_ahead)
        return rows

    def q(
        self,
        state: int,
        beliefs: Beliefs,
        as_type: int,
        temperature: Temperature = 1.0,
        look_ahead: int = 1,
    ) -> FloatArray:
        """One row of :meth:`table`; :class:`InfeasibleType` above the holder's own type."""
        actor = self._actor(state)
        self._check_holder(beliefs)
        self.types.require_feasible(as_type, int(beliefs.own), "this evaluation")
        rank = self.types.rank(as_type)
        believed = hypotheses(beliefs, actor, temperature)[rank]
        return self._on_belief(state, actor, rank, believed, look_ahead)

    def greedy(self, q: ArrayLike) -> FloatArray:
        """Chance of each action under greedy play: uniform over the best, ties included.

        >>> from sizeup.planning import corridors
        >>> Planner(corridors(players=2), TypeSet((1,))).greedy(np.array([2.0, 0.0, 2.0]))
        array([0.5, 0. , 0.5])
        """
        best = best_actions(q, self.tie_tolerance)
        return np.asarray(best / best.sum())

    def __repr__(self) -> str:
        size = f"{self.game.players} players, {self.game.states} states"
        return f"Planner({size}, types={self.types.values}, discount={self.discount})"

    def _on_belief(
        self, state: int, actor: int, rank: int, believed: FloatArray, steps: int
    ) -> FloatArray:
        """Q^c_φ for c of this rank, with ``believed (players, types)`` weighing the assignments."""
        team = np.array(self.game.teams) == self.game.teams[actor]
        certain = np.arange(len(self.types)) == rank  # opponents' types play no part in a plan
        believed = np.where(team[:, None], believed, certain)
        listed = assignments(believed > 0)
        view = _Seat(self, actor, rank, listed)
        steps = min(whole(steps, "look_ahead", least=1), self.types.values[rank])
        return look_ahead_values(view, state, phi(believed, listed), steps)

    def _known_q(self, state: int, own: int, ranks: tuple[int, ...]) -> FloatArray:
        team = self.game.teams[int(self.game.actor[state])]
        ahead = self._known.values(team, own, ranks)[-1]
        return self._known.action_values_at(team, ahead, state)

    def _actor(self, state: int) -> int:
        self.game.check_state(state)
        actor = int(self.game.actor[state])
        require(
            actor >= 0,
            f"no player acts in state {self.game.state_names[state]!r}: it is "
            f"{'a chance state' if actor == CHANCE else 'terminal'}",
        )
        return actor

    def _check_holder(self, beliefs: Beliefs) -> None:
        require(isinstance(beliefs, Beliefs), f"expected Beliefs, got {beliefs!r}")
        require(
            beliefs.types == self.types and beliefs.players == self.game.players,
            f"the beliefs are about {beliefs.players} players of types {beliefs.types.values}; "
            f"this planner has {self.game.players} players of types {self.types.values}",
        )
        require(beliefs.rank.ndim == 0, "plan on one holder's beliefs: index the team first")


class _Seat:
    """The game as one planner sees it, solved for a list of assignments (for ``look_ahead``)."""

    def __init__(self, planner: Planner, actor: int, rank: int, listed: IntArray) -> None:
        self.discount = planner.discount
        self._game, self._known = planner.game, planner._known
        self._player, self._team, self._rank = actor, planner.game.teams[actor], rank
        self._assignments = [tuple(ranks) for ranks in listed.tolist()]

    def moves(self, state: int) -> list[list[tuple[float, float, int]]]:
        """See :meth:`sizeup.capability.Solved.moves`."""
        sign = 1.0 if self._team == 0 else -1.0
        return [
            [
                (chance, sign * (reward + self.discount * drawn), after)
                for chance, drawn, after in self._game.drawn(following)
            ]
            for reward, following in self._game.edges(state)
        ]

    def chooser(self, state: int, steps: int) -> Literal["me", "opponent"] | FloatArray:
        """See :meth:`sizeup.capability.Solved.chooser`."""
        actor = int(self._game.actor[state])
        if actor == self._player:
            return "me"
        if self._game.teams[actor] != self._team:
            return "opponent"
        return np.array(
            [self._play(state, ranks, ranks[actor], steps) for ranks in self._assignments]
        )

    def values(self, state: int, steps: int) -> FloatArray:
        """See :meth:`sizeup.capability.Solved.values`."""
        return np.array(
            [
                self._known.values(self._team, self._rank, ranks)[-steps, state]
                for ranks in self._assignments
            ]
        )

    def _play(self, state: int, ranks: tuple[int, ...], rank: int, steps: int) -> FloatArray:
        """Play of a teammate of known rank; an equal one knows how far the plan has come."""
        ahead = steps + 1 if rank == self._rank else 1
        values = self._known.values(self._team, rank, ranks)[-ahead]
        q = self._known.action_values_at(self._team, values, state)
        best = best_actions(q, self._known.tie_tolerance)
        return np.asarray(best / best.sum())
