import numpy as np
import pytest

from benchmarks.simulate_statistics import (
    blocks,
    confidence_sequence,
    ever_excluded,
    fixed_rule_ever_excludes,
    outcomes,
)
from sizeup.errors import InvalidInput
from sizeup.statistics import Decision, decide


def test_the_first_look_that_leaves_zero_decides():
    scores = blocks(np.random.default_rng(1), (120,), 0.17, 0.65)
    found = decide(scores)
    trail = confidence_sequence(scores)
    assert found.outcome == "positive"
    assert found.is_final
    assert trail.low[found.blocks - 2] < 0 <= trail.low[found.blocks - 1] == found.low
    assert decide(scores[: found.blocks - 1]).outcome == "undecided"
    assert decide(-scores).outcome == "negative"
    assert decide(-scores).blocks == found.blocks


def test_an_end_at_zero_excludes_zero():
    assert decide([0.375] * 20) == Decision("positive", blocks=16, low=0.0, high=0.546)
    assert decide([-0.375] * 20) == Decision("negative", blocks=16, low=-0.546, high=0.0)


def test_small_effects_are_called_small():
    scores = blocks(np.random.default_rng(2), (400,), 0.17, 0.5)
    found = decide(scores, smaller_than=0.08)
    assert found.outcome == "smaller"
    assert -0.08 <= found.low < 0 < found.high <= 0.08
    assert decide(scores, smaller_than=0.01).outcome == "undecided"


def test_a_sign_comes_first_when_it_is_small_too():
    scores = np.full(30, 0.5)
    x = decide(scores).high
    assert decide(scores).outcome == "positive"
    assert decide(scores, smaller_than=x).outcome == "positive"
    assert decide(scores, smaller_than=1.2 * x).outcome == "smaller"


def test_undecided_is_not_final_and_counts_blocks():
    found = decide(np.zeros((5, 6)))
    assert (found.outcome, found.blocks, found.is_final) == ("undecided", 30, False)
    assert decide([]).blocks == 0
    assert (decide([]).low, decide([]).high) == (-1, 1)


def test_cells_are_decided_at_whole_rounds():
    scores = blocks(np.random.default_rng(3), (60, 3), 0.17, 0.7)
    found = decide(scores)
    assert found.outcome == "positive"
    assert found.blocks % 3 == 0


def test_false_positives_under_continuous_looking():
    """Leaving zero is what decides; on 1000 runs it happens less often than promised."""
    sample = blocks(np.random.default_rng(4), (1000, 100), 0.3, 0.5, correlation=0.2)
    assert ever_excluded(sample, 0.0) <= 0.05
    assert fixed_rule_ever_excludes(sample) > 0.25
    shares, _ = outcomes(sample[:25])
    assert shares["undecided"] == 1 - ever_excluded(sample[:25], 0.0)


def test_true_effects_are_found():
    sample = blocks(np.random.default_rng(5), (30, 100), 0.17, 0.65)
    shares, taken = outcomes(sample)
    assert shares["positive"] == 1.0
    assert 15 < taken < 45


@pytest.mark.parametrize("smaller_than", [0.0, 1.0, -0.1])
def test_bad_input(smaller_than):
    with pytest.raises(InvalidInput, match="smaller_than must be strictly between 0 and 1"):
        decide([0.5], smaller_than=smaller_than)
