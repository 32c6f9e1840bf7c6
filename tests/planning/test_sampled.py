"""Sampled beliefs on random small games: what they converge to, and that they form structures."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sizeup.capability import Beliefs, Sampled, assemble, stack
from sizeup.planning import CHANCE, Planner, corridors
from tests.planning.strategies import small_games, type_sets
from tests.planning.test_theorems import teams_at_play

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # others cover it, in half the time
SLOW = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def counted(planner, state, beliefs, samples, seed):
    """How often players of each type, whom a holder thinks of, play each action.

    Random numbers are common: those of a type do not depend on who draws them.
    """
    table, rows = planner.table(state, beliefs), []
    for rank, values in enumerate(table):
        rng = np.random.default_rng((seed, rank))
        known = not np.isnan(values).any()
        rows.append(rng.multinomial(samples, planner.greedy(values)) if known else values)
    return np.array(rows, dtype=np.float64)


@SLOW
@given(teams_at_play(), st.sampled_from([1, 4, 32]), st.integers(0, 2**32 - 1))
def test_with_common_random_numbers_beliefs_form_a_type_structure(played, samples, seed):
    """Exactly, for 2, 3 and 4 players, although every belief is an estimate."""
    planner, own, prior, episode = played
    shares = [float(share) for share in prior]
    players = planner.game.players
    team = [Beliefs.initial(planner.types, c, players, shares, none=0.01) for c in own]
    for turn, move in enumerate(episode.moves):
        actor = int(planner.game.actor[move.state])
        actions = list(planner.game.legal_actions(move.state))
        at = actions.index(move.action)
        for holder, held in enumerate(team):
            counts = counted(planner, move.state, held, samples, (seed + turn) % 2**32)
            none = np.log(len(actions))
            team[holder] = held.observe(actor, Sampled().evidence(counts, at), none=none)
        structure = assemble(stack(team))
        for holder, c in enumerate(own):
            assert structure.typed(c) == team[holder]


def likelihoods(planner, state, heat=1.0):
    """``(types, actions)`` of players that are random: a softmax of what they see."""
    q = np.array([planner.oblivious(state, c) for c in planner.types])
    weights = np.exp((q - q.max(axis=1, keepdims=True)) / heat)
    return weights / weights.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("pooled", [False, True])
def test_beliefs_approach_the_omniscient_filter_as_one_over_the_root_of_samples(pooled):
    planner, rng, rule = Planner(corridors(), (1, 2, 6)), np.random.default_rng(5), Sampled()
    states = [
        s
        for s in range(len(planner.game.state_names))
        if planner.game.actor[s] >= 0 and len(planner.game.legal_actions(s)) > 1
    ]
    seen = []
    for state in rng.choice(states, size=6):
        chances = likelihoods(planner, state, heat=4.0)
        seen.append((chances, int(rng.choice(chances.shape[1], p=chances[1]))))
    exact = np.sum([-np.log(chances[:, at]) for chances, at in seen], axis=0)
    truth = np.exp(-exact) / np.exp(-exact).sum()  # what an omniscient Bayes filter believes
    errors = []
    for samples in (16, 64, 256, 1024, 4096):
        off = []
        for _ in range(200):
            beliefs = Beliefs.initial(planner.types, 6, players=2)
            for chances, at in seen:
                counts = np.array([rng.multinomial(samples, row) for row in chances], dtype=float)
                chance = (rule.pooled_chances if pooled else rule.chances)(counts, at)
                beliefs = beliefs.observe(0, -np.log(chance))
            off.append(np.abs(beliefs.posterior()[0] - truth).max())
        errors.append(np.mean(off))
    slope = np.polyfit(np.log([16, 64, 256, 1024, 4096]), np.log(errors), 1)[0]
    assert errors[-1] < 0.03
    assert -0.7 < slope < -0.35 if pooled else -0.6 < slope < -0.4


@SLOW
@given(small_games(), type_sets(), st.integers(0, 2**32 - 1))
def test_many_samples_of_greedy_players_are_the_exact_update(game, types, seed):
    """Up to the smoothing: the evidence of an action that somebody plays is -log of its chance."""
    planner, rng = Planner(game, types), np.random.default_rng(seed)
    state = next(
        (
            s
            for s in range(len(game.state_names))
            if game.actor[s] != CHANCE and len(game.legal_actions(s)) > 1
        ),
        None,
    )
    if state is None:
        return
    held = Beliefs.initial(types, types.strongest, game.players)
    counts = counted(planner, state, held, 20_000, seed)
    policies = np.array([planner.greedy(row) for row in planner.table(state, held)])
    action = int(rng.integers(policies.shape[1]))
    found = np.exp(-Sampled().evidence(counts, action))
    np.testing.assert_allclose(found, policies[:, action], atol=0.02)
