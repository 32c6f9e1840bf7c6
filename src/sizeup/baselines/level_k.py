"""Level-k: level 0 plays at random, and level k does what is best if all others are level k − 1.

Dale Stahl, Paul Wilson, "On players' models of other players", Games and Economic Behavior 10,
1995; Rosemarie Nagel, "Unraveling in guessing games", American Economic Review 85, 1995. The type
of the agent is its level: ``level-k:2`` takes everybody else, teammate or opponent, for level 1.

Simplified: games here are played move by move, so a level's policy is a best response in the game
that is cut off after a few moves (two, or more while all that the levels look at is within
:attr:`Agent.states`; nothing counts beyond), found exactly; ties are broken at random, by all
levels. :mod:`~sizeup.baselines.hierarchy` is the same with a mixture of levels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sizeup.agents.plugin import Seat
from sizeup.baselines.library import Floats, own_type
from sizeup.games.contract import CHANCE

__all__ = ["Agent", "Levels", "Tree", "one_below"]

_TIE = 1e-9
_LEAST_MOVES, _MOST_MOVES = 2, 8

Mixture = Callable[[int], Floats]
"""What level k takes others for: probabilities of the levels 0 to k − 1."""


class _TooManyStates(Exception):
    """Levels have looked at more than they may."""


def one_below(level: int) -> Floats:
    """Everybody else is one level below.

    >>> one_below(3)
    array([0., 0., 1.])
    """
    return np.asarray(np.eye(level)[-1])


class Opened(NamedTuple):
    """A state: who acts, what there is to do, and the state and the reward that each leads to."""

    actor: int
    actions: tuple[int, ...]
    after: tuple[tuple[Any, float], ...]


class Tree(dict[Any, Opened]):
    """States of a game, each worked out once, however many levels look at it."""

    def __init__(self, game: Any) -> None:
        super().__init__()
        self.game = game

    def __missing__(self, state: Any) -> Opened:
        """Work out a state that nobody has looked at."""
        actions = self.game.actions(state)
        after = tuple(self.game.apply(state, action) for action in actions)
        self[state] = found = Opened(self.game.actor(state), actions, after)
        return found


class Levels:
    """Policies of all levels in a game that ends after some moves; chance does not count as one.

    Parameters
    ----------
    game
        A :class:`~sizeup.games.contract.View`, or anything with its methods.
    discount
        What a reward one move later is worth.
    mixture
        What a level takes others for.
    most
        How many states all levels together may look at, if that matters.
    tree
        States of the game that are worked out already, if there are any.
    """

    def __init__(
        self, game: Any, discount: float = 1.0, mixture: Mixture = one_below,
        most: int | None = None, tree: Tree | None = None,
    ) -> None:  # fmt: skip
        self._tree = Tree(game) if tree is None else tree
        self._game, self._discount, self._mixture = game, discount, mixture
        self._left = most
        self._values: dict[tuple[int, int, int, Any], float] = {}
        self._policies: dict[tuple[int, int, Any], Floats] = {}

    def policy(self, level: int, state: Any, moves: int) -> Floats:
        """How whoever acts plays, if it is of this level and the game ends after these moves."""
        known = self._policies.get((level, moves, state))
        if known is None:
            known = self._policies[level, moves, state] = self._policy(level, state, moves)
        return known

    def _policy(self, level: int, state: Any, moves: int) -> Floats:
        here = self._tree[state]
        if level == 0:
            return np.full(len(here.actions), 1.0 / len(here.actions))
        values = self.values(level, here.actor, state, moves)
        best = values >= values.max() - _TIE
        return np.asarray(best / best.sum())

    def values(self, level: int, player: int, state: Any, moves: int) -> Floats:
        """What each action or outcome here is worth to a player of this level."""
        sign = 1.0 if self._game.teams[player] == 0 else -1.0
        here = self._tree[state]
        left, weight = (moves, 1.0) if here.actor == CHANCE else (moves - 1, self._discount)
        self._spend(len(here.actions))
        return np.array(
            [
                sign * reward + weight * self.value(level, player, after, left)
                for after, reward in here.after
            ]
        )

    def value(self, level: int, player: int, state: Any, moves: int) -> float:
        """What a state is worth to a player of this level, who plays on from here."""
        if moves <= 0 or not self._tree[state].actions:
            return 0.0
        key = level, player, moves, state
        if key not in self._values:
            self._values[key] = self._value(level, player, state, moves)
        return self._values[key]

    def _value(self, level: int, player: int, state: Any, moves: int) -> float:
        values, actor = self.values(level, player, state, moves), self._tree[state].actor
        if actor == player:
            return float(values.max())
        if actor == CHANCE:
            return float(values @ np.array(self._game.probabilities(state)))
        return float(values @ self.others(level, state, moves))

    def others(self, level: int, state: Any, moves: int) -> Floats:
        """How a player of this level expects somebody else to play."""
        mixed = np.zeros(len(self._tree[state].actions))
        for lower, share in enumerate(self._mixture(level)):
            if share > 0:
                mixed += share * self.policy(lower, state, moves)
        return mixed

    def _spend(self, states: int) -> None:
        if self._left is not None:
            self._left -= states
            if self._left < 0:
                raise _TooManyStates


class Agent:
    """One agent in one seat of one match."""

    states = 5000

    def __init__(self, seat: Seat) -> None:
        self.seat, self.level = seat, own_type(seat)
        given = seat.options.discount
        self.discount = float(seat.view.info.discount if given is None else given)
        self.expects = 0.0

    def choose(self, state: Any, seed: int) -> int:
        """A best response to the levels below, ties at random."""
        tree = Tree(self.seat.view)
        values = self._values(state, _LEAST_MOVES, None, tree)
        for moves in range(_LEAST_MOVES + 1, _MOST_MOVES + 1):
            try:
                values = self._values(state, moves, self.states, tree)
            except _TooManyStates:
                break
        self.expects = float(values.max())
        best = np.flatnonzero(values >= values.max() - _TIE)
        drawn = int(np.random.default_rng(seed).choice(best))
        return self.seat.view.actions(state)[drawn]

    def mixture(self, level: int) -> Floats:
        """What a level takes others for."""
        return one_below(level)

    def _values(self, state: Any, moves: int, most: int | None, tree: Tree) -> Floats:
        levels = Levels(self.seat.view, self.discount, self.mixture, most, tree)
        return levels.values(self.level, self.seat.player, state, moves)

    def explain(self) -> str:
        """What it hopes for."""
        return f"at level {self.level} it expects {self.expects:.1f} points of this"
