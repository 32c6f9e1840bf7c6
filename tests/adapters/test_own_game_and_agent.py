"""A game and an agent of somebody's own, each one file, wherever ours can be."""

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from pettingzoo.test import api_test

from sizeup.adapters.gymnasium_env import TeammateEnv
from sizeup.adapters.open_spiel_bot import SizeupBot
from sizeup.adapters.open_spiel_game import load_open_spiel, open_spiel_game
from sizeup.adapters.pettingzoo_env import env
from sizeup.adapters.policies import SearchPolicy, as_player
from sizeup.games.template import write_new_game
from sizeup.play import play
from tests.adapters.test_pettingzoo_env import masked
from tests.adapters.test_pettingzoo_policies import play_aec

AGENT = '''
import numpy as np


class Agent:
    """Its choices depend on its seeds, and its beliefs on every move that it saw."""

    def __init__(self, seat):
        self.seat = seat
        self.weights = np.ones((len(seat.view.teams), len(seat.types)))

    def choose(self, state, seed):
        actions = self.seat.view.actions(state)
        return actions[seed % len(actions)]

    def observe(self, state, actor, action, seed):
        self.weights[actor, (action + seed) % len(self.seat.types)] += 1
'''
BELIEVES = """
    def probabilities(self):
        return self.weights / self.weights.sum(axis=1, keepdims=True)
"""


@pytest.fixture
def game(tmp_path):
    """Two players of one team, and chance."""
    return str(write_new_game("piles", tmp_path)[0])


@pytest.fixture
def agent(tmp_path):
    """An agent that keeps beliefs."""
    path = tmp_path / "watchful.py"
    path.write_text(AGENT + BELIEVES)
    return str(path)


@pytest.fixture
def silent(tmp_path):
    """An agent that keeps its beliefs to itself."""
    path = tmp_path / "silent.py"
    path.write_text(AGENT)
    return str(path)


def last_legal(observation):
    return int(np.flatnonzero(observation["action_mask"])[-1])


@pytest.mark.slow
@masked
def test_pettingzoo_finds_nothing_wrong_in_a_game_of_ones_own(game):
    api_test(env(game), num_cycles=200)


@pytest.mark.slow
def test_gymnasium_finds_nothing_wrong_in_a_game_and_an_agent_of_ones_own(game, agent):
    for teams in (None, [f"{agent}:2+learner"], [["learner", f"{agent}:4@2,4"]]):
        check_env(TeammateEnv(game, teams), skip_render_check=True)  # which needs a registered name


def test_an_agent_of_ones_own_in_a_loop_plays_the_match_of_the_same_seed(game, agent):
    members = [f"{agent}:4@2,4", f"{agent}:2@1,2"]
    record = play(game, ["+".join(members)], seed=3)
    played = env(game)
    names = played.possible_agents
    policies = {
        name: SearchPolicy(text, played, name, seed=3)
        for name, text in zip(names, members, strict=True)
    }
    played.reset(seed=3)
    moves, totals = play_aec(played, policies)
    assert moves == [move.action for move in record.moves if move.player >= 0]
    assert totals[names[0]] == record.total
    for seat, name in enumerate(names):
        seen = {m.player: m.seen[seat].after for m in record.moves if seat in m.seen}
        held = policies[name].beliefs(played)
        assert len(seen) == 2
        assert {who: tuple(held[names[who]].tolist()) for who in seen} == seen


def test_an_episode_beside_an_agent_of_ones_own_is_the_match(game, agent):
    record = play(game, [[f"{agent}:2@1,2", as_player(last_legal)]], seed=5)
    learning = TeammateEnv(game, [f"{agent}:2+learner"])
    observation, _ = learning.reset(seed=5)
    over = False
    while not over:
        observation, _, over, _, _ = learning.step(last_legal(observation))
    played = learning.match.record()
    assert played.players == (f"{agent}:2@1,2", "learner")
    assert [(m.action, m.seen) for m in played.moves] == [(m.action, m.seen) for m in record.moves]
    last = max(m.ply for m in record.moves if 0 in m.seen)
    [told] = [m.seen[0] for m in record.moves if m.ply == last and m.seen]
    assert learning.believed()[0][told.actor].tolist() == list(told.after)


def test_an_agent_of_ones_own_that_lists_no_types_considers_halves_of_its_own(agent, silent):
    played = env("wall-of-fire")
    assert SearchPolicy(f"{agent}:4", played, "player_0").config.types == (1, 2, 4)
    assert SearchPolicy(agent, played, "player_0").config.types == ()
    played.reset()
    policy = SearchPolicy(f"{silent}:4", played, "player_0")
    played.step(policy.act(played))
    assert policy.beliefs(played) == {}


@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four"])
def test_an_agent_of_ones_own_is_a_bot(game, agent):
    teams = [f"{agent}:2", f"{agent}:2@1,2+obl:1"]
    record = play(open_spiel_game(game), teams, seed=4)
    bots = [SizeupBot(game, player, team, seed=4) for player, team in enumerate(teams)]
    state = load_open_spiel(game).new_initial_state()
    returns = evaluate_bots(state, bots, np.random.RandomState(0))
    again = load_open_spiel(game).new_initial_state()
    for move in record.moves:
        again.apply_action(again.string_to_action(move.action))
    assert (state.history(), returns[0]) == (again.history(), record.total)
    assert bots[1].table.names == ("player 0", f"{agent}:2@1,2", "obl:1")
    bots[0].restart()
    policy, action = bots[0].step_with_policy(load_open_spiel(game).new_initial_state())
    assert {number for number, share in policy if share} == {action}
