"""The expector: it takes the move that is worth most if its partner answers as its partner does.

Karim Hamade, Reid McIlroy-Young, Siddhartha Sen, Jon Kleinberg, Ashton Anderson, "Designing
skill-compatible AI: methodologies and frameworks in chess", ICLR 2024. A strong engine beside a
weaker one looks a few moves ahead, with a model of the weaker one in its place, and takes the move
after which its own engine, which assumes strong play from there on, expects most.

Simplified: the partner's model is a search of the weakest type that the agent considers
(``expector:8@2,8`` knows its partner for a 2); opponents are searches of its own type. Expectations
are means over a few drawn lines of one round, until it is the agent's turn again, and only for the
moves that its own search visited most. It keeps that model, whatever the partner does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sizeup.agents.plugin import Seat
from sizeup.baselines.library import own_type, seeds_of
from sizeup.games.contract import CHANCE

__all__ = ["Expector"]


class Expector:
    """One agent in one seat of one match."""

    lines = 3  # that are played out for each move
    moves = 4  # that are tried

    def __init__(self, seat: Seat) -> None:
        self.seat, self.own = seat, own_type(seat)
        self.junior = min(self.own, *seat.types)
        given = seat.options.discount
        self.discount = float(seat.view.info.discount if given is None else given)
        self.expects = 0.0

    def choose(self, state: Any, seed: int) -> int:
        """The move of the largest expected value; of equals, the most visited."""
        actions = self.seat.view.actions(state)
        if len(actions) > 1:
            visits = self.seat.search(state, seed).visits[-1]
            actions = tuple(actions[i] for i in np.argsort(-visits, kind="stable")[: self.moves])
        seeds = seeds_of(seed, self.lines)  # the same for all moves, so that luck is shared
        values = [np.mean([self.line(state, move, one) for one in seeds]) for move in actions]
        self.expects = float(max(values))
        return actions[int(np.argmax(values))]

    def line(self, state: Any, move: int, seed: int) -> float:
        """What a line that begins with a move is worth to the agent's team."""
        view, team = self.seat.view, self.seat.view.teams[self.seat.player]
        total, weight = 0.0, 1.0
        for made, one in enumerate(seeds_of(seed, 2 * len(view.teams))):
            action = move if made == 0 else self.reply(state, one)
            counts = view.actor(state) != CHANCE
            state, reward = view.apply(state, action)
            total += weight * (reward if team == 0 else -reward)
            weight *= self.discount if counts else 1.0
            if view.actor(state) == self.seat.player or not view.actions(state):
                break
        return total + weight * self.worth(state, seed)

    def reply(self, state: Any, seed: int) -> int:
        """What chance, a teammate or an opponent does."""
        view, actor = self.seat.view, self.seat.view.actor(state)
        actions = view.actions(state)
        if actor == CHANCE:
            odds = view.probabilities(state)
            return int(np.random.default_rng(seed).choice(actions, p=odds))
        if len(actions) == 1:
            return actions[0]
        mate = actor in self.seat.team
        return self.seat.search(state, seed, own=self.junior if mate else self.own).action

    def worth(self, state: Any, seed: int) -> float:
        """The engine's evaluation, to the agent's team; nothing where nobody acts."""
        view, actor = self.seat.view, self.seat.view.actor(state)
        if actor == CHANCE or not view.actions(state):
            return 0.0
        found = self.seat.search(state, seed)
        value = float(found.values[-1][found.actions.index(found.action)])
        return value if actor in self.seat.team else -value

    def explain(self) -> str:
        """What it expects, and of whom."""
        return f"it expects {self.expects:.1f} points with a partner of type {self.junior}"


Agent = Expector
