"""Rewards on the scale of what a match can pay: coverage and errors, by simulation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.simulate_rewards import (
    HALF,
    REWARDS,
    coverages,
    difference_ends,
    middle_ends,
    one_arm_strikes,
    pairs,
    truths,
)
from benchmarks.simulate_statistics import covered, ever_excluded
from sizeup.errors import InvalidInput
from sizeup.experiments.stakes import signs
from sizeup.statistics import block_interval, decide, interquartile_mean, median


@pytest.mark.slow
@pytest.mark.parametrize("name", REWARDS)
def test_intervals_cover_the_truth(name):
    """A mean, a median and an interquartile mean, from few blocks and from many."""
    rng = np.random.default_rng(3)
    truth = truths(REWARDS[name], rng)
    for blocks in (3, 10, 50, 200):
        mean, _, middle, usual = coverages(REWARDS[name], rng, 600, blocks, truth)
        assert min(mean, middle, usual) > 0.93, (blocks, mean, middle, usual)


@pytest.mark.slow
def test_why_rewards_are_not_taken_for_scores():
    """Blocks that are nearly alike are no means of many games: one in fifty may pay all."""
    rng = np.random.default_rng(4)
    draw = REWARDS["about 50, or 100 in 2 %"]
    mean, as_scores, *_ = coverages(draw, rng, 600, 50, truths(draw, rng))
    assert as_scores < 0.75
    assert mean > 0.95
    assert one_arm_strikes(rng, 600, 50, rare=True) > 0.95
    assert one_arm_strikes(rng, 600, 50, rare=False) < 0.93


def test_paired_differences_cover_the_truth():
    rng = np.random.default_rng(5)
    for shared in (0.0, 0.9):
        x, y = pairs(rng, (600, 30), shared)
        assert covered(*difference_ends(x - y), 0.0) > 0.94


@pytest.mark.slow
@pytest.mark.parametrize("name", ["0, or 100 in 5 %", "about 50, or 100 in 2 %"])
def test_a_look_after_every_block_excludes_the_truth_rarely(name):
    rng = np.random.default_rng(6)
    truth = truths(REWARDS[name], rng)[0]
    rewards = np.clip(REWARDS[name](rng, (300, 200)), 0, 100)
    assert ever_excluded((rewards - HALF) / HALF, (truth - HALF) / HALF) <= 0.05


def test_seeds_decide_whatever_the_rewards_are():
    """The test of seeds is the same for rewards that are a thousand times as large."""
    rng = np.random.default_rng(7)
    differences = rng.normal(0.5, 1.0, 200)
    first = decide(signs(differences))
    assert first.outcome == "positive"
    assert decide(signs(1000 * differences)) == first


def test_rounding_is_no_difference():
    assert signs(np.array([0.1 + 0.2 - 0.3, 1.0, -1.0])).tolist() == [0, 1, -1]


def test_the_middle_half_is_that_of_rliable():
    """It drops a quarter of the runs, rounded down, at either end."""
    assert interquartile_mean([100, 1, 2, 3, 4, 0, 5]).estimate == np.mean([1, 2, 3, 4, 5])
    assert interquartile_mean([1, 2, 4]).estimate == pytest.approx(7 / 3)


@settings(max_examples=60)
@given(st.lists(st.integers(0, 20), min_size=1, max_size=60), st.integers(1, 9))
def test_the_middle_half_lies_within_its_ends_and_moves_with_the_runs(runs, shift):
    found = interquartile_mean(runs, low=0, high=20)
    assert 0 <= found.low <= found.estimate <= found.high <= 20
    moved = interquartile_mean(np.array(runs) + shift, low=shift, high=20 + shift)
    assert moved.low == pytest.approx(found.low + shift)
    assert moved.high == pytest.approx(found.high + shift)


def test_more_runs_tell_more_of_the_middle_half():
    rng = np.random.default_rng(8)
    widths = [interquartile_mean(rng.random(n), low=0, high=1).half_width for n in (10, 100, 1000)]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 0.05


def test_without_runs_or_bounds():
    nothing = interquartile_mean([], low=0, high=5)
    assert (nothing.low, nothing.high, nothing.n) == (0, 5, 0)
    few = interquartile_mean([1, 2, 3])
    assert (few.low, few.high) == (-np.inf, np.inf)
    with pytest.raises(InvalidInput, match="runs must be finite"):
        interquartile_mean([1, np.nan])


def test_rare_blocks_weigh_what_a_game_needs():
    """Blocks all alike: as wide as for games of which each ended alike, however alike they are."""
    alike = block_interval([0.0, 0.001, -0.001] * 10, rare=True)
    tied = block_interval([0.0] * 30, rare=True)
    assert alike.half_width == pytest.approx(tied.half_width, rel=1e-3)
    assert block_interval([0.0, 0.001, -0.001] * 10).half_width < alike.half_width / 3


def test_medians_have_the_same_runs():
    low, high = middle_ends(np.array([[1.0, 2, 3], [4, 5, 6]]), median)
    assert (low.tolist(), high.tolist()) == ([0, 0], [100, 100])  # too few: what a match can pay
