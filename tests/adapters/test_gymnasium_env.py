"""One seat as a Gymnasium environment: held to Gymnasium's checks, and something can be learnt."""

import importlib
import pickle
import sys
from collections import defaultdict

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from sizeup.adapters.gymnasium_env import TeammateEnv, register
from sizeup.adapters.policies import as_player
from sizeup.agents import read_agent
from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games import checkers, connect_four, wall_of_fire
from sizeup.play import play
from sizeup.search import SearchOptions
from tests.adapters import lottery

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # others cover it, in half the time

QUICK = SearchOptions(iterations=10, rollouts=1)
FEW = checkers.CheckersParams(most_plies=24)


def quick(text):
    return read_agent(text, QUICK)


@pytest.fixture(autouse=True)
def _registered():
    register()


@pytest.mark.parametrize(
    "name", ["Checkers", "ConnectFour", "Harvest", "NarrowTunnel", "WallOfFire"]
)
def test_gymnasium_finds_nothing_wrong(name):
    check_env(gymnasium.make(f"sizeup/{name}-v0", render_mode="rgb_array").unwrapped)


@pytest.mark.parametrize(
    ("name", "teams"),
    [
        ("Checkers", ["learner", "obl:2"]),
        ("Checkers", ["obl:2", "obl:2+ca:2+learner"]),
        ("ConnectFour", ["random+learner", "random+random"]),
        ("Harvest", ["learner+random+random"]),
        ("WallOfFire", ["learner"]),
        ("WallOfFire", ["obl:2+learner+ca:2"]),
    ],
)
def test_gymnasium_finds_nothing_wrong_in_other_seats(name, teams):
    check_env(gymnasium.make(f"sizeup/{name}-v0", teams=teams).unwrapped)


@pytest.mark.parametrize(
    ("game", "players"),
    [
        ("checkers", ("ca:4@1,2,4", "learner", "obl:4")),
        ("harvest", ("ca:4@1,2,4", "ca:4@1,2,4", "learner")),
        ("wall-of-fire", ("ca:6@1,3,6", "learner")),
        (lottery, ("ca:4@1,2,4", "learner", "obl:4")),
    ],
)
def test_usual_teams_are_as_deep_as_answers_at_once(game, players):
    env = TeammateEnv(game)
    env.reset(seed=1)
    assert env.match.table.names == players


def last_legal(observation):
    return int(np.flatnonzero(observation["action_mask"])[-1])


def episode(env, policy, **reset):
    """The sum of the rewards, and how it ended."""
    observation, info = env.reset(**reset)
    total, terminated, truncated = 0.0, False, False
    while not (terminated or truncated):
        observation, reward, terminated, truncated, info = env.step(policy(observation))
        total += reward
    return total, terminated, truncated, info


@pytest.mark.parametrize(
    ("game", "teams", "params"),
    [
        ("checkers", [["ca:3@1,3", "learner"], ["obl:2"]], FEW),
        ("checkers", [["obl:2"], ["sa:3@1,3", "learner"]], FEW),
        ("connect-four", [["random"], ["learner"]], None),
        ("harvest", [["obl:2", "learner", "ca:3@1,3"]], None),
        ("wall-of-fire", [["learner", "ca:3@1,3"]], None),
        (lottery, [["random"], ["learner"]], None),
        (lottery, [["learner", "random"], ["random"]], None),
    ],
)
def test_an_episode_is_the_match_with_the_policy_in_the_learners_seat(game, teams, params):
    player = as_player(last_legal)
    seats = [[player if who == "learner" else quick(who) for who in team] for team in teams]
    record = play(game, seats, seed=9, params=params)
    ours = [["learner" if who == "learner" else quick(who) for who in team] for team in teams]
    env = TeammateEnv(game, ours, params)
    total, terminated, truncated, info = episode(env, last_legal, seed=9)
    assert total == (record.total if env.view.teams[env.seat] == 0 else -record.total)
    assert terminated == (record.reason == "the game is over")
    assert truncated != terminated
    assert (info["reason"], info["winner"]) == (record.reason, record.winner)
    played = env.match.record()
    told = [(m.player, m.action, m.reward, m.seen) for m in played.moves]
    assert told == [(m.player, m.action, m.reward, m.seen) for m in record.moves]


def test_what_a_learner_is_told():
    env = TeammateEnv("connect-four", ["learner", "random"])
    observation, info = env.reset(seed=3)
    assert info["legal_actions"] == dict(zip(range(7), "abcdefg", strict=True))
    assert info["action_mask"].tolist() == observation["action_mask"].tolist() == [1] * 7
    _, terminated, _, info = episode(env, last_legal, seed=3)
    assert terminated
    assert info["action_mask"].sum() == 0
    assert "legal_actions" not in info


def test_a_move_that_is_not_legal_ends_the_episode():
    env = TeammateEnv("checkers", ["learner", "random"], illegal_reward=-3)
    env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step(77)
    assert (reward, terminated, truncated) == (-3.0, True, False)
    assert info["reason"].startswith("77 is not the number of a legal move here; legal are [0, 1")
    assert observation["action_mask"].sum() == 0
    assert env.match.plies == 0
    with pytest.raises(InvalidInput, match=r"the episode is over; call reset\(\)"):
        env.step(0)
    observation, _ = env.reset()
    assert env.step(last_legal(observation))[2] is False


def test_an_episode_that_is_over_takes_no_more_moves():
    env = TeammateEnv("connect-four", ["learner", "random"])
    episode(env, last_legal)
    with pytest.raises(InvalidInput, match=r"the episode is over; call reset\(\)"):
        env.step(0)


def test_episodes_differ_unless_they_are_seeded():
    env = TeammateEnv("connect-four", ["learner", "random"])
    env.reset(seed=1)
    seeds = []
    for given in (1, None, None, 1, None):
        env.reset(seed=given)
        seeds.append(env.match.seed)
    assert seeds[0] == seeds[3] == 1
    assert seeds[1] == seeds[4] != seeds[2]


@pytest.mark.parametrize("keep", [False, True])
def test_agents_remember_the_learner_if_they_are_to(keep):
    asked, silent = (
        TeammateEnv("wall-of-fire", [[quick("ca:4"), "learner"]], keep_beliefs=keep)
        for _ in range(2)
    )
    episode(asked, last_legal, seed=1)
    before = asked.believed()[0][1].tolist()
    fresh = pytest.approx([0.99 / 3] * 3)  # the rest is none of these
    assert before != fresh
    episode(silent, last_legal, seed=1)
    for env in (asked, silent):
        env.reset(seed=2)
        assert env.believed()[0][1].tolist() == (before if keep else fresh)


def test_the_reward_of_a_step_is_that_of_everybodys_moves():
    """Learner and partner each collect a coin; then the game is stopped."""
    board = wall_of_fire.board("SCC", most_turns=4)

    def east(view, state, seed):
        return wall_of_fire.EAST if wall_of_fire.EAST in view.actions(state) else wall_of_fire.WEST

    env = TeammateEnv("wall-of-fire", [["learner", east]], board)
    env.reset()
    assert env.step(wall_of_fire.EAST)[1:4] == (200.0, False, False)
    assert env.step(wall_of_fire.WEST)[1:4] == (0.0, False, True)


def test_what_is_paid_before_the_first_move_comes_with_it():
    env = TeammateEnv("wall-of-fire", [["random", "learner"]], wall_of_fire.board("SC."))
    env.reset()
    assert env.step(wall_of_fire.WEST)[1] == 100.0
    assert env.step(wall_of_fire.WEST)[1] == 0.0  # and once only


def test_an_environment_can_be_drawn_and_sent(capsys):
    env = gymnasium.make("sizeup/ConnectFour-v0", teams=["learner", "random"], render_mode="human")
    env.reset(seed=1)
    assert "X (player 0) to move" in capsys.readouterr().out
    text = TeammateEnv("connect-four", ["learner", "random"], render_mode="ansi")
    text.reset()
    assert "connect-four" in text.render()
    silent = TeammateEnv("connect-four", ["learner", "random"])
    silent.reset()
    with pytest.warns(UserWarning, match="give the environment a render_mode"):
        assert silent.render() is None
    again = pickle.loads(pickle.dumps(silent))
    assert again.reset(seed=1)[1]["action_mask"].sum() == 7


def test_several_environments_at_once():
    several = gymnasium.make_vec(
        "sizeup/ConnectFour-v0", num_envs=2, teams=["learner", "random"], vectorization_mode="sync"
    )
    observation, _ = several.reset(seed=1)
    assert observation["observation"].shape == (2, 102)
    several.step(np.array([3, 3]))
    several.close()


def rude(view, state, seed):
    return 99


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: TeammateEnv("checkers", ["obl:2", "obl:2"]),
            r"one seat must be the learner's, got 0",
        ),
        (lambda: TeammateEnv("checkers", ["learner", "learner"]), "got 2 in .*like ca:8.learner"),
        (lambda: TeammateEnv("checkers", ["learner", "oblivious"]), "there is no agent 'obliv"),
        (lambda: TeammateEnv("checkers", ["learner"]), "checkers needs 2 teams"),
        (lambda: TeammateEnv("checkers", [["learner"], [3]]), "3 is not a player"),
        (lambda: TeammateEnv("checkers", "learner"), "teams is a list with an entry for each team"),
        (
            lambda: TeammateEnv("checkers", ["learner", "random"]).step(0),
            r"call its reset\(\) first",
        ),
        (lambda: TeammateEnv("checkers", ["learner", "random"]).reset(seed=-1), "got -1"),
        (
            lambda: TeammateEnv(
                "wall-of-fire", ["random+learner"], wall_of_fire.board("SC", most_turns=1)
            ).reset(),
            "wall-of-fire ended before the learner in seat 1 could move: 1 turns played",
        ),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()


def test_a_player_that_breaks_the_rules_is_named():
    env = TeammateEnv(connect_four, [[rude], ["learner"]])
    with pytest.raises(IllegalAction, match="rude in seat 0 chose 99, which is not legal"):
        env.reset()


def test_a_missing_library_is_named_with_its_extra(monkeypatch):
    monkeypatch.delitem(sys.modules, "sizeup.adapters.gymnasium_env")
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(InvalidInput, match=r"not installed; run pip install 'sizeup\[gymnasium\]'"):
        importlib.import_module("sizeup.adapters.gymnasium_env")


class Table:
    """Q-learning with a table: one row of values for each observation."""

    def __init__(self, seed):
        self.values = defaultdict(lambda: np.zeros(4))
        self.rng = np.random.default_rng(seed)

    def best(self, observation):
        legal = np.flatnonzero(observation["action_mask"])
        values = self.values[observation["observation"].tobytes()]
        return int(legal[values[legal].argmax()])

    def anything(self, observation):
        return int(self.rng.choice(np.flatnonzero(observation["action_mask"])))

    def learn(self, env, **reset):
        observation, _ = env.reset(**reset)
        over = False
        while not over:
            explores = self.rng.random() < 0.3
            action = self.anything(observation) if explores else self.best(observation)
            row = self.values[observation["observation"].tobytes()]
            observation, reward, terminated, truncated, _ = env.step(action)
            over = terminated or truncated
            after = self.values[observation["observation"].tobytes()].max() * (not over)
            row[action] += 0.3 * (reward + after - row[action])


def test_a_learner_finds_out_what_its_partner_can_see():
    """Behind the fire are coins, three steps away: the partner looks two ahead and turns back.

    Where the learner goes into the fire for it, the partner sees a coin and carries on. The most
    that there is to get is three coins less one step through the fire: 298.
    """
    hall = wall_of_fire.board("...F.C\n..SF.C\n...F.C", most_turns=8)
    novice = read_agent("obl:2", SearchOptions(iterations=50, rollouts=2))
    env, table = TeammateEnv("wall-of-fire", [["learner", novice]], hall), Table(seed=0)
    before = [episode(env, table.anything, seed=seed)[0] for seed in range(30)]
    for seed in range(1000, 1300):
        table.learn(env, seed=seed)
    after = [episode(env, table.best, seed=seed)[0] for seed in range(30)]
    assert np.mean(before) < 180
    assert np.mean(after) > 280
