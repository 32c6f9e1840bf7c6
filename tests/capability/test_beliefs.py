"""The four operations and their laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizeup.capability import Adversarial, Beliefs, Constant, Stochastic, TypeSet, stack
from sizeup.errors import InfeasibleType, InvalidInput, UndefinedPosterior
from tests.capability.strategies import beliefs, beliefs_and_evidence

TYPES = TypeSet((2, 4, 8))
FIELDS = ("types", "rank", "energy", "updates", "log_prior", "noise", "none", "none_prior")


@pytest.mark.slow
@given(beliefs(), st.data())
def test_two_reductions_are_one_to_the_weaker_type(held, data):
    first, second = data.draw(st.tuples(*[st.sampled_from(held.types.values)] * 2))
    assert held.reduce(first).reduce(second) == held.reduce(min(first, second))


@pytest.mark.slow
@given(beliefs())
def test_reduction_to_ones_own_type_changes_nothing(held):
    assert held.reduce(held.own) == held


@pytest.mark.slow
@given(beliefs_and_evidence(), st.data())
def test_reduction_commutes_with_observation(case, data):
    held, subject, evidence = case
    c = data.draw(st.sampled_from(held.types.values))
    weak = held.reduce(c)
    above = np.arange(len(held.types)) > weak.rank[..., None]
    seen = np.where(above, np.nan, evidence)
    assert held.observe(subject, evidence).reduce(c) == weak.observe(subject, seen)


@pytest.mark.slow
@given(beliefs_and_evidence())
def test_observation_adds_energy_about_one_subject_only(case):
    held, subject, evidence = case
    after = held.observe(subject, evidence)
    others = [player for player in range(held.players) if player != subject]
    np.testing.assert_array_equal(after.energy[..., others, :], held.energy[..., others, :])
    np.testing.assert_array_equal(after.updates.sum(-1), held.updates.sum(-1) + 1)
    feasible = ~np.isnan(evidence)
    expected = held.energy[..., subject, :] + evidence
    np.testing.assert_array_equal(after.energy[..., subject, :][feasible], expected[feasible])


@pytest.mark.parametrize("temperature", [1.0, 0.5, Adversarial(players=2)])
def test_a_player_that_may_have_changed_is_believed_to_be_one_drawn_from_the_prior_by_so_much(
    temperature,
):
    team = Beliefs.initial(TYPES, (4, 8), 2, [0.5, 0.3, 0.2], none=0.01)
    held = team.observe(1, [[1.0, 90.0, np.nan], [1.0, 90.0, 0.0]], 0.3, [2.0, 3.0])
    after = held.may_change(1, 0.1, temperature)
    for asked in (Beliefs.probabilities, Beliefs.none_of_these):
        was, prior, now = (asked(one, temperature) for one in (held, team, after))
        np.testing.assert_allclose(now[:, 1], 0.9 * was[:, 1] + 0.1 * prior[:, 1], atol=1e-12)
        np.testing.assert_array_equal(now[:, 0], was[:, 0])  # of nobody else
    assert (after.noise[:, 1] <= held.noise[:, 1]).all()
    assert after.noise[1, 1, 1] < 1e-3 * held.noise[1, 1, 1]  # of what is not believed any more
    assert after.energy[0, 1].tolist()[2] == np.inf
    assert Beliefs(**{name: getattr(after, name) for name in FIELDS}) == after  # it is sound


def test_who_was_ruled_out_may_come_back_by_a_change_and_not_by_forgetting():
    held = Beliefs.initial((2, 4), 4, 2).observe(1, [np.inf, 0.0])
    assert held.forget(0.5).posterior()[1].tolist() == [0.0, 1.0]
    assert held.may_change(1, 0.1).posterior()[1] == pytest.approx([0.05, 0.95])
    assert held.may_change(1, 0.0) is held
    never = Beliefs.initial((2, 4), 4, 2, [0.0, 1.0]).observe(1, [0.0, 1.0])
    assert never.may_change(1, 0.5).posterior()[1].tolist() == [0.0, 1.0]


def test_forgetting_commutes_with_reduction_and_a_change_does_not():
    held = Beliefs.initial(TYPES, 8, 2).observe(1, [3.0, 0.0, 5.0])
    assert held.forget(0.1).reduce(4) == held.reduce(4).forget(0.1)
    one, other = held.may_change(1, 0.1).reduce(4), held.reduce(4).may_change(1, 0.1)
    assert not np.allclose(one.probabilities()[1], other.probabilities()[1])


@pytest.mark.parametrize("chance", [-0.1, 1.0, np.nan, "0", None, True])
def test_no_chance_of_change(chance):
    with pytest.raises(InvalidInput, match="a chance of change"):
        ONE.may_change(1, chance)


def test_probabilities_are_not_mixed_up_when_they_are_asked_for_again():
    held = Beliefs.initial(TYPES, own=8, players=2).observe(1, [0.0, 1.0, 2.0])
    first = held.probabilities(1.0)
    kept = first.copy()
    first[:] = 0.0  # the caller's own
    np.testing.assert_array_equal(held.probabilities(1.0), kept)
    assert not np.allclose(held.probabilities(0.5), kept)
    np.testing.assert_array_equal(held.probabilities(1.0), kept)
    later = held.observe(1, [5.0, 0.0, 0.0])
    assert not np.allclose(later.probabilities(1.0), kept)


@pytest.mark.parametrize("temperature", [None, "warm", 0.0, -1.0, np.nan])
def test_bad_temperatures_are_refused_however_often_they_are_given(temperature):
    held = Beliefs.initial(TYPES, own=8, players=2)
    for _ in range(2):
        with pytest.raises(InvalidInput, match="temperature"):
            held.probabilities(temperature)


def test_a_temperature_that_is_a_function_is_asked_each_time():
    held = Beliefs.initial(TYPES, own=8, players=2).observe(1, [0.0, 1.0, 2.0])
    heat = [1.0]

    def temperature(updates):
        return np.full(updates.shape, heat[0])

    warm = held.probabilities(temperature)
    heat[0] = 0.1
    assert held.probabilities(temperature)[1, 0] > warm[1, 0]


@pytest.mark.slow
@given(beliefs(), st.floats(0.01, 100))
def test_probabilities_are_the_plain_formula(held, temperature):
    given = held.probabilities(temperature)
    np.testing.assert_allclose(given.sum(-1), 1.0)
    for place in np.ndindex(held.updates.shape):
        row, rank = held.energy[place], held.rank[place[:-1]]
        if np.isinf(row).all():
            expected = np.arange(len(held.types)) == rank
            assert held.stronger_than_me()[place]
        else:
            best = row.min()
            mass = np.exp(held.log_prior[place] - (row - best) / temperature)
            expected = mass / mass.sum()
            assert not held.stronger_than_me()[place]
        np.testing.assert_allclose(given[place], expected, atol=1e-9)


@pytest.mark.slow
@given(beliefs(leading=()), st.data())
def test_energies_close_at_a_temperature_give_posteriors_close_in_total_variation(held, data):
    """Within eta * T of each other: within tanh(eta / 2), which the bounds rest on."""
    eta, temperature = data.draw(st.floats(0, 2)), data.draw(st.floats(0.1, 10))
    shifts = data.draw(
        st.lists(st.floats(-1, 1), min_size=held.energy.size, max_size=held.energy.size)
    )
    shift = 0.5 * eta * temperature * np.reshape(shifts, held.energy.shape)
    raised = eta * temperature + held.energy  # keeps energies positive
    first, second = (
        Beliefs(held.types, held.rank, raised + sign * shift, held.updates, held.log_prior)
        for sign in (1, -1)
    )
    gap = np.abs(first.probabilities(temperature) - second.probabilities(temperature))
    assert (gap.sum(axis=-1) / 2 <= np.tanh(eta / 2) + 1e-9).all()


@pytest.mark.parametrize("temperature", [Adversarial(3), Stochastic(2.0)])
def test_before_any_update_the_posterior_is_the_prior(temperature):
    prior = [0.2, 0.3, 0.5]
    held = Beliefs.initial(TYPES, own=8, players=3, prior=prior)
    np.testing.assert_allclose(held.posterior(temperature), [prior] * 3)
    np.testing.assert_allclose(held.reduce(4).posterior(temperature)[0], [0.4, 0.6, 0.0])


def test_temperature_is_read_for_each_subject():
    held = Beliefs.initial(TYPES, own=8, players=2)
    held = held.observe(0, [1.0, 0.0, 0.0]).observe(1, [1.0, 0.0, 0.0]).observe(1, [0.0] * 3)
    by_hand = [[1.0 / (6 * t * 2), 0.0, 0.0] for t in (1, 2)]
    expected = np.exp(-np.array(by_hand))
    np.testing.assert_allclose(
        held.posterior(Adversarial(2)), expected / expected.sum(1, keepdims=True)
    )


def test_a_constant_and_a_number_are_the_same_temperature():
    held = Beliefs.initial(TYPES, own=8, players=2).observe(0, [0.3, 0.1, 0.0])
    np.testing.assert_array_equal(held.posterior(0.1), held.posterior(Constant(0.1)))


def test_conditioning_overrides_prior_and_evidence():
    held = Beliefs.initial(TYPES, own=8, players=2, prior=[0.0, 0.5, 0.5])
    held = held.observe(1, [0.0, 0.0, np.inf])
    np.testing.assert_array_equal(held.condition(1, 2).posterior()[1], [1, 0, 0])
    np.testing.assert_array_equal(held.condition(1, 8).energy[1], [np.inf, np.inf, 0])
    assert held.condition(1, 2).energy[0].tolist() == held.energy[0].tolist()


def test_a_prior_of_zero_rules_a_type_out():
    held = Beliefs.initial(TYPES, own=2, players=2, prior=[0.0, 0.5, 0.5])
    assert held.stronger_than_me().all()


def test_no_mass_left_raises_and_names_the_subject():
    held = Beliefs.initial(TYPES, own=4, players=3).observe(2, [np.inf, np.inf, np.nan])
    with pytest.raises(UndefinedPosterior, match=r"player 2 is stronger .* type 4"):
        held.posterior()
    np.testing.assert_array_equal(held.probabilities()[2], [0, 1, 0])
    team = stack([held, held.reduce(2)])
    with pytest.raises(UndefinedPosterior, match=r"\(0,\) of type 4"):
        team.posterior()


def test_holders_that_watch_different_games():
    many = Beliefs.initial(TYPES, own=[[2, 8], [4, 8]], players=2)
    evidence = np.where(many.energy[..., 0, :] == 0, 1.0, np.nan)
    after = many.observe(np.array([[0], [1]]), evidence)
    assert after.updates.tolist() == [[[1, 0], [1, 0]], [[0, 1], [0, 1]]]
    assert after[1, 0].energy[1].tolist() == [1.0, 1.0, np.inf]
    assert after[0].rank.tolist() == [0, 2]


def test_explanation_in_words():
    held = Beliefs.initial(TYPES, own=4, players=2).observe(1, [np.log(3), 0.0, np.nan])
    assert held.explain(1) == "player 1: type 2 25 %, type 4 75 %"
    lost = held.observe(0, [np.inf, np.inf, np.inf])
    assert lost.explain(0) == "player 0: stronger than me, treated as my own type 4"
    assert lost.explain(1) == held.explain(1)
    with pytest.raises(InvalidInput, match="index the team first"):
        stack([held, held]).explain(0)


def test_beliefs_are_read_only():
    held = Beliefs.initial(TYPES, own=4, players=2)
    for belief in (held, held.observe(0, [0, 0, np.nan]), held.reduce(2), held.condition(0, 2)):
        for array in (belief.energy, belief.updates, belief.log_prior, belief.rank):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 1


def test_beliefs_are_their_own_copy():
    arrays = {
        "energy": np.zeros((2, 3)),
        "updates": np.zeros(2, dtype=np.int64),
        "log_prior": np.zeros((2, 3)),
    }
    held = Beliefs(TYPES, 2, **arrays)
    for array in arrays.values():
        array[0] = 9
    assert held == Beliefs(TYPES, 2, np.zeros((2, 3)), 0, 0.0)


def test_equality_is_of_values_and_only_with_beliefs():
    held = Beliefs.initial(TYPES, own=4, players=2)
    assert held == Beliefs.initial(TYPES, own=4, players=2)
    assert held != Beliefs.initial(TYPES, own=8, players=2)
    assert held != "a belief"


ONE = Beliefs.initial(TYPES, own=4, players=2)
TEAM = Beliefs.initial(TYPES, own=(4, 8), players=2)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: ONE.observe(2, [0, 0, np.nan]), InvalidInput, "player 2 is out of range.*0 to 1"),
        (lambda: ONE.observe(-1, [0, 0, np.nan]), InvalidInput, "player -1 is out of range"),
        (
            lambda: ONE.observe(0.5, [0, 0, np.nan]),
            InvalidInput,
            "player from 0 to 1: expected integers, got 0.5",
        ),
        (lambda: ONE.observe(0, [0, np.nan, np.nan]), InvalidInput, "NaN .*at type 4"),
        (lambda: ONE.observe(0, [0, -0.5, np.nan]), InvalidInput, "negative value -0.5 at type 4"),
        (lambda: ONE.observe(0, [0, 0, 0]), InfeasibleType, "0.0 at type 8, above"),
        (lambda: ONE.observe(0, [0, 0, -np.inf]), InfeasibleType, "-inf at type 8, above"),
        (lambda: ONE.observe(0, [0, 0]), InvalidInput, "one entry for each of 3 types"),
        (lambda: ONE.observe(0, 1.0), InvalidInput, "one entry for each of 3 types"),
        (lambda: TEAM.observe(0, np.zeros((3, 3))), InvalidInput, r"shape \(3,\).*fit"),
        (lambda: ONE.observe([0, 1], [0, 0, np.nan]), InvalidInput, r"subject has shape \(2,\)"),
        (lambda: noted(noise=np.nan), InvalidInput, "noise must be 0 or more, and finite"),
        (lambda: noted(noise=-1.0), InvalidInput, "noise must be 0 or more, and finite"),
        (lambda: noted(noise=np.inf), InvalidInput, "noise must be 0 or more, and finite"),
        (lambda: noted(noise=[0, 0]), InvalidInput, "noise must have one entry for each of 3"),
        (lambda: noted(noise="0"), InvalidInput, "noise: expected numbers"),
        (lambda: noted(none=np.nan), InvalidInput, "against none of these must be 0 or more"),
        (lambda: noted(none=-1.0), InvalidInput, "against none of these must be 0 or more"),
        (lambda: noted(none=[0, 0]), InvalidInput, "against none has shape .*does not fit"),
        (lambda: ONE.condition(0, 8), InfeasibleType, "needs type 8"),
        (lambda: TEAM.condition(0, 8), InfeasibleType, "player of type 4"),
        (lambda: ONE.condition(0, 3), InvalidInput, "3 is not a capability type"),
        (lambda: ONE.reduce(3), InvalidInput, "3 is not a capability type"),
        (lambda: ONE.posterior(0.0), InvalidInput, "temperature must be above 0, got 0.0"),
        (lambda: ONE.posterior(np.nan), InvalidInput, "temperature must be a number, got nan"),
        (lambda: Beliefs.initial(TYPES, 4, 1), InvalidInput, "players must be 2 or more, got 1"),
        (lambda: Beliefs.initial(TYPES, 5, 2), InvalidInput, "5 is not a capability type"),
        (lambda: Beliefs.initial(TYPES, 4, 2, [0.5, 0.6, 0]), InvalidInput, "sum to 1, got.*1.1"),
        (lambda: Beliefs.initial(TYPES, 4, 2, [1.5, -0.5, 0]), InvalidInput, "must be >= 0"),
        (lambda: Beliefs.initial(TYPES, 4, 2, [np.nan, 1, 0]), InvalidInput, "must be >= 0"),
        (lambda: Beliefs.initial(TYPES, 4, 2, [0.5, 0.5]), InvalidInput, "a prior has shape"),
        (lambda: stack([]), InvalidInput, "no beliefs"),
        (
            lambda: stack([ONE, Beliefs.initial(TYPES, 4, 3)]),
            InvalidInput,
            "beliefs 0 and 1 are about different",
        ),
        (lambda: raw(energy=[[0, -1, np.inf]] * 2), InvalidInput, "energy holds the negative"),
        (lambda: raw(energy=[[0, np.nan, np.inf]] * 2), InvalidInput, "energy holds NaN"),
        (lambda: raw(energy=[[0, 0, 0]] * 2), InfeasibleType, "energy holds 0.0 at type 8"),
        (lambda: raw(energy=[[0, 0]] * 2), InvalidInput, "each of 3 types, got 2"),
        (lambda: raw(energy=[0, 0, np.inf]), InvalidInput, "energy must have shape"),
        (lambda: ONE.observe(True, [0, 0, np.nan]), InvalidInput, "expected integers, got True"),
        (lambda: ONE.observe(0, ["0", "0", "0"]), InvalidInput, "evidence: expected numbers"),
        (lambda: ONE.observe(0, [[0], [0, 0]]), InvalidInput, "evidence: expected .* even rows"),
        (lambda: ONE.condition([0, 1], 4), InvalidInput, r"expected one player, got \[0, 1\]"),
        (lambda: TEAM.reduce([2, 4, 8]), InvalidInput, r"shape \(3,\), which does not fit"),
        (lambda: ONE.posterior("hot"), InvalidInput, "temperature must be a number, got 'hot'"),
        (lambda: ONE.posterior(1j), InvalidInput, "temperature must be a number"),
        (lambda: ONE.posterior(lambda t: t * 0.0), InvalidInput, "must be above 0, got 0.0"),
        (lambda: ONE.posterior(lambda t: np.ones(5)), InvalidInput, r"about each player, got .*5"),
        (lambda: ONE[0], InvalidInput, "no holder 0 among holders of shape"),
        (lambda: TEAM[5], InvalidInput, "no holder 5"),
        (lambda: list(ONE), InvalidInput, "one holder's beliefs"),
        (lambda: stack(ONE), InvalidInput, "expected a list of beliefs"),
        (lambda: stack([ONE, 3]), InvalidInput, "expected beliefs, got 3"),
        (lambda: Beliefs.initial(TYPES, 4, 2.0), InvalidInput, "players must be an integer"),
        (lambda: Beliefs.initial(TYPES, 4, 2, "uniform"), InvalidInput, "a prior: expected num"),
        (lambda: Beliefs.initial(TYPES, [4, 8.0], 2), InvalidInput, "integer such as .*got 8.0"),
        (lambda: raw(rank=0.5), InvalidInput, "ranks: expected integers, got 0.5"),
        (lambda: raw(updates=[0, 0, 0]), InvalidInput, r"updates must fit shape \(2,\)"),
        (lambda: raw(log_prior=np.inf), InvalidInput, "log prior must be finite"),
        (lambda: raw(rank=7), InvalidInput, "between 0 and 2, got 7"),
        (lambda: raw(updates=-1), InvalidInput, "updates must be >= 0"),
        (lambda: raw(log_prior=np.nan), InvalidInput, "log prior must be finite"),
    ],
)
def test_bad_input_gets_its_own_error(call, error, message):
    with pytest.raises(error, match=message):
        call()


def noted(**doubts):
    return ONE.observe(0, [0, 0, np.nan], **doubts)


def raw(**changes):
    fields = {"rank": 1, "energy": [[0, 0, np.inf]] * 2, "updates": 0, "log_prior": 0.0, **changes}
    return Beliefs(TYPES, **fields)


def test_a_team_is_gone_through_holder_by_holder():
    assert [held.own.item() for held in TEAM] == [4, 8]
    assert repr(ONE).startswith("Beliefs(types=(2, 4, 8), own=4, players=2, energy=[[0.0")
    assert Beliefs.initial((2, 4, 8), own=4, players=2) == ONE


def test_raw_fields_are_taken_as_they_are():
    assert raw().posterior().tolist() == [[0.5, 0.5, 0.0]] * 2
