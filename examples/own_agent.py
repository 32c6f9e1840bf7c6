"""Your own agent in a file: it plans with the strongest partner that it still considers possible.

Run this file to check it and play it, or use it anywhere an agent goes:

    sizeup watch wall-of-fire --team examples/own_agent.py:20@2,20+obl:2
"""

from pathlib import Path

import numpy as np

import sizeup
from sizeup.capability import Beliefs, Tempered
from sizeup.play.words import sentence
from sizeup.words import figure

RULE = Tempered(temperature=0.1, clip=0.5)


class Agent:
    """Learns by the published rule, and hopes for the best."""

    def __init__(self, seat):
        self.seat = seat
        self.beliefs = Beliefs.initial(seat.types, seat.own, len(seat.view.teams))
        self.hope = ""

    def choose(self, state, seed):
        feasible = [c for c in self.seat.types if c <= self.seat.own]
        odds = self.probabilities()[:, : len(feasible)]
        best = {player: int(np.flatnonzero(row > 0.05).max()) for player, row in enumerate(odds)}
        mate = next((p for p in self.seat.team if p != self.seat.player), self.seat.player)
        self.hope = f"it hopes for a partner of type {feasible[best[mate]]}"
        hoped = {player: np.eye(len(feasible))[rank] for player, rank in best.items()}
        return self.seat.search(state, seed, beliefs=hoped).action

    def observe(self, state, actor, action, seed):
        if actor not in self.seat.team or len(self.seat.view.actions(state)) < 2:
            return
        found = self.seat.search(state, seed)
        shares = np.full((len(self.seat.types), len(found.actions)), np.nan)
        shares[: len(found.shares)] = found.shares  # nothing above its own type
        evidence = RULE.evidence(shares, found.actions.index(action))
        self.beliefs = self.beliefs.observe(actor, evidence)

    def probabilities(self):
        return self.beliefs.probabilities(RULE.temperature)

    def explain(self):
        return self.hope


def main():
    agent = sizeup.read_agent("own_agent.py:20@2,20", folder=Path(__file__).parent)
    report = sizeup.check_agent(agent, game="wall-of-fire", games=1)
    print(f"{report.name} passes: {report.moves} moves\n")
    record = sizeup.play("wall-of-fire", [[agent, "obl:2"]], seed=1)
    for move in record.moves[:4]:
        print(sentence(record, move))
    print(f"\ntotal {figure(record.total)}")


if __name__ == "__main__":
    main()
