import numpy as np
import pytest

from sizeup.capability import TypeSet
from sizeup.errors import InvalidInput
from sizeup.planning import CHANCE, TERMINAL, Planner, TabularGame, tabulate

GOOD = {
    "teams": (0, 1),
    "actor": [0, CHANCE, 1, TERMINAL],
    "successor": [[1, 2], [2, 3], [3, -1], [-1, -1]],
    "reward": [[0, 1], [2, 0], [1, 0], [0, 0]],
    "chance": [[0, 0], [0.25, 0.75], [0, 0], [0, 0]],
}


def test_a_game_as_arrays():
    game = TabularGame(**GOOD)
    assert (game.players, game.states, game.start) == (2, 4, 0)
    assert game.legal_actions(2) == (0,)
    assert game.position(0, 1) == 1
    assert game.drawn(1) == [(0.25, 2.0, 2), (0.75, 0.0, 3)]
    assert game.drawn(0) == [(1.0, 0.0, 0)]
    assert game.index(2) == 2


def test_chance_after_chance():
    game = TabularGame(
        teams=(0, 0),
        actor=[0, CHANCE, CHANCE, 1, TERMINAL],
        successor=[[1, -1], [2, 4], [3, 4], [4, -1], [-1, -1]],
        reward=[[0, 0], [8, 0], [8, 0], [1, 0], [0, 0]],
        chance=[[0, 0], [0.5, 0.5], [0.5, 0.5], [0, 0], [0, 0]],
    )
    assert game.drawn(1) == [(0.25, 16.0, 3), (0.25, 8.0, 4), (0.5, 0.0, 4)]
    planner = Planner(game, TypeSet((1, 2)), discount=0.5)
    assert planner.oblivious(0, own=1).tolist() == [0.5 * (0.5 * 8 + 0.25 * 8)]
    assert planner.oblivious(0, own=2).tolist() == [0.5 * (0.5 * 8 + 0.25 * (8 + 1))]


def test_a_game_is_its_own_copy_and_read_only():
    reward = np.array(GOOD["reward"], dtype=float)
    game = TabularGame(**{**GOOD, "reward": reward})
    reward[0, 0] = 99.0
    assert game.reward[0, 0] == 0.0
    for array in (game.actor, game.successor, game.reward, game.chance):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_a_loop_of_chance_is_refused():
    with pytest.raises(InvalidInput, match="chance state 1 can lead back to chance for ever"):
        TabularGame((0, 0), [0, CHANCE], [[1], [1]], [[0], [0]], [[0], [1]])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"teams": (0,)}, r"2 players or more, got teams \(0,\)"),
        ({"teams": (0, 2)}, r"teams must be all 0, or 0 and 1.*got \(0, 2\)"),
        ({"teams": (1, 1)}, r"got \(1, 1\)"),
        ({"actor": [0, CHANCE, 1]}, r"must fit the \(states, actions\) = \(4, 2\)"),
        ({"actor": [0, CHANCE, 2, TERMINAL]}, "state 2 has no such actor"),
        ({"reward": [[0, 1]] * 3}, r"got \(4,\), \(3, 2\)"),
        ({"reward": [[np.nan, 1], *GOOD["reward"][1:]]}, "state 0 has a reward that is not"),
        ({"successor": [1, 2]}, r"successor must be \(states, actions\)"),
        ({"successor": [[1, 4], *GOOD["successor"][1:]]}, "state 0 leads to a state that is not"),
        ({"successor": [[-1, -1], *GOOD["successor"][1:]]}, "state 0 is not terminal but has no"),
        ({"successor": [*GOOD["successor"][:3], [0, -1]]}, "state 3 is terminal but has legal"),
        ({"chance": [[0, 0], [0.25, 0.5], [0, 0], [0, 0]]}, "state 1 sum to 0.75, expected 1"),
        (
            {"chance": [[0, 0], [-0.5, 1.5], [0, 0], [0, 0]]},
            "state 1 has a probability that is not",
        ),
        (
            {"chance": [[0, 0], [np.nan, 1], [0, 0], [0, 0]]},
            "state 1 has a probability that is not",
        ),
        ({"chance": [[0.5, 0.5], *GOOD["chance"][1:]]}, "state 0 gives a probability to what"),
        ({"chance": [[0, 0], [0.25, 0.749], [0, 0], [0, 0]]}, "sum to 0.999, expected 1"),
        ({"start": 9}, "state 9 is out of range, expected 0 to 3"),
        ({"start": True}, "state True is out of range"),
        ({"successor": [[1.5, 2], *GOOD["successor"][1:]]}, "successor: expected integers"),
        ({"successor": [[1, -7], *GOOD["successor"][1:]]}, "state 0 leads to a state that is not"),
        ({"successor": [[1], [1, 2]]}, "successor: expected integers in even rows"),
        ({"actor": [0.5, CHANCE, 1, TERMINAL]}, "actor: expected integers"),
        ({"reward": [["a", "b"]] * 4}, "reward: expected numbers"),
        ({"teams": (0, True)}, "a team must be an integer, got True"),
        ({"state_names": ("a",)}, r"state_names must be 4 different names, got \('a',\)"),
        ({"action_names": ("a", "a")}, "action_names must be 2 different names"),
    ],
)
def test_bad_games_are_refused(changes, message):
    with pytest.raises(InvalidInput, match=message):
        TabularGame(**{**GOOD, **changes})


class Coin:
    """One flip, one bet; written as functions."""

    teams = (0, 0)
    fair = (0.5, 0.5)

    def start(self):
        return "flip"

    def actor(self, state):
        return {"flip": CHANCE, "over": TERMINAL}.get(state, 1)

    def actions(self, state):
        return ("heads", "tails")

    def probabilities(self, state):
        return self.fair

    def apply(self, state, action):
        return (action, 0.0) if state == "flip" else ("over", float(state == action))


def test_functions_become_arrays():
    game = tabulate(Coin())
    assert game.state_names == ("flip", "heads", "tails", "over")
    assert game.action_names == ("heads", "tails")
    assert game.chance[0].tolist() == [0.5, 0.5]
    assert game.reward[1:3].tolist() == [[1, 0], [0, 1]]
    with pytest.raises(InvalidInput, match="no state 'edge'"):
        game.index("edge")


def test_a_game_that_is_over_at_once():
    class Nothing(Coin):
        def start(self):
            return "over"

    assert tabulate(Nothing()).actor.tolist() == [TERMINAL]


def test_functions_are_checked():
    class Unfair(Coin):
        fair = (0.5, 0.25, 0.25)

    with pytest.raises(InvalidInput, match="2 outcomes but 3 probabilities"):
        tabulate(Unfair())


@pytest.mark.parametrize("actor", [2, -3, 0.5, None, True])
def test_an_actor_that_is_nobody_is_found_on_the_way(actor):
    class Nobody(Coin):
        def actor(self, state):
            return actor

    with pytest.raises(InvalidInput, match="state 'flip' has no such actor"):
        tabulate(Nobody())


def test_an_action_listed_twice_is_refused():
    class Twice(Coin):
        def actions(self, state):
            return ("heads", "heads")

    with pytest.raises(InvalidInput, match="state 'flip' lists an action twice"):
        tabulate(Twice())


def test_a_game_too_large_to_write_down():
    class Endless(Coin):
        def start(self):
            return 0

        def actor(self, state):
            return 0

        def apply(self, state, action):
            return state + 1, 0.0

    with pytest.raises(InvalidInput, match=r"more than 100 states.*raise max_states"):
        tabulate(Endless(), max_states=100)
