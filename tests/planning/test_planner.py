import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sizeup.capability import Beliefs, TypeSet
from sizeup.errors import IllegalAction, InfeasibleType, InvalidInput
from sizeup.games import harvest
from sizeup.games.contract import View
from sizeup.planning import (
    CHANCE,
    TERMINAL,
    Planner,
    TabularGame,
    corridors,
    play_episode,
)
from tests.planning.naive import HiddenTypes, Values
from tests.planning.strategies import small_games, type_sets

DISCOUNTS = st.sampled_from([Fraction(1, 2), Fraction(3, 4), Fraction(1)])
LEAVES = st.sampled_from(["zero", "random"])
SLOW = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def player_states(game):
    return [s for s in range(game.states) if game.actor[s] >= 0]


def close(values, expected):
    np.testing.assert_allclose(values, [float(v) for v in expected.values()], atol=1e-9)


@pytest.mark.slow
@SLOW
@given(small_games(), type_sets(), DISCOUNTS, LEAVES, st.data())
def test_known_types_agree_with_the_recursion(game, types, discount, leaf, data):
    planner, naive = Planner(game, types, float(discount), leaf), Values(game, discount, leaf)
    for state in player_states(game):
        actor = int(game.actor[state])
        own = data.draw(st.sampled_from(types.values))
        assignment = [data.draw(st.sampled_from(types.up_to(own))) for _ in game.teams]
        assignment[actor] = own
        expected = naive.q(state, own, tuple(assignment), game.teams[actor])
        close(planner.known(state, assignment), expected)


@SLOW
@given(small_games(), type_sets(), DISCOUNTS, LEAVES)
def test_oblivious_and_minimizer_agree_with_the_recursion(game, types, discount, leaf):
    planner, naive = Planner(game, types, float(discount), leaf), Values(game, discount, leaf)
    for state in player_states(game):
        actor = int(game.actor[state])
        team, own = game.teams[actor], types.strongest
        equals = (own,) * game.players
        close(planner.oblivious(state, own), naive.q(state, own, equals, team))
        worst = tuple(own if k == actor else "worst" for k in range(game.players))
        close(planner.minimizer(state, own), naive.q(state, own, worst, team))


@pytest.mark.slow
@SLOW
@given(small_games(), type_sets(), st.data())
def test_values_on_a_belief_are_averages_over_assignments(game, types, data):
    weights = data.draw(
        st.lists(st.integers(1, 4), min_size=len(types), max_size=len(types)).map(np.array)
    )
    prior = weights / weights.sum()
    held = Beliefs.initial(types, types.strongest, game.players, prior)
    planner = Planner(game, types)
    for state in player_states(game):
        actor, own = int(game.actor[state]), types.strongest
        expected, listed = 0.0, [[]]
        for player in range(game.players):
            choices = [own] if player == actor else types.values
            listed = [[*head, c] for head in listed for c in choices]
        for assignment in listed:
            share = np.prod([prior[types.rank(c)] for k, c in enumerate(assignment) if k != actor])
            expected = expected + share * planner.known(state, assignment)
        np.testing.assert_allclose(planner.q(state, held, own), expected, atol=1e-9)


@pytest.mark.slow
@SLOW
@given(small_games(players=3), type_sets(deepest=3), st.integers(1, 3))
def test_look_ahead_is_planning_with_hidden_types(game, types, steps):
    discount = Fraction(1, 2)
    planner, naive = Planner(game, types, float(discount)), Values(game, discount)
    own = types.strongest
    held = Beliefs.initial(types, own, game.players)
    for state in player_states(game)[:3]:
        me = int(game.actor[state])
        known = [player == me or game.teams[player] != game.teams[me] for player in range(3)]
        choices = [[own] if sure else types.values for sure in known]
        listed = [*itertools.product(*choices)]
        belief = {assignment: Fraction(1, len(listed)) for assignment in listed}
        expected = HiddenTypes(naive, me, own, min(steps, own)).q(state, belief, 0)
        close(planner.q(state, held, own, look_ahead=steps), expected)


@pytest.mark.slow
@SLOW
@given(small_games(teams=1), type_sets())
def test_with_one_team_more_look_ahead_never_raises_the_value(game, types):
    planner, own = Planner(game, types), types.strongest
    held = Beliefs.initial(types, own, game.players)
    for state in player_states(game)[:2]:
        values = [planner.q(state, held, own, look_ahead=k) for k in (1, 2, 3)]
        assert (values[0] >= values[1] - 1e-9).all()
        assert (values[1] >= values[2] - 1e-9).all()


def test_one_step_counts_on_a_revelation_that_two_steps_do_not():
    """Take 14, or walk on: then 20 or 1 on the left by the teammate's depth, 12 on the right."""
    fork = TabularGame(
        teams=(0, 0),
        actor=[0, 0, 1, 1, 0, TERMINAL],
        successor=[[5, 1], [2, 3], [4, 5], [5, -1], [5, -1], [-1, -1]],
        reward=[[14, 0], [0, 0], [0, 1], [12, 0], [20, 0], [0, 0]],
    )
    planner = Planner(fork, TypeSet((1, 4)), discount=1.0)
    unsure = Beliefs.initial(planner.types, own=4, players=2)
    values = [planner.q(0, unsure, as_type=4, look_ahead=k).tolist() for k in (1, 2, 3, 4)]
    assert values == [[14, 16], [14, 12], [14, 12], [14, 12]]


def test_table_lists_what_the_holder_can_evaluate_and_nothing_else():
    planner = Planner(corridors(), TypeSet((2, 4, 6)))
    held = Beliefs.initial(planner.types, own=4, players=2)
    table = planner.table(0, held)
    assert np.isnan(table[2]).all()
    for rank, c in enumerate((2, 4)):
        np.testing.assert_array_equal(table[rank], planner.q(0, held, c))


def test_types_deeper_than_the_game_see_the_whole_game():
    game = corridors(players=2, lengths=(3,), prizes=(20.0,), moves=12)
    deep = Planner(game, (12, 60), discount=1.0)
    np.testing.assert_array_equal(deep.oblivious(0, 12), deep.oblivious(0, 60))
    assert deep.oblivious(0, 12).max() == 3 * (20.0 - 3.0)


def test_the_planner_takes_functions():
    class Countdown:
        teams = (0, 0)

        def start(self):
            return 3

        def actor(self, state):
            return state % 2 if state else TERMINAL

        def actions(self, state):
            return (1, 2) if state > 1 else (1,)

        def probabilities(self, state):
            return ()

        def apply(self, state, action):
            return state - action, float(action == 1)

    planner = Planner(Countdown(), TypeSet((1, 3)), discount=1.0)
    assert planner.oblivious(0, own=3).tolist() == [3.0, 1.0]


def test_the_planner_takes_a_game_of_the_contract():
    """A farmer of depth 1 reaps what it sees; deeper ones sow first."""
    planner = Planner(harvest, types=(1, 2, 4))
    game = planner.game
    assert set(game.actor.tolist()) == {0, 1, 2, CHANCE, TERMINAL}
    grown = game.index(harvest.HarvestState(3, 2, 0))
    rest, sow, reap = range(3)
    assert planner.oblivious(grown, own=1)[[rest, sow, reap]].tolist() == [0.0, 0.0, 4.0]
    assert planner.oblivious(grown, own=2).argmax() == sow


def test_a_contract_game_with_other_parameters():
    short = Planner(View(harvest, harvest.season([1.0, 1.0])), types=(1, 2), discount=1.0)
    assert short.oblivious(0, own=2).tolist() == [0.0, 1.0]
    assert play_episode(short, (2, 2, 2), turns=9, seed=0).total == 1.0


PLANNER = Planner(
    TabularGame(
        teams=(0, 0, 1),
        actor=[0, 1, 2, CHANCE, TERMINAL],
        successor=[[1, 3], [2, -1], [4, 0], [0, 4], [-1, -1]],
        reward=np.ones((5, 2)),
        chance=[[0, 0]] * 3 + [[0.5, 0.5], [0, 0]],
    ),
    TypeSet((1, 2)),
)
MINE = Beliefs.initial(PLANNER.types, own=1, players=3)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: PLANNER.q(0, MINE, as_type=2), InfeasibleType, "needs type 2"),
        (lambda: PLANNER.known(0, (1, 2, 1)), InfeasibleType, "planning with player 1 needs"),
        (lambda: PLANNER.known(0, (1, 1)), InvalidInput, "one type for each of 3 players"),
        (lambda: PLANNER.known(0, (1, 5, 1)), InvalidInput, "5 is not a capability type"),
        (lambda: PLANNER.known(3, (1, 1, 1)), InvalidInput, "state 3: it is a chance state"),
        (lambda: PLANNER.oblivious(4, 1), InvalidInput, "state 4: it is terminal"),
        (lambda: PLANNER.oblivious(5, 1), InvalidInput, "state 5 is out of range"),
        (lambda: PLANNER.minimizer(-1, 1), InvalidInput, "state -1 is out of range"),
        (
            lambda: PLANNER.game.position(1, 1),
            IllegalAction,
            r"action 1 .* state 1; legal are 0 \(0\)",
        ),
        (
            lambda: PLANNER.table(0, Beliefs.initial(PLANNER.types, own=1, players=2)),
            InvalidInput,
            "this planner has 3 players",
        ),
        (
            lambda: PLANNER.table(0, Beliefs.initial(PLANNER.types, own=(1, 1, 1), players=3)),
            InvalidInput,
            "index the team first",
        ),
        (lambda: Planner(PLANNER.game, TypeSet((0, 1))), InvalidInput, "depths of 1 or more"),
        (lambda: Planner(PLANNER.game, TypeSet((1,)), discount=0), InvalidInput, "got 0"),
        (lambda: Planner(PLANNER.game, TypeSet((1,)), "x"), InvalidInput, "number, got 'x'"),
        (lambda: Planner(PLANNER.game, (2, 1)), InvalidInput, "2 stands before 1"),
        (lambda: Planner(PLANNER.game, (1,), tie_tolerance=-1), InvalidInput, "0 or more"),
        (lambda: PLANNER.table(0, None), InvalidInput, "expected Beliefs, got None"),
        (lambda: PLANNER.table(0, MINE, look_ahead=1.5), InvalidInput, "must be an integer"),
        (lambda: PLANNER.oblivious(True, 1), InvalidInput, "state True is out of range"),
        (lambda: PLANNER.game.position(0, True), IllegalAction, "action True is not legal"),
        (lambda: PLANNER.game.drawn(-1), InvalidInput, "state -1 is out of range"),
        (lambda: Planner(PLANNER.game, TypeSet((1,)), leaf="x"), InvalidInput, "got 'x'"),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_planner_in_words():
    assert repr(PLANNER) == "Planner(3 players, 5 states, types=(1, 2), discount=0.9)"
    assert PLANNER.greedy([1, 1, 0]).tolist() == [0.5, 0.5, 0.0]


def test_opponents_types_play_no_part():
    np.testing.assert_array_equal(PLANNER.known(0, (1, 1, 2)), PLANNER.known(0, (1, 1, 1)))
