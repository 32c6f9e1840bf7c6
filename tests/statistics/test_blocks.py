import numpy as np
import pytest

from sizeup.errors import InvalidInput
from sizeup.statistics import in_plan_order, pair, rounds, whole_blocks


def test_blocks_that_lack_games_are_counted_and_left_out():
    games = [(("2+4", seed), result) for seed in range(3) for result in (1, 0, -1, 1)]
    found = whole_blocks(games[:-1], size=4)
    assert found.scores == {("2+4", 0): 0.25, ("2+4", 1): 0.25}
    assert found.incomplete == 1
    assert whole_blocks([], size=4) == ({}, 0)


def test_the_order_of_games_does_not_matter():
    games = [("a", 1), ("b", -1), ("b", -1), ("a", 0)]
    assert whole_blocks(games, 2).scores == whole_blocks(games[::-1], 2).scores


def test_only_what_the_plan_has_up_to_the_first_gap():
    scores = {3: 0.3, 1: 0.1, 0: 0.0, 4: 0.4}
    np.testing.assert_array_equal(in_plan_order(range(6), scores), [0.0, 0.1])
    assert in_plan_order([5, 0], scores).size == 0
    assert in_plan_order([4, 3], scores).tolist() == [0.4, 0.3]


def test_pairs_are_of_shared_blocks():
    found = pair({1: 0.5, 2: -0.5, 3: 1.0}, {4: 1.0, 3: -1.0, 1: 0.25, 5: 0.0})
    assert found.keys == (1, 3)
    np.testing.assert_array_equal(found.differences, [0.25, 2.0])
    assert (found.only_first, found.only_second) == (1, 2)
    assert pair({1: 0.5}, {}).differences.shape == (0,)


def test_rounds():
    scores, cells = [1.0, 0.1, 0.5, 0.2, 0.3], ["a", "b", "a", "b", "b"]
    np.testing.assert_array_equal(rounds(scores, cells), [[1.0, 0.1], [0.5, 0.2]])
    np.testing.assert_array_equal(rounds(scores, cells, cells="ba"), [[0.1, 1.0], [0.2, 0.5]])


def test_a_cell_without_blocks_has_no_round_yet():
    assert rounds([1.0, 0.5], ["a", "b"], cells=["a", "b", "c"]).shape == (0, 3)
    assert rounds([], []).shape == (0, 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: whole_blocks([("a", 1)] * 3, 2), "block 'a' has 3 games, expected at most 2"),
        (lambda: whole_blocks([], 0), "games a block must be 1 or more, got 0"),
        (lambda: rounds([0.1, 0.2], ["a"]), "one cell is needed for each block: got 1 for 2"),
        (lambda: rounds([0.1], ["a"], cells=["b"]), r"blocks of \['a'\] are in none of .*'b'"),
        (lambda: rounds([[0.1]], ["a"]), r"in one row, got the shape \(1, 1\)"),
        (lambda: rounds(["x"], ["a"]), "block scores must be numbers, got"),
        (lambda: rounds([np.nan], ["a"]), "block scores must be finite, got"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
