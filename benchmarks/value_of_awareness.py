"""What it is worth to know how far a partner looks ahead, exactly, over families of random games.

Two players of one team, one deep and one shallow, play a random game (``random_game``). The shallow
one takes its partner for its equal. The deep one does one of three things:

- oblivious: it takes its partner for its equal;
- aware: it is told how far its partner looks ahead, and plans as far as its own depth goes;
- optimal: it plays the best response to what its partner does, without any limit of depth.

All three are stationary policies, so that what a team earns is found by solving linear equations:
nothing is sampled but the games. Values are discounted returns from the first state, in points of
reward (single rewards are -2 to 3), at the planner's own discount.

    python benchmarks/value_of_awareness.py    # two minutes; --games 1000 for the kept ones, ten
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sizeup.planning import CHANCE, Planner, TabularGame, random_game

DISCOUNT = 0.9
DEPTHS = (1, 2, 3, 4, 6, 8)
STATES = (8, 16, 32)
ACTIONS = (2, 3, 5)
NOISE = (0.0, 0.25, 0.5)
DEEP, SHALLOW = 0, 1

Policy = NDArray[np.float64]
"""Chance of each action, ``(states, actions)``; in chance's states, of each outcome."""


@dataclass(frozen=True)
class Row:
    """One game and one pair of depths: what the team earns in three ways, and what may predict it.

    ``horizon`` is the least depth from which on a team of equals earns what the best team earns;
    0 if none of the depths does. ``surprise`` is how much of what the shallow player does in play
    with an oblivious partner is not what that one would do in its place.
    """

    seed: int
    states: int
    actions: int
    noise: float
    deep: int
    shallow: int
    horizon: int
    surprise: float
    oblivious: float
    aware: float
    optimal: float

    @property
    def gain(self) -> float:
        """Aware minus oblivious."""
        return self.aware - self.oblivious

    @property
    def missing(self) -> float:
        """Optimal minus aware."""
        return self.optimal - self.aware


def rows_of(seed: int, states: int, actions: int, noise: float) -> Iterator[Row]:
    """Every pair of depths in one random game."""
    game = random_game(seed, players=2, states=states, actions=actions, chance=noise)
    planner = Planner(game, DEPTHS, DISCOUNT)
    alone = {depth: greedy_policy(planner, depth, depth) for depth in DEPTHS}
    horizon = _horizon(game, alone)
    for shallow, deep in combinations(DEPTHS, 2):
        partner, told = alone[shallow], greedy_policy(planner, deep, shallow)
        team = joined(game, alone[deep], partner)
        yield Row(
            seed, states, actions, noise, deep, shallow, horizon,
            surprise=surprise(game, team, alone[deep]),
            oblivious=value(game, team),
            aware=value(game, joined(game, told, partner)),
            optimal=best_value(game, partner, improved_by=(DEEP,)),
        )  # fmt: skip


def greedy_policy(planner: Planner, deep: int, shallow: int) -> Policy:
    """Greedy play on the exact values of these depths, wherever a player acts; ties by lot."""
    game = planner.game
    policy = np.array(game.chance)
    for state in np.flatnonzero(game.actor >= 0).tolist():
        own = deep if game.actor[state] == DEEP else shallow
        q = planner.known(state, (min(deep, own), min(shallow, own)))
        policy[state, list(game.legal_actions(state))] = planner.greedy(q)
    return policy


def joined(game: TabularGame, deep: Policy, shallow: Policy) -> Policy:
    """The deep player's policy where it acts, the shallow one's elsewhere."""
    return np.where((game.actor == DEEP)[:, None], deep, shallow)


def values(game: TabularGame, policy: Policy) -> NDArray[np.float64]:
    """Discounted return from every state."""
    return np.linalg.solve(_stays(game, policy), (policy * game.reward).sum(axis=1))


def surprise(game: TabularGame, team: Policy, expected: Policy) -> float:
    """Share of the shallow player's play, discounted, that is not as expected."""
    at = np.linalg.solve(_stays(game, team).T, np.eye(game.states)[game.start])
    at = np.where(game.actor == SHALLOW, at, 0.0)
    other = 1.0 - np.minimum(team, expected).sum(axis=1)
    return float(at @ other / at.sum()) if at.sum() > 0 else 0.0


def _stays(game: TabularGame, policy: Policy) -> NDArray[np.float64]:
    """One less the discounted moves between states; chance takes no step."""
    moves = np.zeros((game.states, game.states))
    for state, action in zip(*np.nonzero(policy), strict=True):
        moves[state, game.successor[state, action]] += policy[state, action]
    steps = np.where(game.actor == CHANCE, 1.0, DISCOUNT)[:, None]
    return np.asarray(np.eye(game.states) - steps * moves)


def value(game: TabularGame, policy: Policy) -> float:
    """Discounted return from the first state."""
    return float(values(game, policy)[game.start])


def best_value(game: TabularGame, policy: Policy, improved_by: Sequence[int]) -> float:
    """The most that these players can earn if everybody else keeps to the policy."""
    own = np.flatnonzero(np.isin(game.actor, improved_by))
    while True:
        q = game.reward + DISCOUNT * values(game, policy)[game.successor]
        q = np.where(game.legal, q, -np.inf)
        now = (policy * np.where(game.legal, q, 0.0)).sum(axis=1)
        worse = [state for state in own if q[state].max() > now[state] + 1e-10]
        if not worse:
            return value(game, policy)
        policy = policy.copy()
        policy[worse] = np.eye(policy.shape[1])[q[worse].argmax(axis=1)]


def _horizon(game: TabularGame, alone: Mapping[int, Policy]) -> int:
    best = best_value(game, alone[DEPTHS[-1]], improved_by=(DEEP, SHALLOW))
    enough = [value(game, alone[depth]) > best - 1e-9 for depth in DEPTHS]
    first = next((n for n in range(len(DEPTHS)) if all(enough[n:])), None)
    return 0 if first is None else DEPTHS[first]


PREDICTORS: Mapping[str, Callable[[Row], object]] = {
    "depth gap": lambda row: row.deep - row.shallow,
    "depth of the shallow player": lambda row: row.shallow,
    "depth of the deep player": lambda row: row.deep,
    "horizon of the game": lambda row: row.horizon or f"beyond {DEPTHS[-1]}",
    "who sees to the horizon": lambda row: _who_sees(row),
    "surprise": lambda row: _how_often(row.surprise),
    "gap, where the deep player is surprised": lambda row: (
        row.deep - row.shallow if row.surprise > 1e-9 else "never surprised"
    ),
    "states": lambda row: row.states,
    "actions (branching)": lambda row: row.actions,
    "states of chance (noise)": lambda row: row.noise,
}


def _who_sees(row: Row) -> str:
    if row.horizon and row.shallow >= row.horizon:
        return "both"
    return "the deep one" if row.horizon and row.deep >= row.horizon else "neither"


def _how_often(share: float) -> str:
    if share < 1e-9:
        return "0 %"
    top = next(top for top in (5, 10, 20, 40, 100) if share <= top / 100 + 1e-9)
    return f"to {top:3} %"


def mean_and_interval(rows: Sequence[Row], of: Callable[[Row], float]) -> tuple[float, float, int]:
    """Mean over games (rows of one are averaged), half of its 95 % interval, number of games."""
    games = defaultdict(list)
    for row in rows:
        games[row.seed].append(of(row))
    means = np.array([np.mean(found) for found in games.values()])
    half = 1.96 * means.std(ddof=1) / np.sqrt(len(means)) if len(means) > 1 else np.inf
    return float(means.mean()), float(half), len(means)


def explained(rows: Sequence[Row], level_of: Callable[[Row], object]) -> float:
    """Share of the variance of the gain that lies between the levels of a predictor."""
    gains = np.array([row.gain for row in rows])
    groups = defaultdict(list)
    for row in rows:
        groups[level_of(row)].append(row.gain)
    between = sum(len(g) * (np.mean(g) - gains.mean()) ** 2 for g in groups.values())
    return float(between / ((gains - gains.mean()) ** 2).sum())


def line(name: object, rows: Sequence[Row]) -> str:
    """One row of a table: gain with its interval, how often it helps and hurts, what is missing."""
    gain, half, games = mean_and_interval(rows, lambda row: row.gain)
    missing, half_missing, _ = mean_and_interval(rows, lambda row: row.missing)
    helps = np.mean([row.gain > 1e-9 for row in rows])
    hurts = np.mean([row.gain < -1e-9 for row in rows])
    cells = (
        f"{name!s:>14} {games:6} {len(rows):7}",
        f"{gain:+.3f} ± {half:.3f}",
        f"{helps:6.1%} {hurts:6.1%}",
        f"{abs(missing):.3f} ± {half_missing:.3f}",  # never below 0 but by rounding
    )
    return "   ".join(cells)


HEAD = (
    f"{'':>14} {'games':>6} {'pairs':>7}   {'aware - obl.':>14}   {'helps':>6} {'hurts':>6}"
    f"   {'optimal - aware':>13}"
)


def report(rows: Sequence[Row]) -> Iterator[str]:
    """All tables as text."""
    yield HEAD
    yield line("all", rows)
    for name, level_of in PREDICTORS.items():
        yield f"\n== {name}: explains {explained(rows, level_of):.1%} of the gain's variance"
        yield HEAD
        levels = defaultdict(list)
        for row in rows:
            levels[level_of(row)].append(row)
        for level in sorted(levels, key=lambda level: (isinstance(level, str), level)):
            yield line(level, levels[level])


def kept(rows: Sequence[Row], level_of: Callable[[Row], object]) -> dict[str, list[float]]:
    """A table for a figure: gain, half its interval, how often it helps and hurts, pairs."""
    levels = defaultdict(list)
    for row in rows:
        levels[str(level_of(row))].append(row)
    return {
        level: [
            *mean_and_interval(some, lambda row: row.gain)[:2],
            float(np.mean([row.gain > 1e-9 for row in some])),
            float(np.mean([row.gain < -1e-9 for row in some])),
            len(some),
        ]
        for level, some in sorted(levels.items())
    }


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100, help="games of each family")
    parser.add_argument("--save", type=Path, help="a JSON file for the figure's numbers")
    given = parser.parse_args()
    games = given.games
    families = list(product(STATES, ACTIONS, NOISE))
    rows = [
        row
        for family, shape in enumerate(families)
        for number in range(games)
        for row in rows_of(family * games + number, *shape)
    ]
    print(f"python benchmarks/value_of_awareness.py --games {games}")
    print(f"{games} random games of each of {len(families)} families, depths {DEPTHS}")
    for text in report(rows):
        print(text)
    if given.save:
        tables = {name: kept(rows, level_of) for name, level_of in PREDICTORS.items()}
        given.save.write_text(json.dumps({"games": games * len(families), **tables}, indent=1))


if __name__ == "__main__":
    main()
