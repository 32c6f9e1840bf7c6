"""One belief update of a whole team, beside the same update written as plain loops.

Run: python benchmarks/bench_belief_update.py
"""

import math
import time

import numpy as np

from sizeup.capability import Beliefs, TypeSet

PLAYERS, TYPES = 8, 16
ROUNDS, CALLS, TEAMS = 40, 200, 500


def main():
    types = TypeSet(range(1, TYPES + 1))
    own = [2 * (player + 1) for player in range(PLAYERS)]
    team = Beliefs.initial(types, own, PLAYERS)
    feasible = np.arange(TYPES) <= team.rank[:, None]
    evidence = np.where(feasible, np.random.default_rng(0).random((PLAYERS, TYPES)), np.nan)
    tables = (team.energy.tolist(), evidence.tolist(), team.rank.tolist())
    looped, loop_posterior = plain_update(*tables), plain_posterior(team.energy.tolist(), 0.1)
    np.testing.assert_array_equal(team.observe(3, evidence).energy, looped)
    np.testing.assert_allclose(team.probabilities(0.1), loop_posterior)

    rows = {
        "update (observe)": (lambda: team.observe(3, evidence), lambda: plain_update(*tables)),
        "update, posteriors": (  # of new beliefs each time, which remember none
            lambda: team.observe(3, evidence).probabilities(0.1),
            lambda: plain_posterior(plain_update(*tables), 0.1),
        ),
        "reduction": (lambda: team.reduce(8), lambda: plain_reduction(tables[0], 7)),
    }
    many = Beliefs.initial(types, np.tile(own, (TEAMS, 1)), PLAYERS)
    print(f"{PLAYERS} players, {TYPES} types; microseconds, median of {ROUNDS} x {CALLS} calls")
    print(f"{'':20}{'sizeup':>10}{'loops':>10}{'ratio':>8}")
    for name, (ours, loops) in rows.items():
        fast, slow = in_turns(ours, loops)
        print(f"{name:20}{fast:10.1f}{slow:10.1f}{slow / fast:7.1f}x")
    batch, _ = in_turns(lambda: many.observe(3, evidence), lambda: None, calls=2)
    print(f"update, one of {TEAMS} teams at once: {batch / TEAMS:.1f}")


def in_turns(first, second, calls=CALLS):
    """Median microseconds of each, measured in turns so that both see the same machine."""
    times = [[], []]
    for _ in range(ROUNDS):
        for call, kept in zip((first, second), times, strict=True):
            begin = time.perf_counter()
            for _ in range(calls):
                call()
            kept.append((time.perf_counter() - begin) / calls * 1e6)
    return tuple(sorted(kept)[ROUNDS // 2] for kept in times)


def plain_update(energy, evidence, ranks):
    after = [[row[:] for row in holder] for holder in energy]
    for holder, rank in enumerate(ranks):
        for c, gained in enumerate(evidence[holder]):
            if c <= rank:
                if not gained >= 0:
                    raise ValueError
                after[holder][3][c] += gained
            elif gained < math.inf:
                raise ValueError
    return after


def plain_posterior(energy, temperature):
    result = []
    for holder in energy:
        rows = []
        for row in holder:
            least = min(row)
            mass = [math.exp(-(e - least) / temperature) for e in row]
            total = sum(mass)
            rows.append([m / total for m in mass])
        result.append(rows)
    return result


def plain_reduction(energy, rank):
    return [
        [[e if c <= rank else math.inf for c, e in enumerate(row)] for row in holder]
        for holder in energy
    ]


if __name__ == "__main__":
    main()
