"""Agents of ours in a PettingZoo loop, and somebody's policy in a match of ours."""

import numpy as np
import pytest

from sizeup.adapters.observations import Encoding
from sizeup.adapters.pettingzoo_env import env, raw_env
from sizeup.adapters.policies import SearchPolicy, as_player
from sizeup.agents import read_agent
from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games import checkers, harvest
from sizeup.games.contract import View
from sizeup.play import play
from sizeup.search import Searcher, SearchOptions

QUICK = SearchOptions(iterations=10, rollouts=1)
FEW = checkers.CheckersParams(most_plies=24)


def quick(text):
    return read_agent(text, QUICK)


def play_aec(played, policies):
    """The moves as texts, and what each agent got."""
    moves, totals = [], dict.fromkeys(played.possible_agents, 0.0)
    for agent in played.agent_iter():
        _, reward, terminated, truncated, info = played.last()
        totals[agent] += reward
        number = None
        if not (terminated or truncated):
            number = policies[agent].act(played)
            moves.append(info["legal_actions"][number])
        played.step(number)
    return moves, totals


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "teams", "params"),
    [
        ("wall-of-fire", [["ca:4@2,4", "obl:2"]], None),
        ("harvest", [["ca:3@1,3", "sa:3@1,3", "obl:1"]], None),
        ("connect-four", [["ca:3@1,3", "obl:1"], ["random"]], None),
        ("checkers", [["obl:2"], ["ca:3@1,3", "public:2@1,2", "min:2"]], FEW),
    ],
)
def test_a_loop_of_agents_plays_the_match_of_the_same_seed(game, teams, params):
    configs = [[quick(text) for text in team] for team in teams]
    truth = [config.own for team in configs for config in team]
    record = play(game, configs, seed=6, params=params)
    played = env(game, [len(team) for team in teams], params)
    names = played.possible_agents
    policies = {
        name: SearchPolicy(config, played, name, seed=6, truth=dict(zip(names, truth, strict=True)))
        for name, config in zip(names, (c for team in configs for c in team), strict=True)
    }
    played.reset(seed=6)
    moves, totals = play_aec(played, policies)
    assert moves == [move.action for move in record.moves if move.player >= 0]
    assert totals[names[0]] == record.total
    for seat, name in enumerate(names):
        seen = {m.player: m.seen[seat].after for m in record.moves if seat in m.seen}
        held = policies[name].beliefs(played)
        assert {who: tuple(held[names[who]].tolist()) for who in seen} == seen


@pytest.mark.slow
def test_it_learns_from_the_others_moves_by_itself():
    played = env("wall-of-fire")
    expert = SearchPolicy("ca:20@2,20", played, "player_0", seed=1)
    played.reset()
    assert expert.beliefs(played)["player_1"].tolist() == [0.495, 0.495]
    played.step(expert.act(played))
    played.step(3)  # back out of the fire, as a novice would
    assert expert.beliefs(played)["player_1"][0] > 0.9


def first_moves(played, policy, moves):
    """A partner that always takes the first move it has."""
    for _ in range(moves):
        mine = played.agent_selection == policy.agent
        first = int(played.last()[0]["action_mask"].argmax())
        played.step(policy.act(played) if mine else first)


@pytest.mark.slow
@pytest.mark.parametrize("keep", [False, True])
def test_after_a_reset_it_starts_afresh_unless_it_is_to_keep_what_it_believes(keep):
    played = env("wall-of-fire")
    asked, silent = (
        SearchPolicy(quick("ca:4"), played, "player_0", seed=3, keep_beliefs=keep) for _ in range(2)
    )
    played.reset()
    first_moves(played, asked, 6)
    before = asked.beliefs(played)["player_1"].tolist()
    fresh = pytest.approx([0.99 / 3] * 3)  # the rest is none of these
    assert before != fresh
    played.reset()
    first_moves(played, silent, 6)
    played.reset()
    for policy in (asked, silent):
        after = policy.beliefs(played)["player_1"].tolist()
        assert after == (before if keep else fresh)


def test_each_game_has_a_seed_of_its_own():
    played = env("connect-four", max_cycles=6)
    policy = SearchPolicy(quick("obl:2"), played, "x_0", seed=5)
    records = []
    for _ in range(2):
        played.reset()
        first_moves(played, policy, 12)
        records.append(played.unwrapped.match.actions)
    again = SearchPolicy(quick("obl:2"), played, "x_0", seed=6)
    played.reset()
    first_moves(played, again, 12)
    assert played.unwrapped.match.actions == records[1] != records[0]


def test_a_move_in_its_name_that_it_was_not_asked_for_is_no_news_about_itself(monkeypatch):
    played = env("wall-of-fire")
    policy = SearchPolicy(quick("ca:4"), played, "player_0")
    played.reset()
    policy.act(played)
    first_moves(played, policy, 2)
    believed, searched = policy.beliefs(played)["player_0"], []
    for name in ("search", "choices"):
        monkeypatch.setattr(Searcher, name, lambda *given, **more: searched.append(given))
    played.step(0)
    assert policy.beliefs(played)["player_0"].tolist() == believed.tolist()
    assert not searched


def test_types_among_strangers_are_halves_of_its_own():
    played = env("harvest")
    assert SearchPolicy("ca:6", played, "player_1").config.types == (1, 3, 6)
    assert SearchPolicy("obl:6", played, "player_1").config.types == ()
    oracle = SearchPolicy("ora:6", played, "player_1", truth={"player_0": 2, "player_2": 9})
    assert oracle.config.types == (1, 2, 3, 6)
    played.reset()
    assert oracle.beliefs(played)["player_0"].tolist() == [0, 1, 0, 0]
    assert oracle.beliefs(played)["player_2"].tolist() == [0, 0, 0, 1]


def test_it_is_asked_only_when_it_is_its_turn():
    played = env("connect-four")
    policy = SearchPolicy("random", played, "o_0")
    with pytest.raises(InvalidInput, match=r"no game yet; call its reset\(\)"):
        policy.act(played)
    played.reset()
    with pytest.raises(InvalidInput, match="it is not o_0's turn"):
        policy.act(played)
    for column in (0, 1, 0, 1, 0, 1, 0):
        played.step(column)
    with pytest.raises(InvalidInput, match="it is not o_0's turn"):
        policy.act(played)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: SearchPolicy("obl:2", env("checkers"), "red_0"), "no agent 'red_0'; agents are b"),
        (lambda: SearchPolicy("obl:2", object(), "black_0"), "is not one of Sizeup's environments"),
        (lambda: SearchPolicy("obl:2", raw_env("checkers"), "black_0", seed=-1), "got -1"),
        (lambda: SearchPolicy(7, env("checkers"), "black_0"), "7 is not an agent"),
        (
            lambda: SearchPolicy("ora:2", env("checkers"), "black_0", truth={"white_0": "8"}),
            "the depth of white_0 must be an integer, got '8'",
        ),
        (
            lambda: SearchPolicy("ora:2", env("checkers"), "black_0", truth=[8]),
            "true depths are by name",
        ),
        (lambda: as_player("obl:2"), "'obl:2' is not a policy; expected a function of an obs"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()


def central(observation):
    """The legal column next to the middle."""
    return min(np.flatnonzero(observation["action_mask"]), key=lambda column: abs(column - 3))


def test_a_policy_sits_in_a_match():
    record = play("connect-four", [[as_player(central), "random"], ["random"]], seed=4)
    assert record.players == ("central", "random", "random")
    assert record.moves[0].action == "d"


def test_a_policy_sees_in_a_match_what_it_sees_in_the_environment():
    """The same two policies at both, move by move."""
    shown = {"match": [], "environment": []}

    def watching(kind):
        def policy(observation):
            shown[kind].append({name: given.tolist() for name, given in observation.items()})
            return int(np.flatnonzero(observation["action_mask"])[-1])

        return policy

    seats = [[as_player(watching("match"), name="last")] * 2, [as_player(watching("match"))]]
    record = play("checkers", seats, params=FEW)
    played = env("checkers", (2, 1), FEW)
    played.reset()
    policy = watching("environment")
    while not any(played.truncations.values()):
        played.step(policy(played.last()[0]))
    assert record.players == ("last", "last", "policy")
    assert shown["match"] == shown["environment"]


def test_one_player_can_sit_at_several_games():
    player = as_player(lambda observation: observation["action_mask"].argmax())
    assert player.__name__ == "policy"
    for game in ("connect-four", "checkers"):
        assert play(game, [[player], [player]], params=FEW if game == "checkers" else None).moves


def test_a_policy_that_breaks_the_rules_is_named():
    with pytest.raises(IllegalAction, match="fixed chose an illegal move: 7 is not the number"):
        play("connect-four", [[as_player(lambda seen: 7, name="fixed")], ["random"]])


def test_an_observation_of_chance_shows_nobodys_moves():
    """A player is never asked there; whoever looks sees that there is nothing to choose."""
    encoding = Encoding(View(harvest))
    shown = encoding.observation(harvest.HarvestState(turn=1, growth=0, sown=1))
    assert shown["action_mask"].sum() == 0
    assert shown["observation"][-4:].tolist() == [0, 0, 0, 1]
