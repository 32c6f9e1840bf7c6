"""How far beliefs drift apart under noise: the observed maximum beside each bound.

Run: python benchmarks/bench_noise.py [episodes]
"""

import sys

import numpy as np

from sizeup.capability import (
    Adversarial,
    NoisyStates,
    NoisyValues,
    SolvedGame,
    Stochastic,
    Tempered,
    TypeSet,
    adversarial_bound,
    simulate,
    smallest_d,
    stochastic_bound,
)

TYPES, EPSILON, DELTA, TURNS, GAMES = TypeSet((1, 2, 3)), 0.1, 0.05, 60, 10
OWN = {2: (3, 2), 3: (3, 2, 3)}


def main():
    episodes = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print(
        f"{episodes} episodes each, {TURNS} turns, {GAMES} random games, types {TYPES.values}, "
        f"epsilon {EPSILON}, delta {DELTA}"
    )
    heads = f"{'largest gap':>13}{'largest of bound':>18}{'above bound':>13}"
    print(f"{'noise':24}{'players':>8}{heads}")
    for players in OWN:
        for source in (NoisyValues, NoisyStates):
            for adversarial in (True, False):
                row(source(EPSILON, adversarial), players, episodes)


def row(noise, players, episodes):
    d = smallest_d(players, len(TYPES), DELTA)
    rule = Tempered(Adversarial(players) if noise.adversarial else Stochastic(d))
    ratios, largest = [], 0.0
    for seed in range(GAMES):
        drift = simulate(
            SolvedGame.random(TYPES, players, seed),
            OWN[players],
            rule,
            noise,
            episodes=episodes // GAMES,
            turns=TURNS,
            seed=seed,
        )
        bound = (
            adversarial_bound(EPSILON, drift.updates)
            if noise.adversarial
            else stochastic_bound(EPSILON, drift.updates, d, players)
        )
        ratios.append(drift.worst_ratio(bound))
        largest = max(largest, drift.gap.max())
    ratios = np.concatenate(ratios)
    name = f"{'adversarial' if noise.adversarial else 'iid'} {type(noise).__name__}"
    above = f"{(ratios > 1).sum()} of {len(ratios)}"
    print(f"{name:24}{players:8}{largest:13.3f}{ratios.max():17.1%} {above:>12}")


if __name__ == "__main__":
    main()
