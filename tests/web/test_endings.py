"""How a game ended, in words that agree with the rules."""

from itertools import count

import pytest

import sizeup
from sizeup.games import checkers, connect_four, wall_of_fire
from sizeup.games.contract import OVER
from sizeup.web.story import result_data

SIDES = ("black", "white")


@pytest.fixture(scope="module")
def games():
    return [sizeup.play("checkers", ["random", "random"], seed=seed) for seed in range(40)]


def test_points_decide_where_a_limit_ends_a_game(games):
    stopped = [game for game in games if game.reason != OVER]
    decided = [game for game in stopped if game.winner is not None]
    assert decided
    for game in stopped:
        result = result_data(game, checkers.LOOK)
        assert result["reason"] == game.reason
        if game.winner is None:
            assert (result["winner"], result["margin"]) == (None, None)
            assert game.total == 0
        else:
            assert result["winner"] == SIDES[game.winner] == SIDES[int(game.total < 0)]
            assert result["margin"] == abs(game.total) > 0


def test_who_cannot_move_has_lost_whatever_the_points(games):
    lost = [game for game in games if game.reason == OVER]
    assert lost
    for game in lost:
        result = result_data(game, checkers.LOOK)
        assert (result["winner"], result["margin"]) == (SIDES[game.winner], None)
        assert result["reason"] == "no move left"


@pytest.mark.slow
def test_four_in_a_row_or_a_full_board():
    games = (sizeup.play("connect-four", ["random", "random"], seed=seed) for seed in count())
    drawn = next(game for game in games if game.winner is None)
    assert result_data(drawn, connect_four.LOOK)["reason"] == "the board is full"
    assert result_data(drawn, connect_four.LOOK)["outcome"] == "drawn"
    won = next(game for game in games if game.winner == 1)
    assert result_data(won, connect_four.LOOK)["reason"] == "four in a row"
    assert result_data(won, connect_four.LOOK)["winner"] == "O"


def test_a_team_alone_wins_nothing():
    record = sizeup.play("wall-of-fire", ["random+random"], seed=1)
    result = result_data(record, wall_of_fire.LOOK)
    assert (result["winner"], result["margin"], result["outcome"]) == (None, None, "done")
