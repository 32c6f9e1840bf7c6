"""An agent from a file: seeds, searches and every move it sees decide what it does and believes."""

import numpy as np


class Agent:
    def __init__(self, seat):
        self.seat = seat
        self.weights = np.ones((len(seat.view.teams), len(seat.types)))

    def choose(self, state, seed):
        actions = self.seat.view.actions(state)
        drawn = int((seed + self.weights.sum()) % (len(actions) + 1))
        return actions[drawn] if drawn < len(actions) else self.seat.search(state, seed).action

    def observe(self, state, actor, action, seed):
        self.weights[actor, (action + seed) % len(self.seat.types)] += 1

    def probabilities(self):
        return self.weights / self.weights.sum(axis=1, keepdims=True)

    def explain(self):
        return f"it has seen {self.weights.sum():.0f} moves"
