"""Our agents in OpenSpiel's own loops."""

import importlib
import sys

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.bots.uniform_random import UniformRandomBot

from sizeup.adapters.open_spiel_bot import FollowedGame, SizeupBot
from sizeup.adapters.open_spiel_game import Twin, load_open_spiel, open_spiel_game
from sizeup.agents import read_agent
from sizeup.errors import InvalidInput
from sizeup.games import connect_four
from sizeup.games.contract import View
from sizeup.play import play, set_table
from sizeup.play.match import Match
from sizeup.search import Searcher, SearchOptions
from tests.adapters.rope import WAIT

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # others cover it, in half the time

QUICK = SearchOptions(iterations=10, rollouts=1)


def quick(text):
    return [read_agent(part, QUICK) for part in text.split("+")]


def uniform(player, seed):
    return UniformRandomBot(player, np.random.RandomState(seed))


def watched(game, bots, seed=0):
    """The returns of OpenSpiel's own loop, and the actions that were played in it."""
    state = load_open_spiel(game).new_initial_state()
    returns = evaluate_bots(state, bots, np.random.RandomState(seed))
    return returns, state.history()


@pytest.mark.parametrize("compiled", [True, False])
def test_it_beats_a_random_bot_at_connect_four(compiled):
    results = []
    for seed in range(5):
        for player in (0, 1):
            bots = [uniform(0, seed), uniform(1, seed)]
            bots[player] = SizeupBot("connect_four", player, quick("obl:3"), seed, compiled)
            returns, _ = watched("connect_four", bots)
            results.append(returns[player])
    assert sum(results) >= 8


@pytest.mark.parametrize("compiled", [True, False])
def test_two_bots_play_the_match_of_their_seed(compiled):
    """The games after it are those of the seeds after it."""
    bots = [SizeupBot("connect_four", p, quick("obl:2"), 5, compiled) for p in (0, 1)]
    for seed in (5, 6):
        record = play("connect-four", [quick("obl:2"), quick("obl:2")], seed=seed)
        returns, history = watched("connect_four", bots)
        assert ["abcdefg"[column] for column in history] == [move.action for move in record.moves]
        assert returns[0] == record.total


@pytest.mark.parametrize("compiled", [True, False])
def test_a_team_shares_a_side_and_learns_as_in_the_match(compiled):
    team = "ca:4@1,2,4+obl:1"
    bots = [
        SizeupBot("connect_four", 0, quick("obl:1"), 3, compiled),
        SizeupBot("connect_four", 1, quick(team), 3, compiled),
    ]
    _, history = watched("connect_four", bots)
    record = play("connect-four", [quick("obl:1"), quick(team)], seed=3)
    assert ["abcdefg"[column] for column in history] == [move.action for move in record.moves]
    told = [move.seen[1] for move in record.moves if move.player == 2 and 1 in move.seen]
    learnt = bots[1].table.agents[1].probabilities()[2]
    if record.moves[-1].player == 2:  # the bot is not told of the move it ended the game with
        told.pop()
    assert learnt.tolist() == list(told[-1].after)
    assert learnt.tolist() != list(told[0].before)


def test_checkers_with_our_rules_jumps_step_by_step():
    """A whole game in which multiple jumps come up, each of them planned as one move."""
    bot = SizeupBot("checkers", 0, quick("obl:2"), 1)
    game = pyspiel.load_game("checkers")
    jumps = 0
    for seed in range(4):
        state, rng = game.new_initial_state(), np.random.default_rng(seed)
        bot.restart()
        last = None
        while not state.is_terminal():
            mover = state.current_player()
            if mover == 0:
                policy, action = bot.step_with_policy(state)
                assert [a for a, _ in policy] == state.legal_actions()
                assert sum(share for _, share in policy) == pytest.approx(1)
                assert dict(policy)[action] == max(share for _, share in policy)
                jumps += last == 0
            else:
                action = int(rng.choice(state.legal_actions()))
                bot.inform_action(state, 1, action)
            last = mover
            state.apply_action(action)
        assert state.returns()[0] >= 0
    assert jumps > 2


@pytest.mark.parametrize(
    ("game", "team"),
    [
        ("pig(winscore=20)", "ca:2@1,2+random"),
        ("breakthrough(rows=6,columns=4)", "ca:2@1,2"),
        ("tic_tac_toe", "random"),
        ("checkers", "ca:2@1,2+obl:1"),
    ],
)
def test_the_seed_decides_a_game_in_openspiels_loop(game, team):
    played = [
        watched(game, [SizeupBot(game, 0, quick(team), seed), uniform(1, 4)]) for seed in (3, 3, 4)
    ]
    assert played[0] == played[1]
    assert played[0][1] != played[2][1]


def test_it_wins_at_pig_where_chance_moves_most_of_the_time():
    results = [
        watched(
            "pig(winscore=20)", [SizeupBot("pig(winscore=20)", 0, quick("obl:3")), uniform(1, s)], s
        )[0]
        for s in range(8)
    ]
    assert sum(returns[0] for returns in results) >= 4


def test_openspiels_loop_in_cpp_takes_it_too():
    game = pyspiel.load_game("pig(winscore=20)")
    bots = [SizeupBot(game, 0, quick("obl:2")), pyspiel.make_uniform_random_bot(1, 7)]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 7)
    assert sorted(returns) == [-1.0, 1.0]


def test_the_policy_is_the_share_of_visits():
    bot = SizeupBot("tic_tac_toe", 0, quick("obl:3"), 9)
    state = load_open_spiel("tic_tac_toe").new_initial_state()
    policy, action = bot.step_with_policy(state)
    view = View(open_spiel_game("tic_tac_toe"))
    seed = int(np.random.SeedSequence(9, spawn_key=(0, 0, 0)).generate_state(1, np.uint64)[0])
    found = Searcher(view, (3,), QUICK).search(view.start(), seed=seed)
    assert [a for a, _ in policy] == list(found.actions)
    assert [share for _, share in policy] == pytest.approx(found.shares[-1].tolist())
    assert sum(share for _, share in policy) == pytest.approx(1)
    assert action == found.action
    assert (bot.get_policy(state), bot.step(state)) == (policy, action)  # it has not moved yet
    assert (bot.provides_policy(), bot.provides_force_action(), bot.player_id()) == (True, True, 0)


@pytest.mark.parametrize("depth", [1, 3])
def test_players_of_one_team_are_strangers_to_be_sized_up(depth):
    """After a player that waits, only one that looks further than the next move pulls."""
    game, options = "sizeup_rope(players=3)", SearchOptions(iterations=40, rollouts=2)
    agent = SizeupBot(game, 0, [read_agent("ca:3@1,3", options)])
    other = SizeupBot(game, 2, [read_agent(f"obl:{depth}", options)])
    returns, history = watched(game, [agent, uniform(1, 2), other])
    assert history[1] == WAIT
    assert len(set(returns)) == 1
    sees_far = agent.table.agents[0].probabilities()[2, 1]
    assert (sees_far > 0.5) == (depth == 3)


def test_there_is_one_agent_to_a_player_of_one_team():
    with pytest.raises(InvalidInput, match="already one team, so each of them is one agent; got 2"):
        SizeupBot("sizeup_rope", 0, "obl:2+obl:2")


def test_one_player_can_be_a_team():
    game = "catch(rows=5,columns=3)"
    bot = SizeupBot(game, 0, [read_agent("obl:5", SearchOptions(iterations=40, rollouts=1))] * 2)
    returns, _ = watched(game, [bot])
    assert returns == [1.0]


def test_it_catches_up_with_moves_it_was_not_told_of():
    told, untold = (SizeupBot("connect_four", 0, quick("ca:2@1,2+obl:1"), 1) for _ in range(2))
    state = load_open_spiel("connect_four").new_initial_state()
    for theirs in (3, 3, 2):
        action = told.step(state)
        told.step(state)
        state.apply_action(action)
        told.inform_action(state, 1, theirs)
        state.apply_action(theirs)
    assert untold.step(state) == told.step(state)
    beliefs = [bot.table.agents[0].probabilities().tolist() for bot in (told, untold)]
    assert beliefs[0] == beliefs[1]


def test_another_game_is_another_game():
    """A state that does not continue the one before it starts a new one, with the next seed."""
    bot = SizeupBot("connect_four", 1, quick("ca:2@1,2+obl:1"), 1)
    game = load_open_spiel("connect_four")
    first, second = game.new_initial_state(), game.new_initial_state()
    prior = bot.table.agents[1].probabilities().tolist()
    for action in (3, 2, 3, 2, 3):
        first.apply_action(action)
    bot.step(first)
    assert bot.table.agents[1].probabilities().tolist() != prior
    for action in (3, 4, 3, 4, 3):
        second.apply_action(action)
    dropped_in = SizeupBot("connect_four", 1, quick("ca:2@1,2+obl:1"), 2)
    dropped_in.restart_at(second)
    assert bot.step(second) == dropped_in.step(second)
    assert dropped_in.table.agents[1].probabilities().tolist() == prior
    assert bot.table.agents[1].probabilities().tolist() == prior


@pytest.mark.parametrize(
    ("game", "compiled", "rules"),
    [
        ("checkers", True, "checkers"),
        ("connect_four", True, "connect-four"),
        ("connect_four", False, "open_spiel:connect_four"),
        ("connect_four(rows=5)", True, "open_spiel:connect_four(rows=5)"),
        ("tic_tac_toe", True, "open_spiel:tic_tac_toe"),
    ],
)
def test_our_own_rules_are_used_for_the_very_games_that_we_have(game, compiled, rules):
    bot = SizeupBot(game, 0, "obl:2", compiled=compiled)
    assert bot.table.view.info.name == rules


def test_it_plays_on_where_a_match_of_ours_would_be_stopped():
    """OpenSpiel's checkers has no limit of 120 plies, and says itself when nothing happens."""
    rng, state = np.random.default_rng(237), load_open_spiel("checkers").new_initial_state()
    bot = SizeupBot("checkers", 0, "random")
    while bot._match.plies < 125 or state.current_player() != 0:
        action = int(rng.choice(state.legal_actions()))
        bot.inform_action(state, state.current_player(), action)
        state.apply_action(action)
    assert bot.step(state) in state.legal_actions()


def double_jump():
    state = load_open_spiel("checkers").new_initial_state()
    for text in ("c3b4", "f6g5", "e3d4", "d6c5", "b4d6"):
        state.apply_action(state.string_to_action(text))
    return state


def test_it_can_be_forced_and_dropped_into_the_middle_of_a_jump():
    forced, dropped_in = (SizeupBot("checkers", 1, quick("obl:2"), 1) for _ in range(2))
    state = double_jump()
    for bot in (forced, dropped_in):
        bot.restart_at(state)
    forced.step(state)
    ways = {state.action_to_string(1, action): action for action in state.legal_actions()}
    assert len(ways) > 1
    forced.force_action(state, ways["c7e5"])
    state.apply_action(ways["c7e5"])
    dropped_in.restart_at(state)
    for bot in (forced, dropped_in):
        policy, action = bot.step_with_policy(state)
        assert state.action_to_string(1, action) == "e5c3"
        assert policy == [(action, 1.0)]


def test_where_no_share_is_left_every_step_is_as_good():
    bot = SizeupBot("checkers", 1, quick("obl:2"), 1)
    state = double_jump()
    bot.restart_at(state)
    bot._match.choose().distribution[:] = 0.0
    policy = bot.get_policy(state)
    assert {share for _, share in policy} == {1 / len(policy)}


def test_two_ways_to_one_move_of_ours_are_both_followed():
    """A king that jumps in a circle can go either way round; here two columns stand for one."""
    lame = Twin("connect_four", connect_four, lambda position, steps: int(steps[0][1]) // 2, None)
    for column in (4, 5):
        match = Match(set_table("connect-four", ["random", "random"]))
        followed = FollowedGame(load_open_spiel("connect_four"), match, lame)
        assert followed.see(column).action == "c"
        assert followed.history == [column]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("connect_four", 2, "obl:2"), "connect_four has the players 0 to 1, got player_id = 2"),
        (("connect_four", 0, "obl:2", -1), "a seed is a whole number of 0 or more, got -1"),
        (("connect_four", 0, "obl:2", True), "a seed is a whole number of 0 or more, got True"),
        (("connect_four", 0, [max]), "built-in function max> is not an agent; expected a text"),
        (("connect_four", 0, "oblivious:2"), "there is no agent 'oblivious'"),
        (("goofspiel", 0, "obl:2"), "its dynamics is simultaneous"),
    ],
)
def test_bad_bots(arguments, problem):
    with pytest.raises(InvalidInput, match=problem):
        SizeupBot(*arguments)


def test_questions_it_cannot_answer():
    bot = SizeupBot("tic_tac_toe", 1, "obl:2")
    state = load_open_spiel("tic_tac_toe").new_initial_state()
    with pytest.raises(
        InvalidInput, match=r"is player 1 and was asked .*, but it is player 0's turn"
    ):
        bot.step(state)
    for action in (0, 3, 1, 4, 2):
        state.apply_action(action)
    with pytest.raises(InvalidInput, match=r"is player 1 and .*, but the game is over"):
        bot.step(state)
    other = load_open_spiel("connect_four").new_initial_state()
    for ask in (bot.step, bot.restart_at, lambda asked: bot.inform_action(asked, 0, 1)):
        with pytest.raises(InvalidInput, match=r"plays OpenSpiel's tic_tac_toe\(\), but was asked"):
            ask(other)


def test_without_openspiel(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "sizeup.adapters.open_spiel_bot")
    with pytest.raises(InvalidInput, match=r"pip install 'sizeup\[open-spiel\]'"):
        importlib.import_module("sizeup.adapters.open_spiel_bot")
