"""Your own small game in plain Python, and three players who size each other up in it.

Three friends share one rope at a cliff. Whoever holds it takes a stone (1, for sure) and lets the
rope down, or climbs a step, which costs 1; then the weather decides. Three steps up lies a nest
worth 20, which only a deep player sees from below. For a game at full speed, with a board in the
terminal and the browser, start from `sizeup new-game my_game`.
"""

from statistics import mean, stdev
from typing import NamedTuple

from sizeup.capability import assemble
from sizeup.planning import CHANCE, Planner, play_episode


class Cliff(NamedTuple):
    """Who holds the rope, how high they are, and whether the weather has yet to decide."""

    holder: int
    height: int = 0
    weather: bool = False


class Rope:
    """The rules; see sizeup.planning.SmallGame."""

    teams = (0, 0, 0)

    def start(self):
        return Cliff(holder=0)

    def actor(self, state):
        return CHANCE if state.weather else state.holder

    def actions(self, state):
        return ("calm", "storm") if state.weather else ("stone", "climb")

    def probabilities(self, state):
        return (0.9, 0.1)

    def apply(self, state, action):
        following = (state.holder + 1) % 3
        if action == "stone":
            return Cliff(following), 1.0
        if action == "climb":
            return state._replace(height=state.height + 1, weather=True), -1.0
        if action == "storm":
            return Cliff(following), 0.0
        if state.height == 3:
            return Cliff(following), 20.0
        return Cliff(following, state.height), 0.0


def main():
    planner = Planner(Rope(), types=(1, 3))
    for plan in ("oblivious", "aware"):
        totals = [
            play_episode(planner, own=(3, 1, 1), turns=30, seed=seed, plan=plan).total
            for seed in range(100)
        ]
        half_width = 1.96 * stdev(totals) / len(totals) ** 0.5
        print(f"{plan:10} {mean(totals):6.1f} ± {half_width:.1f} (n = {len(totals)})")

    episode = play_episode(planner, own=(3, 1, 1), turns=30, seed=0)
    print("player 0 on", episode.beliefs[0].explain(1))
    print("one type structure:", assemble(episode.beliefs).own)


if __name__ == "__main__":
    main()
