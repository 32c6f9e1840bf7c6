"""Level-k: level 0 plays at random, and level k does what is best if all others are level k − 1.

Dale Stahl, Paul Wilson, "On players' models of other players", Games and Economic Behavior 10,
1995; Rosemarie Nagel, "Unraveling in guessing games", American Economic Review 85, 1995. The type
of the agent is its level: ``level-k:2`` takes everybody else, teammate or opponent, for level 1.

Simplified: games here are played move by move, so a level's policy is a best response in the game
that is cut off after a few moves (two, or more while all that the levels look at is within
:attr:`LevelK.states`; nothing counts beyond), found exactly; ties are broken at random, by all
levels. :mod:`~sizeup.baselines.hierarchy` is the same with a mixture of levels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from sizeup.agents.plugin import Seat
from sizeup.baselines.library import Floats, own_type
from sizeup.games.contract import CHANCE

__all__ = ["KnownStates", "LevelK", "Levels", "one_below"]

_TIE = 1e-9
_LEAST_MOVES, _MOST_MOVES = 2, 8
_MOST_KEPT = 20_000  # states, in one match

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


class Expanded(NamedTuple):
    """A state: who acts, and the state and the reward that each action or outcome leads to."""

    actor: int
    after: tuple[tuple[Any, float], ...]


class KnownStates(dict[Any, Expanded]):
    """States of a game, each worked out once, however many levels look at it."""

    def __init__(self, game: Any) -> None:
        super().__init__()
        self.game = game

    def __missing__(self, state: Any) -> Expanded:
        """Work out a state that nobody has looked at."""
        actions = self.game.actions(state)
        after = tuple(self.game.apply(state, action) for action in actions)
        self[state] = found = Expanded(self.game.actor(state), after)
        return found


def _mean(values: Sequence[float], chances: Sequence[float]) -> float:
    # Lists and not arrays: with a handful of actions, each call of NumPy costs more than all of it.
    return sum(value * chance for value, chance in zip(values, chances, strict=True))


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
        most: int | None = None, tree: KnownStates | None = None,
    ) -> None:  # fmt: skip
        self._tree = KnownStates(game) if tree is None else tree
        self._game, self._discount, self._mixture = game, discount, mixture
        self._left, self._teams = most, game.teams
        self._values: dict[tuple[int, int, int, Any], float] = {}
        self._policies: dict[tuple[int, int, Any], Sequence[float]] = {}
        self._mixtures: dict[int, tuple[float, ...]] = {}

    def policy(self, level: int, state: Any, moves: int) -> Floats:
        """How whoever acts plays, if it is of this level and the game ends after these moves."""
        return np.array(self._policy(level, state, moves))

    def _policy(self, level: int, state: Any, moves: int) -> Sequence[float]:
        known = self._policies.get((level, moves, state))
        if known is None:
            known = self._policies[level, moves, state] = self._best(level, state, moves)
        return known

    def _best(self, level: int, state: Any, moves: int) -> Sequence[float]:
        here = self._tree[state]
        if level == 0:
            return [1.0 / len(here.after)] * len(here.after)
        worth = self._worth(level, here.actor, state, moves)
        good = max(worth) - _TIE
        best = sum(one >= good for one in worth)
        return [(one >= good) / best for one in worth]

    def values(self, level: int, player: int, state: Any, moves: int) -> Floats:
        """What each action or outcome here is worth to a player of this level."""
        return np.array(self._worth(level, player, state, moves))

    def _worth(self, level: int, player: int, state: Any, moves: int) -> list[float]:
        sign = 1.0 if self._teams[player] == 0 else -1.0
        here = self._tree[state]
        left, weight = (moves, 1.0) if here.actor == CHANCE else (moves - 1, self._discount)
        self._spend(len(here.after))
        return [
            sign * reward + weight * (self.value(level, player, after, left) if left > 0 else 0.0)
            for after, reward in here.after
        ]

    def value(self, level: int, player: int, state: Any, moves: int) -> float:
        """What a state is worth to a player of this level, who plays on from here."""
        if moves <= 0 or not self._tree[state].after:
            return 0.0
        key = level, player, moves, state
        found = self._values.get(key)
        if found is None:
            found = self._values[key] = self._value(level, player, state, moves)
        return found

    def _value(self, level: int, player: int, state: Any, moves: int) -> float:
        worth, actor = self._worth(level, player, state, moves), self._tree[state].actor
        if actor == player:
            return max(worth)
        if actor == CHANCE:
            return _mean(worth, self._game.probabilities(state))
        return _mean(worth, self._others(level, state, moves))

    def _others(self, level: int, state: Any, moves: int) -> list[float]:
        """How a player of this level expects somebody else to play."""
        mixed = [0.0] * len(self._tree[state].after)
        for lower, share in enumerate(self._shares(level)):
            if share > 0:
                for action, chance in enumerate(self._policy(lower, state, moves)):
                    mixed[action] += share * chance
        return mixed

    def _shares(self, level: int) -> tuple[float, ...]:
        if level not in self._mixtures:
            self._mixtures[level] = tuple(self._mixture(level).tolist())
        return self._mixtures[level]

    def _spend(self, states: int) -> None:
        if self._left is not None:
            self._left -= states
            if self._left < 0:
                raise _TooManyStates


class LevelK:
    """One agent in one seat of one match."""

    states = 5000

    def __init__(self, seat: Seat) -> None:
        self.seat, self.level = seat, own_type(seat)
        given = seat.options.discount
        self.discount = float(seat.view.info.discount if given is None else given)
        self.expects = 0.0
        self._tree = KnownStates(seat.view)  # moves later, most of what is looked at is known

    def choose(self, state: Any, seed: int) -> int:
        """A best response to the levels below, ties at random."""
        if len(self._tree) > _MOST_KEPT:
            self._tree.clear()
        values = self._values(state, _LEAST_MOVES, None)
        for moves in range(_LEAST_MOVES + 1, _MOST_MOVES + 1):
            try:
                values = self._values(state, moves, self.states)
            except _TooManyStates:
                break
        self.expects = float(values.max())
        best = np.flatnonzero(values >= values.max() - _TIE)
        drawn = int(np.random.default_rng(seed).choice(best))
        return self.seat.view.actions(state)[drawn]

    def mixture(self, level: int) -> Floats:
        """What a level takes others for."""
        return one_below(level)

    def _values(self, state: Any, moves: int, most: int | None) -> Floats:
        levels = Levels(self.seat.view, self.discount, self.mixture, most, self._tree)
        return levels.values(self.level, self.seat.player, state, moves)

    def explain(self) -> str:
        """What it hopes for."""
        return f"at level {self.level} it expects {self.expects:.1f} points of this"


Agent = LevelK
