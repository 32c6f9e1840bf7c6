"""The boards of Narrow Tunnel on which an aware expert tests its partner, and the tool's values."""

import numpy as np
import pytest

from benchmarks.tunnel_boards import (
    TEAMS,
    WANTED,
    Node,
    Plans,
    advance,
    draw,
    episodes,
    judge,
    read,
    shares,
    show,
)
from sizeup.capability import Beliefs, Exact
from sizeup.games import narrow_tunnel
from sizeup.games.contract import View
from sizeup.games.narrow_tunnel import BLUE, BOARD, EAST, MEETING, RED, STAY, WAITING, WEST
from sizeup.planning import Planner, observe_action, play_episode

pytestmark = pytest.mark.slow

TINY = """
.###.#
r.B.Rb
"""
DEPTHS, DISCOUNT = (3, 8), 0.9


@pytest.fixture(scope="module")
def plans():
    return Plans(read(TINY), DISCOUNT, DEPTHS)


@pytest.fixture(scope="module")
def planner():
    return Planner(View(narrow_tunnel, narrow_tunnel.board(TINY)), DEPTHS, DISCOUNT)


def ours(plans, planner, state):
    """Number that the tool gives to a state of the planner."""
    fields = np.array(planner.game.state_names[state])
    return int(np.flatnonzero((plans.board.states == fields).all(axis=1))[0])


def actions(planner, state):
    """The game's actions in the order in which the planner lists their values."""
    return [planner.game.action_names[column] for column in planner.game.legal_actions(state)]


def test_values_are_those_of_the_planner(plans, planner):
    assert planner.game.states == len(plans.board.states)
    for state in range(planner.game.states):
        here, legal = ours(plans, planner, state), actions(planner, state)
        for plan, own in (("novice", DEPTHS[0]), ("oblivious", DEPTHS[1])):
            mine = plans.q(here, plan)[legal]
            np.testing.assert_allclose(mine, planner.oblivious(state, own), atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_beliefs_and_aware_values_are_those_of_the_planner(plans, planner, seed):
    rng = np.random.default_rng(seed)
    node, state = Node(), planner.game.start
    team = Beliefs.initial(planner.types, (DEPTHS[1], DEPTHS[1]), players=2)
    for _ in range(30):
        actor = plans.board.actor(node.state)
        q = planner.q(state, team[actor], DEPTHS[1])
        mine = plans.q(node.state, "aware", node.belief)
        np.testing.assert_allclose(mine[actions(planner, state)], q, atol=1e-9)
        # Mostly what an aware expert or a novice would do, at times what neither would.
        plan = ("aware", "novice", None)[rng.choice(3, p=[0.5, 0.4, 0.1])]
        weights = plans.chances(node.state, plan, node.belief) if plan else mine > -1e6
        action = int(rng.choice(np.flatnonzero(weights)))
        column = planner.game.action_names.index(action)
        team = observe_action(planner, state, column, team, Exact())
        state = int(planner.game.successor[state, column])
        node = advance(plans, node, action)
        np.testing.assert_allclose(node.belief, team[RED].probabilities()[:, 0], atol=1e-9)
        assert ours(plans, planner, state) == node.state


def test_the_planner_itself_plays_the_story():
    planner = Planner(View(narrow_tunnel, narrow_tunnel.board(WAITING)), (10, 30), 0.99)
    for name, (own, plan) in {
        "N+N": ((10, 10), "oblivious"),
        "E+E": ((30, 30), "oblivious"),
        "N+oblivious": ((10, 30), "oblivious"),
        "N+aware": ((10, 30), ("oblivious", "aware")),
    }.items():
        for seed in range(3):
            episode = play_episode(planner, own, turns=20, seed=seed, plan=plan)
            assert episode.total == WANTED[name]
    moves = [planner.game.action_names[move.action] for move in episode.moves[:4]]
    assert moves == [EAST, WEST, STAY, EAST]
    novice = [move.beliefs[RED].probabilities()[BLUE, 0] for move in episode.moves[:4]]
    np.testing.assert_allclose(novice, [0.5, 0.5, 1.0, 1.0])


def test_two_experts_on_the_default_board_find_time_for_a_blue_coin():
    plans = Plans(read(BOARD), 0.95)
    found = {name: shares(episodes(plans, team), "score") for name, team in TEAMS.items()}
    assert found == {name: {score: 1.0} for name, score in {**WANTED, "E+E": 91.0}.items()}
    assert shares(episodes(plans, TEAMS["N+aware"]), "story") == {"stays out": 1.0}


@pytest.mark.parametrize("discount", [0.9, 0.99])
def test_the_four_numbers_and_a_meeting_in_the_tunnel(discount):
    assert judge(Plans(read(MEETING), discount)) == "red enters, meets blue, backs out"


@pytest.mark.parametrize("discount", [0.8, 0.99])
def test_the_four_numbers_and_a_turn_of_deadlock(discount):
    assert judge(Plans(read(WAITING), discount)) == "red enters, a turn of deadlock, backs out"


def test_a_missed_number_is_named():
    assert judge(Plans(read(BOARD), 0.85)) == "misses E+E"


@pytest.mark.parametrize(
    ("text", "discount", "moves"),
    [
        (MEETING, 0.9, ["blue E 0.50", "red W 0.50", "blue E 1.00", "red E 1.00"]),
        (WAITING, 0.99, ["blue E 0.50", "red W 0.50", "blue stay 1.00", "red E 1.00"]),
    ],
    ids=["meeting", "waiting"],
)
def test_belief_moves_when_blue_does_not_yield(capsys, text, discount, moves):
    show(text, discount)
    words = [line.split() for line in capsys.readouterr().out.splitlines() if "novice" in line]
    told = [f"{w[1]} {w[2]} {w[w.index('novice)') + 1].strip(',')}" for w in words]
    assert told[:4] == moves
    assert len(told) == 20


def test_the_family_holds_the_boards():
    found = [draw(2, 0, (0, 0), 5, 8, True), draw(3, 0, (0, 0), 5, 8, True)]
    assert [*found, draw(3, -1, (0, 0), 5, 8, False)] == [BOARD, MEETING, WAITING]
    assert draw(4, 1, (0, 0), 5, 8, True) == ""  # no room for a blue coin within a novice's sight
