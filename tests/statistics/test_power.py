from math import sqrt

import numpy as np
import pytest

from benchmarks.simulate_statistics import blocks, ends, outcomes
from sizeup.errors import InvalidInput
from sizeup.statistics import (
    block_sd,
    blocks_needed,
    sequence_blocks_needed,
)

SD = block_sd(0.17)


def test_the_standard_deviation_of_a_block():
    assert block_sd(0.17, games=1) == pytest.approx(sqrt(0.83))
    assert block_sd(0.0, games=4, score=0.6) == pytest.approx(0.8 / 2)
    assert block_sd(0.17, correlation=1.0) == pytest.approx(block_sd(0.17, games=1))
    assert block_sd(0.2, games=1, score=0.8) == pytest.approx(0.4)
    rng = np.random.default_rng(1)
    sample = blocks(rng, (20_000,), 0.3, 0.7, correlation=0.25)
    expected = block_sd(0.3, score=0.28, correlation=0.25)
    assert sample.std() == pytest.approx(expected, rel=0.02)


def test_games_needed_to_settle_the_published_claims():
    """Totals of 3.3, and differences of 4.8 and 3.7 points, at 95 % with a power of 80 %."""
    reach = 1.959964 + 0.841621
    assert 8 * blocks_needed(0.033, SD) == pytest.approx(0.83 * (reach / 0.033) ** 2, abs=8)
    needed = [8 * blocks_needed(effect, SD, arms=2) for effect in (0.048, 0.037)]
    assert needed == pytest.approx([5655, 9517], abs=8)
    assert blocks_needed(0.9, 0.01) == 1


def test_the_sequence_needs_more_blocks_but_keeps_its_promise():
    needed = sequence_blocks_needed(0.15, SD)
    assert 1.5 < needed / blocks_needed(0.15, SD) < 3.0
    sample = blocks(np.random.default_rng(3), (60, needed), 0.17, (1 + 0.15 / 0.83) / 2)
    shares, taken = outcomes(sample)
    assert 0.7 < shares["positive"] < 0.95
    assert taken < 0.75 * needed  # and on average it stops well before


def test_the_plan_keeps_its_promise():
    needed = blocks_needed(0.1, SD, power=0.9)
    sample = blocks(np.random.default_rng(4), (1000, needed), 0.17, (1 + 0.1 / 0.83) / 2)
    low, _ = ends([sample])
    assert 0.85 < (low > 0).mean() < 0.93


def test_two_arms_of_the_sequence():
    single, double = sequence_blocks_needed(0.1, SD), sequence_blocks_needed(0.1, SD, arms=2)
    assert 1.7 < double / single < 2.4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: block_sd(1.5), "share of draws must be from 0 to 1, got 1.5"),
        (lambda: block_sd(0.5, score=0.6), "score must be from -0.5 to 0.5, got 0.6"),
        (lambda: block_sd(0.5, games=0), "games a block must be 1 or more"),
        (lambda: block_sd(0.5, correlation=-0.5), "correlation must be from -0.14"),
        (lambda: blocks_needed(0.1, 3.0), "deviation of a block must be from 0 to 1, got 3.0"),
        (lambda: blocks_needed(0.1, 0.3, arms=3), "arms must be 1, or 2 for a difference, got 3"),
        (lambda: blocks_needed(0.0, 0.3), "effect must be strictly between 0 and 1, got 0.0"),
        (lambda: blocks_needed(5.0, 0.3), "got 5.0"),
        (lambda: blocks_needed(0.1, 0.3, power=1.0), "power must be strictly between"),
        (lambda: sequence_blocks_needed(0.1, 0.0), "sd is 0"),
        (lambda: sequence_blocks_needed(1e-7, 0.3), "takes more than 1e.12 blocks"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
