from math import isnan, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.simulate_statistics import (
    block_coverages,
    blocks,
    ends,
    paired_coverage,
    strata_coverage,
    student_ends,
    unpaired_coverage,
)
from sizeup.errors import InvalidInput
from sizeup.statistics import block_interval
from sizeup.statistics.intervals import student_reach

scores = st.lists(st.integers(-8, 8).map(lambda eighths: eighths / 8), min_size=1, max_size=30)


def test_by_hand():
    """Four blocks of mean 1/4 and variance 1/48 at 95 %: t(3) = 3.18245, z^2/2 = 1.92073."""
    likeness = (4 / 48 + 1) / (4 * 15 / 16 + 1)
    pseudo = 1.920729 * likeness
    weight = 4 + pseudo
    centre = 1 / weight
    variance = (4 / 48 + pseudo + 4 / 16) / weight - centre**2
    half = 3.182446 * sqrt(variance / weight)
    found = block_interval([0.375, 0.125, 0.375, 0.125])
    assert (found.low, found.high) == pytest.approx((centre - half, centre + half), abs=1e-5)


def naive_interval(cells):
    """The interval of the mean of cells, from the text of its module, one number at a time."""
    n, cells_count = sum(map(len, cells)), len(cells)
    freedom = n - cells_count
    spreads = [np.var(cell, ddof=1) if len(cell) > 1 else None for cell in cells]
    pooled = sum((len(c) - 1) * s for c, s in zip(cells, spreads, strict=True) if s is not None)
    spreads = [pooled / freedom if s is None else s for s in spreads]
    parts = [s / len(c) / cells_count**2 for c, s in zip(cells, spreads, strict=True)]
    error, mean = sum(parts), sum(map(np.mean, cells)) / cells_count
    blocks = cells_count**2 / sum(1 / len(cell) for cell in cells)
    singles = []
    for cell in cells:
        middle = np.median(cell)
        others = sum(abs(score - middle) > 1e-9 for score in cell) / len(cell)
        single = min(1 - np.mean(cell) ** 2, others * (1 + abs(middle)) ** 2)
        singles.append(single / len(cell) / cells_count**2)
    pseudo = 1.9207294 * min(1, (error * blocks**2 + 1) / (sum(singles) * blocks**2 + 1))
    weight = blocks + pseudo
    squares = blocks * (error * blocks + mean**2) + pseudo
    variance = squares / weight - (mean * blocks / weight) ** 2
    df = freedom
    if error > 0:
        welch = sum(part**2 / (len(c) + 1) for part, c in zip(parts, cells, strict=True))
        df = min(max(error**2 / welch - 2, 1), freedom)
    half = float(student_reach(0.95, df)) * sqrt(variance / weight)
    return max(mean * blocks / weight - half, -1), min(mean * blocks / weight + half, 1)


@pytest.mark.slow
@settings(max_examples=50)
@given(st.lists(scores, min_size=1, max_size=4).filter(lambda cells: max(map(len, cells)) > 1))
def test_it_is_the_naive_one(cells):
    labels = [label for label, cell in enumerate(cells) for _ in cell]
    found = block_interval(np.concatenate(cells), labels)
    assert (found.low, found.high) == pytest.approx(naive_interval(cells), abs=1e-6)


def test_many_blocks_have_students_interval():
    sample = blocks(np.random.default_rng(1), (1, 2000), 0.2, 0.6)
    found = block_interval(sample[0])
    low, high = student_ends(sample)
    assert (found.low, found.high) == pytest.approx((low[0], high[0]), abs=5e-4)


@settings(max_examples=50)
@given(scores)
def test_the_interval_holds_its_estimate_and_mirrors(sample):
    found = block_interval(sample)
    assert -1 <= found.low < found.high <= 1
    assert found.low <= found.estimate <= found.high
    assert found.n == len(sample)
    mirrored = block_interval([-score for score in sample])
    assert (mirrored.low, mirrored.high) == pytest.approx((-found.high, -found.low))
    assert block_interval(sample, 0.0 * np.array(sample)) == found


@pytest.mark.parametrize("score", [1.0, 0.0, -0.5])
def test_blocks_all_alike_are_not_certain(score):
    widths = [block_interval([score] * n).half_width for n in (2, 5, 20, 200)]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] > 0.002


def test_one_block_says_nothing_about_the_spread():
    found = block_interval([0.5])
    assert (found.estimate, found.low, found.high, found.n) == (0.5, -1, 1, 1)
    found = block_interval([0.5, 0.75], ["a", "b"])
    assert (found.estimate, found.low, found.high, found.n) == (0.625, -1, 1, 2)


def test_without_blocks_everything_is_possible():
    for found in (block_interval([]), block_interval([], [])):
        assert isnan(found.estimate)
        assert (found.low, found.high, found.n) == (-1, 1, 0)


def test_cells_have_equal_weight_whatever_their_size():
    found = block_interval([1.0, 1.0, 1.0, 0.5, 0.0, 0.5], ["a"] * 4 + ["b"] * 2)
    assert found.estimate == pytest.approx((0.875 + 0.25) / 2)


def test_cells_that_differ_do_not_widen_the_interval():
    rng = np.random.default_rng(2)
    low, high = (blocks(rng, (100,), 0.0, lean) for lean in (0.2, 0.8))
    cells = np.repeat(["low", "high"], 100)
    together = np.concatenate([low, high])
    assert block_interval(together, cells).half_width < 0.6 * block_interval(together).half_width


def test_a_cell_of_one_block_takes_the_spread_of_the_others():
    sample, cells = [0.5, 0.25, 0.0, 0.25, 0.5], ["a", "a", "a", "a", "b"]
    found = block_interval(sample, cells)
    assert found.estimate == pytest.approx((0.25 + 0.5) / 2)
    assert found.half_width > block_interval(sample[:4]).half_width


def test_differences_are_scores_of_twice_the_range():
    found = block_interval([0.25, 0.0, 0.5, 0.25], bound=2.0)
    halved = block_interval([0.125, 0.0, 0.25, 0.125])
    assert found.estimate == 0.25
    assert (found.low, found.high) == pytest.approx((2 * halved.low, 2 * halved.high))


@pytest.mark.parametrize("correlation", [0.0, 0.3, 1.0])
def test_coverage_of_20_blocks(correlation):
    """On 1200 runs the standard error is 0.6 %."""
    found = block_coverages(np.random.default_rng(5), 1200, 20, correlation)
    assert found.min() > 0.93
    assert found[:, :4].max() < 0.985


@pytest.mark.parametrize("n", [2, 3, 5, 10])
def test_coverage_of_few_blocks(n):
    assert block_coverages(np.random.default_rng(6), 1000, n, 0.6).min() > 0.92


def test_plain_student_would_collapse():
    """The reason for all this: without the pseudo-blocks the same runs are covered too rarely."""
    rng = np.random.default_rng(5)
    assert block_coverages(rng, 500, 20, 0.3, student_ends)[:, :-1].min() < 0.75


def test_coverage_of_the_mean_of_cells():
    rng = np.random.default_rng(7)
    for counts in ([2] * 6, [20] * 6, [30, 10, 5, 20, 3, 9]):
        assert 0.93 < strata_coverage(rng, 2000, counts, correlation=0.1) < 0.985


def test_coverage_of_differences():
    rng = np.random.default_rng(8)
    arms = ((0.17, 0.55), (0.4, 0.45))
    for correlation in (0.0, 0.3):
        assert 0.935 < paired_coverage(rng, 2000, 40, *arms, correlation) < 0.98
        assert 0.935 < unpaired_coverage(rng, 2000, (40, 25), *arms, correlation) < 0.975


def test_runs_are_as_one_by_one():
    sample = blocks(np.random.default_rng(9), (3, 7), 0.2, 0.6)
    low, high = ends([sample])
    for row, scores_of_run in enumerate(sample):
        found = block_interval(scores_of_run)
        assert (found.low, found.high) == pytest.approx((low[row], high[row]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: block_interval([5.0]), r"from -1 to 1, got \[5.\]; .* not points"),
        (lambda: block_interval([1.5, 0.0]), "differences need bound=2"),
        (lambda: block_interval([0.5], bound=0.0), "bound of scores must be above 0, got 0.0"),
        (lambda: block_interval([0.5], level=1.0), "level of confidence must be"),
        (lambda: block_interval([0.5], level=95), "strictly between 0 and 1, got 95"),
        (lambda: block_interval([0.5], level=float("nan")), "got nan"),
        (lambda: block_interval([0.5], level="95 %"), "strictly between 0 and 1, got '95 %'"),
        (
            lambda: block_interval([0.5, 0.5], ["a"]),
            "one cell is needed .* got 1 for 2",
        ),
        (lambda: block_interval([[0.1]], ["a"]), r"in one row, got the shape \(1, 1\)"),
        (lambda: block_interval(["x"], ["a"]), "block scores must be numbers, got"),
        (lambda: block_interval([np.nan], ["a"]), "block scores must be finite, got"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
