import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizeup.capability import (
    Adversarial,
    Beliefs,
    TypeSet,
    assignments,
    hypotheses,
    look_ahead,
    phi,
    public_beliefs,
    q_phi,
)
from sizeup.errors import InfeasibleType, InvalidInput
from tests.capability.strategies import beliefs

TYPES = TypeSet((2, 4, 8))


@pytest.mark.slow
@given(beliefs(), st.data())
def test_hypotheses_are_conditioned_then_reduced_beliefs(held, data):
    """All types at once agree with the operations, one type and one holder at a time."""
    actor = data.draw(st.integers(0, held.players - 1))
    temperature = data.draw(st.sampled_from([1.0, 0.1, Adversarial(held.players)]))
    table = hypotheses(held, actor, temperature)
    for holder in np.ndindex(held.rank.shape):
        one = held[holder] if holder else held
        for rank, c in enumerate(held.types):
            if c > one.own:
                assert np.isnan(table[(*holder, rank)]).all()
            else:
                expected = one.condition(actor, c).reduce(c).probabilities(temperature)
                np.testing.assert_allclose(table[(*holder, rank)], expected, atol=1e-12)


def test_assignments_are_all_combinations():
    possible = np.array([[1, 1, 0], [1, 1, 1], [0, 0, 1]], dtype=bool)
    assert [tuple(a) for a in assignments(possible)] == [*itertools.product([0, 1], [0, 1, 2], [2])]


@given(beliefs(leading=()))
def test_phi_is_a_distribution_over_feasible_assignments(held):
    probabilities = held.probabilities()
    listed = assignments(probabilities > 0)
    weights = phi(probabilities, listed)
    assert weights.sum() == pytest.approx(1.0)
    assert (listed <= held.rank).all()
    for assignment, weight in zip(listed, weights, strict=True):
        by_hand = np.prod([probabilities[i, c] for i, c in enumerate(assignment)])
        assert weight == pytest.approx(by_hand)


def test_q_phi_is_reward_plus_discounted_average():
    rng = np.random.default_rng(0)
    rewards, values, weights = rng.random((5, 3)), rng.random((5, 4, 3)), rng.random((5, 4))
    expected = rewards + 0.9 * np.einsum("em,ema->ea", weights, values)
    np.testing.assert_allclose(q_phi(rewards, values, weights, 0.9), expected)


def test_too_many_or_no_assignments():
    with pytest.raises(InvalidInput, match=r"4294967296 assignments .* too many"):
        assignments(np.ones((8, 16), dtype=bool))
    with pytest.raises(InvalidInput, match="at least one possible type"):
        assignments([[False, False], [True, True]])
    with pytest.raises(InvalidInput, match=r"\(players, types\) mask"):
        assignments([True, False])
    with pytest.raises(InvalidInput, match="mask of booleans, got"):
        assignments([[0.5, 0.5], [1.0, 0.0]])
    with pytest.raises(InvalidInput, match=r"actor has shape \(2,\)"):
        hypotheses(Beliefs.initial(TYPES, own=4, players=2), [0, 1])


def test_look_ahead_needs_a_step():
    with pytest.raises(InvalidInput, match="look-ahead must be 1 or more, got 0"):
        look_ahead(None, 0, np.ones(1), steps=0)


def test_public_beliefs_hold_the_weakest_players_inferences_only():
    team = Beliefs.initial(TYPES, own=(8, 4, 2), players=3)
    evidence = np.where(team.energy[:, 0] == 0, [[1.0, 0.0, 2.0]], np.nan)
    team = team.observe(1, evidence)
    for holder in range(3):
        public = public_beliefs(team[holder], weakest=2)
        assert public.own == team[holder].own
        np.testing.assert_array_equal(public.energy, team[2].energy)


def test_public_belief_treats_what_no_public_type_explains_as_an_equal():
    mine = Beliefs.initial(TYPES, own=8, players=2).observe(1, [np.inf, 0.0, 0.0])
    public = public_beliefs(mine, weakest=2)
    assert public.stronger_than_me().tolist() == [False, True]
    assert public.probabilities()[1].tolist() == [0, 0, 1]


def test_a_public_belief_above_ones_own_type_is_infeasible():
    with pytest.raises(InfeasibleType, match="the public belief needs type 4"):
        public_beliefs(Beliefs.initial(TYPES, own=2, players=2), weakest=4)
