"""Every game and team size as a PettingZoo environment, held to PettingZoo's own tests."""

import importlib
import itertools
import pickle
import subprocess
import sys
import types
from functools import lru_cache

import numpy as np
import pettingzoo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    performance_benchmark,
    render_test,
    seed_test,
)
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from sizeup.adapters.pettingzoo_env import env, raw_env, register
from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games import checkers, connect_four, wall_of_fire
from sizeup.games.contract import CHANCE, GAMES, View, load_game
from sizeup.games.look import Look
from sizeup.games.seats import seat
from sizeup.games.template import write_new_game
from tests.adapters import lottery

SIZES = [(1, 1), (2, 1), (2, 2), (3, 1)]
CASES = [
    *itertools.product(["checkers", "connect-four"], SIZES),
    *itertools.product(["wall-of-fire"], [None, (1,), (3,)]),
    *itertools.product(["foraging"], [None, (3,)]),
    ("narrow-tunnel", None),
    ("harvest", None),
    ("a file", None),
    *itertools.product([lottery], [None, (2, 2)]),
]
IDS = [
    f"{getattr(game, '__name__', game)}-{'v'.join(map(str, teams or ('own',)))}"
    for game, teams in CASES
]

# PettingZoo's api_test lets only its own environments, by name, observe a dictionary (which is what
# its own games with masks do), and finds it odd that who has finished has no legal move.
MASKED = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def masked(test):
    for mark in MASKED:
        test = mark(test)
    return test


@pytest.fixture(params=CASES, ids=IDS)
def make(request, tmp_path):
    """A function that makes an environment."""
    game, teams = request.param
    if game == "a file":
        game = load_game(str(write_new_game("piles", tmp_path)[0]))

    def made(**options):
        return env(game, teams, **options)

    return made


@pytest.mark.slow
@masked
def test_api(make):
    api_test(make(), num_cycles=400)


@masked
def test_api_without_wrappers(make):
    api_test(make().unwrapped, num_cycles=400)


def test_seed(make):
    seed_test(make, num_cycles=400)


def test_render(make):
    render_test(make)


def test_parallel_api(make):
    parallel_api_test(turn_based_aec_to_parallel(make()), num_cycles=400)


def test_performance_benchmark_runs(make, monkeypatch, capsys):
    clock = itertools.count(step=0.2)
    module = sys.modules[performance_benchmark.__module__]
    monkeypatch.setattr(module, "time", types.SimpleNamespace(time=lambda: next(clock)))
    performance_benchmark(make())
    assert "Finished performance benchmark" in capsys.readouterr().out


def test_agents_are_named_by_side_and_seat():
    assert env("checkers", (2, 1)).possible_agents == ["black_0", "black_1", "white_0"]
    assert env(connect_four).possible_agents == ["x_0", "o_0"]
    assert env(lottery).possible_agents == ["first_0", "second_0"]
    assert env("harvest").possible_agents == ["player_0", "player_1", "player_2"]
    assert env("wall-of-fire", (3,)).possible_agents == ["player_0", "player_1", "player_2"]
    named = types.ModuleType("raffle")
    named.__dict__.update(vars(lottery), LOOK=Look(sides=("Red Team", "Blue")))
    assert env(named, (2, 1)).possible_agents == ["red_team_0", "red_team_1", "blue_0"]


def test_the_match_of_an_environment_is_a_match():
    """Its record names the agents, and nobody but they can move."""
    played = env("connect-four")
    played.reset(seed=1)
    with pytest.raises(InvalidInput, match="x_0 moves in its own loop"):
        played.unwrapped.match.step()
    for column in (0, 1, 0, 1, 0, 1, 0):
        played.step(column)
    record = played.unwrapped.match.record()
    assert (record.players, record.winner) == (("x_0", "o_0"), 0)


def test_a_seated_game_and_a_view_are_games_too():
    seated = env(seat(checkers, 1, 2))
    assert seated.possible_agents == ["black_0", "white_0", "white_1"]
    assert env(View(seat(checkers, 1, 2))).possible_agents == seated.possible_agents
    assert str(seated) == "checkers_1v2_v0"
    assert seated.metadata["render_modes"] == ["human", "ansi", "rgb_array"]


@lru_cache
def made_once(case):
    return env(*CASES[case])


@pytest.mark.slow
@settings(max_examples=60)
@given(
    case=st.integers(0, len(CASES) - 1).filter(lambda at: CASES[at][0] != "a file"),
    seed=st.integers(0, 2**64),
    choices=st.lists(st.integers(0, 10**6), min_size=130, max_size=130),
)
def test_play_is_that_of_the_rules(case, seed, choices):
    """States, legal moves, turns, rewards and the end, against the view stepped by itself."""
    played = made_once(case)
    played.reset(seed=seed)
    raw, totals = played.unwrapped, dict.fromkeys(played.possible_agents, 0.0)
    view, quiet, rewards = View(raw.view.game, raw.view.params), 0, []
    state = view.start()
    state = chance_as_drawn(view, state, raw, rewards)
    for ply, choice in enumerate(choices):
        observation, reward, terminated, truncated, info = played.last()
        totals[played.agent_selection] += reward
        assert raw.encoding.state(observation["observation"]) == state
        assert terminated == (not view.actions(state))
        assert truncated == (not terminated and stopped(view.info.name, ply, quiet))
        if terminated or truncated:
            break
        turns = observation["observation"][-len(view.teams) - 1 :]
        assert np.flatnonzero(turns).tolist() == [view.actor(state)]
        assert played.agent_selection == played.possible_agents[view.actor(state)]
        legal = view.actions(state)
        numbers = np.flatnonzero(observation["action_mask"]).tolist()
        at = choice % len(legal)
        assert sorted(info["legal_actions"]) == numbers
        number = list(info["legal_actions"])[at]
        assert info["legal_actions"][number] == view.action_text(state, legal[at])
        played.step(number)
        state, reward = view.apply(state, legal[at])
        rewards.append(reward)
        quiet = quiet + 1 if reward == 0 else 0
        state = chance_as_drawn(view, state, raw, rewards)
    for agent in played.agent_iter():
        _, reward, _, _, info = played.last()
        totals[agent] += reward if agent != played.possible_agents[0] else 0.0
        assert info["reason"]
        played.step(None)
    assert not played.agents
    signs = [1 if team == 0 else -1 for team in view.teams]
    assert list(totals.values()) == [sign * sum(rewards) for sign in signs]


def chance_as_drawn(view, state, raw, rewards):
    """Follow what the environment drew, as far as it can have been drawn."""
    while view.actor(state) == CHANCE and len(rewards) < len(raw.match.actions):  # or it is over
        odds = dict(zip(view.actions(state), view.probabilities(state), strict=True))
        drawn = raw.match.actions[len(rewards)]
        assert odds[drawn] > 0
        state, reward = view.apply(state, drawn)
        rewards.append(reward)
    return state


def stopped(name, plies, quiet):
    if name.startswith("checkers"):
        return plies >= 120 or quiet >= 40
    if name.startswith("foraging"):
        return plies >= 24
    return name.startswith(("wall", "narrow")) and plies >= 20


def test_the_same_seed_is_the_same_weather():
    def weather(seed, games=1):
        farm = raw_env("harvest")
        for _ in range(games):
            farm.reset(seed=seed)
            seed = None
            while farm.agents:
                over = farm.truncations[farm.agent_selection]
                over = over or farm.terminations[farm.agent_selection]
                farm.step(None if over else 1 if 1 in farm.last()[-1]["legal_actions"] else 0)
        made = zip(farm.match.moves, farm.match.actions, strict=True)
        return [action for move, action in made if move.player == CHANCE]

    assert weather(5) == weather(5)
    assert weather(5, games=2) == weather(5, games=2) != weather(5)
    drawn = [rain for seed in range(100) for rain in weather(seed)[:2]]
    assert 90 < sum(drawn) < 130  # 110 expected, of 200


def test_the_next_game_of_an_unseeded_environment_is_another_one():
    farms = raw_env("harvest"), raw_env("harvest")
    for farm in farms:
        farm.reset()
    assert farms[0].match.seed != farms[1].match.seed


def play_first_moves(played, most=10**6):
    """The first legal move each time; rewards by agent."""
    totals = dict.fromkeys(played.possible_agents, 0.0)
    for agent in played.agent_iter(most):
        observation, reward, terminated, truncated, _ = played.last()
        totals[agent] += reward
        over = terminated or truncated
        played.step(None if over else int(observation["action_mask"].argmax()))
    return totals


def test_a_game_that_is_stopped_is_truncated_and_says_why():
    played = raw_env("checkers", params=checkers.CheckersParams(most_plies=7))
    played.reset()
    play_first_moves(played, most=7)
    assert all(played.truncations.values())
    assert not any(played.terminations.values())
    assert played.infos["white_0"] == {"reason": "7 plies played", "winner": "black"}
    assert played.observe("black_0")["action_mask"].sum() == 0
    assert played.observe("black_0")["observation"][-3:].tolist() == [0, 1, 0]


def test_a_game_that_is_over_is_terminated_and_names_the_winner():
    played = env("connect-four")
    played.reset()
    for column in (0, 1, 0, 1, 0, 1, 0):
        played.step(column)
    assert all(played.terminations.values())
    assert not any(played.truncations.values())
    assert played.rewards == {"x_0": 1.0, "o_0": -1.0}
    assert played.infos["o_0"] == {"reason": "the game is over", "winner": "x"}
    assert played.state()[-3:].tolist() == [0, 0, 1]


def test_teammates_share_rewards_and_nothing_is_added_for_a_win():
    played = env("connect-four", (2, 2))
    played.reset()
    for column in (0, 1, 0, 1, 0, 1, 0):
        played.step(column)
    assert played.rewards == {"x_0": 1.0, "x_1": 1.0, "o_0": -1.0, "o_1": -1.0}


@pytest.mark.parametrize("teams", SIZES)
def test_max_cycles_are_rounds_of_as_many_moves_as_agents(teams):
    """PettingZoo's max_cycles_test wants everybody to move at once, with any move legal."""
    played = env("checkers", teams, max_cycles=3)
    played.reset()
    moves = 0
    while not any(played.truncations.values()):
        played.step(int(played.last()[0]["action_mask"].argmax()))
        moves += 1
    assert moves == 3 * sum(teams)
    assert played.infos["black_0"]["reason"] == f"{moves} moves made"


def test_the_games_own_limit_holds_under_a_larger_one():
    played = raw_env("wall-of-fire", max_cycles=50)
    played.reset()
    play_first_moves(played, most=20)
    assert played.infos["player_0"]["reason"] == "20 turns played"


def test_an_illegal_move_ends_the_game_for_whoever_has_the_wrappers():
    played = env("checkers", illegal_reward=-5.0)
    played.reset()
    played.step(200)
    assert played.rewards == {"black_0": -5.0, "white_0": 0}
    assert played.last()[0]["action_mask"].sum() == 0
    totals = play_first_moves(played)
    assert totals == {"black_0": -5.0, "white_0": 0.0}
    with pytest.raises(AssertionError, match="not in action space"):
        second_game(played).step(256)


def second_game(played):
    played.reset()
    return played


def test_an_illegal_move_is_an_error_without_the_wrappers():
    played = raw_env("wall-of-fire", params=wall_of_fire.board("S.C"))
    played.reset()
    with pytest.raises(IllegalAction, match=r"0 is not the number of a legal move .* \[1\]"):
        played.step(0)


def test_who_has_finished_has_no_move():
    played = env("connect-four")
    played.reset()
    for column in (0, 1, 0, 1, 0, 1, 0):
        played.step(column)
    with pytest.raises(ValueError, match="the only valid action is None"):
        played.unwrapped.step(0)


def test_texts_and_copies_of_what_agents_are_told():
    played = env("checkers", (2, 1))
    played.reset()
    texts = played.infos["black_0"]["legal_actions"]
    assert len(texts) == 7
    assert texts[6] == "11-16"
    assert 7 not in texts
    with pytest.raises(KeyError):
        texts[7]
    copied = pickle.loads(pickle.dumps(played.infos))
    assert copied == played.infos
    assert type(copied["black_0"]["legal_actions"]) is dict


def test_an_environment_can_be_sent_to_another_process():
    played = pickle.loads(pickle.dumps(env("connect-four", (2, 1), max_cycles=2)))
    played.reset(seed=1)
    assert played.agents == ["x_0", "x_1", "o_0"]


def test_human_mode_prints_after_every_move(capsys):
    played = env("connect-four", render_mode="human")
    played.reset()
    assert capsys.readouterr().out.count("X (player 0) to move") == 1
    played.step(3)
    assert "O (player 1) to move" in capsys.readouterr().out
    played.close()


def test_ansi_is_the_drawing_as_text():
    played = env("connect-four", render_mode="ansi")
    played.reset()
    played.step(3)
    assert " .  .  .  X  .  .  ." in played.render()


def test_rendering_without_a_mode_is_warned_of():
    played = env("connect-four")
    played.reset()
    with pytest.warns(UserWarning, match="give the environment a render_mode"):
        assert played.render() is None


def test_our_games_are_registered_once():
    register()
    register()
    ids = [name for name in pettingzoo.aec_registry if name.startswith("sizeup/")]
    assert len(ids) == len(GAMES)
    for name in ids:
        assert isinstance(pettingzoo.make("aec", name, max_cycles=3).unwrapped, raw_env)


def test_an_old_pettingzoo_has_no_registry(monkeypatch):
    monkeypatch.delattr(pettingzoo, "aec_registry")
    with pytest.raises(InvalidInput, match="has no registry"):
        register()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: env("chekers"), "there is no game 'chekers'"),
        (lambda: env("checkers", (2,)), "needs 2 teams"),
        (lambda: env("checkers", (5, 1)), "1 to 4 members, got 5"),
        (lambda: env("checkers", (0, 1)), "1 to 4 members, got 0"),
        (lambda: env("checkers", (1.5, 1)), r"numbers of agents, such as \(2, 1\); got \(1.5, 1\)"),
        (lambda: env("harvest", (2,)), "harvest needs teams of 3"),
        (
            lambda: env("checkers", max_cycles=0),
            "max_cycles must be a whole number of 1 or more, got 0",
        ),
        (lambda: env("checkers", max_cycles=True), "whole number of 1 or more, got True"),
        (lambda: env("checkers", render_mode="film"), "no render mode 'film'; expected one of hum"),
        (lambda: raw_env("checkers").render(), r"no game yet; call its reset\(\) first"),
        (lambda: env("checkers").reset(seed=-1), "a seed is a whole number of 0 or more, got -1"),
        (lambda: env("checkers").reset(seed="a"), "of 0 or more, got 'a'"),
        (lambda: env("checkers").reset(seed=True), "of 0 or more, got True"),
        (
            lambda: env("checkers", params=checkers.CheckersParams(most_plies=0)).reset(),
            r"over before anybody moves \(0 plies played\); give other params",
        ),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()


def test_a_missing_library_is_named_with_its_extra(monkeypatch):
    monkeypatch.delitem(sys.modules, "sizeup.adapters.pettingzoo_env")
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(
        InvalidInput, match=r"not installed; run pip install 'sizeup\[pettingzoo\]'"
    ):
        importlib.import_module("sizeup.adapters.pettingzoo_env")


@pytest.mark.slow
def test_nobody_waits_for_libraries_that_were_not_asked_for():
    code = (
        "import sys, sizeup, sizeup.cli, sizeup.adapters, sizeup.adapters.policies\n"
        "sizeup.play\n"
        "print(sorted({'pettingzoo', 'gymnasium'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
