"""Types for people: their policies, their order, their posteriors."""

import numpy as np
import pytest

from sizeup.capability.people import PersonType, PersonTypes, fit_prior, posterior
from sizeup.errors import InvalidInput

TYPES = PersonTypes((1, 3), (0.4, 0.0), (0.5, 2.0), (0.2, 0.0))


def test_types_are_ordered_by_depth_and_then_from_dull_to_sharp():
    every = list(TYPES)
    assert len(every) == len(TYPES) == 16
    assert every[0] == PersonType(1, 0.4, 0.5, 0.2)
    assert every[-1] == PersonType(3, 0.0, 2.0, 0.0)
    assert [one.depth for one in every] == sorted(one.depth for one in every)


def test_policies_are_lapses_and_the_mean_of_what_searches_find():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(2, 4, 5))  # three searches that overlook something, one that does not
    policies = TYPES.policies(values, (3, 1))
    assert policies.shape == (16, 5)
    np.testing.assert_allclose(policies.sum(axis=1), 1.0)
    for row, one in zip(policies, TYPES, strict=True):
        runs = values[(1, 3).index(one.depth), slice(3) if one.drop else slice(3, 4)]
        soft = np.exp(one.precision * runs)
        soft /= soft.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(row, (1 - one.lapse) * soft.mean(axis=0) + one.lapse / 5)
    np.testing.assert_array_equal(TYPES.chances(values, (3, 1), 2), policies[:, 2])


def test_depths_are_what_is_left_when_all_else_is_summed_out():
    odds = np.arange(16.0) / np.arange(16.0).sum()
    assert TYPES.depth_odds(odds) == pytest.approx([28 / 120, 92 / 120])
    assert TYPES.mean_depth([odds, np.eye(16)[0]]) == pytest.approx([1 + 2 * 92 / 120, 1.0])


def test_huge_values_and_hopeless_types_do_no_harm():
    policies = TYPES.policies(np.array([[[1e6, -1e6]] * 4] * 2), (3, 1))
    assert np.isfinite(policies).all()
    assert posterior([-1e5, -2e5], [0.5, 0.5]) == pytest.approx([1.0, 0.0])
    assert posterior([0.0, 0.0], [1.0, 0.0]) == pytest.approx([1.0, 0.0])


def test_the_prior_is_how_common_types_are():
    rng = np.random.default_rng(0)
    kinds = rng.choice(3, size=400, p=[0.6, 0.3, 0.1])
    evidence = rng.normal(size=(400, 3)) + 6.0 * np.eye(3)[kinds]
    assert fit_prior(evidence) == pytest.approx(np.bincount(kinds) / 400, abs=0.05)
    assert fit_prior([[0.0, -900.0]]).min() > 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"drops": (1.5,)}, "drops are numbers from 0 to 1, got"),
        ({"lapses": ()}, "lapses are numbers from 0 to 1"),
        ({"precisions": (-1.0,)}, "precisions are numbers from 0"),
        ({"depths": (2, 1)}, "depths are whole numbers of 1 or more that ascend"),
        ({"depths": (0, 1)}, "depths are whole numbers"),
    ],
)
def test_types_that_cannot_be(wrong, message):
    with pytest.raises(InvalidInput, match=message):
        PersonTypes(**wrong)


def test_values_of_another_shape_are_refused():
    with pytest.raises(InvalidInput, match=r"shape \(2, 4, actions\), got \(2, 3, 5\)"):
        TYPES.policies(np.zeros((2, 3, 5)), (3, 1))
