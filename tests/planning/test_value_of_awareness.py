"""The benchmark of the value of awareness: its equations held to plain recursion."""

import numpy as np
import pytest

from benchmarks.value_of_awareness import (
    DEPTHS,
    DISCOUNT,
    greedy_policy,
    rows_of,
    surprise,
    values,
)
from sizeup.planning import CHANCE, Planner, random_game


def backed_up(game, policy, steps):
    """Returns of every state by going through the game step by step, chance without a step."""
    found = np.zeros(game.states)
    for _ in range(steps):
        found = np.array(
            [
                sum(
                    policy[state, action]
                    * (
                        game.reward[state, action]
                        + DISCOUNT * sum(p * (r + found[to]) for p, r, to in game.drawn(following))
                    )
                    for action, following in enumerate(game.successor[state].tolist())
                    if following >= 0
                )
                for state in range(game.states)
            ]
        )
    return found


@pytest.mark.parametrize("chance", [0.0, 0.4])
def test_returns_are_those_of_going_through_the_game(chance):
    game = random_game(3, states=8, actions=3, chance=chance)
    policy = greedy_policy(Planner(game, DEPTHS, DISCOUNT), 4, 2)
    players = game.actor != CHANCE
    expected = backed_up(game, policy, 300)
    assert values(game, policy)[players] == pytest.approx(expected[players], abs=1e-9)


def test_nobody_earns_more_than_the_best_response():
    rows = [row for seed in range(6) for row in rows_of(seed, 8, 3, 0.25)]
    assert len(rows) == 6 * 15
    assert all(row.optimal >= max(row.aware, row.oblivious) - 1e-9 for row in rows)
    assert any(row.missing > 1e-6 for row in rows)


def test_surprise_is_how_much_of_the_partners_play_is_not_as_expected():
    game = random_game(3, states=8, actions=3, chance=0.4)
    team = greedy_policy(Planner(game, DEPTHS, DISCOUNT), 4, 2)
    other = np.where(game.legal & (team == 0), 1.0, 0.0)  # never what is played
    half = np.where((game.actor >= 0)[:, None], team / 2, team)
    assert surprise(game, team, team) == 0.0
    assert surprise(game, team, other) == pytest.approx(1.0)
    assert surprise(game, team, half) == pytest.approx(0.5)


def test_surprises_are_shares_and_some_pairs_have_none():
    rows = [row for seed in range(20) for row in rows_of(seed, 8, 2, 0.25)]
    assert {row.surprise > 1e-9 for row in rows} == {True, False}
    assert all(0.0 <= row.surprise <= 1.0 for row in rows)
