"""The kernel of single steps, run as plain Python and compiled: the same moves, draw by draw."""

import os
import subprocess
import sys

import numpy as np
import pytest

from sizeup.games import bits, checkers, connect_four
from sizeup.games.contract import GAMES, NO_ACTION, View, load_game
from sizeup.games.rng import below, new_rng, uniform
from sizeup.games.seats import seat
from sizeup.jit import plain

DICE_RACE = """
from typing import NamedTuple
from sizeup.games.contract import CHANCE, GameInfo
from sizeup.jit import jit

class State(NamedTuple):
    lead: int
    turn: int
    rolling: int

class Params(NamedTuple):
    sides: int = 4

INFO = GameInfo("dice-race", (0, 1), 4, Params(), (0, 4), (-99, 99))

@jit
def start(params):
    return State(0, 0, 0)

@jit
def actor(state, params):
    return CHANCE if state.rolling else state.turn % 2

@jit
def is_terminal(state, params):
    return state.turn == 8 and not state.rolling

@jit
def legal_actions(state, params, out):
    if is_terminal(state, params):
        return 0
    if not state.rolling:
        out[0], out[1] = 0, 1
        return 2
    for side in range(params.sides):
        out[side] = side + 1
    return params.sides

@jit
def probabilities(state, params, out):
    for side in range(params.sides):
        out[side] = 1.0 / params.sides

@jit
def apply(state, action, params):
    if state.rolling:
        sign = 1 if state.turn % 2 == 1 else -1
        return State(state.lead + sign * (action - 2), state.turn, 0)
    return State(state.lead, state.turn + 1, action)

@jit
def reward(state, action, after, params):
    return float(after.lead - state.lead)
"""


@pytest.fixture(scope="module")
def dice_race(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "dice_race.py"
    path.write_text(DICE_RACE)
    return load_game(str(path))


def playouts(view, steps, seeds):
    out = np.zeros(view.info.max_actions, dtype=np.int64)
    lots = np.zeros(view.info.max_actions)
    with np.errstate(over="ignore"):
        return [
            steps.playout(view.start(), view.params, new_rng(seed), 80, out, lots)
            for seed in range(seeds)
        ]


def assert_alike(game, seeds=30):
    view = View(game)
    slow, fast = (playouts(view, steps, seeds) for steps in (plain(view._steps), view._steps))
    assert slow == fast
    assert len({moves for _, moves, _ in slow} | {total for *_, total in slow}) > 1


@pytest.mark.parametrize("name", GAMES)
def test_playouts_of_our_games(name):
    assert_alike(load_game(name))


@pytest.mark.parametrize("game", [checkers, connect_four])
def test_playouts_with_seats(game):
    assert_alike(seat(game, 3, 2))


@pytest.mark.slow
def test_playouts_with_chance_between_two_sides(dice_race):
    assert_alike(dice_race)
    assert_alike(seat(dice_race, 2, 1))


def test_chance_passes_no_turn_on(dice_race):
    view = View(seat(dice_race, 2, 2))
    state, order = view.start(), []
    while view.actions(state):
        order.append(view.actor(state))
        state, _ = view.apply(state, 1)
    assert [player for player in order if player >= 0] == [0, 2, 1, 3] * 2
    assert order.count(-1) == 8


def test_many_playouts_are_the_sum_of_single_ones():
    view = View(connect_four)
    out, lots = np.zeros(7, dtype=np.int64), np.zeros(7)
    for steps in (plain(view._steps), view._steps):
        with np.errstate(over="ignore"):
            one, many = new_rng(3), new_rng(3)
            singles = [steps.playout(view.start(), view.params, one, 99, out, lots)[1:]
                       for _ in range(5)]  # fmt: skip
            together = steps.playouts(view.start(), view.params, many, 99, 5, out, lots)
        assert together == tuple(map(sum, zip(*singles, strict=True)))


def test_no_action_where_the_game_is_over():
    stuck = checkers.CheckersState(black=0, white=checkers.board_of([32]), kings=0, side=0)
    out = np.zeros(256, dtype=np.int64)
    for rules in (checkers, plain(checkers)):
        assert rules.random_action(stuck, checkers.CheckersParams(), new_rng(0), out) == NO_ACTION


def test_draws_are_alike_and_within_their_range():
    slow = plain(__import__("sizeup.games.rng", fromlist=["rng"]))
    one, other = new_rng(11), new_rng(11)
    with np.errstate(over="ignore"):
        for n in (1, 2, 7, 2**31):
            assert slow.below(one, n) == below(other, n) < n
            assert 0 <= slow.uniform(one) == uniform(other) < 1


@pytest.mark.slow
@pytest.mark.parametrize("way", ["nth_bit", "_by_halves", "_by_deposit"])
def test_the_nth_bit(way):
    """Un-jitted and compiled, against a list of all set bits."""
    if way == "_by_deposit" and not bits._has_fast_deposit():
        ways = [plain(bits)._by_deposit]  # compiled, this processor could not run it
    else:
        ways = [getattr(bits, way), getattr(plain(bits), way)]
    rng = np.random.default_rng(1)
    words = [1, 1 << 62, 0x5555555555555555, 0x7FFFFFFFFFFFFFFF, 0x00F0000000000F01]
    for word in [*words, *map(int, rng.integers(1, 2**63, 50))]:
        expected = [1 << n for n in range(63) if word >> n & 1]
        for nth_bit in ways:
            assert [nth_bit(word, n) for n in range(len(expected))] == expected


@pytest.mark.slow
def test_compiled_for_a_processor_without_the_instruction():
    """The same drawing of moves: a search's tree must not depend on who runs it."""
    command = "from tests.games.test_steps import drawn_moves; print(drawn_moves())"
    environment = {**os.environ, "NUMBA_CPU_NAME": "generic"}
    told = subprocess.run(
        [sys.executable, "-c", command], env=environment, capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == drawn_moves().split()


def drawn_moves():
    """A game of checkers at random, as text."""
    board, rng, out = View(checkers), new_rng(5), np.zeros(256, dtype=np.int64)
    state, moves = board.start(), []
    while (action := checkers.random_action(state, board.params, rng, out)) != NO_ACTION:
        moves.append(board.action_text(state, action))
        state, _ = board.apply(state, action)
    return " ".join(moves)
