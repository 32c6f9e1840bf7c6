from math import sqrt

import numpy as np
import pytest

from benchmarks.simulate_statistics import blocks, outcomes
from sizeup.errors import InvalidInput
from sizeup.statistics import sequence_blocks_needed

SD = sqrt(0.83 / 8)  # of a block of eight games, 17 % of them drawn


def test_the_sequence_needs_more_blocks_but_keeps_its_promise():
    needed = sequence_blocks_needed(0.15, SD)
    fixed = ((1.959964 + 0.841621) * SD / 0.15) ** 2  # blocks, if their number is fixed in advance
    assert 1.5 < needed / fixed < 3.0
    sample = blocks(np.random.default_rng(3), (60, needed), 0.17, (1 + 0.15 / 0.83) / 2)
    shares, taken = outcomes(sample)
    assert 0.7 < shares["positive"] < 0.95
    assert taken < 0.75 * needed  # and on average it stops well before


def test_two_arms_of_the_sequence():
    single, double = sequence_blocks_needed(0.1, SD), sequence_blocks_needed(0.1, SD, arms=2)
    assert 1.7 < double / single < 2.4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: sequence_blocks_needed(0.1, 3.0),
            "deviation of a block must be from 0 to 1, got 3.0",
        ),
        (
            lambda: sequence_blocks_needed(0.1, 0.3, arms=3),
            "arms must be 1, or 2 for a difference, got 3",
        ),
        (
            lambda: sequence_blocks_needed(0.0, 0.3),
            "effect must be strictly between 0 and 1, got 0.0",
        ),
        (lambda: sequence_blocks_needed(5.0, 0.3), "got 5.0"),
        (lambda: sequence_blocks_needed(0.1, 0.3, power=1.0), "power must be strictly between"),
        (lambda: sequence_blocks_needed(0.1, 0.0), "sd is 0"),
        (lambda: sequence_blocks_needed(1e-7, 0.3), "takes more than 1e.12 blocks"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
