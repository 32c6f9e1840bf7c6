"""Moves per second through the PettingZoo environment, beside the rules called from Python alone.

Run: python benchmarks/bench_pettingzoo.py
"""

import time

import numpy as np
from pettingzoo.test import performance_benchmark

from sizeup.adapters.pettingzoo_env import env
from sizeup.games.contract import CHANCE

GAMES = (
    ("checkers", (1, 1)),
    ("checkers", (2, 1)),
    ("connect-four", (1, 1)),
    ("wall-of-fire", (2,)),
    ("harvest", (3,)),
)
ROUNDS, MOVES, PICTURES = 5, 2_000, 200


def main():
    print(f"random moves per second of CPU, median of {ROUNDS} alternate rounds of {MOVES}")
    print(f"{'':18}{'env':>9}{'raw_env':>9}{'View':>9}{'View/env':>10}{'pictures':>10}")
    for game, teams in GAMES:
        wrapped = env(game, teams, render_mode="rgb_array")
        raw = wrapped.unwrapped
        calls = (
            lambda w=wrapped: through_environment(w),
            lambda r=raw: through_environment(r),
            lambda v=raw.view: through_view(v),
        )
        rounds = [[rate(call, MOVES) for call in calls] for _ in range(ROUNDS)]
        fast = [float(np.median(side)) for side in zip(*rounds, strict=True)]
        frames = rate(lambda w=wrapped: [w.render() for _ in range(PICTURES)], PICTURES)
        name = f"{game} {'v'.join(map(str, teams))}"
        print(
            f"{name:18}{fast[0]:9.0f}{fast[1]:9.0f}{fast[2]:9.0f}{fast[2] / fast[0]:10.1f}"
            f"{frames:10.0f}"
        )
    print("PettingZoo's own, checkers 2v1:")
    performance_benchmark(env("checkers", (2, 1)))


def rate(call, count):
    """How many of what ``call`` does there are in a second of CPU."""
    begin = time.process_time()
    call()
    return count / (time.process_time() - begin)


def through_environment(played):
    rng = np.random.default_rng(0)
    played.reset(seed=0)
    for _ in range(MOVES):
        observation, _, terminated, truncated, _ = played.last()
        if terminated or truncated:
            played.reset()
            observation = played.last()[0]
        numbers = np.flatnonzero(observation["action_mask"])
        played.step(int(numbers[int(rng.integers(len(numbers)))]))


def through_view(view):
    """The same number of moves, each with the list of legal ones and whose turn it is."""
    rng = np.random.default_rng(0)
    state, moves = view.start(), 0
    while moves < MOVES:
        legal = view.actions(state)
        if not legal:
            state = view.start()
            continue
        moves += view.acting(state) != CHANCE
        state, _ = view.apply(state, legal[int(rng.integers(len(legal)))])


if __name__ == "__main__":
    main()
