"""The sampled update: chances from counts, pooled or not, their noise, and when it is enough."""

from itertools import pairwise, product
from math import comb, lgamma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizeup.capability import Beliefs, Exact, Sampled
from sizeup.capability.energy import hedged, log_gamma, none_shares, standard_errors
from sizeup.errors import IllegalAction, InvalidInput


@st.composite
def tables(draw):
    """Counts of what 1 to 5 types played in K searches, and an action."""
    types, actions = draw(st.integers(1, 5)), draw(st.integers(2, 6))
    samples = draw(st.sampled_from([1, 4, 16, 64]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    policies = rng.dirichlet(np.full(actions, 0.4), size=types)
    counts = np.array([rng.multinomial(samples, policy) for policy in policies], dtype=float)
    return counts, draw(st.integers(0, actions - 1))


@given(tables())
def test_chances_are_smoothed_counts(table):
    counts, action = table
    samples, actions = counts[0].sum(), counts.shape[1]
    expected = (counts[:, action] + 0.5 / actions) / (samples + 0.5)
    np.testing.assert_allclose(Sampled().chances(counts, action), expected)
    np.testing.assert_allclose(Sampled().evidence(counts, action), -np.log(expected), atol=1e-12)
    every = [Sampled().chances(counts, a) for a in range(actions)]
    np.testing.assert_allclose(np.sum(every, axis=0), 1.0)


def beta(a, b):
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def pooled_by_hand(taken, samples, actions):
    """Go through all cuts of the types into groups of neighbours, one by one."""
    a, b = 0.5 / actions, 0.5 - 0.5 / actions
    total, sums = 0.0, np.zeros(len(taken))
    for cuts in product((False, True), repeat=len(taken) - 1):
        edges = [0, *(at + 1 for at, cut in enumerate(cuts) if cut), len(taken)]
        weight, means = 0.0, np.zeros(len(taken))
        for first, last in pairwise(edges):
            did, made = sum(taken[first:last]), samples * (last - first)
            weight += beta(a + did, b + made - did) - beta(a, b)
            means[first:last] = (a + did) / (0.5 + made)
        total += np.exp(weight)
        sums += np.exp(weight) * means
    return sums / total


@given(tables())
def test_pooled_chances_are_the_mean_over_all_cuts(table):
    counts, action = table
    expected = pooled_by_hand(counts[:, action].tolist(), counts[0].sum(), counts.shape[1])
    np.testing.assert_allclose(Sampled().pooled_chances(counts, action), expected, rtol=1e-8)


def test_types_that_act_alike_share_counts_and_others_do_not():
    alike = Sampled().pooled_chances([[5, 3], [3, 5]], 0)
    assert 1 < alike[0] / alike[1] < 5 / 3  # nearer together than each by itself
    apart = Sampled().pooled_chances([[64, 0], [0, 64]], 0)
    np.testing.assert_allclose(apart, Sampled().chances([[64, 0], [0, 64]], 0), rtol=0.01)


def test_with_more_samples_pooling_matters_less():
    """Both estimates go to the chances themselves."""
    rng, policies = np.random.default_rng(1), np.array([[0.5, 0.5], [0.5, 0.5], [0.8, 0.2]])
    errors = []
    for samples in (64, 65_536):
        counts = np.array([rng.multinomial(samples, policy) for policy in policies], dtype=float)
        for chances in (Sampled().chances, Sampled().pooled_chances):
            errors.append(np.abs(chances(counts, 0) - policies[:, 0]).max())
    assert max(errors[2:]) < 0.01


def test_rows_that_cannot_be_evaluated_stay_unknown():
    counts = np.array([[3.0, 1.0], [np.nan, np.nan]])
    for chances in (Sampled().chances(counts, 0), Sampled().pooled_chances(counts, 0)):
        assert np.isnan(chances).tolist() == [False, True]
    evidence = Sampled().evidence(counts, 0)
    assert np.isnan(evidence).tolist() == [False, True]
    assert Sampled().noise(evidence, 4).tolist()[1] == 0.0


@pytest.mark.parametrize(("chance", "actions"), [(0.3, 3), (0.6, 2), (0.2, 5), (0.5, 4)])
def test_the_log_of_a_chance_is_too_low_by_what_theory_says(chance, actions):
    """Exactly: the mean over all counts that are possible, of 256 samples."""
    samples = 256
    taken = np.arange(samples + 1)
    others = samples - taken
    counts = np.stack([taken, others, *[0 * taken] * (actions - 2)], axis=-1).astype(float)
    odds = [
        comb(samples, n) * chance**n * (1 - chance) ** (samples - n) for n in range(samples + 1)
    ]
    found = -Sampled().evidence(counts[:, None, :], 0)[:, 0]
    expected = -(1 - 1 / actions) / (2 * chance * samples)
    assert np.dot(odds, found) - np.log(chance) == pytest.approx(expected, rel=0.02)


def test_noise_is_what_it_is_said_to_be():
    """The variance of the log of a chance that was estimated from 32 samples."""
    rng, rule = np.random.default_rng(2), Sampled()
    counts = rng.multinomial(32, [0.4, 0.6], size=4000).astype(float)[:, None, :]
    evidence = rule.evidence(counts, 0)[:, 0]
    told = np.mean([rule.noise(one, 32) for one in evidence[:, None]])
    assert told == pytest.approx(evidence.var(), rel=0.15)


def test_enough_is_enough():
    rule, beliefs = Sampled(0.05), Beliefs.initial((2, 4), own=4, players=2)
    unsure, sure = np.array([0.1, 0.1]), np.array([0.001, 0.001])
    even = beliefs.observe(1, [0.7, 0.7], unsure)
    assert not rule.settles(even, 1, unsure)
    assert rule.settles(beliefs.observe(1, [0.7, 0.7], sure), 1, sure)
    certain = beliefs.observe(1, [0.0, 20.0], unsure)
    assert rule.settles(certain, 1, unsure)  # whatever the noise, it does not hang on it


def test_noise_of_all_moves_keeps_a_belief_from_settling():
    """Each move by itself is told well enough; together they are not."""
    rule, beliefs = Sampled(0.05), Beliefs.initial((2, 4), own=4, players=2)
    for _ in range(60):
        beliefs = beliefs.observe(1, [0.65, 0.7], noise=[0.03, 0.03])
    assert rule.settles(beliefs, 1, np.array([0.001, 0.001])) is False


@pytest.mark.parametrize(("accuracy", "agreed"), [(0.5, 4), (0.1, 8), (0.05, 32), (0.02, 256)])
def test_finer_accuracy_takes_more_samples(accuracy, agreed):
    rule = Sampled(accuracy)
    assert rule.agreed == agreed
    assert rule.looks[0] == 4
    assert rule.looks[-1] == 2 * agreed


@pytest.mark.parametrize("accuracy", [0.0, 0.001, 0.6, -1, "a", None, True])
def test_no_accuracy(accuracy):
    with pytest.raises(InvalidInput, match="accuracy"):
        Sampled(accuracy)


@pytest.mark.parametrize("none", [-0.1, 1.0, "a"])
def test_no_prior_of_none(none):
    with pytest.raises(InvalidInput, match="none of these"):
        Sampled(none=none)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[-1, 2], [1, 1]], "counts must be 0 or more, and finite"),
        ([[np.inf, 2], [1, 1]], "counts must be 0 or more, and finite"),
        ([[np.nan, 2], [1, 1]], "counts are all known, or all NaN"),
        ([["1", "2"]], "values: expected numbers"),
    ],
)
def test_no_counts(counts, message):
    for read in (Sampled().evidence, Sampled().chances, Sampled().pooled_chances):
        with pytest.raises(InvalidInput, match=message):
            read(counts, 0)


def test_an_action_that_is_not_there():
    with pytest.raises(IllegalAction, match="action 2"):
        Sampled().pooled_chances([[1, 2]], 2)


@given(st.floats(0.01, 500))
def test_log_gamma(x):
    assert float(log_gamma(np.array(x))) == pytest.approx(lgamma(x), rel=1e-9, abs=1e-9)


def test_none_of_these_beside_types():
    logs = np.log([[0.2, 0.3], [0.5, 0.5]])
    none = np.log([0.5, 1e-300])
    np.testing.assert_allclose(none_shares(logs, none), [0.5, 0.0], atol=1e-12)
    nothing = np.full((1, 2), -np.inf)
    assert none_shares(nothing, np.array([0.0])).tolist() == [1.0]
    assert none_shares(nothing, np.array([-np.inf])).tolist() == [0.0]


def test_hedging_brings_odds_nearer_together():
    logs = np.array([0.0, -2.0, -np.inf])
    assert hedged(logs, np.zeros(3)).tolist() == [0.0, -2.0, -np.inf]
    noisy = hedged(logs, np.array([1.0, 1.0, 0.0]))
    assert noisy[0] == 0.0
    assert -2.0 < noisy[1] < -1.0
    assert noisy[2] == -np.inf


def test_hedged_odds_are_means_over_the_errors():
    """Against a simulation: two types, log odds 2 with an error of variance 1.5."""
    rng = np.random.default_rng(3)
    simulated = (1 / (1 + np.exp(-(2 + rng.normal(0, np.sqrt(1.5), 200_000))))).mean()
    logs = hedged(np.array([0.0, -2.0]), np.array([0.75, 0.75]))
    assert 1 / (1 + np.exp(logs[1])) == pytest.approx(simulated, abs=0.01)


def test_standard_errors_against_a_simulation():
    rng, energy, sd = np.random.default_rng(4), np.array([0.5, 1.0, 2.0]), 0.2
    noisy = np.exp(-(energy + rng.normal(0, sd, (100_000, 3))))
    simulated = (noisy / noisy.sum(axis=1, keepdims=True)).std(axis=0)
    odds = np.exp(-energy) / np.exp(-energy).sum()
    np.testing.assert_allclose(standard_errors(odds, np.full(3, sd**2)), simulated, rtol=0.05)


# Beliefs with an entry for none of these.


def strange(moves, none=0.01):
    beliefs = Beliefs.initial((2, 4, 8), own=4, players=2, none=none)
    for _ in range(moves):
        beliefs = beliefs.observe(1, -np.log([0.02, 0.01, np.nan]), none=np.log(5))
    return beliefs


def test_who_fits_no_type_is_none_of_them():
    assert strange(0).none_of_these() == pytest.approx(0.01)
    assert strange(0).reduce(2).none_of_these() == pytest.approx(0.01)  # whoever holds it
    beliefs = strange(4)
    assert beliefs.none_of_these()[1] > 0.98
    np.testing.assert_allclose(beliefs.probabilities().sum(axis=-1) + beliefs.none_of_these(), 1.0)
    assert beliefs.posterior()[1].sum() == pytest.approx(1.0)  # of the types, if it is one
    planned = beliefs.to_plan_with()[1]
    assert planned.sum() == pytest.approx(1.0)
    assert planned[1] > 0.98  # an equal of the holder's
    assert "none of these" in beliefs.explain(1)


def test_without_such_an_entry_nothing_changes():
    beliefs = strange(4, none=0.0)
    assert beliefs.none_of_these().tolist() == [0.0, 0.0]
    np.testing.assert_array_equal(beliefs.probabilities(), beliefs.posterior())
    np.testing.assert_array_equal(beliefs.to_plan_with(), beliefs.posterior())


def test_none_takes_no_part_in_reduction_or_conditioning():
    beliefs = strange(3)
    assert beliefs.reduce(2).none.tolist() == beliefs.none.tolist()
    assert beliefs.condition(1, 2).none_of_these()[1] == 0.0
    assert beliefs.condition(1, 2).noise[1].tolist() == [0.0, 0.0, 0.0]


def test_a_reduced_belief_says_nothing_of_stronger_types():
    """Not even how noisy what was found about them is: it equals what a weaker player holds."""
    strong, weak = (Beliefs.initial((2, 4), own, players=2, none=0.01) for own in (4, 2))
    strong = strong.observe(1, [0.3, 0.7], noise=[0.1, 0.4], none=1.0)
    weak = weak.observe(1, [0.3, np.nan], noise=[0.1, 0.0], none=1.0)
    assert strong.reduce(2) == weak
    assert strong.reduce(4) == strong


def test_a_player_no_type_explains_is_none_of_these():
    beliefs = Beliefs.initial((2, 4), own=4, players=2, none=0.01)
    told = Exact().evidence([[0.0, 1.0], [0.0, 1.0]], action=0)
    beliefs = beliefs.observe(1, told, none=np.log(2))
    assert beliefs.none_of_these()[1] == 1.0
    assert beliefs.probabilities()[1].tolist() == [0.0, 0.0]
    assert beliefs.to_plan_with()[1].tolist() == [0.0, 1.0]
    assert beliefs.explain(1) == "player 1: type 2 0 %, type 4 0 %, none of these 100 %"


def test_forgetting():
    beliefs = strange(4).observe(1, [1.0, 2.0, np.nan], noise=[0.4, 0.8, 0.0])
    half = beliefs.forget(0.5)
    np.testing.assert_allclose(half.energy[1, :2], beliefs.energy[1, :2] / 2)
    np.testing.assert_allclose(half.noise, beliefs.noise / 4)
    np.testing.assert_allclose(half.none, beliefs.none / 2)
    assert half.none_prior == beliefs.none_prior
    for share in (1.0, -0.1):
        with pytest.raises(InvalidInput, match="share to forget"):
            beliefs.forget(share)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"noise": [[-1.0]]}, "noise"),
        ({"noise": [[np.inf]]}, "noise"),
        ({"none": [-1.0]}, "none of these"),
        ({"none_prior": 1.0}, "none of these"),
        ({"none_prior": "a"}, "none of these"),
    ],
)
def test_beliefs_refuse_nonsense(changes, message):
    fine = strange(1)
    fields = ("types", "rank", "energy", "updates", "log_prior", "noise", "none", "none_prior")
    with pytest.raises(InvalidInput, match=message):
        Beliefs(**{name: getattr(fine, name) for name in fields} | changes)


def test_beliefs_of_several_holders_keep_all_of_it():
    team = Beliefs.initial((2, 4), own=[2, 4], players=2, none=0.02)
    team = team.observe(1, [[0.1, np.nan], [0.1, 2.0]], noise=[[0.3, 0.0], [0.3, 0.5]], none=1.0)
    assert team[1].noise[1].tolist() == [0.3, 0.5]
    assert team[0].noise[1].tolist() == [0.3, 0.0]
    assert [one.none_prior for one in team] == [0.02, 0.02]
    assert team.none_of_these().shape == (2, 2)
