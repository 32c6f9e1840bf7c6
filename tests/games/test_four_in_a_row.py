"""Four in a row, held to published counts and to a reference that knows no bits."""

import itertools
import math
import random
import types
from dataclasses import replace

import numpy as np
import pytest

from sizeup.errors import IllegalAction, InvalidInput
from sizeup.games import connect_four, four_in_a_row
from sizeup.games.check import check_game
from sizeup.games.contract import TERMINAL, View, params_of
from sizeup.games.drawing import draw_svg, draw_text
from sizeup.games.four_in_a_row import FourInARowState, board, stones_in_rows
from sizeup.games.look import look_of
from sizeup.games.seats import seat
from sizeup.jit import jit

CONNECT_FOUR = board(6, 7, 4, gravity=True)

# Lines of play of connect four, as its perft is published (a game that is won goes no further).
PERFT = (1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234)


@jit
def perft(state, depth, params, buffers):
    if depth == 0:
        return 1
    count = four_in_a_row.legal_actions(state, params, buffers[depth])
    found = 0
    for at in range(count):
        found += perft(
            four_in_a_row.apply(state, buffers[depth][at], params), depth - 1, params, buffers
        )
    return found


def lines_of_play(depth, params):
    return perft(FourInARowState(0, 0, 0), depth, params, np.zeros((depth + 1, 64), dtype=np.int64))


@pytest.mark.slow
@pytest.mark.parametrize("depth", range(9))
def test_connect_four_has_its_published_lines_of_play(depth):
    assert lines_of_play(depth, CONNECT_FOUR) == PERFT[depth]


class Slow:
    """The same game as a dictionary of stones: shares nothing with the rules."""

    def __init__(self, rows, columns, length, gravity):
        self.rows, self.columns, self.length, self.gravity = rows, columns, length, gravity
        self.lines = [
            line
            for row, column, (up, right) in itertools.product(
                range(rows), range(columns), ((0, 1), (1, 0), (1, 1), (1, -1))
            )
            if self.holds((line := [(row + n * up, column + n * right) for n in range(length)])[-1])
        ]

    def holds(self, square):
        return 0 <= square[0] < self.rows and 0 <= square[1] < self.columns

    def won(self, stones):
        return any(
            len({stones.get(square, square) for square in line}) == 1 and line[0] in stones
            for line in self.lines
        )

    def free(self, stones):
        if self.won(stones):
            return []
        squares = itertools.product(range(self.rows), range(self.columns))
        return [
            (row, column)
            for row, column in squares
            if (row, column) not in stones
            and (not self.gravity or row == 0 or (row - 1, column) in stones)
        ]

    def positions(self, plies):
        """Different positions after each number of moves."""
        now, counts = {frozenset()}, [1]
        for ply in range(plies):
            now = {
                frozenset({**stones, square: ply % 2}.items())
                for stones in map(dict, now)
                for square in self.free(stones)
            }
            counts.append(len(now))
        return counts


def positions(params, plies):
    view = View(four_in_a_row, params)
    now, counts = {view.start()}, [1]
    for _ in range(plies):
        now = {view.apply(state, action)[0] for state in now for action in view.actions(state)}
        counts.append(len(now))
    return counts


def test_noughts_and_crosses_has_its_5478_positions():
    assert sum(positions(board(3, 3, 3), 9)) == 5478  # as published; 255,168 games
    assert Slow(3, 3, 3, False).positions(9) == positions(board(3, 3, 3), 9)


def test_positions_of_four_in_a_row_are_those_of_the_reference():
    assert positions(board(), 3) == [1, 36, 1260, 21420] == Slow(4, 9, 4, False).positions(3)


SHAPES = [
    (4, 9, 4, False), (6, 7, 4, True), (3, 3, 3, False), (1, 26, 3, False), (28, 2, 5, True),
    (2, 20, 7, False), (5, 5, 5, True), (7, 7, 5, False), (28, 2, 15, False), (4, 4, 1, True),
    (3, 5, 2, True), (6, 8, 6, True), (10, 5, 3, False),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_random_games_are_those_of_the_reference(shape):
    slow, params = Slow(*shape), board(*shape)
    view, chance = View(four_in_a_row, params), random.Random(str(shape))
    for _ in range(30):
        state, stones = view.start(), {}
        while free := slow.free(stones):
            places = [
                four_in_a_row.place_of(four_in_a_row.landing(state, action, params), params)
                for action in view.actions(state)
            ]
            assert sorted(places) == sorted(free)
            at = chance.randrange(len(places))
            stones[places[at]] = len(stones) % 2
            state, reward = view.apply(state, view.actions(state)[at])
            assert (reward != 0) == slow.won(stones)
            assert view.state_from_text(view.state_text(state)) == state
        assert view.actor(state) == TERMINAL
        marked = stones_in_rows(state.first, params) | stones_in_rows(state.second, params)
        assert bool(marked) == slow.won(stones)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES[:6])
def test_every_board_keeps_the_contract(shape):
    game = types.ModuleType("some_board")
    game.__dict__.update({k: v for k, v in vars(four_in_a_row).items() if not k.startswith("__")})
    game.INFO = replace(four_in_a_row.INFO, params=board(*shape))
    assert check_game(game, games=5).moves >= 5


WORTH = {0: 11.62, 1: 3.72, 2: 1.02}  # of a row, by how many stones it lacks; 0.22 for the others


def central(stones, rows, columns):
    """How central the first side stands, less how central the second does."""
    middle = (rows - 1) / 2, (columns - 1) / 2
    return sum((-1) ** side / max(0.5, math.dist(place, middle)) for place, side in stones.items())


@pytest.mark.slow
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape[2] > 1])
def test_positions_look_as_good_as_their_rows(shape):
    slow, params = Slow(*shape), board(*shape)
    view, chance = View(four_in_a_row, params), random.Random(str(shape))
    for _ in range(10):
        state, stones = view.start(), {}
        while free := view.actions(state):
            action = chance.choice(free)
            square = four_in_a_row.landing(state, action, params)
            stones[four_in_a_row.place_of(square, params)] = len(stones) % 2
            state, _ = view.apply(state, action)
            bare = wanted = 0.66 * central(stones, params.rows, params.columns)
            for line in slow.lines:
                held = [stones[square] for square in line if square in stones]
                if len(set(held)) == 1:
                    worth = WORTH.get(len(line) - len(held), 0.22)
                    wanted += worth if held[0] == 0 else -worth
            assert four_in_a_row.evaluate(state, params, -1) == pytest.approx(wanted, abs=1e-9)
            assert four_in_a_row.evaluate(state, params, 0) == pytest.approx(bare, abs=1e-9)


def test_connect_four_is_a_case_of_it():
    ours, any_board = View(connect_four), View(four_in_a_row, CONNECT_FOUR)
    chance = random.Random(0)
    for _ in range(20):
        state = ours.start()
        while actions := ours.actions(state):
            assert any_board.actions(state) == actions
            action = chance.choice(actions)
            assert any_board.action_text(state, action) == ours.action_text(state, action)
            assert any_board.apply(state, action) == ours.apply(state, action)
            state, _ = ours.apply(state, action)


def test_squares_are_named_from_the_bottom_left():
    view = View(four_in_a_row)
    state = view.start()
    names = [view.action_text(state, action) for action in view.actions(state)]
    assert names[:5] == ["a1", "a2", "a3", "a4", "b1"]
    assert names[-1] == "i4"
    state, _ = view.apply(state, view.action_from_text(state, "E2"))
    assert view.state_text(state) == "........./........./....x..../......... o"
    with pytest.raises(InvalidInput, match="'e2' is not a legal action here"):
        view.action_from_text(state, "e2")
    with pytest.raises(IllegalAction):
        view.apply(state, 4)  # the empty bit on top of the first column


def test_it_is_drawn_in_text_and_as_a_picture():
    view = View(four_in_a_row)
    state = view.start()
    for square in ("a1", "b1", "a2", "b2", "a3", "b3", "a4"):
        state, _ = view.apply(state, view.action_from_text(state, square))
    text = draw_text(four_in_a_row, state).plain
    assert "black has won" in text
    rows = [line.split() for line in text.splitlines()[2:6]]
    assert [row[:3] for row in rows] == [
        ["[X4]", ".", "."], ["[X3]", "O", "."], ["[X2]", "O", "."], ["[X1]", "O", "."],
    ]  # fmt: skip
    assert "black stone" in draw_svg(four_in_a_row, state)
    columns = text.splitlines()[1].split()
    assert columns == list("abcdefghi")


def test_a_full_board_is_a_draw():
    view = View(four_in_a_row, board(2, 2, 3))
    state = view.start()
    while actions := view.actions(state):
        state, _ = view.apply(state, actions[0])
    assert "a draw" in draw_text(four_in_a_row, state, params=view.params).plain


def test_clicks_are_where_the_stone_comes_to_lie():
    squares, params = look_of(four_in_a_row).squares, board(3, 3, 3, gravity=True)
    view = View(four_in_a_row, params)
    state, _ = view.apply(view.start(), 1)
    assert squares(state, 1, params) == [(1, 1)]
    assert squares(state, 0, params) == [(2, 0)]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rows": 0}, "rows is a whole number of 1 or more, got 0"),
        ({"rows": 8, "columns": 8}, "8 rows and 8 columns is too large; expected at most 26"),
        ({"rows": 1, "columns": 27}, "too large"),
        ({"length": -1}, "length is a whole number"),
        ({"length": 16}, "length is at most 15, got 16"),
        ({"colums": 3}, "there is no parameter 'colums'"),
        ({"gravity": 1}, "gravity is true or false, such as False"),
    ],
)
def test_boards_that_are_refused(given, message):
    with pytest.raises(InvalidInput, match=message):
        params_of(four_in_a_row, given)


@pytest.mark.parametrize(
    ("params", "text"),
    [
        (board(3, 3, 3), "x../.../... x"),
        (board(3, 3, 3), "xxx/oo./... x"),
        (board(3, 3, 3), "xxx/ooo/... x"),
        (board(3, 3, 3, gravity=True), "x../.../... o"),
    ],
)
def test_positions_that_cannot_come_up(params, text):
    with pytest.raises(InvalidInput, match="cannot come up on this board"):
        View(four_in_a_row, params).state_from_text(text)


def test_teams_share_a_side():
    assert check_game(seat(four_in_a_row, 2, 1), games=3).moves > 5


@pytest.mark.parametrize("field", ["rows", "columns", "length", "win", "squares", "floor"])
def test_a_record_cannot_bring_an_impossible_board(field):
    wrong = {"rows": 0, "columns": 60, "length": 0, "win": float("nan"), "squares": -1, "floor": 3}
    limits = look_of(four_in_a_row).limits
    assert all(limit.holds for limit in limits(board()))
    params = board()._replace(**{field: wrong[field]})
    assert field in [limit.field for limit in limits(params) if not limit.holds]
