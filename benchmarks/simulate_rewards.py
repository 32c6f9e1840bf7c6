"""How often intervals and tests of rewards are right, in simulations whose truth is known.

Run: python -m benchmarks.simulate_rewards [runs, 2000 unless told]

Rewards lie from 0 to 100: what a match can pay. Some pay little and rarely all of it, some have
heavy tails, some only a few values. The last table is of real games: how many games common seeds
save.
"""

import sys
from math import sqrt

import numpy as np

from benchmarks.simulate_statistics import covered, ends, ever_excluded, outcomes
from sizeup.experiments.stakes import signs
from sizeup.statistics import interquartile_mean, median, sequence_blocks_needed
from sizeup.statistics.block_interval import Moments, limits, moments_of

LOW, HIGH = 0.0, 100.0
HALF = (HIGH - LOW) / 2
SIZES = (3, 5, 10, 20, 50, 200)


def jackpot(chance, usual):
    """All that there is with a small chance, and otherwise what is usual."""

    def draw(rng, shape):
        return np.where(rng.random(shape) < chance, HIGH, usual(rng, shape))

    return draw


def one_value(value):
    return lambda rng, shape: np.full(shape, value)


def near(value):
    return lambda rng, shape: value + rng.normal(size=shape)


def heavy(rng, shape):
    return np.minimum(rng.pareto(1.5, shape), HIGH)


def three_values(rng, shape):
    return rng.choice([0.0, 1.0, 2.0], p=[0.5, 0.3, 0.2], size=shape)


def anything(rng, shape):
    return HIGH * rng.random(shape)


REWARDS = {
    "0, or 100 in 5 %": jackpot(0.05, one_value(0.0)),
    "0, or 100 in 25 %": jackpot(0.25, one_value(0.0)),
    "0, or 100 in 30 %": jackpot(0.3, one_value(0.0)),
    "about 2, or 100 in 1 %": jackpot(0.01, near(2.0)),
    "about 50, or 100 in 2 %": jackpot(0.02, near(50.0)),
    "about 50": near(50.0),
    "heavy tail (Pareto 1.5)": heavy,
    "0, 1 or 2": three_values,
    "anything from 0 to 100": anything,
}


def truths(draw, rng):
    """Mean, median and interquartile mean, of many."""
    many = np.sort(np.clip(draw(rng, 4_000_000), LOW, HIGH))
    quarter = len(many) // 4
    return many.mean(), many[len(many) // 2], many[quarter:-quarter].mean()


def mean_ends(rewards, rare=True):
    """Ends of intervals of means, of rewards of shape (runs, blocks)."""
    scaled = (rewards - LOW - HALF) / HALF
    if not rare:
        low, high = ends([scaled])
    else:
        moments = Moments(*(part[..., None] for part in moments_of(scaled)))
        counts, weights = np.array([rewards.shape[1]]), np.ones(1)
        low, high = limits(counts, moments, weights, 0.95, rare=True)
    return LOW + HALF * (1 + low), LOW + HALF * (1 + high)


def difference_ends(differences, rare=True):
    """The same for differences of two arms, which reach twice as far."""
    low, high = mean_ends(LOW + HALF + differences / 2, rare)
    return 2 * (low - LOW - HALF), 2 * (high - LOW - HALF)


def middle_ends(rewards, of):
    """Ends of intervals of medians or interquartile means."""
    found = [of(row) for row in rewards]
    low = [LOW if one.low is None else one.low for one in found]
    high = [HIGH if one.high is None else one.high for one in found]
    return np.array(low), np.array(high)


def iqm(row):
    return interquartile_mean(row, low=LOW, high=HIGH)


def coverages(draw, rng, runs, blocks, truth):
    """Coverage of the mean as rewards have it, of the mean as scores have it, median, IQM."""
    rewards = np.clip(draw(rng, (runs, blocks)), LOW, HIGH)
    mean, middle, usual = truth
    return (
        covered(*mean_ends(rewards), mean),
        covered(*mean_ends(rewards, rare=False), mean),
        covered(*middle_ends(rewards, median), middle),
        covered(*middle_ends(rewards, iqm), usual),
    )


def pairs(rng, shape, shared, gain=0.0, chances=(0.02, 0.02)):
    """Rewards of two arms on the same seeds; ``shared`` is how much of their luck they share."""
    luck = rng.random(shape)
    own = np.where(rng.random(shape) < shared, luck, rng.random(shape))
    first, second = (
        np.where(fate < chance, HIGH, 40 + 10 * rng.random(shape))
        for fate, chance in zip((luck, own), chances, strict=True)
    )
    return np.clip(first + gain, LOW, HIGH), second


def one_arm_strikes(rng, runs, blocks, rare):
    """Coverage where only the first arm ever gets all that there is, in 2 % of its games."""
    x, y = pairs(rng, (runs, blocks), 1.0, chances=(0.02, 0.0))
    return covered(*difference_ends(x - y, rare), 0.02 * (HIGH - 45))


def table_of_coverage(rng, runs):
    print(
        f"Coverage in % of 95 % intervals, {runs} runs a case (as scores: what rewards had before)"
    )
    print(f"{'rewards':26}{'blocks':>7}{'mean':>8}{'as scores':>11}{'median':>8}{'IQM':>7}")
    for name, draw in REWARDS.items():
        truth = truths(draw, rng)
        for blocks in SIZES:
            found = [100 * share for share in coverages(draw, rng, runs, blocks, truth)]
            print(
                f"{name:26}{blocks:7}{found[0]:8.1f}{found[1]:11.1f}{found[2]:8.1f}{found[3]:7.1f}"
            )


def table_of_pairs(rng, runs):
    print(f"\nPaired differences, jackpots in 2 %: coverage in %, half-width, {runs} runs a case")
    print(f"{'luck shared':>12}{'blocks':>7}{'coverage':>10}{'as scores':>11}{'half-width':>12}")
    for shared in (0.0, 0.5, 0.9, 1.0):
        for blocks in (5, 20, 100):
            x, y = pairs(rng, (runs, blocks), shared)
            low, high = difference_ends(x - y)
            new, old = covered(low, high, 0.0), covered(*difference_ends(x - y, rare=False), 0.0)
            width = (high - low).mean() / 2
            print(f"{shared:12}{blocks:7}{100 * new:10.1f}{100 * old:11.1f}{width:12.1f}")
    for blocks in (5, 20, 50, 100):
        new, old = (one_arm_strikes(rng, runs, blocks, rare) for rare in (True, False))
        print(f"{'one arm only':>12}{blocks:7}{100 * new:10.1f}{100 * old:11.1f}")


def table_of_sequences(rng, runs):
    few, blocks = runs // 2, 300
    print(f"\nTruth ever excluded, a look after each of {blocks} blocks, {few} runs a case")
    for name, draw in REWARDS.items():
        rewards = np.clip(draw(rng, (few, blocks)), LOW, HIGH)
        # The truth of a sequence is searched among 2000 steps: that of all that are simulated.
        truth = truths(draw, rng)[0]
        wrong = ever_excluded((rewards - HALF) / HALF, (truth - HALF) / HALF)
        print(f"  {name:26}{wrong:7.1%}")
    for shared in (0.0, 0.9):
        x, y = pairs(rng, (few, blocks), shared)
        wrong = ever_excluded((x - y) / HALF, 0.0, bound=2.0)
        print(f"  paired, luck shared {shared:<6}{wrong:7.1%}")


def table_of_decisions(rng, runs):
    few = max(100, runs // 10)
    print(f"\nDecisions about two arms on common seeds, {few} runs, looks after every block")
    for shared, gain, blocks in (
        (0.0, 0.0, 600),
        (0.9, 0.0, 600),
        (1.0, 5.0, 600),
        (0.9, 5.0, 600),
    ):
        x, y = pairs(rng, (few, blocks), shared, gain=gain)
        said, taken = outcomes((x - y) / HALF, bound=2.0)
        seeds, counted = outcomes(signs(x - y))
        words = [
            ", ".join(f"{name} {share:.1%}" for name, share in shares.items())
            for shares in (said, seeds)
        ]
        print(f"  luck shared {shared}, gain {gain}: mean: {words[0]} ({taken:.0f} blocks)")
        print(f"    seeds: {words[1]} ({counted:.0f} blocks)")
    x, y = pairs(rng, (few, 2000), 1.0, gain=5.0)
    sd = float((x - y).std()) / HALF / sqrt(2)
    planned = sequence_blocks_needed(5.0 / HALF, max(sd, 1e-3), arms=2)
    said, _ = outcomes(((x - y) / HALF)[:, :planned], bound=2.0)
    print(
        f"  plan for a gain of 5, power 80 %: {planned} blocks, "
        f"{said.get('positive', 0):.0%} decide"
    )


def games_saved(seeds=200):
    """At harvest: variances of the difference of two teams on other seeds and on the same ones."""
    from sizeup import play_many

    teams = (["obl:3", "obl:1", "obl:1"], ["obl:2", "obl:1", "obl:1"])
    x, y = (
        np.array([record.total for record in play_many("harvest", [team], range(seeds))])
        for team in teams
    )
    return float(x.var(ddof=1) + y.var(ddof=1)), float((x - y).var(ddof=1))


def table_of_real_games():
    apart, paired = games_saved()
    print("\nHarvest, obl:3 and obl:2 with two obl:1, 200 seeds: variance of the difference")
    print(
        f"  other seeds {apart:.1f}, the same seeds {paired:.1f}: "
        f"{apart / paired:.1f} times fewer games"
    )


def main(runs=2000):
    """Print every table."""
    rng = np.random.default_rng(2026)
    table_of_coverage(rng, runs)
    table_of_pairs(rng, runs)
    table_of_sequences(rng, runs)
    table_of_decisions(rng, runs)
    table_of_real_games()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
