"""One game while others play it: chance and the end are seen to, and every move is kept.

Random numbers are drawn as in a match (:mod:`sizeup.play.match`): the same players with the same
seed play the same game here and there.
"""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np

from sizeup.errors import InvalidInput
from sizeup.games.contract import CHANCE, View
from sizeup.play.match import CHANCES, adjourned, random_seed, winner

__all__ = ["Episode", "Step", "checked_seed"]


class Step(NamedTuple):
    """A move or what chance did: how many moves were made before it, and its reward to team 0."""

    ply: int
    state: Any
    actor: int
    action: int
    reward: float


class Episode:
    """A game that is under way.

    ``actor`` and ``legal`` are of the player to move; ``ended`` says why nobody is, and
    ``is_over`` whether the game itself is over or was only stopped.

    Parameters
    ----------
    view
        The game.
    seed
        What chance draws from.
    most_moves
        Moves of players after which the game is stopped, if the game itself does not do so.

    Examples
    --------
    >>> from sizeup.games import harvest
    >>> episode = Episode(View(harvest), seed=1)
    >>> episode.actor, episode.play(harvest.SOW)
    (0, 0.0)
    >>> [(step.actor, step.action) for step in episode.steps], episode.actor
    ([(0, 1), (-1, 1)], 1)
    """

    def __init__(self, view: View, seed: int, most_moves: int | None = None) -> None:
        self.view, self.seed, self.most_moves = view, seed, most_moves
        self.state = view.start()
        self.steps: list[Step] = []
        self.plies = self.quiet = 0
        self.opening = self._play_chance()
        if self.ended is not None:
            raise InvalidInput(
                f"{view.info.name} is over before anybody moves ({self.ended}); give other params"
            )

    def play(self, action: int) -> float:
        """Make a move; its reward to team 0, with that of what chance does next."""
        reward = self._apply(self.actor, action)
        self.plies += 1
        self.quiet = self.quiet + 1 if reward == 0 else 0
        return reward + self._play_chance()

    @property
    def total(self) -> float:
        """All rewards to team 0 so far."""
        return float(sum(step.reward for step in self.steps))

    @property
    def winner(self) -> int | None:
        """Team that has won, if there is one."""
        return None if self.ended is None else winner(self.view, self.state, self.total)

    def _play_chance(self) -> float:
        """Let chance decide until it is a player's turn, and see where the game stands."""
        reward = 0.0
        self._look()
        while self.ended is None and self.actor == CHANCE:
            odds = self.view.probabilities(self.state)
            rng = np.random.default_rng(
                random_seed(self.seed, self.plies, CHANCES, len(self.steps))
            )
            drawn = int(rng.choice(len(self.legal), p=odds))
            reward += self._apply(CHANCE, self.legal[drawn])
            self._look()
        return reward

    def _apply(self, actor: int, action: int) -> float:
        before = self.state
        self.state, reward = self.view.apply(before, action)
        self.steps.append(Step(self.plies, before, actor, action, reward))
        return reward

    def _look(self) -> None:
        self.legal = self.view.actions(self.state)
        self.actor = self.view.acting(self.state)
        self.is_over = not self.legal
        self.ended = "the game is over" if self.is_over else self._stopped()

    def _stopped(self) -> str | None:
        if self.most_moves is not None and self.plies >= self.most_moves:
            return f"{self.most_moves} moves made"
        return adjourned(self.view, self.plies, self.quiet)


def checked_seed(seed: Any) -> int:
    """A whole number of 0 or more, also one of NumPy's."""
    try:
        whole = operator.index(seed)
    except TypeError:
        whole = -1
    if isinstance(seed, bool) or whole < 0:
        raise InvalidInput(f"a seed is a whole number of 0 or more, got {seed!r}")
    return whole
