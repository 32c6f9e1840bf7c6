"""How a game ended, in words that agree with the rules."""

from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

import sizeup
from sizeup.games import checkers, connect_four, wall_of_fire
from sizeup.games.contract import OVER
from sizeup.play.record import Move, Seen
from sizeup.web.story import card_data, inferred_depth, result_data

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


def story_of(odds, types=(2, 4, 8), depths=(8, None), observer=None):
    """A match in the end, in which somebody in seat 0 believes this of the player in seat 1."""
    moves = [
        {"ply": ply, "action": "a", "plain": "", "sentence": f"You play {ply}."}
        for ply in (1, 2, 3, 4, 5)
    ]
    return SimpleNamespace(
        types={0: types}, held=[{0: [odds, odds]}], view=SimpleNamespace(teams=(0, 0)),
        moves=moves, observer=observer, players=[{"depth": depth} for depth in depths],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("odds", "depth", "none", "credible"),
    [
        ((0.02, 0.95, 0.03), 4, False, [4]),
        ((0.05, 0.04, 0.9), 8, False, [8]),
        ((0.05, 0.06, 0.89), None, False, [4, 8]),
        ((0.5, 0.45, 0.04), None, False, [2, 4]),
        ((0.33, 0.33, 0.33), None, False, [2, 4, 8]),
        ((0.07, 0.02, 0.001), None, True, [2, 4]),
        ((0.0, 0.1, 0.1), None, False, [4, 8]),
        ((0.0, 0.6, 0.0), None, False, [4]),
    ],
)
def test_a_depth_is_named_where_it_is_all_but_certain(odds, depth, none, credible):
    card = card_data(story_of(odds), (), seat=1)
    assert (card["depth"], card["none"], card["credible"]) == (depth, none, credible)
    assert (card["types"], card["probabilities"]) == ([2, 4, 8], list(odds))
    assert (card["informative"], card["believer"]) == ([], 0)


def test_a_seat_goes_to_the_likeliest_depth_also_where_none_can_be_named():
    assert inferred_depth(story_of((0.3, 0.4, 0.2)), about=1) == 4
    assert inferred_depth(story_of((0.3, 0.4, 0.2)), about=0) is None


def test_the_moves_that_told_most_are_named_first():
    even, sure, lost = (0.495, 0.495), (0.98, 0.01), (0.01, 0.01)  # in the end: none of these
    told = (even, even), (even, sure), (sure, even), (even, lost)
    moves = [Move(at, 1, "a", 0.0, seen={0: Seen(1, (0, 0), *one)}) for at, one in enumerate(told)]
    moves[1].seen[0] = replace(moves[1].seen[0], evidence=(0.1, 3.0), played=(4, 0), samples=4)
    moves.append(Move(5, 0, "a", 0.0, seen={0: Seen(0, (0, 0), even, sure)}))
    card = card_data(story_of(lost, types=(2, 4)), moves, seat=1)
    assert [one["ply"] for one in card["informative"]] == [4, 3, 2]
    assert (card["moves"], card["told"]) == (4, 1)
    bits = [one["bits"] for one in card["informative"]]
    assert bits[0] == pytest.approx(2 * 0.01 * np.log2(0.01 / 0.495) + 0.98 * np.log2(98))
    assert card_data(story_of(lost, types=(2, 4), observer=0), moves, seat=1)["believer"] is None


def test_who_has_no_partner_has_no_card():
    assert card_data(story_of((1.0, 0.0, 0.0)), (), seat=0) is None
