"""The two theorems of the exact setting, on random small games, against an omniscient filter."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sizeup.capability import Exact, assemble
from sizeup.planning import Planner, observe_action, play_episode
from tests.planning.naive import Omniscient
from tests.planning.strategies import small_games, type_sets

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # others cover it, in half the time

DISCOUNT = Fraction(1, 2)


@st.composite
def teams_at_play(draw):
    """A game, the players' types, a prior, and a whole episode of capability-aware play."""
    types = draw(type_sets())
    game = draw(small_games())
    own = draw(st.tuples(*[st.sampled_from(types.values)] * game.players))
    weights = draw(st.lists(st.integers(1, 3), min_size=len(types), max_size=len(types)))
    prior = [Fraction(weight, sum(weights)) for weight in weights]
    planner = Planner(game, types, discount=float(DISCOUNT))
    episode = play_episode(
        planner,
        own,
        turns=5,
        seed=draw(st.integers(0, 2**32 - 1)),
        prior=[float(share) for share in prior],
    )
    return planner, own, prior, episode


SLOW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SLOW
@given(teams_at_play())
def test_beliefs_form_a_type_structure_after_every_update(played):
    _, own, _, episode = played
    for move in episode.moves:
        structure = assemble(move.beliefs)  # exact: no tolerance
        for player, c in enumerate(own):
            assert structure.typed(c) == move.beliefs[player]


@SLOW
@given(teams_at_play())
def test_beliefs_are_the_omniscient_conditional_posterior(played):
    planner, own, prior, episode = played
    types = planner.types
    omniscient = Omniscient(planner.game, types.values, DISCOUNT, prior)
    for move in episode.moves:
        omniscient.see(move.state, move.action)
        for holder, c in enumerate(own):
            for subject in range(planner.game.players):
                _agree(move.beliefs[holder], subject, omniscient.up_to(subject, c))


def _agree(belief, subject, truth):
    """The typed belief is the conditional posterior; undefined exactly where that is."""
    assert bool(belief.stronger_than_me()[subject]) == (truth is None)
    if truth is not None:
        expected = [float(truth.get(c, 0)) for c in belief.types]
        np.testing.assert_allclose(belief.probabilities()[subject], expected, atol=1e-9)


@SLOW
@given(teams_at_play())
def test_who_is_undefined_is_really_stronger(played):
    """Undefined if and only if P(type <= mine) = 0 is tested above; here against the truth."""
    _, own, _, episode = played
    for move in episode.moves:
        undefined = move.beliefs.stronger_than_me()
        for holder, subject in np.argwhere(undefined):
            assert own[subject] > own[holder]


@pytest.mark.slow
@SLOW
@given(teams_at_play())
def test_values_are_the_omniscient_ones_and_depend_on_the_reduced_belief_only(played):
    """What the theorems rest on: not only the best actions but every value must agree."""
    planner, _, prior, episode = played
    omniscient = Omniscient(planner.game, planner.types.values, DISCOUNT, prior)
    before = episode.first_beliefs
    for move in episode.moves:
        for holder in before:
            table = planner.table(move.state, holder)
            for rank in range(int(holder.rank) + 1):
                c = planner.types.values[rank]
                weaker = planner.table(move.state, holder.reduce(c))[rank]
                np.testing.assert_array_equal(table[rank], weaker)
                truth = [float(value) for value in omniscient.q(move.state, c).values()]
                np.testing.assert_allclose(table[rank], truth, atol=1e-9)
        omniscient.see(move.state, move.action)
        before = move.beliefs


@SLOW
@given(teams_at_play(), st.data())
def test_reduction_commutes_with_updates(played, data):
    planner, _, _, episode = played
    assume(episode.moves)
    c = data.draw(st.sampled_from(planner.types.values))
    before = episode.first_beliefs
    for move in episode.moves:
        alone = observe_action(planner, move.state, move.action, before.reduce(c), Exact())
        assert alone == move.beliefs.reduce(c)
        before = move.beliefs


@SLOW
@given(small_games(teams=1), type_sets(), st.integers(0, 2**32 - 1))
def test_the_true_type_is_never_ruled_out_by_who_can_evaluate_it(game, types, seed):
    own = [types.strongest] * game.players
    episode = play_episode(Planner(game, types), own, turns=6, seed=seed)
    assert np.isfinite(episode.beliefs.energy[:, :, -1]).all()
