"""Games of OpenSpiel in our terms: everything as pyspiel itself says, whatever is played."""

import sys

import numpy as np
import pyspiel
import pytest

from sizeup.adapters.open_spiel_game import load_open_spiel, open_spiel_game
from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games.contract import CHANCE, TERMINAL, View
from tests.adapters.rope import Rope, kind

TWO_SIDES = [
    "tic_tac_toe", "connect_four", "connect_four(rows=5,x_in_row=3)", "checkers", "breakthrough",
    "python_tic_tac_toe", "misere(game=tic_tac_toe())", "start_at(history=4;0,game=tic_tac_toe())",
    "pig", "pig(winscore=15,piglet=True)", "backgammon", "einstein_wurfelt_nicht",
]  # fmt: skip
ONE_TEAM = [
    "catch", "cliff_walking", "2048", "yacht(players=1)", "python_ant_foraging",
    "sizeup_rope", "sizeup_rope(players=3)", "sizeup_rope(slips=True)",
]  # fmt: skip
MOST_MOVES = {"backgammon": 60, "python_ant_foraging": 12, "yacht(players=1)": 6}  # they take time


def same_everywhere(view, state, theirs):
    """Whether a state is to us what it is to OpenSpiel."""
    over = theirs.is_terminal()
    assert view.actions(state) == (() if over else tuple(theirs.legal_actions())) or (
        theirs.is_chance_node()
    )
    assert view.actor(state) == (TERMINAL if over else theirs.current_player())
    if theirs.is_chance_node():
        told = dict(theirs.chance_outcomes())
        assert dict(zip(view.actions(state), view.probabilities(state), strict=True)) == told
    assert str(state.board) == str(theirs)
    again = view.state_from_text(view.state_text(state))
    assert (again, hash(again)) == (state, hash(state))


def so_far(theirs):
    """The return of the first player: it is not to show before the end if that alone pays."""
    pays_at_the_end = (
        theirs.get_game().get_type().reward_model == pyspiel.GameType.RewardModel.TERMINAL
    )
    return 0.0 if pays_at_the_end and not theirs.is_terminal() else theirs.returns()[0]


def random_walk(game, seed):
    """A random game with OpenSpiel's own state beside ours; returns how many moves there were."""
    view, rng = View(open_spiel_game(game)), np.random.default_rng(seed)
    theirs = load_open_spiel(game).new_initial_state()
    state, total, moves, before = view.start(), 0.0, 0, None
    while not theirs.is_terminal() and moves < MOST_MOVES.get(game, 120):
        same_everywhere(view, state, theirs)
        actions = view.actions(state)
        action = actions[rng.integers(len(actions))]
        assert view.action_from_text(state, view.action_text(state, action).upper()) == action
        before, text = state, view.state_text(state)
        state, reward = view.apply(state, action)
        assert view.state_text(before) == text
        assert state != before
        assert view.apply(before, action) == (state, reward)
        theirs.apply_action(action)
        total, moves = total + reward, moves + 1
        assert total == so_far(theirs)
    same_everywhere(view, state, theirs)
    return moves


@pytest.mark.parametrize("game", TWO_SIDES + ONE_TEAM)
def test_random_games_are_what_openspiel_says(game):
    moves = [random_walk(game, seed) for seed in range(2 if game in MOST_MOVES else 4)]
    assert sum(moves) > 10


@pytest.mark.parametrize(
    ("game", "teams"),
    [(game, (0, 1)) for game in TWO_SIDES]
    + [("catch", (0,)), ("sizeup_rope", (0, 0)), ("sizeup_rope(players=3)", (0, 0, 0))],
)
def test_who_plays_with_whom(game, teams):
    module = open_spiel_game(game)
    assert module.INFO.teams == teams
    assert module.INFO.name == f"open_spiel:{load_open_spiel(game)}".removesuffix("()")
    assert open_spiel_game(game) is module
    assert hasattr(module, "probabilities") == (
        load_open_spiel(game).get_type().chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
    )


def test_rewards_come_with_the_move_they_are_for():
    view = View(open_spiel_game("sizeup_rope(slips=True)"))
    state, rewards, actors = view.start(), [], []
    for action in (0, 1, 0, 1, 1, 1, 0, 1):  # each pull is after a look at the rope
        actors.append(view.actor(state))
        state, reward = view.apply(state, action)
        rewards.append(reward)
    assert actors == [CHANCE, 0, CHANCE, 1] * 2
    assert rewards == [0, -3, 0, 3, 0, -3, 0, 3]


def test_the_scale_of_values_is_raw_where_a_game_is_won_or_lost():
    scales = {name: open_spiel_game(name).INFO for name in ("pig", "cliff_walking", "sizeup_rope")}
    assert {name: info.value_scale for name, info in scales.items()} == {
        "pig": "raw", "cliff_walking": "range", "sizeup_rope": "range",
    }  # fmt: skip
    assert scales["pig"].reward_bounds == (-1.0, 1.0)
    assert scales["cliff_walking"].reward_bounds == (-np.inf, np.inf)


def test_a_game_of_openspiels_is_taken_as_it_is():
    view = View(open_spiel_game(Rope({"players": 3}, kind("sizeup_nobody_signed_on"))))
    state = view.start()
    for turn in range(6):
        assert view.actor(state) == turn % 3
        state, _ = view.apply(state, 1)
    assert view.actor(state) == TERMINAL


@pytest.mark.parametrize(
    ("game", "sizes", "order"),
    [
        ("connect_four", (2, 1), [0, 2, 1, 2, 0]),
        ("connect_four", (1, 3), [0, 1, 0, 2, 0]),
        ("cliff_walking", (3,), [0, 1, 2, 0, 1]),
        ("pig(winscore=15)", (2, 2), [0, CHANCE, 0, CHANCE, 0]),
    ],
)
def test_seats_can_be_shared(game, sizes, order):
    view = View(open_spiel_game(game, teams=sizes))
    assert tuple(view.teams) == tuple(team for team, size in enumerate(sizes) for _ in range(size))
    state, seen, theirs = view.start(), [], load_open_spiel(game).new_initial_state()
    for _ in order:
        seen.append(view.actor(state))
        action = view.actions(state)[-1]
        state, _ = view.apply(state, action)
        theirs.apply_action(action)
    assert view.state_from_text(view.state_text(state)) == state
    assert str(state.base.board) == str(theirs)
    if CHANCE not in order:
        assert seen == order
    else:
        assert set(seen) <= {CHANCE, 0, 1, 2, 3}


def test_the_players_a_game_has_need_no_seats():
    assert open_spiel_game("tic_tac_toe", teams=(1, 1)) is open_spiel_game("tic_tac_toe")
    assert open_spiel_game("sizeup_rope", teams=[2]) is open_spiel_game("sizeup_rope")


@pytest.mark.parametrize(
    ("game", "teams", "problem"),
    [
        ("tic_tac_toe", (2,), r"tic_tac_toe can change the size of 2 of its teams, got .*2,"),
        ("sizeup_rope", (3,), r"rope\(.* can change the size of 0"),
        ("catch", (1, 1), r"catch can change the size of 1"),
        ("tic_tac_toe", (5, 1), "a team has 1 to 4 members, got 5"),
    ],
)
def test_other_seats_are_refused(game, teams, problem):
    with pytest.raises(InvalidInput, match=problem):
        open_spiel_game(game, teams=teams)


@pytest.mark.parametrize(
    ("game", "problem"),
    [
        ("goofspiel", "goofspiel.* its dynamics is simultaneous, expected sequential"),
        ("mfg_garnet", "mfg_garnet.* its dynamics is mean_field, expected sequential"),
        ("leduc_poker", "leduc_poker.* its information is imperfect_information, expected perfect"),
        ("stones_and_gems", "its chance_mode is sampled_stochastic, expected deterministic or exp"),
        ("pig(players=3)", "its utility is zero_sum and it has 3 players, expected 1 player, 2"),
        ("tictactoe", "has no game 'tictactoe'; did you mean '.*tic_tac_toe'"),
        ("qqq(rows=1)", "has no game 'qqq'; pyspiel.registered_names"),
        ("pig(dice=3)", "cannot load 'pig.dice=3.': Unknown parameter 'dice'"),
        (7, "has no game '7'"),
    ],
)
def test_what_cannot_be_played_is_named(game, problem):
    with pytest.raises(InvalidInput, match=problem):
        open_spiel_game(game)


def test_two_players_with_interests_of_their_own_are_refused():
    general = Rope(its_kind=kind("sizeup_general_rope", utility="GENERAL_SUM"))
    with pytest.raises(InvalidInput, match=r"general_rope.* is general_sum and it has 2 players"):
        open_spiel_game(general)
    alone = Rope({"players": 1}, kind("sizeup_lone_rope", utility="GENERAL_SUM"))
    assert open_spiel_game(alone).INFO.teams == (0,)


def test_states_of_different_games_are_different():
    first, second = (View(open_spiel_game(name)) for name in ("tic_tac_toe", "connect_four"))
    assert first.state_from_text("3 4") != second.state_from_text("3 4")
    assert first.state_from_text("3 4").board != 2
    assert repr(first.state_from_text("3 4")) == "SpielState(board=Position('3 4'))"
    assert first.state_text(first.start()) == "start"


@pytest.mark.parametrize("text", ["4 4", "4 x", "4 0 9"])
def test_a_line_that_cannot_be_played_is_refused(text):
    with pytest.raises(
        InvalidInput, match=r"not a line of play of tic_tac_toe: action [23] is '.'"
    ):
        View(open_spiel_game("tic_tac_toe")).state_from_text(text)


def test_an_action_that_is_not_legal_is_refused():
    view = View(open_spiel_game("tic_tac_toe"))
    with pytest.raises(IllegalAction, match="action 9 is not legal"):
        view.apply(view.start(), 9)
    with pytest.raises(
        InvalidInput, match=r"'x\(3,3\)' is not a legal action.*are x\(0,0\), x\(0,1"
    ):
        view.action_from_text(view.start(), "x(3,3)")
    over = view.state_from_text("0 3 1 4 2")
    with pytest.raises(InvalidInput, match="legal are none: the game is over"):
        view.action_from_text(over, "x(2,2)")


def test_actions_that_openspiel_writes_alike_have_their_numbers():
    view = View(open_spiel_game("sizeup_rope"))
    texts = [view.action_text(view.start(), action) for action in (0, 1)]
    assert texts == ["pull (0)", "pull (1)"]


def test_without_openspiel(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(InvalidInput, match=r"pip install 'sizeup\[open-spiel\]'"):
        load_open_spiel("tic_tac_toe")
