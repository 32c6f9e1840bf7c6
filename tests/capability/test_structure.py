import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizeup.capability import (
    Beliefs,
    TypeSet,
    assemble,
    differences,
    disagreement,
    distance,
    stack,
)
from sizeup.errors import InconsistentBeliefs, InfeasibleType, InvalidInput
from tests.capability.strategies import beliefs

TYPES = TypeSet((2, 4, 8))


@st.composite
def structures(draw):
    """Players of random types that all know what the strongest type would know."""
    one = draw(beliefs(leading=()))
    own = draw(
        st.lists(st.sampled_from(one.types.values), min_size=one.players, max_size=one.players)
    )
    full = Beliefs(
        one.types,
        np.array(len(one.types) - 1),
        np.where(np.isinf(one.energy), 1.5, one.energy),
        one.updates,
        one.log_prior,
    )
    return own, stack([full.reduce(c) for c in own])


@pytest.mark.slow
@given(structures())
def test_reductions_of_one_belief_assemble(case):
    own, team = case
    structure = assemble(team)
    assert structure.own == tuple(own)
    assert distance(team) == 0.0
    for player, c in enumerate(own):
        assert structure.typed(c) == team[player]


@pytest.mark.slow
@given(structures(), st.data())
def test_nested_beliefs_collapse_to_the_weakest_type_in_the_chain(case, data):
    own, team = case
    structure = assemble(team)
    player = data.draw(st.integers(0, len(own) - 1))
    about = data.draw(st.integers(0, len(own) - 1))
    chain = data.draw(st.lists(st.sampled_from(team.types.values), max_size=5))
    weakest = min([own[player], *chain])
    expected = structure.belief.reduce(weakest).energy[about]
    np.testing.assert_array_equal(structure.believes(player, about, chain), expected)


@pytest.mark.slow
@given(structures(), st.data())
def test_one_changed_entry_is_found(case, data):
    own, team = case
    first, second = data.draw(st.permutations(range(len(own))))[:2]
    subject = data.draw(st.integers(0, len(own) - 1))
    rank = data.draw(st.integers(0, int(min(team.rank[first], team.rank[second]))))
    energy = team.energy.copy()
    energy[first, subject, rank] += 0.25
    changed = Beliefs(team.types, team.rank, energy, team.updates, team.log_prior)
    found = disagreement(changed)
    assert first in found.players
    assert (found.subject, found.type) == (subject, team.types.values[rank])
    assert found.size == pytest.approx(0.25)
    assemble(changed, tolerance=0.2500001)
    message = f"player {subject} being of type {found.type}"
    with pytest.raises(InconsistentBeliefs, match=message):
        assemble(changed)


def test_a_type_ruled_out_by_one_player_only_is_infinitely_far():
    team = Beliefs.initial(TYPES, own=(8, 4), players=2)
    changed = [team[0].observe(0, [np.inf, 0, 0]), team[1].observe(0, [0, 0, np.nan])]
    assert distance(changed) == np.inf
    assert disagreement(changed).energies == (np.inf, 0.0)


def test_types_that_only_one_of_two_can_evaluate_do_not_count():
    team = Beliefs.initial(TYPES, own=(8, 2), players=2)
    apart = stack([team[0].observe(1, [0, 3, 5]), team[1].observe(1, [0, np.nan, np.nan])])
    assert distance(apart) == 0.0
    assert differences(apart).shape == (2, 2, 2, 3)


def test_typed_belief_above_the_strongest_player_is_infeasible():
    structure = assemble(Beliefs.initial(TYPES, own=(2, 4), players=2))
    with pytest.raises(InfeasibleType, match="typed belief of type 8"):
        structure.typed(8)


def test_players_must_share_prior_and_number_of_updates():
    one = Beliefs.initial(TYPES, own=4, players=2)
    with pytest.raises(InconsistentBeliefs, match="number of updates"):
        assemble([one, one.observe(0, [0, 0, np.nan])])
    other = Beliefs.initial(TYPES, own=4, players=2, prior=[0.5, 0.25, 0.25])
    with pytest.raises(InconsistentBeliefs, match="prior"):
        assemble([one, other])


def test_every_player_is_compared_in_what_is_public():
    one = Beliefs.initial(TYPES, own=4, players=3)
    for player in range(3):
        team = [one] * 3
        team[player] = one.observe(0, [0, 0, np.nan])
        with pytest.raises(InconsistentBeliefs, match="number of updates"):
            assemble(team)


def test_bad_input():
    one = Beliefs.initial(TYPES, own=4, players=2)
    with pytest.raises(InvalidInput, match="one holder for each of 2 players"):
        assemble([one, one, one])
    with pytest.raises(InvalidInput, match="tolerance must be a number, got nan"):
        assemble([one, one], tolerance=np.nan)
    with pytest.raises(InvalidInput, match="tolerance must be 0 or more, got -1"):
        assemble([one, one], tolerance=-1)
    with pytest.raises(InvalidInput, match="expected a list of beliefs"):
        assemble(None)
    structure = assemble([one, one])
    with pytest.raises(InvalidInput, match="player 2 is out of range"):
        structure.believes(2, about=0)
    with pytest.raises(InvalidInput, match="differences are between players"):
        differences(one)
    with pytest.raises(InvalidInput, match="player -1 is out of range"):
        structure.believes(0, about=-1)
    with pytest.raises(InvalidInput, match="5 is not a capability type"):
        structure.believes(0, about=1, as_seen_by=[5])
