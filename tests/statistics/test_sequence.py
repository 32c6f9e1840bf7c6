from itertools import product

import numpy as np
import pytest

from benchmarks.simulate_statistics import (
    CELLS,
    blocks,
    confidence_sequence,
    ends,
    ever_excluded,
    excludes,
    fixed_rule_ever_excludes,
    truth_of,
    two_arms,
)
from sizeup.errors import InvalidInput
from sizeup.statistics import RunningInterval
from sizeup.statistics.sequence import FRACTIONS, SHARES, STEPS


def naive_low(scores, goal=40.0):
    """Lower end after each block, one bet at a time; the end is bisected."""
    best = -1.0
    for n in range(1, len(scores) + 1):
        low, high = -1.0, 1.0
        while high - low > 1e-7:
            m = (low + high) / 2
            money = 0.0
            for fraction, share in zip(FRACTIONS, SHARES, strict=True):
                for score in scores[:n]:
                    share *= 1 - fraction + fraction * (1 + score) / (1 + m)
                money += share
            low, high = (m, high) if money >= goal else (low, m)
        best = max(best, low)
        yield best


def test_it_is_the_naive_one_rounded_outwards():
    scores = blocks(np.random.default_rng(1), (25,), 0.2, 0.7)
    trail = confidence_sequence(scores)
    low = np.array(list(naive_low(scores)))
    high = -np.array(list(naive_low(-scores)))
    step = 2 / STEPS
    assert (trail.low <= low + 1e-6).all()
    assert (trail.low > low - step - 1e-6).all()
    assert (trail.high >= high - 1e-6).all()
    assert (trail.high < high + step + 1e-6).all()


def test_money_does_not_grow_at_fair_odds():
    """The whole proof: at the true mean no bet gains, nor does a round of cells that differ."""
    chances, values, m = np.array([0.2, 0.5, 0.3]), np.array([0.0, 0.5, 1.0]), 0.55
    assert chances @ values == pytest.approx(m)
    np.testing.assert_allclose([chances @ (1 - f + f * values / m) for f in FRACTIONS], 1.0)
    means = np.array([0.3, 0.5, 0.85])
    gains = [np.prod(1 - f + f * means / means.mean()) for f in FRACTIONS]
    assert max(gains) <= 1.0
    assert SHARES.sum() == pytest.approx(1.0)
    assert FRACTIONS.max() < 1


def test_exactly_over_all_courses_of_eleven_coins():
    assert 0.005 < ever_excluded(list(product([-1.0, 1.0], repeat=11)), 0.0) <= 0.05


@pytest.mark.parametrize("truth", [0.0, 0.2503])
def test_the_steps_beside_the_truth_are_enough(truth):
    """A level this low excludes the truth in many of the runs, so that both ways can differ."""
    sample = blocks(np.random.default_rng(9), (12, 80), 0.3, (1 + truth / 0.7) / 2)
    whole = [excludes(confidence_sequence(scores, level=0.1), truth) for scores in sample]
    assert 0 < np.mean(whole) == ever_excluded(sample, truth, level=0.1)


@pytest.mark.parametrize(
    ("draws", "lean", "correlation"), [(0.3, 0.5, 0.0), (0.0, 0.9, 0.5), (0.6, 0.6, 1.0)]
)
def test_looking_after_every_block(draws, lean, correlation):
    sample = blocks(np.random.default_rng(2), (500, 100), draws, lean, correlation)
    truth = truth_of(draws, lean)
    assert ever_excluded(sample, truth) <= 0.05
    assert fixed_rule_ever_excludes(sample, truth) > 0.2


def test_looking_at_a_difference_and_at_cells():
    rng = np.random.default_rng(3)
    x, y = two_arms(rng, (300, 100), (0.17, 0.6), (0.17, 0.4), 0.3)
    assert ever_excluded(x - y, truth_of(0.17, 0.6) - truth_of(0.17, 0.4), bound=2.0) <= 0.05
    cells = np.stack([blocks(rng, (300, 20), *cell) for cell in CELLS], axis=-1)
    assert ever_excluded(cells, np.mean([truth_of(*cell) for cell in CELLS])) <= 0.05


def test_the_width_is_not_far_from_that_of_a_fixed_number():
    sample = blocks(np.random.default_rng(4), (10, 300), 0.17, 0.5)
    trails = [confidence_sequence(scores) for scores in sample]
    for n in (50, 150, 300):
        low, high = ends([sample[:, :n]])
        running = np.mean([trail.high[n - 1] - trail.low[n - 1] for trail in trails])
        assert 1.2 < running / (high - low).mean() < 1.7


def test_cells_that_differ_are_averaged():
    rng = np.random.default_rng(5)
    scores = np.stack([blocks(rng, (200,), 0.0, lean) for lean in (0.3, 0.9)], axis=1)
    trail = confidence_sequence(scores)
    assert trail.low.shape == (200,)
    assert trail.low[-1] < 0.2 < trail.high[-1]
    assert trail.high[-1] - trail.low[-1] < 0.25


def test_it_never_widens_and_mirrors():
    scores = blocks(np.random.default_rng(6), (300,), 0.2, 0.55)
    trail, mirrored = confidence_sequence(scores), confidence_sequence(-scores)
    assert (np.diff(trail.low) >= 0).all()
    assert (np.diff(trail.high) <= 0).all()
    np.testing.assert_allclose(mirrored.low, -trail.high, atol=1e-12)
    wider = confidence_sequence(scores, level=0.99)
    assert (wider.low <= trail.low).all()
    doubled = confidence_sequence(2 * scores, bound=2.0)
    np.testing.assert_allclose(doubled.low, 2 * trail.low)


def test_it_can_be_fed_in_pieces():
    scores = blocks(np.random.default_rng(7), (90,), 0.2, 0.55).reshape(30, 3)
    trail = confidence_sequence(scores)
    running = RunningInterval.start()
    for row, one_round in enumerate(scores):
        running = running.seen([one_round])
        assert (running.low, running.high) == (trail.low[row], trail.high[row])
    assert running.rounds == 30
    assert running.seen(np.zeros((0, 3))).low == running.low


def test_ten_thousand_blocks_come_close():
    trail = confidence_sequence(blocks(np.random.default_rng(8), (10_000,), 0.17, 0.55))
    assert trail.low[-1] < 0.083 < trail.high[-1]
    assert trail.high[-1] - trail.low[-1] < 0.025


def test_blocks_without_spread_narrow_it_to_the_last_step():
    trail = confidence_sequence(np.full(60_000, 0.2503))
    assert trail.high[-1] - trail.low[-1] == pytest.approx(2 / STEPS)
    assert trail.low[-1] < 0.2503 < trail.high[-1]


@pytest.mark.parametrize("drift", [-1.0, 1.0])
@pytest.mark.parametrize(("steady", "away", "cells"), [(3, 300, 1), (400, 300, 1), (50, 30, 10)])
def test_blocks_that_drift_away_leave_the_end_they_crossed(drift, steady, away, cells):
    """All at once, when both sides win within one chunk, or round by round."""
    scores = np.repeat([0.1 * drift, drift, -drift], [steady, away, away])[:, None].repeat(cells, 1)
    before = confidence_sequence(scores[:steady])
    running, trail = RunningInterval.start().followed(scores)
    assert (trail.low < trail.high).all()
    running = RunningInterval.start()
    for one_round in scores:
        running = running.seen([one_round])
    assert (running.low, running.high) == (trail.low[-1], trail.high[-1])
    assert running.high - running.low == pytest.approx(2 / STEPS)
    assert before.low[-1] <= running.low < running.high <= before.high[-1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: confidence_sequence([1.5]), "from -1 to 1"),
        (lambda: confidence_sequence(np.zeros((1, 1, 1))), r"\(rounds, cells\), got \(1, 1, 1\)"),
        (lambda: confidence_sequence(0.5), r"\(rounds, cells\), got \(\)"),
        (lambda: confidence_sequence([0.5], level=0.0), "strictly between 0 and 1"),
        (lambda: confidence_sequence([0.5], bound=0.0), "bound of scores must be above 0"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
