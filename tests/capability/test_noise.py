"""The bounds under noise, in simulation: at least 1,000 episodes of each kind."""

import numpy as np
import pytest

from sizeup.capability import (
    Adversarial,
    Drift,
    Exact,
    NoisyStates,
    NoisyValues,
    SolvedGame,
    Stochastic,
    Tempered,
    TypeSet,
    adversarial_bound,
    simulate,
    smallest_d,
    stochastic_bound,
)
from sizeup.errors import InvalidInput

TYPES = TypeSet((1, 2, 3))
OWN = {2: (3, 2), 3: (3, 2, 3)}
EPSILON, DELTA = 0.1, 0.05
GAMES, EPISODES, TURNS = 4, 250, 40

every_noise = pytest.mark.parametrize("source", [NoisyValues, NoisyStates])
every_team = pytest.mark.parametrize("players", [2, 3])


def drifts(players, rule, noise, turns=TURNS):
    """1,000 episodes over several random games."""
    for seed in range(GAMES):
        game = SolvedGame.random(TYPES, players, seed=seed)
        yield simulate(game, OWN[players], rule, noise, episodes=EPISODES, turns=turns, seed=seed)


@pytest.mark.slow
@every_noise
@every_team
def test_adversarial_noise_never_exceeds_its_bound(source, players):
    rule = Tempered(Adversarial(players))
    worst = 0.0
    for drift in drifts(players, rule, source(EPSILON, adversarial=True)):
        worst = max(worst, drift.worst_ratio(adversarial_bound(EPSILON, drift.updates)).max())
    assert 0.3 < worst <= 2.5 / 3.0  # the adversary does bite; 2.5 epsilon t is never exceeded


@pytest.mark.slow
@every_noise
@every_team
def test_iid_noise_exceeds_its_bound_in_at_most_delta_of_the_episodes(source, players):
    d = smallest_d(players, len(TYPES), DELTA)
    worst = []
    for drift in drifts(players, Tempered(Stochastic(d)), source(EPSILON)):
        bound = stochastic_bound(EPSILON, drift.updates, d, players)
        worst.append(drift.worst_ratio(bound))
    assert np.mean(np.concatenate(worst) > 1.0) <= DELTA
    assert np.concatenate(worst).max() > 0.0


def test_a_temperature_too_low_breaks_the_bound():
    """The guarantee rests on the temperature: at a constant 0.01 players drift further apart."""
    drift = next(drifts(3, Tempered(0.01), NoisyValues(EPSILON, adversarial=True)))
    assert drift.worst_ratio(adversarial_bound(EPSILON, drift.updates)).max() > 1.0


def test_the_worst_ratio_is_over_all_times_and_subjects():
    gap = np.array([[[0.0, 0.1]], [[0.0, 0.8]], [[0.2, 0.8]]])
    updates = np.array([[[0, 1]], [[0, 1]], [[1, 2]]])
    assert Drift(gap, updates).worst_ratio(1.0 * updates).tolist() == [0.8]


def test_noise_beyond_epsilon_breaks_the_bound():
    """The check can fail: twice the declared noise goes past the bound."""
    rule = Tempered(Adversarial(2))
    drift = next(drifts(2, rule, NoisyValues(2 * EPSILON, adversarial=True)))
    assert drift.worst_ratio(adversarial_bound(EPSILON, drift.updates)).max() > 1.0


def test_a_d_far_too_small_breaks_the_stochastic_bound():
    rule = Tempered(Stochastic(1.0))
    drift = next(drifts(2, rule, NoisyValues(EPSILON)))
    bound = stochastic_bound(EPSILON, drift.updates, 1.0, 2)
    assert np.mean(drift.worst_ratio(bound) > 1.0) > DELTA


def test_the_hard_update_falls_apart_under_noise():
    """Some players soon rule out what others do not."""
    drift = next(drifts(3, Exact(), NoisyValues(EPSILON, adversarial=True)))
    apart = np.isinf(drift.gap).any(axis=2)
    assert apart[-1].mean() > 0.5
    assert np.isinf(drift.worst_ratio(adversarial_bound(EPSILON, drift.updates))).any()


@every_noise
@pytest.mark.parametrize("rule", [Tempered(Adversarial(3)), Exact()])
def test_without_noise_beliefs_agree(source, rule):
    drift = next(drifts(3, rule, source(0.0, adversarial=True), turns=10))
    assert drift.gap.max() == 0.0


@every_noise
@pytest.mark.parametrize("adversarial", [True, False])
def test_any_two_players_see_values_within_epsilon(source, adversarial):
    game, rng = SolvedGame.random(TYPES, 3, seed=0), np.random.default_rng(0)
    states = game.successor[rng.integers(128, size=50)]
    for taken in (None, rng.integers(3, size=50)):
        seen = source(EPSILON, adversarial).seen(game, states, taken, rng)
        assert seen.shape == (50, 3, 27, 3)
        assert 0.5 * EPSILON < np.ptp(seen, axis=1).max() <= EPSILON + 1e-12


def test_same_seed_same_drift():
    game = SolvedGame.random(TYPES, 2, seed=0)
    options = {"episodes": 20, "turns": 10, "seed": 3}
    first, second = (
        simulate(game, (3, 2), Tempered(0.1, clip=0.5), NoisyValues(EPSILON), **options)
        for _ in range(2)
    )
    np.testing.assert_array_equal(first.gap, second.gap)


def test_solved_games_are_checked():
    good = SolvedGame.random(TYPES, 2, seed=0)
    arrays = (good.actor, good.reward, good.successor)
    with pytest.raises(InvalidInput, match=r"shape \(9, 128\).*got \(3, 128\)"):
        SolvedGame(TYPES, 2, *arrays, good.value[:3])
    with pytest.raises(InvalidInput, match="span at most 1, got"):
        SolvedGame(TYPES, 2, *arrays, 3 * good.value)
    with pytest.raises(InvalidInput, match="lead to these states"):
        SolvedGame(TYPES, 2, good.actor, good.reward, good.successor + 1, good.value)
    with pytest.raises(InvalidInput, match="player 2 is out of range"):
        SolvedGame(TYPES, 2, good.actor + 1, good.reward, good.successor, good.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"own": (3,)}, r"own must give 2 types, got \(3,\)"),
        ({"noise": NoisyValues(-1.0)}, "epsilon must be 0 or more, got -1.0"),
        ({"turns": 0}, "turns must be 1 or more, got 0"),
        ({"episodes": 2.5}, "episodes must be an integer, got 2.5"),
        ({"seed": -1}, "seed must be 0 or more, got -1"),
    ],
)
def test_simulations_are_checked(changes, message):
    options = {"own": (3, 2), "rule": Exact(), "noise": NoisyValues(EPSILON)}
    options |= {"episodes": 2, "turns": 2, "seed": 0} | changes
    with pytest.raises(InvalidInput, match=message):
        simulate(SolvedGame.random(TYPES, 2, seed=0), **options)
