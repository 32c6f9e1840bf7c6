"""Values for known types, by backward induction: the definition that tree search converges to.

W(s, h, c, C) is the value of state s to a planner of type c that looks h more steps ahead, if
the players' types are C (nobody above c):

- h = 0 or the game over: the leaf value, 0 or the return of uniform random play for c steps;
- chance moves: the expectation of r + W(s', h, c, C). Chance takes no step of its own and no
  discount of its own: a type of depth 1 sees what its action leads to by chance;
- an opponent moves: the minimum (opponents are modelled as equally deep minimisers);
- a teammate of type c or above moves: the maximum of r + γ·W(s', h-1, c, C);
- a weaker teammate k moves: the expectation of r + γ·W(s', h-1, c, C) under its own play, which
  is uniform over the best actions of its own plan, r + γ·W(s', C_k - 1, C_k, C capped at C_k).

Types are depths here; arrays are indexed by their ranks. All states are computed at once.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from sizeup.capability.arrays import FloatArray
from sizeup.capability.updates import best_actions
from sizeup.planning.tabular import TabularGame

__all__ = ["MINIMISES", "KnownTypeValues", "Leaf"]

Leaf: TypeAlias = Literal["zero", "random"]

_SIGNS = {0: 1.0, 1: -1.0}  # rewards are team 0's; team 1 receives their negative

MINIMISES = -1
"""In place of a teammate's rank: the planner expects the worst of it."""


class KnownTypeValues:
    """W and Q for known types, memoised by team, planner's type and assignment."""

    def __init__(
        self,
        game: TabularGame,
        depths: tuple[int, ...],
        discount: float,
        leaf: Leaf,
        tie_tolerance: float,
    ) -> None:
        self.game = game
        self.depths = depths
        self.discount = discount
        self.leaf = leaf
        self.tie_tolerance = tie_tolerance
        self._values: dict[tuple[int, int, tuple[int, ...]], FloatArray] = {}
        self._leaves: dict[tuple[int, int], FloatArray] = {}
        self._states_of = [np.flatnonzero(game.actor == k) for k in range(game.players)]
        self._chance_levels = game.chance_levels()

    def values(self, team: int, own: int, assignment: tuple[int, ...]) -> FloatArray:
        """``(depth, states)`` W(s, h, own, assignment) for h = 0 .. depth - 1."""
        key = (team, own, self._as_planned(team, own, assignment))
        if key not in self._values:
            self._values[key] = self._induct(*key)
        return self._values[key]

    def action_values_at(self, team: int, ahead: FloatArray, state: int) -> FloatArray:
        """``(legal actions,)`` r + γ·ahead[s'] in one state."""
        rewards, following = zip(*self.game.edges(state), strict=True)
        gained = _SIGNS[team] * np.array(rewards)
        return np.asarray(gained + self.discount * ahead[list(following)])

    def _action_values(self, team: int, ahead: FloatArray) -> FloatArray:
        """``(states, actions)`` r + γ·ahead[s'], 0 where an action is not legal."""
        q = _SIGNS[team] * self.game.reward + self.discount * ahead[self.game.successor]
        return np.where(self.game.legal, q, 0.0)

    def _as_planned(self, team: int, own: int, assignment: tuple[int, ...]) -> tuple[int, ...]:
        """One name for assignments that plan alike.

        Teammates count as at most the planner's equals, opponents as exactly that.
        """
        return tuple(
            min(rank, own) if self.game.teams[player] == team else own
            for player, rank in enumerate(assignment)
        )

    def _induct(self, team: int, own: int, assignment: tuple[int, ...]) -> FloatArray:
        """Backward induction from the leaves."""
        play = self._play_of_weaker(team, own, assignment)
        levels = [self._leaf_values(team, self.depths[own])]
        for _ in range(1, self.depths[own]):
            q = self._action_values(team, levels[-1])
            levels.append(self._through_chance(team, self._decide(team, own, assignment, q, play)))
        return np.stack(levels)

    def _decide(
        self, team: int, own: int, assignment: tuple[int, ...], q: FloatArray, play: FloatArray
    ) -> FloatArray:
        """``(states,)`` value of every player's state, from the values of its actions."""
        value = np.zeros(self.game.states)
        for player, rank in enumerate(assignment):
            mine = self._states_of[player]
            legal, here = self.game.legal[mine], q[mine]
            if self.game.teams[player] != team or rank == MINIMISES:
                value[mine] = np.where(legal, here, np.inf).min(axis=1)
            elif rank >= own:
                value[mine] = np.where(legal, here, -np.inf).max(axis=1)
            else:
                value[mine] = (play[mine] * here).sum(axis=1)
        return value

    def _play_of_weaker(self, team: int, own: int, assignment: tuple[int, ...]) -> FloatArray:
        """``(states, actions)`` what teammates weaker than the planner do in their states."""
        play = np.zeros(self.game.successor.shape)
        for player, rank in enumerate(assignment):
            if self.game.teams[player] == team and 0 <= rank < own:
                mine = self._states_of[player]
                q = self._action_values(team, self.values(team, rank, assignment)[-1])[mine]
                legal = self.game.legal[mine]
                best = best_actions(np.where(legal, q, -np.inf), self.tie_tolerance) & legal
                play[mine] = best / best.sum(axis=1, keepdims=True)
        return play

    def _leaf_values(self, team: int, depth: int) -> FloatArray:
        key = (team, depth if self.leaf == "random" else 0)
        if key not in self._leaves:
            value = self._through_chance(team, np.zeros(self.game.states))
            count = np.maximum(1, self.game.legal.sum(axis=1))
            acting = self.game.actor >= 0
            for _ in range(key[1]):
                mean = self._action_values(team, value).sum(axis=1) / count
                value = self._through_chance(team, np.where(acting, mean, 0.0))
            self._leaves[key] = value
        return self._leaves[key]

    def _through_chance(self, team: int, value: FloatArray) -> FloatArray:
        """Fill in the value of chance states, those nearest to a player's state first."""
        for states in self._chance_levels:
            following = self.game.successor[states]
            gained = _SIGNS[team] * self.game.reward[states] + value[following]
            value[states] = (self.game.chance[states] * gained).sum(axis=1)
        return value
